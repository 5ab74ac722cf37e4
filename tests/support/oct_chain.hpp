// SPDX-License-Identifier: GPL-3.0-or-later
// Runs OCT stages one after the other and measures what comes out.
#pragma once

#include "tests/support/near.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include "gpu/core/complex.hpp"
#include "gpu/core/decibels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace echolux::test {

using Chain = std::vector<std::pair<std::string, Settings>>;

inline HostFrame runChain(HostFrame frame, const Chain& chain, Backend backend = Backend::Cpu) {
    for (const auto& [id, settings] : chain) frame = runStage(id, frame, settings, backend);
    return frame;
}

inline FrameSpec withSpectrometer(FrameSpec spec, const auto& edit) {
    auto spectrometer = std::make_shared<Spectrometer>(*spec.spectrometer);
    edit(*spectrometer);
    spec.spectrometer = spectrometer;
    return spec;
}

/// Depth in metres of one bin for the light of octSpec(), by its definition.
inline double binM(std::int64_t samples) {
    const auto n = static_cast<double>(samples);
    return 0.5 / ((1 / 800e-9 - 1 / 900e-9) / (n - 1) * n);
}

/// One line A cos(phase(k)).
inline HostFrame fringe(std::int64_t samples, double amplitude, const auto& phase) {
    std::vector<float> line(static_cast<std::size_t>(samples));
    for (std::size_t k = 0; k < line.size(); ++k)
        line[k] = static_cast<float>(amplitude * std::cos(phase(static_cast<double>(k))));
    return {octSpec(0, 1, samples), line};
}

/// A mirror `bins` bins deep, on the even grid.
inline HostFrame mirror(std::int64_t samples, double amplitude, double bins) {
    const double turn = 2 * std::numbers::pi * bins / static_cast<double>(samples);
    return fringe(samples, amplitude, [=](double k) { return turn * k + 0.3; });
}

struct DepthPeak {
    double index = 0.0;
    double depth = 0.0;
    double amplitude = 0.0;
    double width = 0.0; ///< between half amplitudes, in bins
};

/// The largest amplitude of the first line, from bin `first` on.
inline DepthPeak peakOf(const HostFrame& depths, std::size_t first = 0) {
    const auto values = depths.as<Complex>();
    const Axis& axis = depths.spec.axes.back();
    std::vector<double> line(static_cast<std::size_t>(axis.size));
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = std::sqrt(double{norm(values[i])});
    const auto from = line.begin() + static_cast<std::ptrdiff_t>(first);
    const auto at = static_cast<std::size_t>(std::max_element(from, line.end()) - line.begin());
    const double half = 0.5 * line[at];
    const auto reach = [&](int step) {
        auto i = static_cast<std::ptrdiff_t>(at);
        const auto last = static_cast<std::ptrdiff_t>(line.size()) - 1;
        while (i + step >= 0 && i + step <= last && line[static_cast<std::size_t>(i + step)] > half)
            i += step;
        const double inner = line[static_cast<std::size_t>(i)];
        const std::ptrdiff_t next = std::clamp<std::ptrdiff_t>(i + step, 0, last);
        const double outer = line[static_cast<std::size_t>(next)];
        const double beyond = inner > outer ? (inner - half) / (inner - outer) : 0.0;
        return std::abs(static_cast<double>(i) - static_cast<double>(at)) + beyond;
    };
    return {static_cast<double>(at), axis.origin + static_cast<double>(at) * axis.spacing, line[at],
            reach(-1) + reach(1)};
}

/// Noise with a fringe, one sample of it NaN: in decibels that line alone is empty, and the others
/// are what they are without it.
inline void expectOneNanCostsItsLine(Backend backend) {
    constexpr std::size_t kLines = 24;
    constexpr std::size_t kSamples = 64;
    constexpr std::size_t kLost = 5;
    std::mt19937 random(1);
    std::normal_distribution<float> noise(2000.0F, 30.0F);
    std::vector<float> clean(kLines * kSamples);
    for (std::size_t i = 0; i < clean.size(); ++i)
        clean[i] = noise(random) + 50.0F * std::cos(0.9F * static_cast<float>(i % kSamples));
    std::vector<float> damaged = clean;
    damaged[kLost * kSamples + 17] = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> others = clean;
    const auto lost = others.begin() + kLost * kSamples;
    others.erase(lost, lost + kSamples);
    for (const char* method : {"mean", "minimum_variance"}) {
        const auto image = [&](const std::vector<float>& samples) {
            const auto lines = static_cast<std::int64_t>(samples.size() / kSamples);
            return runChain(HostFrame(octSpec(0, lines, kSamples), samples),
                            {{"background_subtract", {{"source", std::string("frame_mean")}}},
                             {"dc_removal_moving", {}},
                             {"k_linearize", {}},
                             {"window", {}},
                             {"dispersion", {}},
                             {"inverse_fft", {}},
                             {"fixed_pattern",
                              {{"method", std::string(method)}, {"segments", std::int64_t{1}}}},
                             {"magnitude_log", {}}},
                            backend);
        };
        const HostFrame got = image(damaged);
        const HostFrame wanted = image(others);
        const auto depths = static_cast<std::size_t>(got.spec.axes.back().size);
        const auto line = [&](const HostFrame& from, std::size_t i) {
            return from.as<float>().subspan(i * depths, depths);
        };
        for (const float db : line(got, kLost)) EXPECT_EQ(db, kNothingDb) << method;
        for (std::size_t i = 0; i < kLines - 1; ++i)
            expectNear(line(got, i < kLost ? i : i + 1), line(wanted, i), 1e-2);
    }
}

inline double largestError(std::span<const float> actual, std::span<const float> expected) {
    double peak = 0.0;
    double worst = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        peak = std::max(peak, std::fabs(double{expected[i]}));
        worst = std::max(worst, std::fabs(double{actual[i]} - double{expected[i]}));
    }
    return worst / peak;
}

} // namespace echolux::test
