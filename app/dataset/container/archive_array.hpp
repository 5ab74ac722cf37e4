// SPDX-License-Identifier: GPL-3.0-or-later
// An array whose slices along the first axis are stored in members of a ZIP archive. Each slice is
// contiguous.
#pragma once

#include "app/dataset/container/archive.hpp"
#include "app/dataset/container/array_source.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace echolux {

class ArchiveArray : public ArraySource {
public:
    struct Place {
        const Archive::Member* member = nullptr; ///< a member of the archive
        std::uint64_t offset = 0;                ///< byte offset in the member
    };

    /// Takes one place per index of the layout's first axis. Throws where the layout is impossible.
    ArchiveArray(std::shared_ptr<Archive> archive, ArrayLayout layout, std::vector<Place> places);
    bool canSlice(std::size_t axis) const override { return axis == 0; }
    void read(std::span<std::byte> out) override;
    /// Throws where the member ends before the slice does.
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override;

private:
    std::shared_ptr<Archive> m_archive;
    std::vector<Place> m_places;
};

} // namespace echolux
