// SPDX-License-Identifier: GPL-3.0-or-later
// Compares axes and sizes of an array with its file, and writes lists of numbers as users read
// them.
#include "app/dataset/frames/import_array.hpp"

#include "app/dataset/recording/counted.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace echolux {

namespace {

constexpr std::int64_t kMostAxisExtent = std::int64_t{1} << 32;
constexpr std::uint64_t kMostAround = std::uint64_t{1} << 60;

/// The word for what an axis counts.
std::string thingOf(ArrayAxis role) {
    return role == ArrayAxis::Elevation ? "plane"
           : role == ArrayAxis::Lateral ? "line"
                                        : std::string(nameOf(role));
}

/// Bytes of all axes except the open one; 0 where they exceed any file.
std::uint64_t knownBytes(const ImportArray& array) {
    std::uint64_t bytes = array.type->size();
    for (const ImportAxis& axis : array.axes) {
        if (axis.size < 0) continue;
        if (bytes > kMostAround / static_cast<std::uint64_t>(axis.size)) return 0;
        bytes *= static_cast<std::uint64_t>(axis.size);
    }
    return bytes;
}

std::string listOf(const ImportRoles& roles) {
    std::string text;
    for (std::size_t i = 0; i < roles.all.size(); ++i) {
        if (i > 0) text += i + 1 == roles.all.size() ? " and " : ", ";
        text += nameOf(roles.all[i]);
    }
    return text;
}

} // namespace

bool ImportArray::pairs() const {
    return complexElements || axisOf(*this, ArrayAxis::Iq) != nullptr;
}

std::string_view nameOf(const ImportAxis& axis) {
    return axis.role ? nameOf(*axis.role) : std::string_view("none");
}

std::optional<std::optional<ArrayAxis>> parseImportAxis(std::string_view word,
                                                        const ImportRoles& roles) {
    if (word == "none") return std::optional<ArrayAxis>();
    for (const ArrayAxis role : roles.all)
        if (word == nameOf(role)) return role;
    return std::nullopt;
}

const ImportAxis* axisOf(const ImportArray& array, ArrayAxis role) {
    const auto at = std::ranges::find(array.axes, std::optional(role), &ImportAxis::role);
    return at == array.axes.end() ? nullptr : &*at;
}

std::string wrongAxes(const ImportArray& array, const ImportRoles& roles) {
    for (const ImportAxis& axis : array.axes) {
        const auto name = nameOf(axis);
        if (axis.size < 1 && !(axis.size == -1 && array.headerless()))
            return fmt::format("The axis {} has 1 or more entries, not {}.", name, axis.size);
        if (axis.size > kMostAxisExtent)
            return fmt::format("The axis {} has more entries than any file.", name);
        if (axis.role && std::ranges::count(array.axes, axis.role, &ImportAxis::role) > 1)
            return fmt::format("There are two axes {}: give each its own meaning.", name);
        if (!axis.role && axis.size != 1)
            return fmt::format("An axis of {} entries must be one of {}.", axis.size,
                               listOf(roles));
        if (axis.role == ArrayAxis::Iq && axis.size != 2)
            return fmt::format("The axis iq has 2 entries, not {}.", axis.size);
    }
    if (std::ranges::count(array.axes, -1, &ImportAxis::size) > 1)
        return "Only one axis can have as many entries as the file holds.";
    for (const ArrayAxis role : roles.needed)
        if (axisOf(array, role) == nullptr)
            return fmt::format("Say which axis counts the {}s.", thingOf(role));
    if (array.complexElements && axisOf(array, ArrayAxis::Iq) != nullptr)
        return "The elements are complex, so that no axis is iq.";
    return {};
}

