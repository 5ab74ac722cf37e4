// SPDX-License-Identifier: GPL-3.0-or-later
// A walk over an encoded datatype and the types nested in it.
#include "app/dataset/container/hdf5_type_check.hpp"

#include "app/dataset/container/little_endian.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace echolux {
namespace {

constexpr int kDeepest = 16;
constexpr std::size_t kHead = 8; ///< class and version, 24 bits of the class, size

/// Walks an encoded type. After the first part that is missing all further reads fail too.
class TypeWalk {
public:
    explicit TypeWalk(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    /// Size in bytes of a value of the type that begins here. Empty where a part of the type is
    /// missing.
    std::optional<std::uint64_t> type(int depth = 0) {
        if (depth > kDeepest) return std::nullopt;
        const std::size_t begin = m_at;
        if (!skip(kHead)) return std::nullopt;
        const std::uint64_t kind = numberAt(m_bytes, begin, 1);
        const Head head{kind >> 4U, numberAt(m_bytes, begin + 1, 3),
                        numberAt(m_bytes, begin + 4, 4)};
        return properties(kind & 15U, head, depth) ? std::optional(head.size) : std::nullopt;
    }

private:
    struct Head {
        std::uint64_t version;
        std::uint64_t bits;
        std::uint64_t size;
    };

    bool properties(std::uint64_t kind, const Head& head, int depth) {
        enum : std::uint64_t { Integer, Float, Time, Text, Bits, Opaque };
        enum : std::uint64_t { Compound = 6, Reference, Enumeration, Lengths, Array };
        switch (kind) {
        case Integer:
        case Bits: return skip(4);
        case Float: return skip(12);
        case Time: return skip(2);
        case Text:
        case Reference: return true;
        case Opaque: return skip(head.bits & 0xFFU);
        case Compound: return compound(head, depth);
        case Enumeration: return enumeration(head, depth);
        case Lengths: return type(depth + 1).has_value();
        case Array: return array(head, depth);
        default: return true; // HDF5 refuses it
        }
    }

    bool compound(const Head& head, int depth) {
        const std::uint64_t members = head.bits & 0xFFFFU;
        for (std::uint64_t i = 0; i < members; ++i) {
            if (!name(head)) return false;
            const std::size_t width = head.version < 3        ? 4
                                      : head.size < 1U << 8U  ? 1
                                      : head.size < 1U << 16U ? 2
                                      : head.size < 1U << 24U ? 3
                                                              : 4;
            const std::size_t offsetAt = m_at;
            if (!skip(width)) return false;
            const std::uint64_t offset = numberAt(m_bytes, offsetAt, width);
            std::uint64_t count = 1;
            if (head.version == 1) {
                const std::size_t at = m_at;
                if (!skip(28)) return false;
                const std::uint64_t rank = std::min<std::uint64_t>(numberAt(m_bytes, at, 1), 4);
                for (std::uint64_t axis = 0; axis < rank; ++axis)
                    count = std::min(count * numberAt(m_bytes, at + 12 + 4 * axis, 4), kMany);
            }
            const auto size = type(depth + 1);
            if (!size || offset > head.size) return false;
            if (*size != 0 && count > (head.size - offset) / *size) return false;
        }
        return true;
    }

    bool enumeration(const Head& head, int depth) {
        const std::uint64_t members = head.bits & 0xFFFFU;
        const auto base = type(depth + 1);
        if (!base || *base != head.size) return false;
        for (std::uint64_t i = 0; i < members; ++i)
            if (!name(head)) return false;
        return skip(members * *base);
    }

    bool array(const Head& head, int depth) {
        const std::size_t at = m_at;
        if (!skip(head.version < 3 ? 4 : 1)) return false;
        const std::uint64_t rank = numberAt(m_bytes, at, 1);
        const std::size_t extents = m_at;
        if (!skip(4 * rank * (head.version < 3 ? 2 : 1))) return false;
        const auto base = type(depth + 1);
        if (!base) return false;
        std::uint64_t size = *base;
        for (std::uint64_t axis = 0; axis < rank; ++axis)
            size = std::min(size * numberAt(m_bytes, extents + 4 * axis, 4), kMany);
        return size == head.size;
    }

    /// The name ends with a zero. In older versions zeros fill it up to a multiple of 8 bytes.
    bool name(const Head& head) {
        const auto rest = m_bytes.subspan(m_at);
        const auto end = std::ranges::find(rest, std::byte{0});
        if (end == rest.end()) return false;
        const auto length = static_cast<std::size_t>(end - rest.begin()) + 1;
        return skip(head.version < 3 ? (length + 7) / 8 * 8 : length);
    }

    bool skip(std::uint64_t count) {
        if (count > m_bytes.size() - m_at) return false;
        m_at += count;
        return true;
    }

    static constexpr std::uint64_t kMany = std::uint64_t{1} << 32U; ///< more than any size

    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
};

} // namespace

bool datatypeFits(std::span<const std::byte> bytes) { return TypeWalk(bytes).type().has_value(); }

} // namespace echolux
