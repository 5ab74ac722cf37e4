// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/container/archive_array.hpp"

#include <fmt/format.h>

#include <utility>

namespace echolux {

ArchiveArray::ArchiveArray(std::shared_ptr<Archive> archive, ArrayLayout layout,
                           std::vector<Place> places)
    : m_archive(std::move(archive)), m_places(std::move(places)) {
    m_layout = std::move(layout);
    m_layout.check(m_archive->path(), "its samples");
}

void ArchiveArray::read(std::span<std::byte> out) {
    const std::size_t slice = out.size() / m_places.size();
    for (std::size_t i = 0; i < m_places.size(); ++i)
        readSlice(0, static_cast<std::int64_t>(i), out.subspan(i * slice, slice));
}

void ArchiveArray::readSlice(std::size_t, std::int64_t index, std::span<std::byte> out) {
    const Place& place = m_places[static_cast<std::size_t>(index)];
    const std::uint64_t size = m_archive->size(*place.member);
    if (place.offset > size || out.size() > size - place.offset)
        throw fileError(m_archive->path(),
                        fmt::format("its entry '{}' has {} bytes, but {} from byte {} are needed; "
                                    "copy the file again",
                                    place.member->name, size, out.size(), place.offset));
    m_archive->read(*place.member, place.offset, out);
    toNativeOrder(m_layout.type, out);
}

} // namespace echolux
