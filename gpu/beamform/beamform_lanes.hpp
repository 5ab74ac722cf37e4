// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of neighbouring pixels for the CPU's loop of `beamform`, and how they read samples n and
// n + 1 of a record with a different n per pixel. One load per pixel reads both samples, and
// shuffles within 128 bits sort them. A gather instruction would load each number separately.
#pragma once

#include "gpu/beamform/beamform_formula.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace echolux::das {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
constexpr int kQuads = kLanes / 4; ///< groups of 128 bits

using Lanes [[gnu::vector_size(kLanes * sizeof(float))]] = float;
using WholeLanes [[gnu::vector_size(kLanes * sizeof(float))]] = std::int32_t;
using Quad [[gnu::vector_size(4 * sizeof(float))]] = float;

inline Lanes lanesAt(const float* from) {
    Lanes value;
    std::memcpy(&value, from, sizeof value);
    return value;
}
inline void put(const Lanes& value, float* to) { std::memcpy(to, &value, sizeof value); }

inline Lanes rootOf(const Lanes& value) {
    alignas(64) float roots[kLanes];
    put(value, roots);
    for (float& root : roots) root = std::sqrt(root);
    return lanesAt(roots);
}
inline Lanes magnitudeOf(const Lanes& value) { return value < 0.0F ? -value : value; }

/// Within each 128 bits: a[A0], a[A1], b[B0], b[B1].
template <int A0, int A1, int B0, int B1> Lanes shuffled(const Lanes& a, const Lanes& b) {
#if defined(__AVX512F__)
    return __builtin_shufflevector(a, b, A0, A1, 16 + B0, 16 + B1, 4 + A0, 4 + A1, 20 + B0, 20 + B1,
                                   8 + A0, 8 + A1, 24 + B0, 24 + B1, 12 + A0, 12 + A1, 28 + B0,
                                   28 + B1);
#elif defined(__AVX__)
    return __builtin_shufflevector(a, b, A0, A1, 8 + B0, 8 + B1, 4 + A0, 4 + A1, 12 + B0, 12 + B1);
#else
    return __builtin_shufflevector(a, b, A0, A1, 4 + B0, 4 + B1);
#endif
}

inline Lanes joined(const Quad (&quads)[kQuads]) {
#if defined(__AVX512F__)
    using Pair [[gnu::vector_size(8 * sizeof(float))]] = float;
    const Pair low = __builtin_shufflevector(quads[0], quads[1], 0, 1, 2, 3, 4, 5, 6, 7);
    const Pair high = __builtin_shufflevector(quads[2], quads[3], 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#elif defined(__AVX__)
    return __builtin_shufflevector(quads[0], quads[1], 0, 1, 2, 3, 4, 5, 6, 7);
#else
    return quads[0];
#endif
}

/// unitPhasor() of |cycles| < 2^22: the phasor of a quarter of the angle, to its fourth power.
struct LanePhasor {
    Lanes re;
    Lanes im;

    explicit LanePhasor(const Lanes& cycles) {
        constexpr float kToWhole = 12'582'912.0F; // 1.5 * 2^23: adding a number to it rounds the
                                                  // number
        const Lanes turn = cycles - ((cycles + kToWhole) - kToWhole);
        const Lanes angle = turn * (0.5F * kPi);
        const Lanes s = angle * angle;
        const Lanes cosine = cosineNear0(s);
        const Lanes sine = sineNear0(angle, s);
        const Lanes halfRe = cosine * cosine - sine * sine;
        const Lanes halfIm = 2.0F * cosine * sine;
        re = halfRe * halfRe - halfIm * halfIm;
        im = 2.0F * halfRe * halfIm;
    }
};

/// Samples n and n + 1 of kLanes pixels.
template <class Sample> struct LanePairs;

template <> struct LanePairs<float> {
    Lanes here;
    Lanes next;

    LanePairs(const float* line, const std::int32_t* n) {
        const Lanes first = read(line, n);      // pixels 0 and 1 of each four
        const Lanes second = read(line, n + 2); // pixels 2 and 3
        here = shuffled<0, 2, 0, 2>(first, second);
        next = shuffled<1, 3, 1, 3>(first, second);
    }

private:
    static Lanes read(const float* line, const std::int32_t* n) {
        Quad quads[kQuads];
        for (int q = 0; q < kQuads; ++q) {
            std::memcpy(&quads[q], line + n[4 * q], 8);
            std::memcpy(reinterpret_cast<char*>(&quads[q]) + 8, line + n[4 * q + 1], 8);
        }
        return joined(quads);
    }
};

template <> struct LanePairs<Complex> {
    Lanes hereRe;
    Lanes hereIm;
    Lanes nextRe;
    Lanes nextIm;

    LanePairs(const Complex* line, const std::int32_t* n) {
        const Lanes p0 = read(line, n);
        const Lanes p1 = read(line, n + 1);
        const Lanes p2 = read(line, n + 2);
        const Lanes p3 = read(line, n + 3);
        const Lanes here01 = shuffled<0, 1, 0, 1>(p0, p1);
        const Lanes here23 = shuffled<0, 1, 0, 1>(p2, p3);
        const Lanes next01 = shuffled<2, 3, 2, 3>(p0, p1);
        const Lanes next23 = shuffled<2, 3, 2, 3>(p2, p3);
        hereRe = shuffled<0, 2, 0, 2>(here01, here23);
        hereIm = shuffled<1, 3, 1, 3>(here01, here23);
        nextRe = shuffled<0, 2, 0, 2>(next01, next23);
        nextIm = shuffled<1, 3, 1, 3>(next01, next23);
    }

private:
    static Lanes read(const Complex* line, const std::int32_t* n) {
        Quad quads[kQuads];
        for (int q = 0; q < kQuads; ++q) std::memcpy(&quads[q], line + n[4 * q], sizeof(Quad));
        return joined(quads);
    }
};

} // namespace echolux::das
