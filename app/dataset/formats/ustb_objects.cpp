// SPDX-License-Identifier: GPL-3.0-or-later
// Finds objects of USTB in HDF5, and reads the basic ones that all others contain.
#include "app/dataset/formats/ustb_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace echolux {

namespace {

constexpr std::size_t kMostObjects = 65536;

std::string joined(const std::string& where, const std::string& name) { return where + "/" + name; }

std::string lastName(const std::string& where) { return where.substr(where.rfind('/') + 1); }

/// k of "<stem>_000k"; nothing for other names.
std::optional<std::uint64_t> numberIn(const std::string& name, const std::string& stem) {
    constexpr std::size_t kMostDigits = 9;
    if (!name.starts_with(stem + "_")) return std::nullopt;
    const std::string digits = name.substr(stem.size() + 1);
    if (digits.empty() || digits.size() > kMostDigits ||
        !std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c) != 0; }))
        return std::nullopt;
    return std::stoull(digits);
}

} // namespace

std::string ustbClassOf(const Hdf5File& tree, const std::string& where) {
    std::string name = tree.textAttribute(where, "class").value_or("");
    while (!name.empty() && name.back() == ' ') name.pop_back();
    return name.starts_with("uff.") ? name : std::string{};
}

std::vector<std::string> ustbMembers(const Hdf5File& tree, const std::string& where) {
    std::vector<std::pair<std::uint64_t, std::string>> numbered;
    const std::string stem = lastName(where);
    for (const std::string& name : tree.children(where, kMostObjects)) {
        const auto number = numberIn(name, stem);
        const std::string path = joined(where, name);
        if (number && tree.isGroup(path)) numbered.emplace_back(*number, path);
    }
    if (numbered.empty()) return {where};
    std::ranges::sort(numbered);
    std::vector<std::string> members;
    for (auto& [number, path] : numbered) members.push_back(std::move(path));
    return members;
}

std::vector<std::string> ustbObjects(const Hdf5File& tree, std::string_view className) {
    std::vector<std::string> found;
    const auto take = [&](const std::string& where) {
        if (ustbClassOf(tree, where) != className || !tree.isGroup(where)) return;
        for (std::string& member : ustbMembers(tree, where)) found.push_back(std::move(member));
    };
    for (const std::string& name : tree.children("")) {
        take(name);
        if (!tree.isGroup(name) || !ustbClassOf(tree, name).empty()) continue;
        for (const std::string& inner : tree.children(name)) take(joined(name, inner));
    }
    return found;
}

Point UstbPoint::place() const {
    return {distance * std::sin(azimuth) * std::cos(elevation), distance * std::sin(elevation),
            distance * std::cos(azimuth) * std::cos(elevation)};
}

UstbPoint readUstbPoint(const Hdf5Values& point) {
    return {point.number("distance").value_or(0.0), point.number("azimuth").value_or(0.0),
            point.number("elevation").value_or(0.0)};
}

UstbData openUstbData(const Hdf5Values& object) {
    const auto& tree = object.tree();
    if (tree->isDataset(object.at("data"))) return {tree->open(object.at("data")), false};
    if (object.has("data") && !object.isGroup("data"))
        throw object.error(fmt::format("HDF5 cannot open '{}'; it is damaged or was written by a "
                                       "newer HDF5, rewrite the file with h5repack",
                                       object.at("data")));
    const bool real = object.isNumeric("data/real");
    const bool imaginary = object.isNumeric("data/imag");
    if (real && imaginary)
        return {openParts(*tree, object.at("data/real"), object.at("data/imag")), true};
    if (real || imaginary)
        throw object.error(fmt::format("'{}' is complex but lacks '{}'; write the object again",
                                       object.at("data"), real ? "imag" : "real"));
    throw object.error(
        fmt::format("'{}' holds no array 'data'; write the object with its data", object.where()));
}

} // namespace echolux
