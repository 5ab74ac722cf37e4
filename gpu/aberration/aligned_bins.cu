// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/aberration/aligned_bins.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/unroll.hpp"
#include "gpu/exec/lane_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::aberration {
namespace {

constexpr int kAtOnce = 8;   ///< bins kept in registers
constexpr int kTogether = 4; ///< places (channels) that one item computes with the same phasors
constexpr int kRenewed = 16; ///< samples of a lane from one read of its phasors to the next. For
                             ///< the samples between it multiplies them by the step

template <class Sample> struct AlignedBins {
    const Sample* samples;
    std::int64_t places;
    std::int64_t count; ///< samples of a channel
    std::int64_t firstBin;
    std::int64_t bins;
    const Complex* turns;
    Complex* out;

    /// Item: group of places * chunks + chunk of bins.
    template <class Lanes> ECHOLUX_HD void operator()(std::int64_t i, const Lanes& lanes) const {
        const std::int64_t chunks = (bins + kAtOnce - 1) / kAtOnce;
        const std::int64_t firstPlace = i / chunks * kTogether;
        const std::int64_t first = i % chunks * kAtOnce;
        const Sample* line[kTogether];
        ECHOLUX_UNROLL
        for (int t = 0; t < kTogether; ++t) {
            const std::int64_t place = firstPlace + t < places ? firstPlace + t : places - 1;
            line[t] = samples + place * count;
        }
        float re[kTogether][kAtOnce] = {};
        float im[kTogether][kAtOnce] = {};
        float stepRe[kAtOnce];
        float stepIm[kAtOnce];
        turnsAt(Lanes::step, first, stepRe, stepIm);
        for (std::int64_t block = lanes.own; block < count; block += kRenewed * Lanes::step) {
            float turnRe[kAtOnce];
            float turnIm[kAtOnce];
            turnsAt(block, first, turnRe, turnIm);
            const std::int64_t left = (count - block + Lanes::step - 1) / Lanes::step;
            const int steps = static_cast<int>(left < kRenewed ? left : kRenewed);
            for (int s = 0; s < steps; ++s) {
                ECHOLUX_UNROLL
                for (int t = 0; t < kTogether; ++t) {
                    const auto sample = static_cast<float>(line[t][block + s * Lanes::step]);
                    ECHOLUX_UNROLL
                    for (int b = 0; b < kAtOnce; ++b) {
                        re[t][b] = std::fma(sample, turnRe[b], re[t][b]);
                        im[t][b] = std::fma(sample, turnIm[b], im[t][b]);
                    }
                }
                ECHOLUX_UNROLL
                for (int b = 0; b < kAtOnce; ++b) {
                    const float was = turnRe[b];
                    turnRe[b] = std::fma(was, stepRe[b], -(turnIm[b] * stepIm[b]));
                    turnIm[b] = std::fma(was, stepIm[b], turnIm[b] * stepRe[b]);
                }
            }
        }
        ECHOLUX_UNROLL
        for (int t = 0; t < kTogether; ++t) {
            ECHOLUX_UNROLL
            for (int b = 0; b < kAtOnce; ++b) {
                const Complex sum{laneSum(lanes, re[t][b]), laneSum(lanes, im[t][b])};
                if (lanes.own == 0 && firstPlace + t < places && first + b < bins)
                    out[(firstPlace + t) * bins + first + b] = sum;
            }
        }
    }

private:
    /// n * bin modulo count. A 64-bit division would take as long as the sums, so short records use
    /// 32 bits.
    ECHOLUX_HD std::int64_t wrapped(std::int64_t n, std::int64_t bin) const {
        if (count < 65536)
            return static_cast<std::uint32_t>(n * bin) % static_cast<std::uint32_t>(count);
        return n * bin % count;
    }

    /// The phasors exp(-2 pi j n bin / count) of sample n, for kAtOnce bins from `first` on. Beyond
    /// the last bin it repeats the last.
    ECHOLUX_HD void turnsAt(std::int64_t n, std::int64_t first, float* re, float* im) const {
        ECHOLUX_UNROLL
        for (int b = 0; b < kAtOnce; ++b) {
            const std::int64_t bin = first + b < bins ? first + b : bins - 1;
            const Complex turn = turns[wrapped(n, firstBin + bin)];
            re[b] = turn.re;
            im[b] = turn.im;
        }
    }
};

bool isWithin(const BinRange& bins, std::int64_t samples) {
    return bins.first >= 0 && bins.count >= 1 && bins.count <= samples &&
           bins.first <= samples - bins.count;
}

template <class Sample> void binsOfSamples(const Exec& exec, const Sample* samples,
                                           std::int64_t places, std::int64_t samplesPerChannel,
                                           const BinRange& bins, const Complex* turns,
                                           std::span<Complex> out) {
    if (!isWithin(bins, samplesPerChannel) ||
        static_cast<std::int64_t>(out.size()) != places * bins.count)
        throw Error(fmt::format("{} bins from number {} on of channels of {} samples do not make "
                                "the {} values that {} channels have room for.",
                                bins.count, bins.first, samplesPerChannel, out.size(), places));
    const std::int64_t groups = (places + kTogether - 1) / kTogether;
    forEachByLanes(exec, "aberration", groups * ((bins.count + kAtOnce - 1) / kAtOnce),
                   AlignedBins<Sample>{samples, places, samplesPerChannel, bins.first, bins.count,
                                       turns, out.data()});
}

} // namespace

