// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy's type notation, byte order and conversion to double.
#include "app/dataset/container/element_type.hpp"

#include "app/dataset/recording/byte_order.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace echolux {

namespace {

constexpr bool kBigEndianHost = std::endian::native == std::endian::big;

std::optional<ElementType> make(char kind, int bytes, bool bigEndian) {
    using Kind = ElementType::Kind;
    ElementType type{.bytes = bytes, .bigEndian = bigEndian && bytes > 1};
    const bool whole = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    switch (kind) {
    case 'u': type.kind = Kind::Unsigned; return whole ? std::optional(type) : std::nullopt;
    case 'i': type.kind = Kind::Signed; return whole ? std::optional(type) : std::nullopt;
    case 'f':
        type.kind = Kind::Real;
        return bytes == 4 || bytes == 8 ? std::optional(type) : std::nullopt;
    case 'c':
        if (bytes != 8 && bytes != 16) return std::nullopt;
        type.kind = Kind::Real;
        type.bytes = bytes / 2;
        type.components = 2;
        return type;
    default: return std::nullopt;
    }
}

} // namespace

std::optional<ElementType> parseElementType(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kNames{
        {{"uint8", "u1"},
         {"uint16", "u2"},
         {"uint32", "u4"},
         {"uint64", "u8"},
         {"int8", "i1"},
         {"int16", "i2"},
         {"int32", "i4"},
         {"int64", "i8"},
         {"float32", "f4"},
         {"float64", "f8"},
         {"complex64", "c8"},
         {"complex128", "c16"}}};
    for (const auto& [name, shortName] : kNames)
        if (text == name) return parseElementType(shortName);
    bool bigEndian = false;
    if (!text.empty() && std::string_view("<>|=").find(text[0]) != std::string_view::npos) {
        bigEndian = text[0] == '>' || (text[0] == '=' && kBigEndianHost);
        text.remove_prefix(1);
    }
    if (text.size() < 2 || text.size() > 3) return std::nullopt;
    int bytes = 0;
    for (const char digit : text.substr(1)) {
        if (digit < '0' || digit > '9') return std::nullopt;
        bytes = 10 * bytes + (digit - '0');
    }
    return make(text[0], bytes, bigEndian);
}

std::string nameOf(const ElementType& type) {
    const char kind = type.components == 2                       ? 'c'
                      : type.kind == ElementType::Kind::Unsigned ? 'u'
                      : type.kind == ElementType::Kind::Signed   ? 'i'
                                                                 : 'f';
    const char order = type.bytes == 1 ? '|' : type.bigEndian ? '>' : '<';
    return fmt::format("{}{}{}", order, kind, type.size());
}

std::string inWords(const ElementType& type) {
    using Kind = ElementType::Kind;
    return fmt::format("{}{}{}-bit {}{}", type.components == 2 ? "complex " : "",
                       type.kind == Kind::Unsigned ? "unsigned " : "", 8 * type.bytes,
                       type.kind == Kind::Real ? "floats" : "integers",
                       type.bigEndian && type.bytes > 1 ? ", big-endian" : "");
}

DType sampleTypeOf(const ElementType& type, bool pairs) {
    using Kind = ElementType::Kind;
    const bool small = type.kind != Kind::Real && type.bytes <= 2;
    if (pairs) return small && type.kind == Kind::Signed ? DType::ComplexI16 : DType::ComplexF32;
    if (!small) return DType::F32;
    if (type.kind == Kind::Signed) return DType::I16;
    return type.bytes == 1 ? DType::U8 : DType::U16;
}

bool isStoredAs(const ElementType& type, DType delivered) {
    const auto holds = [&](ElementType::Kind kind, int bytes) {
        return type.kind == kind && type.bytes == bytes;
    };
    switch (delivered) {
    case DType::U8: return holds(ElementType::Kind::Unsigned, 1);
    case DType::U16: return holds(ElementType::Kind::Unsigned, 2);
    case DType::I16:
    case DType::ComplexI16: return holds(ElementType::Kind::Signed, 2);
    case DType::F32:
    case DType::ComplexF32: return holds(ElementType::Kind::Real, 4);
    case DType::Packed12: return false;
    }
    return false;
}

std::uint8_t turnedBytes(const ElementType& type) {
    return type.bigEndian == kBigEndianHost ? std::uint8_t{1}
                                            : static_cast<std::uint8_t>(type.bytes);
}

void toNativeOrder(const ElementType& type, std::span<std::byte> bytes) {
    turnBytes(turnedBytes(type), bytes);
}

std::vector<double> toDoubles(const ElementType& type, std::span<const std::byte> bytes) {
    return visitComponent(type, [&](auto zero) {
        using T = decltype(zero);
        std::vector<double> values(bytes.size() / sizeof(T));
        for (std::size_t i = 0; i < values.size(); ++i) {
            T value{};
            std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
            values[i] = static_cast<double>(value);
        }
        return values;
    });
}

} // namespace echolux
