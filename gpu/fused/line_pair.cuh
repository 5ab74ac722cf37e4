// SPDX-License-Identifier: GPL-3.0-or-later
// Raw lines in shared memory. A pair of lines is interleaved, so that one load reads both: as 16
// bit codes in one word, or as floats where codes are averaged first. Alternatively a single line
// that has become complex.
#pragma once

#include "gpu/fused/oct_chain_kernel.hpp"

namespace echolux::fused {

/// The threads of `Warps` warps that share a pair of lines.
template <int Warps> struct Team {
    int index; ///< within the block
    int warp;  ///< within the team
    int lane;
    int thread; ///< within the team

    __device__ Team()
        : index(static_cast<int>(threadIdx.x) / (kLanes * Warps)),
          warp(static_cast<int>(threadIdx.x) / kLanes % Warps),
          lane(static_cast<int>(threadIdx.x) % kLanes), thread(warp * kLanes + lane) {}

    __device__ __forceinline__ void sync() const {
        if constexpr (Warps == 1) {
            __syncwarp();
        } else {
            asm volatile("bar.sync %0, %1;" ::"r"(index + 1), "n"(Warps * kLanes) : "memory");
        }
    }
};

/// The value that is added to codes of 16 bits, so that none is negative; before the shift.
__device__ __forceinline__ int codeBias(DType type) { return type == DType::I16 ? 32768 : 0; }

/// Makes floats of the low and the high code of a word without a conversion instruction: the code
/// becomes the lowest bits of the mantissa of a float with the exponent of 2^23.
struct CodeToFloat {
    float zero; ///< the float that the code 0 becomes

    __device__ explicit CodeToFloat(const OctChainShape& shape)
        : zero(8388608.0F + static_cast<float>(codeBias(shape.type) >> shape.shift)) {}
    __device__ __forceinline__ float low(std::uint32_t word) const {
        return __uint_as_float(__byte_perm(word, 0x4B000000U, 0x7610)) - zero;
    }
    __device__ __forceinline__ float high(std::uint32_t word) const {
        return __uint_as_float(__byte_perm(word, 0x4B000000U, 0x7632)) - zero;
    }
};

/// Codes 4q to 4q + 3 of a line plus codeBias(), not shifted; two codes per word.
template <DType kType>
__device__ __forceinline__ uint2 fourCodes(const unsigned char* line, int q) {
    if constexpr (kType == DType::U16) {
        return reinterpret_cast<const uint2*>(line)[q];
    } else if constexpr (kType == DType::I16) {
        const uint2 codes = reinterpret_cast<const uint2*>(line)[q];
        return {codes.x ^ 0x80008000U, codes.y ^ 0x80008000U};
    } else if constexpr (kType == DType::U8) {
        const std::uint32_t codes = reinterpret_cast<const std::uint32_t*>(line)[q];
        return {__byte_perm(codes, 0U, 0x4140), __byte_perm(codes, 0U, 0x4342)};
    } else {
        // Six of the eight bytes of two words: those from the first byte on, or those from the
        // third byte on.
        const std::uint32_t* words = reinterpret_cast<const std::uint32_t*>(line) + (6 * q >> 2);
        const bool later = (q & 1) != 0;
        const std::uint32_t first = words[0];
        const std::uint32_t second = words[1];
        const std::uint32_t low = later ? __funnelshift_r(first, second, 16) : first; // 32 bits
        const std::uint32_t high = later ? second >> 16 : second;                     // 16 bits
        const std::uint32_t upper = __funnelshift_r(low, high, 24);
        return {(low & 0xFFFU) | (low << 4 & 0xFFF0000U),
                (upper & 0xFFFU) | (upper << 4 & 0xFFF0000U)};
    }
}

/// Codes 4q to 4q + 3 of a line plus codeBias(), shifted; two codes per word.
template <DType kType>
__device__ __forceinline__ uint2 fourShifted(const unsigned char* line, int q, int shift) {
    const uint2 codes = fourCodes<kType>(line, q);
    if (shift == 0) return codes;
    const std::uint32_t mask = (0xFFFFU >> shift) * 0x10001U;
    return {codes.x >> shift & mask, codes.y >> shift & mask};
}

__device__ __forceinline__ std::size_t bytesOfLine(const OctChainShape& shape) {
    const auto samples = static_cast<std::size_t>(shape.samples);
    switch (shape.type) {
    case DType::Packed12: return samples / 2 * 3;
    case DType::U8: return samples;
    case DType::F32: return samples * sizeof(float);
    default: return samples * sizeof(std::uint16_t);
    }
}

/// Calls `each` with the type of the line's codes as a template argument.
template <class Each> __device__ __forceinline__ void withCodeType(DType type, const Each& each) {
    switch (type) {
    case DType::U16: each.template operator()<DType::U16>(); break;
    case DType::I16: each.template operator()<DType::I16>(); break;
    case DType::U8: each.template operator()<DType::U8>(); break;
    default: each.template operator()<DType::Packed12>(); break;
    }
}

/// A sample is one word: the code of line A in its low half, that of line B in its high half.
struct CodePairs {
    using Sample = std::uint32_t;
    static constexpr int kLinesAtOnce = 2;
    static constexpr bool kComplexWeights = false;

