// SPDX-License-Identifier: GPL-3.0-or-later
// Opens spectra that a sidecar describes, with the curves that it names.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/dataset/sidecar/sidecar.hpp"

#include <memory>
#include <string>

namespace echolux {

/// `container` is null for headerless binary. Precondition: sidecar.spectra is set.
std::unique_ptr<Recording> openSpectra(const std::shared_ptr<const InputFile>& file,
                                       const std::shared_ptr<ArrayContainer>& container,
                                       const Sidecar& sidecar, const std::string& format);

/// How headerless spectra are stored according to `sidecar`. Throws Error where it does not say it.
RawImport describedImport(const std::shared_ptr<const InputFile>& file, const Sidecar& sidecar);

} // namespace echolux
