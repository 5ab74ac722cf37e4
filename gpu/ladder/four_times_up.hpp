// SPDX-License-Identifier: GPL-3.0-or-later
// 4xUP of Gronvold 2008, section 4.2.2: three filters of T taps that read 1/4, 1/2 and 3/4 of a
// sample behind sample k, interleaved with it; x = 0 outside the record:
//   y[4 k + p] = sum_{j < T} sinc(j - floor(T / 2) - p / 4) x[k + j - floor(T / 2)],  0 < p < 4.
// All filters lie around k, as in the document: tap floor(T / 2) reads it. The stage `upsample`
// centres them on the nearest sample.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>

namespace echolux::ladder {

constexpr int kMostUpThreads = 512; ///< of a block
constexpr float kUnloaded = 0.5F;   ///< what UpVariant::NoLoads takes for every sample

/// The kernel, and what section 4.5.2 leaves out of it to find what its time goes to.
enum class UpVariant {
    Whole,
    /// The threads of a block do not wait for each other, so on CUDA samples may be wrong.
    NoBarrier,
    /// No sample is read from memory: all are kUnloaded, beyond the record too.
    NoLoads,
};

struct UpProblem {
    int taps = 11; ///< 7, 11, 15, 22, 31 or 50
    std::int64_t lines = 0;
    std::int32_t samples = 0;             ///< of a line; even
    int block = 256;                      ///< threads, a multiple of 32; each computes two samples
    UpVariant variant = UpVariant::Whole; ///< other ones for 11 taps and floats only
};

/// h[p - 1][j], 0 < p < 4, j < taps.
double upTap(int taps, int p, int j);

/// `codes` are [line][sample]; a code of kCodePeak is 1. `out` is [line][4 sample]. Both are in
/// compute memory. Throws std::logic_error for problems that are not as described.
void fourTimesUp(const Exec& exec, const UpProblem& problem, const std::int16_t* codes, float* out);

/// The same with codes as output, rounded to the nearest (section 4.7). What lies beyond -1 to 1
/// becomes the nearest of both.
void fourTimesUp(const Exec& exec, const UpProblem& problem, const std::int16_t* codes,
                 std::int16_t* out);

} // namespace echolux::ladder
