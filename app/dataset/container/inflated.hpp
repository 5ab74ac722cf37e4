// SPDX-License-Identifier: GPL-3.0-or-later
// One deflated stream, as zlib or gzip wrap it, somewhere in a file.
#pragma once

#include "app/dataset/recording/input_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

/// Its first `bytes` bytes. Throws where they are more than a reader may keep or than the rest of
/// the file can give, or where the stream is damaged or ends early.
std::vector<std::byte> inflated(const InputFile& file, std::uint64_t offset, std::uint64_t bytes);

/// As many of its first `most` bytes as there are before its end or damage; for looking what it is.
std::string inflatedBeginning(const InputFile& file, std::uint64_t offset, std::size_t most);

} // namespace echolux
