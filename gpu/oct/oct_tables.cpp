// SPDX-License-Identifier: GPL-3.0-or-later
// Windows, dispersion, depth axis and scale of OCT spectra.
#include "gpu/oct/oct_tables.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace echolux::oct {
namespace {

double windowAt(double t, const WindowParams& params) {
    const double turn = 2.0 * std::numbers::pi * t;
    switch (params.shape) {
    case WindowShape::Hann: return 0.5 - 0.5 * std::cos(turn);
    case WindowShape::Hamming: return 0.54 - 0.46 * std::cos(turn);
    case WindowShape::Blackman:
        return std::max(0.42 - 0.5 * std::cos(turn) + 0.08 * std::cos(2.0 * turn), 0.0);
    case WindowShape::Gauss: {
        const double distance = (t - 0.5) / params.gaussSigma;
        return std::exp(-0.5 * distance * distance);
    }
    case WindowShape::Tukey: {
        const double edge = 2.0 * std::min(t, 1.0 - t); // 0 at the ends, 1 in the middle
        if (edge >= params.tukeyTaper) return 1.0;
        return 0.5 - 0.5 * std::cos(std::numbers::pi * edge / params.tukeyTaper);
    }
    case WindowShape::Rectangular: return 1.0;
    }
    return 1.0;
}

double interpolated(const std::vector<double>& values, double at) {
    const auto last = static_cast<double>(values.size() - 1);
    const double inside = std::clamp(at, 0.0, last);
    const auto below =
        static_cast<std::size_t>(std::min(std::floor(inside), std::max(last - 1, 0.0)));
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], inside - static_cast<double>(below));
}

} // namespace

Lines linesOf(const FrameSpec& spec) {
    Lines lines;
    lines.length = spec.axes.back().size;
    lines.count = spec.count() / lines.length;
    lines.grid = spec.spectralGrid.points > 0 ? spec.spectralGrid.points : lines.length;
    return lines;
}

std::vector<double> positionsOf(const FrameSpec& spectra) {
    if (spectra.spectralGrid.positions != nullptr) return *spectra.spectralGrid.positions;
    const std::int64_t samples = linesOf(spectra).length;
    return evenPositions(samples, samples);
}

std::vector<double> evenPositions(std::int64_t points, std::int64_t samples) {
    std::vector<double> positions(static_cast<std::size_t>(points));
    const double step = static_cast<double>(samples) / static_cast<double>(points);
    for (std::size_t g = 0; g < positions.size(); ++g) positions[g] = static_cast<double>(g) * step;
    return positions;
}

std::vector<float> windowTable(const std::vector<double>& positions, std::int64_t samples,
                               const WindowParams& params) {
    std::vector<float> table(positions.size());
    const double last = std::max(static_cast<double>(samples - 1), 1.0);
    const double forgiven = 0.5 / (last * params.fill);
    for (std::size_t p = 0; p < table.size(); ++p) {
        const double k = samples > 1 ? positions[p] : 0.5 * last;
        const double t = (k / last - params.centre) / params.fill + 0.5;
        const bool inside = t >= -forgiven && t <= 1.0 + forgiven;
        table[p] = inside ? static_cast<float>(windowAt(std::clamp(t, 0.0, 1.0), params)) : 0.0F;
    }
    return table;
}

double windowMean(const std::vector<float>& window, const std::vector<double>& positions) {
    double sum = 0.0;
    for (std::size_t p = 0; p < window.size(); ++p)
        sum += densityWeight(positions, p) * static_cast<double>(window[p]);
    return sum / static_cast<double>(window.size());
}

std::vector<double> dispersionPhase(const std::vector<double>& positions, std::int64_t samples,
                                    std::span<const double> terms,
                                    const std::vector<double>& recorded) {
    std::vector<double> phase;
    phase.reserve(positions.size());
    const double last = std::max(static_cast<double>(samples - 1), 1.0);
    for (const double k : positions) {
        const double x = -k / (2.0 * last);
        double sum = 0.0;
        for (std::size_t i = terms.size(); i-- > 0;) sum = x * (terms[i] + sum);
        phase.push_back(x * sum + (recorded.empty() ? 0.0 : interpolated(recorded, k)));
    }
    return phase;
}

