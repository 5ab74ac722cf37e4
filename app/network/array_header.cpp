// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/network/array_header.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace echolux {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;

/// The beginning of a word as JSON, which has no control characters.
std::string asJson(const std::string& word) {
    constexpr std::size_t kMostLetters = 20;
    return nlohmann::json(word.substr(0, kMostLetters))
        .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

/// Also where a sender wrote 1.7e18. Throws Error for other numbers, json::exception for what is
/// none.
std::int64_t wholeOf(const nlohmann::json& number) {
    constexpr double kMost = 9.2e18; // of 64 bits
    if (number.is_number_integer()) return number.get<std::int64_t>();
    const auto real = number.get<double>();
    if (!(std::abs(real) <= kMost) || real != std::trunc(real))
        throw Error(fmt::format("A message has {} where a whole number must be.", real));
    return static_cast<std::int64_t>(real);
}

std::int64_t wholeOf(const nlohmann::json& from, const char* key, std::int64_t otherwise) {
    return from.contains(key) ? wholeOf(from[key]) : otherwise;
}

Axis axisOf(const nlohmann::json& from) {
    Axis axis;
    const std::string name = from.value("name", "");
    bool known = false;
    for (int i = 0; i <= static_cast<int>(AxisName::Property) && !known; ++i) {
        axis.name = static_cast<AxisName>(i);
        known = nameOf(axis.name) == name;
    }
    if (!known)
        throw Error(fmt::format("A message has an axis {}, which does not exist.", asJson(name)));
    axis.size = wholeOf(from, "size", 0);
    axis.spacing = from.value("spacing", 1.0);
    axis.origin = from.value("origin", 0.0);
    axis.unit = from.value("unit", "");
    return axis;
}

} // namespace

std::size_t ArrayHeader::bytes() const {
    const auto isOne = [](char letter, std::string_view of) {
        return of.find(letter) != std::string_view::npos;
    };
    const bool typed = dtype.size() == 3 && isOne(dtype[0], "<>|=") && isOne(dtype[1], "uifc") &&
                       isOne(dtype[2], "1248");
    if (!typed || shape.empty()) return 0;
    std::int64_t bytes = dtype[2] - '0';
    for (const std::int64_t each : shape) {
        if (each < 1 || each > kMostBytes / bytes) return 0;
        bytes *= each;
    }
    return static_cast<std::size_t>(bytes);
}

std::string numpyName(DType type) {
    switch (type) {
    case DType::U8:
    case DType::Packed12: return "|u1";
    case DType::I16:
    case DType::ComplexI16: return "<i2";
    case DType::U16: return "<u2";
    case DType::F32: return "<f4";
    case DType::ComplexF32: return "<c8";
    }
    return "|u1";
}

ArrayHeader headerOf(const FrameSpec& frame) {
    ArrayHeader header;
    header.dtype = numpyName(frame.dtype);
    header.content = nameOf(frame.recordedForm);
    for (const Axis& axis : frame.axes) header.shape.push_back(axis.size);
    if (frame.dtype == DType::ComplexI16) header.shape.push_back(2);
    if (frame.dtype == DType::Packed12)
        header.shape = {static_cast<std::int64_t>(frame.bytes())};
    else if (frame.dtype != DType::ComplexI16)
        header.axes = frame.axes;
    return header;
}

std::string toJson(const ArrayHeader& header) {
    nlohmann::ordered_json json;
    json["dtype"] = header.dtype;
    json["shape"] = header.shape;
    if (header.number >= 0) json["number"] = header.number;
    if (header.timeNs >= 0) json["time_ns"] = header.timeNs;
    if (!header.content.empty()) json["content"] = header.content;
    for (const Axis& axis : header.axes)
        json["axes"].push_back({{"name", nameOf(axis.name)},
                                {"size", axis.size},
                                {"spacing", axis.spacing},
                                {"origin", axis.origin},
                                {"unit", axis.unit}});
    return json.dump();
}

ArrayHeader headerFrom(std::span<const std::byte> json) {
    constexpr std::size_t kMostJson = std::size_t{1} << 20;
    if (json.size() > kMostJson) throw Error("The header of a message is longer than 1 MB.");
    ArrayHeader header;
    try {
        const auto* text = reinterpret_cast<const char*>(json.data());
        const auto parsed = nlohmann::json::parse(text, text + json.size());
        header.dtype = parsed.at("dtype").get<std::string>();
        for (const auto& each : parsed.at("shape").get_ref<const nlohmann::json::array_t&>())
            header.shape.push_back(wholeOf(each));
        header.number = wholeOf(parsed, "number", -1);
        header.timeNs = wholeOf(parsed, "time_ns", -1);
        header.content = parsed.value("content", "");
        if (parsed.contains("axes"))
            for (const auto& each : parsed["axes"]) header.axes.push_back(axisOf(each));
    } catch (const nlohmann::json::exception&) {
        throw Error("The first part of a message is no JSON with \"dtype\" and \"shape\".");
    }
    if (header.bytes() == 0)
        throw Error(fmt::format("A message has samples of the type {}, or a shape, that cannot "
                                "be.",
                                asJson(header.dtype)));
    const bool fits =
        header.axes.empty() || std::ranges::equal(header.axes, header.shape, {}, &Axis::size);
    if (!fits) throw Error("The axes of a message do not fit its shape.");
    return header;
}

} // namespace echolux
