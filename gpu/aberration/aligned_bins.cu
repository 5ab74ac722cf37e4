// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/aberration/aligned_bins.hpp"

#include "gpu/exec/lane_sum.hpp"

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

    /// Item: place * chunks + chunk.
    template <class Lanes> ECHOLUX_HD void operator()(std::int64_t i, const Lanes& lanes) const {
        // Divisions of 32 bits: those of 64 would take as long as the sums.
        const auto chunks = static_cast<std::uint32_t>((bins + kAtOnce - 1) / kAtOnce);
        const std::int64_t place = static_cast<std::uint32_t>(i) / chunks;
        const auto first =
            static_cast<std::int64_t>(static_cast<std::uint32_t>(i) % chunks) * kAtOnce;
        const int here = static_cast<int>(bins - first < kAtOnce ? bins - first : kAtOnce);
        const float* line = samples + place * count;
        const auto all = static_cast<std::int32_t>(count);
        const auto length = static_cast<std::uint32_t>(count);
        float re[kAtOnce] = {};
        float im[kAtOnce] = {};
        std::int32_t at[kAtOnce];
        std::int32_t step[kAtOnce];
        for (int b = 0; b < kAtOnce; ++b) {
            const auto bin = static_cast<std::uint32_t>(firstBin + first + (b < here ? b : 0));
            at[b] = static_cast<std::int32_t>(static_cast<std::uint32_t>(lanes.own) * bin % length);
            step[b] =
                static_cast<std::int32_t>(static_cast<std::uint32_t>(Lanes::step) * bin % length);
        }
        for (auto n = static_cast<std::int32_t>(lanes.own); n < all;
             n += static_cast<std::int32_t>(Lanes::step)) {
            const float sample = line[n];
            for (int b = 0; b < kAtOnce; ++b) {
                const Complex turn = turns[at[b]];
                re[b] = std::fma(sample, turn.re, re[b]);
                im[b] = std::fma(sample, turn.im, im[b]);
                at[b] += step[b];
                at[b] -= at[b] >= all ? all : 0;
            }
        }
        for (int b = 0; b < kAtOnce; ++b) {
            const Complex sum{laneSum(lanes, re[b]), laneSum(lanes, im[b])};
            if (lanes.own == 0 && b < here) out[place * bins + first + b] = sum;
        }
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
    forEachByLanes(exec, "aberration", places * ((bins + kAtOnce - 1) / kAtOnce),
                   AlignedBins{samples, samplesPerChannel, firstBin, bins, turns, out});
}

} // namespace echolux::aberration