    template <int Warps>
    __device__ __forceinline__ static void load(const OctChainShape& shape, int,
                                                const Team<Warps>& team, const unsigned char* lineA,
                                                const unsigned char* lineB, Sample* samples) {
        withCodeType(shape.type, [&]<DType kType>() {
#pragma unroll 4
            for (int q = team.thread; q < shape.samples / 4; q += Warps * kLanes) {
                const uint2 a = fourShifted<kType>(lineA, q, shape.shift);
                const uint2 b = fourShifted<kType>(lineB, q, shape.shift);
                reinterpret_cast<uint4*>(samples)[q] = {
                    __byte_perm(a.x, b.x, 0x5410), __byte_perm(a.x, b.x, 0x7632),
                    __byte_perm(a.y, b.y, 0x5410), __byte_perm(a.y, b.y, 0x7632)};
            }
        });
    }
};

/// A sample is one float of each line, in rows of rowStride().
struct FloatPairs {
    using Sample = float2;
    static constexpr int kLinesAtOnce = 2;
    static constexpr bool kComplexWeights = false;

    template <int Warps>
    __device__ __forceinline__ static void load(const OctChainShape& shape, int stride,
                                                const Team<Warps>& team, const unsigned char* lineA,
                                                const unsigned char* lineB, Sample* samples) {
        const auto put = [&](int q, float4 a, float4 b) {
            Sample* at = samples + samplePlace(stride, 4 * q);
            at[0] = {a.x, b.x};
            at[1] = {a.y, b.y};
            at[2] = {a.z, b.z};
            at[3] = {a.w, b.w};
        };
        const int quads = shape.samples / 4;
        if (shape.type == DType::F32) {
            for (int q = team.thread; q < quads; q += Warps * kLanes) {
                put(q, reinterpret_cast<const float4*>(lineA)[q],
                    reinterpret_cast<const float4*>(lineB)[q]);
            }
            return;
        }
        const CodeToFloat value(shape);
        const auto floats = [&value](uint2 codes) -> float4 {
            return {value.low(codes.x), value.high(codes.x), value.low(codes.y),
                    value.high(codes.y)};
        };
        withCodeType(shape.type, [&]<DType kType>() {
#pragma unroll 4
            for (int q = team.thread; q < quads; q += Warps * kLanes) {
                put(q, floats(fourShifted<kType>(lineA, q, shape.shift)),
                    floats(fourShifted<kType>(lineB, q, shape.shift)));
            }
        });
    }
};

/// FloatPairs that become complex when they are gathered, see hasComplexWeights().
struct TurnedPairs : FloatPairs {
    static constexpr bool kComplexWeights = true;
};

/// A single line. Both halves of a sample hold its value until turnSamples() makes it complex.
struct TurnedLine {
    using Sample = float2;
    static constexpr int kLinesAtOnce = 1;
    static constexpr bool kComplexWeights = false;

