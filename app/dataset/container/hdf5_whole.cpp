// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/container/hdf5_whole.hpp"

#include "app/dataset/container/hdf5_chunk_check.hpp"
#include "app/dataset/container/hdf5_filters.hpp"
#include "app/dataset/container/hdf5_guard.hpp"
#include "app/dataset/recording/opening.hpp"

#include <algorithm>

namespace echolux {

Hdf5Whole::Hdf5Whole(hid_t dataset) : m_dataset(dataset) {
    quietHdf5();
    const Hdf5Handle type(H5Dget_type(dataset));
    const Hdf5Handle space(H5Dget_space(dataset));
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    if (!type || count < 0 || dataObstacle(dataset)) return;
    m_extent.resize(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.get()), 0)));
    if (!m_extent.empty()) H5Sget_simple_extent_dims(space.get(), m_extent.data(), nullptr);
    m_storage.elementBytes = H5Tget_size(type.get());
    const auto elements = static_cast<std::uint64_t>(count);
    if (storageObstacle(dataset, elements, m_storage)) return;
    constexpr std::uint64_t kWidest = 16; // bytes of a number or reference in memory
    Opening::keep("a table in it",
                  elements * std::max<std::uint64_t>(kWidest, m_storage.elementBytes));
    m_count = static_cast<std::size_t>(count);
}

bool Hdf5Whole::read(hid_t memory, void* out) const {
    if (!m_count) return false;
    if (*m_count == 0) return true;
    guardHdf5();
    if (m_storage.filters.empty())
        return H5Dread(m_dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    Hdf5ChunkCheck chunks(m_storage);
    if (!chunks.areWhole(m_dataset, std::vector<hsize_t>(m_extent.size(), 0), m_extent))
        return false;
    const ChunkLimit limit(chunks.mostBytes());
    return H5Dread(m_dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
}

} // namespace echolux
