// SPDX-License-Identifier: GPL-3.0-or-later
// IEEE 754 half precision in 16 bits, the same on host and device: eleven bits of precision, so
// that a value in dB below 128 is kept within 0.03 dB.
#pragma once

#include "gpu/core/portable.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace echolux {

using Half = std::uint16_t; ///< the 16 bits

/// Rounds to the nearest, ties to even. Values beyond +-65504, infinities included, become +-65504.
/// NaN stays NaN.
ECHOLUX_HD inline Half toHalf(float value) {
    std::uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    std::uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U) return static_cast<Half>(sign | 0x7e00U);
    if (magnitude >= 0x477ff000U) return static_cast<Half>(sign | 0x7bffU);
    if (magnitude < 0x38800000U) // below 2^-14 a step is 2^-24
        return static_cast<Half>(sign | static_cast<std::uint32_t>(rintf(fabsf(value) * 0x1p24F)));
    magnitude += 0xfffU + (magnitude >> 13U & 1U);
    return static_cast<Half>(sign | (magnitude - 0x38000000U) >> 13U);
}

ECHOLUX_HD inline float fromHalf(Half half) {
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t magnitude = half & 0x7fffU;
    if (magnitude < 0x400U) {
        const float small = static_cast<float>(magnitude) * 0x1p-24F;
        return sign != 0 ? -small : small;
    }
    const std::uint32_t bias = magnitude >= 0x7c00U ? 0x70000000U : 0x38000000U;
    const std::uint32_t bits = sign | ((magnitude << 13U) + bias);
    float value = 0.0F;
    memcpy(&value, &bits, sizeof value);
    return value;
}

} // namespace echolux
