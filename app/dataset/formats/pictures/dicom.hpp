// SPDX-License-Identifier: GPL-3.0-or-later
// Ultrasound images and cines in DICOM (.dcm), read by DCMTK where the program was built with it.
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool isDicom(const InputFile& file);

/// Reads grey frames of 8 or 16 bits, and colours as brightness; uncompressed, RLE or JPEG. Throws
/// Error where the file is damaged or holds no such frames, and where the program was built without
/// DCMTK.
std::unique_ptr<Recording> openDicom(std::shared_ptr<const InputFile> file,
                                     const OpenOptions& options);

} // namespace echolux
