// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of a part of a frame that lies in a file as it is delivered.
#pragma once

#include "app/dataset/recording/input_file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace echolux {

/// What FramePart::read is in parts that partsOfFile() makes.
struct FileRead {
    const InputFile* file = nullptr;
    std::uint64_t offset = 0;

    void operator()(std::span<std::byte> out) const { file->read(offset, out); }
};

} // namespace echolux