// Compares the bins as double first, because for absurd frequencies they would overflow an integer.
BinRange binsRound(double centreHz, double samplingHz, std::int64_t samples, std::int64_t count) {
    const double binHz = samplingHz / static_cast<double>(samples);
    const double first =
        std::round(centreHz / binHz) - std::floor(0.5 * static_cast<double>(count));
    const double end = first + static_cast<double>(count);
    if (binHz > 0.0 && centreHz > 0.0 && count >= 1 && first >= 0.0 &&
        end <= static_cast<double>(samples / 2))
        return {static_cast<std::int64_t>(first), count};
    throw Error(fmt::format("{} bins of {:.4g} MHz round {:.4g} MHz leave the spectrum of {} "
                            "samples, 0 to {:.4g} MHz; choose fewer bins or another centre "
                            "frequency.",
                            count, 1e-6 * binHz, 1e-6 * centreHz, samples, 0.5e-6 * samplingHz));
}

std::int64_t binsWithin(double bandwidthHz, double samplingHz, std::int64_t samples) {
    const double bins = std::round(bandwidthHz / samplingHz * static_cast<double>(samples)) + 1.0;
    if (!(bins > 1.0)) return 1;
    return static_cast<std::int64_t>(std::min(bins, static_cast<double>(samples)));
}

std::vector<double> frequenciesOf(const BinRange& bins, double samplingHz, std::int64_t samples) {
    if (!isWithin(bins, samples))
        throw Error(fmt::format("{} bins from number {} on do not lie within a transform of {} "
                                "samples.",
                                bins.count, bins.first, samples));
    std::vector<double> hz;
    for (std::int64_t b = 0; b < bins.count; ++b)
        hz.push_back(static_cast<double>(bins.first + b) * samplingHz /
                     static_cast<double>(samples));
    return hz;
}

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
                 std::int64_t samplesPerChannel, const BinRange& bins, const Complex* turns,
                 std::span<Complex> out) {
    binsOfSamples(exec, samples, places, samplesPerChannel, bins, turns, out);
}

void alignedBins(const Exec& exec, const std::int16_t* samples, std::int64_t places,
                 std::int64_t samplesPerChannel, const BinRange& bins, const Complex* turns,
                 std::span<Complex> out) {
    binsOfSamples(exec, samples, places, samplesPerChannel, bins, turns, out);
}

} // namespace echolux::aberration
