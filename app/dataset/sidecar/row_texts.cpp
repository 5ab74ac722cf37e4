// SPDX-License-Identifier: GPL-3.0-or-later
// Reads axes, sizes and types as users write them.
#include "app/dataset/sidecar/row_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace echolux {

namespace {

std::vector<std::string> axisWords(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    for (const char each : text + ',') {
        if (each == ',') {
            words.push_back(std::exchange(word, {}));
        } else if (each != ' ' && each != '[' && each != ']' && each != '"') {
            word += each;
        }
    }
    return words;
}

std::string namesOfRoles(const ImportRoles& roles) {
    std::vector<std::string_view> names;
    for (const ArrayAxis role : roles.all) names.push_back(nameOf(role));
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::string takeAxes(ImportArray& array, const ImportRoles& roles, const std::string& text) {
    const std::vector<std::string> words = axisWords(text);
    if (!array.headerless() && words.size() != array.axes.size())
        return fmt::format("names {} axes, but the array has {}", words.size(), array.axes.size());
    std::vector<ImportAxis> axes;
    for (const std::string& word : words) {
        const auto role = parseImportAxis(word, roles);
        if (!role)
            return fmt::format("holds '{}': choose among {} and none", word, namesOfRoles(roles));
        axes.push_back({*role, 1});
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes.size() == array.axes.size()) {
            axes[i].size = array.axes[i].size;
            continue;
        }
        const auto before = std::ranges::find(array.axes, axes[i].role, &ImportAxis::role);
        if (before != array.axes.end()) axes[i].size = before->size;
        if (axes[i].role == ArrayAxis::Iq) axes[i].size = 2;
    }
    array.axes = std::move(axes);
    return {};
}

std::string takeShape(ImportArray& array, const ImportRoles& roles, const std::string& text) {
    std::string plain = text;
    std::erase_if(plain, [](char each) { return each == '[' || each == ']'; });
    const auto sizes = readQuantities(plain, {});
    if (!sizes || sizes->size() > 6) return "is no list of sizes such as -1,11,128,2048";
    for (const double size : *sizes)
        if (size != std::floor(size) || !(size >= -1.0 && size < 9e15) || size == 0.0)
            return "holds sizes other than whole numbers from 1 on, or -1 once";
    if (sizes->size() != array.axes.size()) {
        const bool pairs = sizes->size() == 5;
        if (sizes->size() < 2 || sizes->size() > 5)
            return "has another number of axes: name them with --axes";
        array.axes.clear();
        const std::size_t end = pairs ? 5 : 4;
        for (std::size_t i = end - sizes->size(); i < end; ++i)
            array.axes.push_back({roles.all[i], 1});
    }
    for (std::size_t i = 0; i < sizes->size(); ++i)
        array.axes[i].size = static_cast<std::int64_t>((*sizes)[i]);
    return {};
}

std::string textOfAxes(const ImportArray& array) {
    std::vector<std::string_view> names;
    for (const ImportAxis& axis : array.axes) names.push_back(nameOf(axis));
    return fmt::format("{}", fmt::join(names, ","));
}

std::string textOfShape(const ImportArray& array) {
    std::vector<std::int64_t> sizes;
    for (const ImportAxis& axis : array.axes) sizes.push_back(axis.size);
    return fmt::format("{}", fmt::join(sizes, ","));
}

std::string takeType(ImportArray& array, const std::string& text) {
    const auto type = parseElementType(text);
    if (!type) return "is no type that NumPy knows, such as <i2, >i2, float32 or complex64";
    array.type = type;
    array.complexElements = type->components == 2;
    return {};
}

std::vector<RowChoice> commonTypes() {
    return {{"<i2", "16 bit signed"},
            {"<u2", "16 bit unsigned"},
            {"|i1", "8 bit signed"},
            {"|u1", "8 bit unsigned"},
            {"<f4", "32 bit float"},
            {"<f8", "64 bit float"},
            {"<i4", "32 bit signed"},
            {">i2", "16 bit signed, big-endian"},
            {">u2", "16 bit unsigned, big-endian"},
            {">f4", "32 bit float, big-endian"},
            {">f8", "64 bit float, big-endian"},
            {">i4", "32 bit signed, big-endian"}};
}

} // namespace echolux