    template <int Warps>
    __device__ __forceinline__ static void load(const OctChainShape& shape, int stride,
                                                const Team<Warps>& team, const unsigned char* line,
                                                const unsigned char*, Sample* samples) {
        FloatPairs::load(shape, stride, team, line, line, samples);
    }
};

/// Multiplies the samples of a TurnedLine by `factor`, one value per sample. A warp handles one row
/// at a time, with the copies behind it.
template <int Warps>
__device__ __forceinline__ void turnSamples(const OctChainShape& shape, const Complex* factor,
                                            int stride, const Team<Warps>& team, float2* samples) {
    for (int first = team.warp * kLanes; first < shape.samples; first += Warps * kLanes) {
        float2* row = samples + first / kLanes * stride;
        for (int q = team.lane; q < stride && first + q < shape.samples; q += kLanes) {
            const Complex turn = factor[first + q];
            const float2 x = row[q];
            row[q] = {x.x * turn.re, x.y * turn.im};
        }
    }
}

/// Loads codes as CodePairs does, in rows of kCodeStride words. A row of zeros lies before and
/// behind them, and zeros fill the last row.
template <int Warps>
__device__ __forceinline__ void loadCodeRows(const OctChainShape& shape, const Team<Warps>& team,
                                             const unsigned char* lineA, const unsigned char* lineB,
                                             std::uint32_t* rows) {
    const auto word = [rows](int i) -> std::uint32_t& {
        return rows[(i / kLanes + 1) * kCodeStride + i % kLanes];
    };
    const int end = codeRows(shape.samples) * kCodeStride;
    if (team.warp == 0) {
        rows[team.lane] = 0U;
        rows[end - kCodeStride + team.lane] = 0U;
        const int behind = shape.samples / kLanes * kLanes + team.lane;
        if (behind >= shape.samples) word(behind) = 0U;
    }
    withCodeType(shape.type, [&]<DType kType>() {
#pragma unroll 4
        for (int q = team.thread; q < shape.samples / 4; q += Warps * kLanes) {
            const uint2 a = fourShifted<kType>(lineA, q, shape.shift);
            const uint2 b = fourShifted<kType>(lineB, q, shape.shift);
            std::uint32_t* to = &word(4 * q);
            to[0] = __byte_perm(a.x, b.x, 0x5410);
            to[1] = __byte_perm(a.x, b.x, 0x7632);
            to[2] = __byte_perm(a.y, b.y, 0x5410);
            to[3] = __byte_perm(a.y, b.y, 0x7632);
        }
    });
}

/// Subtracts from each code the mean of the movingWindow codes around it, at most
/// kMostCodeWindow; at the ends of the line there are fewer. Reads loadCodeRows(), writes
/// FloatPairs. A thread slides along a row. Its sums are whole numbers with the exponent of 2^23.
/// Layouts of gridded lines, which have fewer samples than points: a thread slides along half a row
/// where there are twice as many threads as rows. One line at once: both codes of a word are its.
template <class Layout, int Warps> __device__ __forceinline__ void
subtractMovingOfCodes(const OctChainShape& shape, const float* movingScale, int stride,
                      const Team<Warps>& team, const std::uint32_t* rows, float2* samples) {
    constexpr std::uint32_t kTwoTo23Bits = 0x4B000000U;
    constexpr float kTwoTo23 = 8388608.0F;
    constexpr int kLines = Layout::kLinesAtOnce;
    constexpr bool kGridded = Layout::kComplexWeights || kLines == 1;
    const int count = (shape.samples + kLanes - 1) / kLanes;
    const bool halves = kGridded && 2 * count <= Warps * kLanes;
    if (team.thread >= (halves ? 2 * count : count)) return;
    const int half = halves ? team.thread / count : 0;
    const int index = team.thread - half * count; // of the row
    const int before = shape.movingWindow / 2;
    const int after = (shape.movingWindow - 1) / 2;
    const std::uint32_t* own = rows + (index + 1) * kCodeStride;
    const auto at = [own](int i) { return own[i + (i >> 5)]; };
    float2* row = samples + index * stride;
    const int copies = index > 0 ? stride - kLanes : 0;
    const auto slide = [&]<int kLength>(int first) {
        std::uint32_t sumA = kTwoTo23Bits;
        std::uint32_t sumB = kTwoTo23Bits;
#pragma unroll 4
        for (int i = first - before; i < first + after; ++i) {
            const std::uint32_t word = at(i);
            sumA += word & 0xFFFFU;
            if constexpr (kLines == 2) sumB += word >> 16;
        }
#pragma unroll 8
        for (int i = 0; i < kLength; ++i) {
            const int q = first + i;
            const std::uint32_t entering = at(q + after);
            sumA += entering & 0xFFFFU;
            if constexpr (kLines == 2) sumB += entering >> 16;
            const float scale = movingScale[q * Warps * kLanes + index];
            const std::uint32_t word = own[q];
            const float a = __uint_as_float(__byte_perm(word, kTwoTo23Bits, 0x7610)) - kTwoTo23;
            float2 left;
            left.x = left.y = fmaf(-scale, __uint_as_float(sumA) - kTwoTo23, a);
            if constexpr (kLines == 2) {
                const float b = __uint_as_float(__byte_perm(word, kTwoTo23Bits, 0x7632)) - kTwoTo23;
                left.y = fmaf(-scale, __uint_as_float(sumB) - kTwoTo23, b);
            }
            row[q] = left;
            if (q < copies) row[q + kLanes - stride] = left;
            const std::uint32_t leaving = at(q - before);
            sumA -= leaving & 0xFFFFU;
            if constexpr (kLines == 2) sumB -= leaving >> 16;
        }
    };
    if (halves) {
        slide.template operator()<kLanes / 2>(half * (kLanes / 2));
    } else {
        slide.template operator()<kLanes>(0);
    }
}

/// Subtracts from each sample the mean of the movingWindow samples around it; at the ends of the
/// line there are fewer. A thread slides along a row.
template <int Warps>
__device__ __forceinline__ void subtractMovingAverage(const OctChainShape& shape,
                                                      const float* movingScale, int stride,
                                                      const Team<Warps>& team, float2* samples) {
    const int count = shape.samples;
    const int before = shape.movingWindow / 2;
    const int after = (shape.movingWindow - 1) / 2;
    const int first = team.thread * kLanes;
    float2* row = samples + team.thread * stride;
    const auto place = [stride](int offset) {
        return (offset >> 5) * stride + (offset & (kLanes - 1));
    };
    float2 kept[kLanes];
    if (first < count) {
        float2 sum = {0.0F, 0.0F};
#pragma unroll 4
        for (int offset = -before; offset < after; ++offset) {
            if (static_cast<unsigned>(first + offset) < static_cast<unsigned>(count)) {
                const float2 x = row[place(offset)];
                sum.x += x.x;
                sum.y += x.y;
            }
        }
#pragma unroll
        for (int q = 0; q < kLanes; ++q) {
            if (first + q + after < count) {
                const float2 x = row[place(q + after)];
                sum.x += x.x;
                sum.y += x.y;
            }
            const float scale = movingScale[q * Warps * kLanes + team.thread];
            const float2 x = row[q];
            kept[q] = {x.x - scale * sum.x, x.y - scale * sum.y};
            if (first + q >= before) {
                const float2 old = row[place(q - before)];
                sum.x -= old.x;
                sum.y -= old.y;
            }
        }
    }
    team.sync();
    if (first < count) {
        const int copies = stride - kLanes;
#pragma unroll
        for (int q = 0; q < kLanes; ++q) {
            row[q] = kept[q];
            if (q < copies && team.thread > 0) row[q + kLanes - stride] = kept[q];
        }
    }
}

} // namespace echolux::fused
