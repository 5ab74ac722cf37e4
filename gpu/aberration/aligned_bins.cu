// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/aberration/aligned_bins.hpp"

#include "gpu/exec/for_each.hpp"

#include <cmath>
#include <numbers>

namespace echolux::aberration {
namespace {

constexpr int kAtOnce = 8; ///< bins kept in registers

struct AlignedBins {
    const float* samples;
    std::int64_t count; ///< per channel
    std::int64_t firstBin;
    std::int64_t bins;
    const Complex* turns;
    Complex* out;

    /// Index: place * chunks + chunk.
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t chunks = (bins + kAtOnce - 1) / kAtOnce;
        const std::int64_t place = i / chunks;
        const std::int64_t first = i % chunks * kAtOnce;
        const int here = static_cast<int>(bins - first < kAtOnce ? bins - first : kAtOnce);
        const float* line = samples + place * count;
        Complex sum[kAtOnce] = {};
        std::int64_t at[kAtOnce];
        std::int64_t step[kAtOnce];
        for (int b = 0; b < kAtOnce; ++b) {
            at[b] = 0;
            step[b] = (firstBin + first + (b < here ? b : 0)) % count;
        }
        for (std::int64_t n = 0; n < count; ++n) {
            const float sample = line[n];
            for (int b = 0; b < kAtOnce; ++b) {
                sum[b] = sum[b] + sample * turns[at[b]];
                at[b] += step[b];
                at[b] -= at[b] >= count ? count : 0;
            }
        }
        for (int b = 0; b < here; ++b) out[place * bins + first + b] = sum[b];
    }
};

} // namespace

std::vector<Complex> turnsOf(std::int64_t samples) {
    std::vector<Complex> turns;
    for (std::int64_t n = 0; n < samples; ++n) {
        const double angle =
            -2.0 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(samples);
        turns.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
    }
    return turns;
}

void alignedBins(const Exec& exec, const float* samples, std::int64_t places,
                 std::int64_t samplesPerChannel, std::int64_t firstBin, std::int64_t bins,
                 const Complex* turns, Complex* out) {
    forEach(exec, "aberration", places * ((bins + kAtOnce - 1) / kAtOnce),
            AlignedBins{samples, samplesPerChannel, firstBin, bins, turns, out});
}

} // namespace echolux::aberration
