// SPDX-License-Identifier: GPL-3.0-or-later
// NRRD, "nearly raw raster data" (.nrrd, .nhdr): lines of text, an empty line, samples.
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool isNrrd(const InputFile& file);

/// Raw and gzip encoding. Throws Error where the header contradicts itself or the samples, or names
/// what Echolux does not read.
std::unique_ptr<Recording> openNrrd(std::shared_ptr<const InputFile> file,
                                    const OpenOptions& options);

} // namespace echolux
