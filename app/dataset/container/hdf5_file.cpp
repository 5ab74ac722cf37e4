// SPDX-License-Identifier: GPL-3.0-or-later
// Walks HDF5 trees and follows no link out of the file.
#include "app/dataset/container/hdf5_file.hpp"

#include "app/dataset/container/hdf5_array.hpp"
#include "app/dataset/container/hdf5_guard.hpp"
#include "app/dataset/container/hdf5_texts.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/opening.hpp"
#include "app/dataset/recording/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace echolux {

namespace {

std::string rooted(const std::string& where) { return where.empty() ? "/" : where; }

/// The only one of `texts`.
std::optional<std::string> onlyText(std::vector<std::string> texts) {
    return texts.size() == 1 ? std::optional(std::move(texts.front())) : std::nullopt;
}

} // namespace

Hdf5File::Hdf5File(std::filesystem::path path, Hdf5Handle file)
    : m_path(std::move(path)), m_file(std::move(file)) {}

std::shared_ptr<Hdf5File> Hdf5File::openReadOnly(const std::filesystem::path& path) {
    guardHdf5();
    noteParser(Parser::Hdf5);
    Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    if (!file)
        throw fileError(path, "HDF5 cannot open it; the file was cut off, is damaged or is still "
                              "being written, copy it again");
    return std::shared_ptr<Hdf5File>(new Hdf5File(path, std::move(file)));
}

bool Hdf5File::has(const std::string& where) const {
    quietHdf5();
    std::size_t end = 0;
    while (end != std::string::npos) {
        end = where.find('/', end + 1);
        const std::string part = where.substr(0, end);
        if (part.empty() || part == "/") continue;
        if (H5Lexists(id(), part.c_str(), H5P_DEFAULT) <= 0) return false;
        if (const auto obstacle = linkObstacle(id(), part))
            throw fileError(m_path, fmt::format("'{}' {}", part, *obstacle));
    }
    return true;
}

bool Hdf5File::isGroup(const std::string& where) const {
    if (!has(where)) return false;
    const Hdf5Handle object(H5Oopen(id(), rooted(where).c_str(), H5P_DEFAULT));
    return object && H5Iget_type(object.get()) == H5I_GROUP;
}

bool Hdf5File::isDataset(const std::string& where) const {
    if (!has(where)) return false;
    const Hdf5Handle object(H5Oopen(id(), rooted(where).c_str(), H5P_DEFAULT));
    return object && H5Iget_type(object.get()) == H5I_DATASET;
}

bool Hdf5File::isNumeric(const std::string& where) const {
    if (!isDataset(where)) return false;
    const Hdf5Handle dataset(H5Dopen2(id(), where.c_str(), H5P_DEFAULT));
    const Hdf5Handle type(H5Dget_type(dataset.get()));
    return isNumericHdf5(type.get());
}

std::vector<std::string> Hdf5File::children(const std::string& where, std::size_t most) const {
    quietHdf5();
    std::vector<std::string> names;
    const Hdf5Handle group(H5Gopen2(id(), rooted(where).c_str(), H5P_DEFAULT));
    if (!group) return names;
    struct Collect {
        std::vector<std::string>& names;
        std::size_t most;
    } collect{names, most};
    const auto visit = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
        auto& into = *static_cast<Collect*>(data);
        into.names.emplace_back(name);
        return into.names.size() < into.most ? 0 : 1;
    };
    // NOTE: for an ordered iteration HDF5 1.10 first builds a table. In a damaged group it then
    // frees entries that it has not filled in. So the iteration is unordered.
    H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, visit, &collect);
    if (m_listed.insert(where).second) Opening::visit(names.size());
    std::ranges::sort(names);
    return names;
}

bool Hdf5File::hasAttribute(const std::string& where, const std::string& name) const {
    quietHdf5();
    return H5Aexists_by_name(id(), rooted(where).c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::optional<std::string> Hdf5File::textAttribute(const std::string& where,
                                                   const std::string& name) const {
    if (!hasAttribute(where, name)) return std::nullopt;
    const Hdf5Handle attribute(
        H5Aopen_by_name(id(), rooted(where).c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
    return onlyText(textsOfAttribute(attribute.get()));
}

std::optional<std::string> Hdf5File::text(const std::string& where) const {
    if (!isDataset(where)) return std::nullopt;
    return onlyText(textsOfDataset(openDataset(where).get()));
}

Hdf5Handle Hdf5File::openDataset(const std::string& where) const {
    if (!isDataset(where))
        throw fileError(m_path, fmt::format("it holds no dataset '{}', but {}; correct the name in "
                                            "the sidecar",
                                            where, list()));
    Hdf5Handle dataset(H5Dopen2(id(), where.c_str(), H5P_DEFAULT));
    if (!dataset)
        throw fileError(m_path, fmt::format("the dataset '{}' cannot be opened; the file is "
                                            "damaged, copy it again",
                                            where));
    if (const auto obstacle = dataObstacle(dataset.get()))
        throw fileError(m_path, fmt::format("the dataset '{}' {}", where, *obstacle));
    return dataset;
}

std::unique_ptr<ArraySource> Hdf5File::open(const std::string& where) {
    return openHdf5Array(shared_from_this(), where, openDataset(where));
}

namespace {

/// Finds the datasets of a whole tree, each under its first name.
class DatasetWalk {
public:
    /// Stops once it has found more than `most`.
    DatasetWalk(const Hdf5File& tree, std::size_t most) : m_tree(tree), m_most(most) {}

    std::vector<std::string> find() {
        const Opening opening(m_tree.path());
        walk("");
        std::ranges::sort(m_names);
        return std::move(m_names);
    }

private:
    void walk(const std::string& group) {
        if (!m_seen.insert(m_tree.addressOf(group)).second) return;
        const Opening::Level level;
        for (const std::string& name : m_tree.children(group)) {
            if (m_names.size() > m_most) return;
            const std::string where = group.empty() ? name : group + "/" + name;
            H5L_info_t link{};
            const bool hard = H5Lget_info(m_tree.id(), where.c_str(), &link, H5P_DEFAULT) >= 0 &&
                              link.type == H5L_TYPE_HARD;
            const Hdf5Handle object(hard ? H5Oopen(m_tree.id(), where.c_str(), H5P_DEFAULT) : -1);
            if (!object) continue;
            const H5I_type_t type = H5Iget_type(object.get());
            if (type == H5I_GROUP) walk(where);
            if (type == H5I_DATASET && m_seen.insert(m_tree.addressOf(where)).second)
                m_names.push_back(where);
        }
    }

    const Hdf5File& m_tree;
    std::size_t m_most;
    std::set<std::uint64_t> m_seen; ///< addresses of objects
    std::vector<std::string> m_names;
};

} // namespace

std::string Hdf5File::list() const {
    constexpr std::size_t kMostListed = 12;
    const std::vector<std::string> names = DatasetWalk(*this, kMostListed).find();
    if (names.empty()) return "no dataset at all";
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i)
        text += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
    return names.size() > kMostListed ? text + ", ..." : text;
}

std::vector<std::string> Hdf5File::names() const {
    constexpr std::size_t kMostNames = 4096;
    return DatasetWalk(*this, kMostNames).find();
}

} // namespace echolux
