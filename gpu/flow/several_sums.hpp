// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of products of frames that are computed together. Include it only from .cu files.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/unroll.hpp"

#include <cstdint>

namespace echolux::flow {

constexpr int kSumsAtOnce = 8;

/// Neighbouring pixels that an item handles: one on CUDA, where neighbours are other threads; on
/// the CPU a vector's worth and more, which lie side by side in memory.
constexpr int kHostWide = 64;

/// kSumsAtOnce complex sums of each of kWide pixels.
/// NOTE: with kWide = 1 on the host, GCC 12 vectorises over frames and reads seven of them beyond
/// the last.
template <int kWide> struct SeveralSums {
    float re[kSumsAtOnce][kWide] = {};
    float im[kSumsAtOnce][kWide] = {};

    /// Adds each of `wide` samples times each of kSumsAtOnce factors.
    ECHOLUX_HD void add(const Complex* samples, int wide, const Complex* factors) {
        ECHOLUX_UNROLL
        for (int j = 0; j < kSumsAtOnce; ++j) addTo(j, samples, wide, factors[j]);
    }
    ECHOLUX_HD void addTo(int j, const Complex* samples, int wide, Complex factor) {
        for (int i = 0; i < wide; ++i) {
            re[j][i] += samples[i].re * factor.re - samples[i].im * factor.im;
            im[j][i] += samples[i].re * factor.im + samples[i].im * factor.re;
        }
    }
    ECHOLUX_HD Complex at(int j, int i) const { return {re[j][i], im[j][i]}; }
};

} // namespace echolux::flow
