// SPDX-License-Identifier: GPL-3.0-or-later
// Upsampling: fractional-delay filters compute samples between the existing ones (Gronvold 2008,
// sections 2.6.8 and 4.2.2). The filters and their application to a line, for host and device.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/dsp/fractional_delay.hpp"

#include <cstdint>

namespace echolux {

constexpr int kMaxUpsampling = 4;
constexpr int kMaxUpsamplingTaps = 31;

/// With x = 0 outside the record: y[factor n] = x[n], and for 0 < p < factor
///   y[factor n + p] = sum_{j < count} tap[p - 1][j] x[n - before + j].
/// Zeros among the taps allow a filter of odd length to be centred on n or on n + 1, whichever is
/// nearer. NOTE: with all filters centred on n, as in Gronvold's kernel, the quality at 0.2 cycles
/// per sample is 6 dB lower.
struct PhaseFirs {
    static constexpr int kMostTaps = kMaxUpsamplingTaps + 1;
    float tap[kMaxUpsampling - 1][kMostTaps] = {};
    int factor = 1;
    int count = 0;
    int before = 0;
};

/// 2 <= factor <= kMaxUpsampling, 2 <= taps <= kMaxUpsamplingTaps.
PhaseFirs upsamplingFirs(const FractionalDelay& delay, std::int64_t taps, int factor);

/// Handles kTile samples of a line per index, so that the inner loops run over neighbours.
template <class Sample, int kTile> struct UpsampleTile {
    const Sample* in;
    Sample* out;
    std::int64_t samples; ///< of a line of `in`
    std::int64_t tilesPerLine;
    PhaseFirs firs;

    ECHOLUX_HD void operator()(std::int64_t index) const {
        const std::int64_t line = index / tilesPerLine;
        const std::int64_t first = index % tilesPerLine * kTile;
        const Sample* x = in + line * samples;
        Sample seen[kTile + PhaseFirs::kMostTaps];
        for (int i = 0; i < kTile + firs.count; ++i) {
            const std::int64_t n = first - firs.before + i;
            seen[i] = n >= 0 && n < samples ? x[n] : Sample{};
        }
        const int count = samples - first < kTile ? static_cast<int>(samples - first) : kTile;
        Sample* y = out + (line * samples + first) * firs.factor;
        const std::int64_t step = firs.factor;
        for (int i = 0; i < count; ++i) y[i * step] = seen[firs.before + i];
        for (int p = 1; p < firs.factor; ++p) {
            Sample sum[kTile] = {};
            for (int j = 0; j < firs.count; ++j) {
                const float tap = firs.tap[p - 1][j];
                for (int i = 0; i < kTile; ++i) sum[i] = sum[i] + tap * seen[i + j];
            }
            for (int i = 0; i < count; ++i) y[i * step + p] = sum[i];
        }
    }
};

} // namespace echolux
