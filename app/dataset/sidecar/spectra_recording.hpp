// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra that a sidecar describes, with the curves that it points to.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/dataset/sidecar/sidecar.hpp"

#include <memory>
#include <string>

namespace echolux {

/// `container` is null for headerless binary; sidecar.spectra must be given.
std::unique_ptr<Recording> openSpectra(const std::shared_ptr<const InputFile>& file,
                                       const std::shared_ptr<ArrayContainer>& container,
                                       const Sidecar& sidecar, const std::string& format);

/// How `sidecar` says that headerless spectra are stored. Throws Error where it does not.
RawImport describedImport(const std::shared_ptr<const InputFile>& file, const Sidecar& sidecar);

} // namespace echolux
