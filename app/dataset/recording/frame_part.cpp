// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of frames that lie one after the other in a file.
#include "app/dataset/recording/frame_part.hpp"

#include "app/dataset/recording/file_read.hpp"

#include <algorithm>

namespace echolux {

std::vector<FramePart> partsOfFile(const InputFile& file, std::uint64_t offset, std::size_t bytes,
                                   std::uint8_t turned) {
    constexpr std::size_t kPartBytes = std::size_t{1} << 20;
    std::vector<FramePart> parts;
    for (std::size_t begin = 0; begin < bytes; begin += kPartBytes) {
        parts.push_back(
            {begin, std::min(kPartBytes, bytes - begin), FileRead{&file, offset + begin, turned}});
    }
    return parts;
}

} // namespace echolux
