// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of a part of a frame that lies in a file as it is delivered, or with its numbers in
// the other byte order.
#pragma once

#include "app/dataset/recording/byte_order.hpp"
#include "app/dataset/recording/input_file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace echolux {

/// What FramePart::read is in parts that partsOfFile() makes.
struct FileRead {
    const InputFile* file = nullptr;
    std::uint64_t offset = 0;
    std::uint8_t turned = 1; ///< bytes of a number whose bytes are in reverse order; 1: none is

    void operator()(std::span<std::byte> out) const {
        file->read(offset, out);
        turnBytes(turned, out);
    }
};

} // namespace echolux