OpenExtent openExtent(const ImportArray& array, std::uint64_t fileBytes) {
    if (!array.headerless()) return {};
    const std::uint64_t known = knownBytes(array);
    if (known == 0 || array.headerBytes > kMostAround || array.trailerBytes > kMostAround)
        return {1, "These sizes are larger than any file."};
    const std::uint64_t around = array.headerBytes + array.trailerBytes;
    if (around >= fileBytes)
        return {1, fmt::format("Header and trailer take {} bytes, and the file has only {}.",
                               around, fileBytes)};
    const std::uint64_t room = fileBytes - around;
    const auto open = std::ranges::find(array.axes, -1, &ImportAxis::size);
    if (open == array.axes.end()) {
        if (known == room) return {};
        return {1, fmt::format("It does not fit: these sizes take {} bytes, {} {} than the {} that "
                               "the file has.",
                               known, known > room ? known - room : room - known,
                               known > room ? "more" : "less", room)};
    }
    const std::uint64_t whole = room / known;
    const std::uint64_t rest = room % known;
    const std::string thing = open->role ? thingOf(*open->role) : "entry";
    if (whole == 0)
        return {1, fmt::format("One {} takes {} bytes, {} more than the file has.", thing, known,
                               known - room)};
    if (rest != 0)
        return {1,
                fmt::format("It does not fit: the file holds {} and {} bytes, {} too few for "
                            "one more.",
                            counted(static_cast<std::int64_t>(whole), thing), rest, known - rest)};
    return {static_cast<std::int64_t>(whole), {}};
}

std::int64_t sizeOf(const ImportArray& array, ArrayAxis role, std::int64_t open) {
    const ImportAxis* axis = axisOf(array, role);
    return axis == nullptr ? 1 : axis->size < 0 ? open : axis->size;
}

bool cutToFrame(ImportArray& array, const ImportRoles& roles, std::uint64_t fileBytes) {
    for (ImportAxis& axis : array.axes)
        if (axis.role == ArrayAxis::Frame || axis.size < 0) axis.size = 1;
    const std::uint64_t room = fileBytes - std::min(fileBytes, array.headerBytes);
    for (ImportAxis& axis : array.axes) {
        const std::uint64_t bytes = knownBytes(array);
        if (bytes != 0 && bytes <= room) break;
        if (axis.role == ArrayAxis::Iq) continue;
        const auto each = static_cast<std::int64_t>(
            bytes / static_cast<std::uint64_t>(std::max<std::int64_t>(axis.size, 1)));
        axis.size = each == 0 ? 1
                              : std::clamp<std::int64_t>(static_cast<std::int64_t>(room) / each, 1,
                                                         axis.size);
    }
    const std::uint64_t bytes = knownBytes(array);
    const ImportAxis* fastest = axisOf(array, roles.needed.front());
    if (bytes == 0 || bytes > room || fastest == nullptr || fastest->size < 2) return false;
    array.trailerBytes = room - bytes;
    return true;
}

std::string inQuotes(const std::string& text) {
    std::string result = "\"";
    for (const char each : text) {
        if (each == '"' || each == '\\') result += '\\';
        if (static_cast<unsigned char>(each) < 0x20 || each == 0x7f)
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(each));
        else
            result += each;
    }
    return result + '"';
}

std::string numbersText(const std::vector<double>& values, const QuantityUnit& unit) {
    const auto shown = [&unit](double value) {
        const double inUnit = value * unit.shownPerSi;
        return fmt::format("{:.9g}", std::abs(inUnit) < 1e-12 ? 0.0 : inUnit);
    };
    if (values.size() > 2) {
        const double step =
            (values.back() - values.front()) / static_cast<double>(values.size() - 1);
        bool even = step != 0.0;
        for (std::size_t i = 0; i < values.size(); ++i)
            even = even && std::abs(values[i] - values.front() - static_cast<double>(i) * step) <=
                               1e-9 * std::abs(step);
        const std::string text =
            fmt::format("{}:{}:{}", shown(values.front()), shown(values.back()), shown(step));
        const auto back = even ? readQuantities(text, unit) : std::nullopt;
        if (back && back->size() == values.size()) return text;
    }
    std::vector<std::string> words;
    for (const double value : values) words.push_back(shown(value));
    return fmt::format("{}", fmt::join(words, ", "));
}

} // namespace echolux
