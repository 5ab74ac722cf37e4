// SPDX-License-Identifier: GPL-3.0-or-later
// Inflates a stream of zlib or gzip at any position in a file.
#pragma once

#include "app/dataset/recording/input_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

/// The first `bytes` bytes of the stream. Throws where they exceed what a reader may keep in memory
/// or what the rest of the file can contain, and where the stream is damaged or ends early.
std::vector<std::byte> inflated(const InputFile& file, std::uint64_t offset, std::uint64_t bytes);

/// Up to `most` bytes from the beginning of the stream, up to its end or a damage. For detecting
/// its format.
std::string inflatedBeginning(const InputFile& file, std::uint64_t offset, std::size_t most);

} // namespace echolux
