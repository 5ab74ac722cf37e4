// SPDX-License-Identifier: GPL-3.0-or-later
// The header of NumPy's .npy format, versions 1 to 3.
#pragma once

#include "app/dataset/container/array_source.hpp"

#include <functional>
#include <memory>

namespace echolux {

struct NpyHeader {
    ArrayLayout layout;
    std::uint64_t dataOffset = 0;
};

/// Reads bytes at `offset` of the .npy data. It is never called for bytes beyond `totalBytes`.
using ReadAt = std::function<void(std::uint64_t offset, std::span<std::byte> out)>;

/// Parses the header and checks it against the number of bytes. `where` names the array in errors.
NpyHeader readNpyHeader(const std::filesystem::path& path, const std::string& where,
                        std::uint64_t totalBytes, const ReadAt& readAt);

/// A .npy file as a container with one array, whose name is empty.
std::unique_ptr<ArrayContainer> openNpy(std::shared_ptr<const InputFile> file);

} // namespace echolux
