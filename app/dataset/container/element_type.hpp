// SPDX-License-Identifier: GPL-3.0-or-later
// How a number is stored in a file, and which sample type of this program it becomes.
#pragma once

#include "gpu/core/dtype.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

struct ElementType {
    enum class Kind { Unsigned, Signed, Real };
    Kind kind = Kind::Signed;
    int bytes = 2;      ///< bytes of one component: 1, 2, 4 or 8; unsigned little-endian ones may
                        ///< have 3
    int components = 1; ///< 2: a complex number, real part first
    bool bigEndian = false;

    std::size_t size() const { return static_cast<std::size_t>(bytes * components); }
    bool operator==(const ElementType&) const = default;
};

/// NumPy's notation: "<i2", ">f4", "|u1", "=c8", and the plain names "int16", "float64",
/// "complex64", ... (little-endian). Empty where the text names no number of fixed size.
std::optional<ElementType> parseElementType(std::string_view text);
std::string nameOf(const ElementType& type); ///< "<i2", ...
/// "16-bit integers", "unsigned 8-bit integers", "complex 32-bit floats, big-endian"
std::string inWords(const ElementType& type);

/// The sample type for such elements, without loss where there is one: 8 and 16 bit types stay,
/// wider ones become f32, pairs become complex_i16 or complex_f32.
DType sampleTypeOf(const ElementType& type, bool pairs);

/// True where a component of `type`, in the byte order of this machine, has the same form as one of
/// `delivered`.
bool isStoredAs(const ElementType& type, DType delivered);
/// Bytes of a component that lies in the other byte order than this machine's; else 1.
std::uint8_t turnedBytes(const ElementType& type);
/// Turns stored bytes into the byte order of this machine, in place.
void toNativeOrder(const ElementType& type, std::span<std::byte> bytes);
/// The numbers in `bytes`, which are in native order. A complex number gives two.
std::vector<double> toDoubles(const ElementType& type, std::span<const std::byte> bytes);

/// An unsigned number of three bytes, the lowest byte first.
struct Uint24 {
    std::array<std::uint8_t, 3> bytes{};

    // NOLINTNEXTLINE(google-explicit-constructor): a number like the others that are visited
    operator std::uint32_t() const {
        return bytes[0] | std::uint32_t{bytes[1]} << 8U | std::uint32_t{bytes[2]} << 16U;
    }
};

/// Calls `visit` with a value of the C++ type of one component.
template <class Visit> auto visitComponent(const ElementType& type, Visit visit) {
    using Kind = ElementType::Kind;
    switch (type.kind) {
    case Kind::Unsigned:
        if (type.bytes == 1) return visit(std::uint8_t{});
        if (type.bytes == 2) return visit(std::uint16_t{});
        if (type.bytes == 3) return visit(Uint24{});
        if (type.bytes == 4) return visit(std::uint32_t{});
        return visit(std::uint64_t{});
    case Kind::Signed:
        if (type.bytes == 1) return visit(std::int8_t{});
        if (type.bytes == 2) return visit(std::int16_t{});
        if (type.bytes == 4) return visit(std::int32_t{});
        return visit(std::int64_t{});
    case Kind::Real: break;
    }
    if (type.bytes == 4) return visit(float{});
    return visit(double{});
}

} // namespace echolux
