// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the structure of a DICOM file before DCMTK reads it: DCMTK recurses into sequences and
// inflates compressed data without limits.
#pragma once

#include "app/dataset/recording/input_file.hpp"

namespace echolux {

/// Throws Error where sequences are nested too deeply, where a length is larger than the item that
/// contains it, where the inflated data set exceeds the memory limit of opening, or where the file
/// does not name its transfer syntax.
void checkDicom(const InputFile& file);

} // namespace echolux
