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

/// Reads `size` bytes at `offset` of the .npy data; it never asks beyond `totalBytes`.
using ReadAt = std::function<void(std::uint64_t offset, std::span<std::byte> out)>;

/// Parses and checks the header against the bytes there are. `where` names the array in errors.
NpyHeader readNpyHeader(const std::filesystem::path& path, const std::string& where,
                        std::uint64_t totalBytes, const ReadAt& readAt);

/// A .npy file as a container of one array, under the empty name.
std::unique_ptr<ArrayContainer> openNpy(std::shared_ptr<const InputFile> file);

} // namespace echolux
