// SPDX-License-Identifier: GPL-3.0-or-later
// Raw B-scans of a spectral-domain OCT device. The file begins with a header of 552 bytes that
// begins with "SD01RAW".
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool isSdRaw(const InputFile& file);

/// Throws Error where the file's length differs from what its header states, or where its chirp is
/// not monotonic.
std::unique_ptr<Recording> openSdRaw(std::shared_ptr<const InputFile> file);

} // namespace echolux
