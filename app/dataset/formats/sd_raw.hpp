// SPDX-License-Identifier: GPL-3.0-or-later
// Raw B-scans of a spectral-domain device behind a header of 552 bytes that begins with "SD01RAW".
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool isSdRaw(const InputFile& file);

/// Throws Error where the file is not exactly as long as its header says, or where its chirp
/// is no monotonic curve.
std::unique_ptr<Recording> openSdRaw(std::shared_ptr<const InputFile> file);

} // namespace echolux
