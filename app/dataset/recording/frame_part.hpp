// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a raw frame that can be read beside others, for readers with several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace echolux {

class InputFile;

/// Any thread may call `read`, also while others read other parts.
struct FramePart {
    std::size_t begin = 0; ///< bytes in the frame
    std::size_t bytes = 0;
    std::function<void(std::span<std::byte> out)> read; ///< throws Error
};

/// A frame that lies in a row in `file`, which outlives the parts, as it is delivered.
std::vector<FramePart> partsOfFile(const InputFile& file, std::uint64_t offset, std::size_t bytes);

} // namespace echolux
