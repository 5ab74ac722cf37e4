// SPDX-License-Identifier: GPL-3.0-or-later
// Ultrasound pictures and cines in DICOM (.dcm), through DCMTK where the program was built with it.
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool isDicom(const InputFile& file);

/// Grey frames of 8 or 16 bits; colours as brightness; uncompressed, RLE and JPEG. Throws Error
/// where the file is damaged or holds no such pictures, and where the program has no DCMTK.
std::unique_ptr<Recording> openDicom(std::shared_ptr<const InputFile> file,
                                     const OpenOptions& options);

} // namespace echolux
