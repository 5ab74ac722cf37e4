// SPDX-License-Identifier: GPL-3.0-or-later
// NRRD, "nearly raw raster data" (.nrrd, .nhdr): a text header, an empty line, the samples.
#pragma once

#include "app/dataset/formats/pictures/picture_file.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool isNrrd(const InputFile& file);

StoredPicture readNrrd(const std::shared_ptr<const InputFile>& file);

/// Reads raw and gzip encoding. Throws Error where the header contradicts itself or the samples, or
/// where it uses features that Echolux does not read.
std::unique_ptr<Recording> openNrrd(std::shared_ptr<const InputFile> file,
                                    const OpenOptions& options);

} // namespace echolux
