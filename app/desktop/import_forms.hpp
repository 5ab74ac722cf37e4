// SPDX-License-Identifier: GPL-3.0-or-later
// Between what the forms of the dialog hold and what describes a file.
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

/// `shape`: of the array that was chosen, where the file holds arrays.
RawImport importOf(const RawImportForm& form, bool headerless = true,
                   const std::vector<std::int64_t>& shape = {});
/// Nothing where the form has no such type.
std::optional<RawImportForm> formOf(const RawImport& import);

/// Throws Error, a sentence, where a list of numbers is none.
ChannelImport importOf(const ChannelFormValues& form, bool headerless, bool complexElements);
/// Nothing where the form has no such type or not as many axes.
std::optional<ChannelFormValues> formOf(const ChannelImport& import);

/// Like those of channel data.
ImageImport importOf(const ImageFormValues& form, bool headerless, bool complexElements);
std::optional<ImageFormValues> formOf(const ImageImport& import);

} // namespace echolux
