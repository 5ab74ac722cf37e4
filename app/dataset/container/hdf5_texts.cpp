// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/container/hdf5_texts.hpp"

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/container/hdf5_whole.hpp"

#include <cstring>

namespace echolux {

namespace {

template <class Read> std::vector<std::string> textsOf(hid_t type, hid_t space, Read read) {
    constexpr hssize_t kMost = 4096;
    constexpr std::size_t kLongest = std::size_t{1} << 20U;
    if (H5Tget_class(type) != H5T_STRING) return {};
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    if (points < 1 || points > kMost) return {};
    const auto count = static_cast<std::size_t>(points);
    if (H5Tis_variable_str(type) <= 0) {
        const std::size_t width = H5Tget_size(type);
        if (width - 1 >= kLongest / count) return {}; // width 0: HDF5 failed
        std::string cells(width * count, '\0');
        return read(cells.data()) ? textsIn(cells, width) : std::vector<std::string>();
    }
    std::vector<char*> places(count);
    if (!read(places.data())) return {};
    std::vector<std::string> texts;
    for (const char* each : places)
        texts.emplace_back(each == nullptr ? "" : each,
                           each == nullptr ? 0 : ::strnlen(each, kLongest));
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, places.data());
    return texts;
}

} // namespace

std::vector<std::string> textsIn(const std::string& cells, std::size_t width) {
    std::vector<std::string> texts;
    for (std::size_t at = 0; at + width <= cells.size(); at += width) {
        const std::string cell = cells.substr(at, width);
        texts.push_back(cell.substr(0, cell.find('\0')));
    }
    return texts;
}

std::vector<std::string> textsOfDataset(hid_t dataset) {
    const Hdf5Handle type(H5Dget_type(dataset));
    const Hdf5Handle space(H5Dget_space(dataset));
    return textsOf(type.get(), space.get(),
                   [&](void* into) { return Hdf5Whole(dataset).read(type.get(), into); });
}

std::vector<std::string> textsOfAttribute(hid_t attribute) {
    const Hdf5Handle type(H5Aget_type(attribute));
    const Hdf5Handle space(H5Aget_space(attribute));
    return textsOf(type.get(), space.get(),
                   [&](void* into) { return H5Aread(attribute, type.get(), into) >= 0; });
}

} // namespace echolux
