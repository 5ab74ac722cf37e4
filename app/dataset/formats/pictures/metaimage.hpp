// SPDX-License-Identifier: GPL-3.0-or-later
// MetaImage (.mha, .mhd): lines "key = value", then the samples in the same file or in a file
// beside it.
#pragma once

#include "app/dataset/formats/pictures/picture_file.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool isMetaImage(const InputFile& file);

StoredPicture readMetaImage(const std::shared_ptr<const InputFile>& file);

/// Throws Error where the header contradicts itself or the samples, or where it names a sample type
/// that no image has.
std::unique_ptr<Recording> openMetaImage(std::shared_ptr<const InputFile> file,
                                         const OpenOptions& options);

} // namespace echolux
