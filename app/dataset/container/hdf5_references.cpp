// SPDX-License-Identifier: GPL-3.0-or-later
// References to objects of an HDF5 file. MATLAB keeps cells and struct arrays by references.
#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/container/hdf5_whole.hpp"
#include "app/dataset/recording/opening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace echolux {

namespace {

/// NOTE: the type of an object's facts has different names in HDF5 1.10 and 1.12.
template <class Facts>
std::optional<haddr_t> objectAddress(herr_t (*factsOf)(hid_t, const char*, Facts*, unsigned, hid_t),
                                     hid_t file, const std::string& path) {
    Facts facts{};
    if (factsOf(file, path.c_str(), &facts, H5O_INFO_BASIC, H5P_DEFAULT) < 0) return std::nullopt;
    return facts.addr;
}

} // namespace

Hdf5File::References Hdf5File::references(const std::string& where, std::size_t most) const {
    quietHdf5();
    References result;
    if (!isDataset(where)) return result;
    const Hdf5Handle dataset(H5Dopen2(id(), where.c_str(), H5P_DEFAULT));
    const Hdf5Handle type(H5Dget_type(dataset.get()));
    const Hdf5Handle space(H5Dget_space(dataset.get()));
    if (H5Tequal(type.get(), H5T_STD_REF_OBJ) <= 0) return result;
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    if (count < 1 || static_cast<std::size_t>(count) > most) return result;
    std::vector<hsize_t> extents(
        static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.get()), 0)));
    H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    result.shape.assign(extents.begin(), extents.end());
    const auto targets = readWhole<hobj_ref_t>(dataset.get(), H5T_STD_REF_OBJ);
    if (!targets) return {};
    for (const hobj_ref_t& target : *targets) {
        Opening::visit();
        result.targets.push_back(nameAt(dataset.get(), target));
    }
    return result;
}

std::uint64_t Hdf5File::addressOf(const std::string& where) const {
    return objectAddress(H5Oget_info_by_name2, id(), where.empty() ? "/" : where)
        .value_or(HADDR_UNDEF);
}

bool Hdf5File::isReferences(const std::string& where) const {
    if (!isDataset(where)) return false;
    const Hdf5Handle dataset(H5Dopen2(id(), where.c_str(), H5P_DEFAULT));
    const Hdf5Handle type(H5Dget_type(dataset.get()));
    return H5Tequal(type.get(), H5T_STD_REF_OBJ) > 0;
}

std::string Hdf5File::nameAt(hid_t dataset, const hobj_ref_t& target) const {
    constexpr const char* kReferenced = "#refs#";
    constexpr std::size_t kMostNames = std::size_t{1} << 21U;
    if (!m_names) {
        m_names.emplace();
        for (const std::string& name :
             has(kReferenced) ? children(kReferenced, kMostNames) : std::vector<std::string>{}) {
            const std::string path = fmt::format("/{}/{}", kReferenced, name);
            if (const auto address = objectAddress(H5Oget_info_by_name2, id(), path))
                m_names->emplace(*address, path);
        }
    }
    if (target == 0) return {};
    if (const auto known = m_names->find(target); known != m_names->end()) return known->second;
    std::array<char, 1024> name{};
    const ssize_t length = H5Rget_name(dataset, H5R_OBJECT, &target, name.data(), name.size());
    const bool whole = length > 0 && static_cast<std::size_t>(length) < name.size();
    return whole ? name.data() : "";
}

} // namespace echolux