double middleSlope(std::span<const double> terms, const std::vector<double>& recorded) {
    constexpr double kMiddle = -0.25; // x of q = 1/2; dx/dq = -1/2
    double slope = 0.0;
    double power = kMiddle;
    for (std::size_t i = 0; i < terms.size(); ++i, power *= kMiddle)
        slope -= 0.5 * static_cast<double>(i + 2) * terms[i] * power;
    const std::size_t aside = recorded.size() / 20;
    if (aside == 0) return slope;
    const std::size_t middle = recorded.size() / 2;
    return slope + (recorded[middle + aside] - recorded[middle - aside]) /
                       static_cast<double>(2 * aside) * static_cast<double>(recorded.size() - 1);
}

std::vector<Complex> phasors(const std::vector<double>& phase) {
    std::vector<Complex> made(phase.size());
    std::ranges::transform(phase, made.begin(), [](double phi) {
        return Complex{static_cast<float>(std::cos(phi)), static_cast<float>(std::sin(phi))};
    });
    return made;
}

DepthGrid depthGrid(const Lines& lines, std::int64_t padding, bool full) {
    const std::int64_t bins = lines.length * padding;
    DepthGrid grid;
    grid.transform = lines.grid * padding;
    grid.depths = full ? bins : std::max<std::int64_t>(bins / 2, 1);
    grid.firstBin = full ? -(bins / 2) : 0;
    return grid;
}

std::vector<float> depthScale(const Lines& lines, const SpectralGrid& grid,
                              const DepthGrid& depth) {
    const Kernel kernel{grid.kernelWidth, grid.kernelShape};
    std::vector<float> scale(static_cast<std::size_t>(depth.depths));
    for (std::size_t d = 0; d < scale.size(); ++d) {
        const auto bin = static_cast<double>(depth.firstBin + static_cast<std::int64_t>(d));
        const double taper =
            kernel.width > 0 ? kernel.taper(bin / static_cast<double>(depth.transform)) : 1.0;
        scale[d] = static_cast<float>(2.0 / (static_cast<double>(lines.grid) * taper));
    }
    return scale;
}

std::vector<float> condensedBackground(const std::vector<float>& background, std::int64_t points) {
    const std::int64_t samples = std::ssize(background);
    if (points <= 0 || points >= samples) return background;
    std::vector<double> middle;
    std::vector<double> mean;
    for (std::int64_t k = 0; k < points; ++k) {
        const std::int64_t begin = k * samples / points;
        const std::int64_t end = (k + 1) * samples / points;
        middle.push_back(0.5 * static_cast<double>(begin + end - 1));
        mean.push_back(std::accumulate(background.begin() + begin, background.begin() + end, 0.0) /
                       static_cast<double>(end - begin));
    }
    std::vector<float> condensed;
    std::size_t next = 1; // the first middle at or behind the sample, but not the first one of all
    for (std::int64_t n = 0; n < samples; ++n) {
        const auto at = static_cast<double>(n);
        while (next + 1 < middle.size() && middle[next] < at) ++next;
        if (middle.size() == 1) {
            condensed.push_back(static_cast<float>(mean.front()));
            continue;
        }
        const double along =
            std::clamp((at - middle[next - 1]) / (middle[next] - middle[next - 1]), 0.0, 1.0);
        condensed.push_back(static_cast<float>(std::lerp(mean[next - 1], mean[next], along)));
    }
    return condensed;
}

double depthSpacingM(std::int64_t samples, double centreWavelengthM, double bandwidthM,
                     double refractiveIndex) {
    const double shortest = centreWavelengthM - 0.5 * bandwidthM;
    const double longest = centreWavelengthM + 0.5 * bandwidthM;
    const bool known = samples > 1 && bandwidthM > 0.0 && shortest > 0.0 && refractiveIndex > 0.0;
    if (!known) return 0.0;
    const double stepRadPerM = 2.0 * std::numbers::pi * (1.0 / shortest - 1.0 / longest) /
                               static_cast<double>(samples - 1);
    return std::numbers::pi / (refractiveIndex * static_cast<double>(samples) * stepRadPerM);
}

} // namespace echolux::oct
