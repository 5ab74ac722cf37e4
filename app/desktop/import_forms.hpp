// SPDX-License-Identifier: GPL-3.0-or-later
// Converts between the forms of the dialog and the descriptions of files.
#pragma once

#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "ui/dialogs/channel_form.hpp"
#include "ui/dialogs/image_form.hpp"
#include "ui/dialogs/spectra_form.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace echolux {

/// `shape`: shape of the chosen array, where the file holds arrays.
RawImport importOf(const RawImportForm& form, bool headerless = true,
                   const std::vector<std::int64_t>& shape = {});
/// Empty where the form does not offer this type.
std::optional<RawImportForm> formOf(const RawImport& import);

/// Throws Error, a sentence, where a field that must hold numbers does not.
ChannelImport importOf(const ChannelFormValues& form, bool headerless, bool complexElements);
/// Empty where the form does not offer this type or number of axes.
std::optional<ChannelFormValues> formOf(const ChannelImport& import);

/// Same rules as for channel data.
ImageImport importOf(const ImageFormValues& form, bool headerless, bool complexElements);
std::optional<ImageFormValues> formOf(const ImageImport& import);

} // namespace echolux
