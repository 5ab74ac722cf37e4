// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a raw frame that can be read in parallel with other parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace echolux {

class InputFile;

/// Any thread may call `read`, also while other threads read other parts.
struct FramePart {
    std::size_t begin = 0; ///< byte offset in the frame
    std::size_t bytes = 0;
    std::function<void(std::span<std::byte> out)> read; ///< throws Error
};

/// Parts of a frame that is stored contiguously in `file` in the form in which it is delivered,
/// but for the order of the bytes of each number, see FileRead. `file` must outlive the parts.
std::vector<FramePart> partsOfFile(const InputFile& file, std::uint64_t offset, std::size_t bytes,
                                   std::uint8_t turned = 1);

} // namespace echolux
