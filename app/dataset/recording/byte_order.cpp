// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/recording/byte_order.hpp"

#include <cstring>

namespace echolux {
namespace {

template <class T> T turned(T value) {
    if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
    if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
    if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
}

template <class T> void turnEach(std::span<std::byte> bytes) {
    for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
        T value{};
        std::memcpy(&value, bytes.data() + at, sizeof(T));
        value = turned(value);
        std::memcpy(bytes.data() + at, &value, sizeof(T));
    }
}

} // namespace

void turnBytes(std::uint8_t each, std::span<std::byte> bytes) {
    switch (each) {
    case 2: return turnEach<std::uint16_t>(bytes);
    case 4: return turnEach<std::uint32_t>(bytes);
    case 8: return turnEach<std::uint64_t>(bytes);
    default: return;
    }
}

} // namespace echolux
