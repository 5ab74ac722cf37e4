// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/recording/converter_range.hpp"

#include <cstdint>
#include <limits>

namespace echolux {

std::optional<ConverterRange> fullRangeOf(DType type) {
    const auto full = [](auto zero) {
        using Limits = std::numeric_limits<decltype(zero)>;
        return ConverterRange{static_cast<double>(Limits::lowest()),
                              static_cast<double>(Limits::max())};
    };
    switch (type) {
    case DType::U8: return full(std::uint8_t{});
    case DType::I16:
    case DType::ComplexI16: return full(std::int16_t{});
    case DType::U16: return full(std::uint16_t{});
    case DType::Packed12: return ConverterRange{0.0, 4095.0};
    case DType::F32:
    case DType::ComplexF32: break;
    }
    return std::nullopt;
}

} // namespace echolux
