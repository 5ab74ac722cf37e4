// SPDX-License-Identifier: GPL-3.0-or-later
// Turns stored codes into floats: value = ((code >> shift) - offset) * factor. One functor per
// sample type, "output sample at index" for forEach. Floats are never shifted.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/portable.hpp"

#include <cstdint>
#include <type_traits>

namespace echolux {

struct CodeScaling {
    float offset = 0.0F;
    float factor = 1.0F;
    int shift = 0; ///< lowest bits that are dropped: 0 to 8

    template <class Code> ECHOLUX_HD float operator()(Code code) const {
        if constexpr (std::is_floating_point_v<Code>) {
            return (code - offset) * factor;
        } else {
            return (static_cast<float>(static_cast<int>(code) >> shift) - offset) * factor;
        }
    }
};

/// Bytes b0 b1 b2 hold sample 0 = b0 + 256 (b1 mod 16) and sample 1 = b1 div 16 + 16 b2.
ECHOLUX_HD inline int packed12At(const std::uint8_t* bytes, std::int64_t i) {
    const std::uint8_t* pair = bytes + i / 2 * 3;
    return i % 2 == 0 ? pair[0] | (pair[1] & 0x0F) << 8 : pair[1] >> 4 | pair[2] << 4;
}

template <class Code> struct RealToFloat {
    const Code* in;
    float* out;
    CodeScaling calibrate;

    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = calibrate(in[i]); }
};

/// Converts four samples at once. The number of samples must be a multiple of four.
template <class Code> struct FourToFloat {
    struct alignas(4 * sizeof(Code)) Codes {
        Code at[4];
    };
    struct alignas(4 * sizeof(float)) Values {
        float at[4];
    };
    const Codes* in;
    Values* out;
    CodeScaling calibrate;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const Codes codes = in[i];
        out[i] = {calibrate(codes.at[0]), calibrate(codes.at[1]), calibrate(codes.at[2]),
                  calibrate(codes.at[3])};
    }
};

struct Packed12ToFloat {
    const std::uint8_t* in;
    float* out;
    CodeScaling calibrate;

    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = calibrate(packed12At(in, i)); }
};

template <class Code> struct ComplexToFloat {
    const Code* in;
    Complex* out;
    CodeScaling calibrate;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        out[i] = {calibrate(in[2 * i]), calibrate(in[2 * i + 1])};
    }
};

} // namespace echolux
