// SPDX-License-Identifier: GPL-3.0-or-later
// Brightness computed from colours that lie along the last axis of an array.
#pragma once

#include "app/dataset/container/array_source.hpp"

#include <filesystem>
#include <memory>

namespace echolux {

/// For 3 or 4 entries (red, green, blue, opacity): 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601). For
/// 1 or 2 entries (grey, opacity): the first one. Opacity is ignored. The result lacks the last
/// axis.
class GreyArray : public ArraySource {
public:
    /// Throws where the last axis does not have 1 to 4 entries.
    GreyArray(const std::filesystem::path& path, std::unique_ptr<ArraySource> colours);
    bool canSlice(std::size_t axis) const override { return m_colours->canSlice(axis); }
    void read(std::span<std::byte> out) override;
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override;

private:
    void makeRoom(std::size_t greyBytes);
    void makeGrey(std::span<std::byte> out) const;
    std::filesystem::path m_path;
    std::unique_ptr<ArraySource> m_colours;
    std::size_t m_perPixel = 1;
    std::vector<std::byte> m_block;
};

} // namespace echolux
