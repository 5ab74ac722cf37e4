// SPDX-License-Identifier: GPL-3.0-or-later
// Walks a DICOM file before DCMTK, which recurses into sequences and inflates what is deflated.
#pragma once

#include "app/dataset/recording/input_file.hpp"

namespace echolux {

/// Throws Error where sequences lie too deep within each other, where a length is larger than what
/// holds it, where the inflated data set is more than the opening in progress may keep, or where
/// the file does not say how it is coded.
void checkDicom(const InputFile& file);

} // namespace echolux
