// SPDX-License-Identifier: GPL-3.0-or-later
// Raw data of Clarius scanners (.raw): envelopes, beamformed RF and IQ.
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// True where the header agrees with the file's size to the byte, and for files that lzop
/// compressed.
bool isClarius(const InputFile& file);

/// Throws Error where the file is compressed with lzop.
std::unique_ptr<Recording> openClarius(std::shared_ptr<const InputFile> file,
                                       const OpenOptions& options);

} // namespace echolux
