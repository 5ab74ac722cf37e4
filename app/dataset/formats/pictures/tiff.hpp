// SPDX-License-Identifier: GPL-3.0-or-later
// TIFF and BigTIFF: plain, written by ImageJ, or with OME-XML in the first page's description.
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool isTiff(const InputFile& file);

/// Pages of one size are frames, or planes of volumes where the description says so. Throws Error
/// where the file is damaged or has fewer pages than its description states.
std::unique_ptr<Recording> openTiff(std::shared_ptr<const InputFile> file,
                                    const OpenOptions& options);

} // namespace echolux
