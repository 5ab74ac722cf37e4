// SPDX-License-Identifier: GPL-3.0-or-later
// Resampling curves, and the weights that bring a line onto them by interpolation or gridding.
#include "gpu/core/bessel.hpp"
#include "gpu/core/error.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/oct/oct_formula.hpp"
#include "gpu/oct/oct_limits.hpp"
#include "gpu/oct/oct_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::oct {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kShortestStep = 0.1;
constexpr double kLongestStep = 4.0;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// A table of `taps` weights per point, all 0.
GatherTable emptyTable(std::int64_t points, std::int64_t taps) {
    GatherTable table{points, taps, {}, {}};
    table.first.assign(index(points), 0);
    table.weights.assign(index(points * taps), 0.0F);
    return table;
}

double lanczos(double x, double lobes) {
    if (x == 0.0) return 1.0;
    if (std::abs(x) >= lobes) return 0.0;
    return lobes * std::sin(kPi * x) * std::sin(kPi * x / lobes) / (kPi * kPi * x * x);
}

/// Weights of the samples around floor(r) at the fraction f. The first sample is floor(r) + 1 -
/// half.
std::vector<double> weightsAt(Interpolation method, std::int64_t lobes, double f) {
    switch (method) {
    case Interpolation::Linear: return {1.0 - f, f};
    case Interpolation::Cubic: {
        float weights[4];
        catmullRomWeights(static_cast<float>(f), weights);
        return {weights[0], weights[1], weights[2], weights[3]};
    }
    case Interpolation::Lanczos: break;
    }
    std::vector<double> weights(index(2 * lobes));
    double sum = 0.0;
    for (std::size_t t = 0; t < weights.size(); ++t) {
        const double x = f - static_cast<double>(static_cast<std::int64_t>(t) + 1 - lobes);
        weights[t] = lanczos(x, static_cast<double>(lobes));
        sum += weights[t];
    }
    for (double& weight : weights) weight /= sum;
    return weights;
}

/// Grid points that one sample reaches.
struct Reach {
    std::int64_t first;
    std::int64_t last;
};

Reach reachOf(double at, std::int64_t points, const Kernel& kernel) {
    const double half = 0.5 * static_cast<double>(kernel.width);
    const double end = static_cast<double>(points - 1);
    const double first = std::clamp(std::ceil(at - half), 0.0, end + 1.0);
    const double last = std::clamp(std::floor(at + half), -1.0, end);
    return {static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)};
}

/// First and last sample that reaches each grid point.
struct Sources {
    std::vector<std::int64_t> lowest;
    std::vector<std::int64_t> highest;

    Sources(const std::vector<double>& kappa, std::int64_t points, const Kernel& kernel)
        : lowest(index(points), static_cast<std::int64_t>(kappa.size())),
          highest(index(points), -1) {
        const auto n = static_cast<std::int64_t>(kappa.size());
        const double pointsPerStep = static_cast<double>(points) / static_cast<double>(n);
        for (std::int64_t p = 0; p < n; ++p) {
            const Reach reach = reachOf(kappa[index(p)] * pointsPerStep, points, kernel);
            for (std::int64_t g = reach.first; g <= reach.last; ++g) {
                lowest[index(g)] = std::min(lowest[index(g)], p);
                highest[index(g)] = std::max(highest[index(g)], p);
            }
        }
    }
    std::int64_t most() const {
        std::int64_t taps = 1;
        for (std::size_t g = 0; g < lowest.size(); ++g)
            taps = std::max(taps, highest[g] - lowest[g] + 1);
        return taps;
    }
};

} // namespace

std::vector<double> polynomialCurve(std::int64_t samples, const std::array<double, 4>& c) {
    std::vector<double> curve(index(samples));
    const double last = std::max(static_cast<double>(samples - 1), 1.0);
    double before = 0.0;
    for (std::size_t m = 0; m < curve.size(); ++m) {
        const double u = static_cast<double>(m) / last;
        const double wanted = c[0] + u * (last + c[1] + u * (c[2] + u * c[3]));
        curve[m] = m == 0 ? wanted
                          : curve[m - 1] + std::clamp(wanted - before, kShortestStep, kLongestStep);
        before = wanted;
    }
    return curve;
}

void checkCurve(std::string_view owner, const std::vector<double>& curve, std::int64_t samples) {
    if (static_cast<std::int64_t>(curve.size()) != samples) {
        throw Error(fmt::format("{}: the resampling curve has {} values, but the lines have {} "
                                "samples; load the calibration that belongs to this recording, or "
                                "choose curve = polynomial.",
                                owner, curve.size(), samples));
    }
    const double sign = samples > 1 && curve[1] < curve[0] ? -1.0 : 1.0;
    for (std::size_t m = 0; m < curve.size(); ++m) {
        const double step = m == 0 ? 1.0 : sign * (curve[m] - curve[m - 1]);
        if (std::isfinite(curve[m]) && step > 0.0 && step <= kLongestCurveStep) continue;
        throw Error(fmt::format("{}: the resampling curve must rise or fall all along in steps of "
                                "at most {:g} samples, but does not at its value {}; correct the "
                                "calibration, or choose curve = polynomial.",
                                owner, kLongestCurveStep, m));
    }
}

GatherTable interpolationTable(Interpolation method, std::int64_t lobes,
                               const std::vector<double>& curve) {
    const auto n = static_cast<std::int64_t>(curve.size());
    const auto reach = static_cast<std::int64_t>(weightsAt(method, lobes, 0.0).size());
    GatherTable table = emptyTable(n, std::min(reach, n));
    for (std::int64_t m = 0; m < n; ++m) {
        const double r = std::clamp(curve[index(m)], 0.0, static_cast<double>(n - 1));
        const auto below = static_cast<std::int64_t>(std::floor(r));
        const std::int64_t start = below + 1 - reach / 2;
        const std::int64_t first = std::clamp<std::int64_t>(start, 0, n - table.taps);
        table.first[index(m)] = static_cast<std::int32_t>(first);
        const std::vector<double> weights =
            weightsAt(method, lobes, r - static_cast<double>(below));
        for (std::int64_t t = 0; t < reach; ++t) {
            const std::int64_t source = std::clamp<std::int64_t>(start + t, 0, n - 1);
            table.weights[index((source - first) * n + m)] += static_cast<float>(weights[index(t)]);
        }
    }
    return table;
}

double Kernel::at(double u) const {
    const double x = 2.0 * u / static_cast<double>(width);
    if (std::abs(x) > 1.0) return 0.0;
    return besselI0(beta * std::sqrt(1.0 - x * x)) / besselI0(beta);
}

double Kernel::area() const {
    return static_cast<double>(width) * std::sinh(beta) / (beta * besselI0(beta));
}

double Kernel::taper(double f) const {
    const double turn = kPi * static_cast<double>(width) * f;
    const double square = beta * beta - turn * turn;
    const double root = std::sqrt(std::abs(square));
    double value = 1.0;
    if (root > 1e-9) value = square > 0.0 ? std::sinh(root) / root : std::sin(root) / root;
    return value * beta / std::sinh(beta);
}

Kernel kaiserBessel(std::int64_t width, std::int64_t samples, std::int64_t points) {
    const double alpha = static_cast<double>(points) / static_cast<double>(samples);
    const double span = static_cast<double>(width) / alpha * (alpha - 0.5);
    return {width, kPi * std::sqrt(std::max(span * span - 0.8, 0.05))};
}

std::vector<double> inverseCurve(const std::vector<double>& curve) {
    const std::size_t n = curve.size();
    const bool falling = curve.back() < curve.front();
    const double sign = falling ? -1.0 : 1.0;
    std::vector<double> kappa(n);
    for (std::size_t i = 0, m = 0; i < n; ++i) {
        const std::size_t p = falling ? n - 1 - i : i;
        const double at = sign * static_cast<double>(p);
        while (m + 2 < n && sign * curve[m + 1] <= at) ++m;
        kappa[p] = static_cast<double>(m) +
                   (static_cast<double>(p) - curve[m]) / (curve[m + 1] - curve[m]);
    }
    return kappa;
}

double densityWeight(const std::vector<double>& positions, std::size_t p) {
    if (positions.size() < 2) return 1.0;
    const std::size_t before = p > 0 ? p - 1 : p;
    const std::size_t after = std::min(p + 1, positions.size() - 1);
    const double steps = static_cast<double>(after - before);
    return std::min(std::abs(positions[after] - positions[before]) / steps, 1.0 / kShortestStep);
}

std::int64_t griddingTaps(const std::vector<double>& positions, std::int64_t points,
                          const Kernel& kernel) {
    return Sources(positions, points, kernel).most();
}

GatherTable griddingTable(const std::vector<double>& positions, std::int64_t points,
                          const Kernel& kernel) {
    const auto n = static_cast<std::int64_t>(positions.size());
    const double pointsPerStep = static_cast<double>(points) / static_cast<double>(n);
    const Sources sources(positions, points, kernel);
    const std::int64_t taps = sources.most();
    GatherTable table = emptyTable(points, taps);
    for (std::size_t g = 0; g < sources.lowest.size(); ++g)
        table.first[g] = static_cast<std::int32_t>(std::min(sources.lowest[g], n - taps));
    const double scale = pointsPerStep / kernel.area();
    for (std::int64_t p = 0; p < n; ++p) {
        const double at = positions[index(p)] * pointsPerStep;
        const double weight = scale * densityWeight(positions, index(p));
        const Reach reach = reachOf(at, points, kernel);
        for (std::int64_t g = reach.first; g <= reach.last; ++g) {
            const std::int64_t tap = p - table.first[index(g)];
            table.weights[index(tap * points + g)] =
                static_cast<float>(weight * kernel.at(at - static_cast<double>(g)));
        }
    }
    return table;
}

std::int64_t mostGriddingTaps(std::int64_t samples, std::int64_t points, const Kernel& kernel) {
    const double samplesPerPoint =
        kLongestStep * static_cast<double>(samples) / static_cast<double>(points);
    const double reach = static_cast<double>(kernel.width) * samplesPerPoint;
    return std::min(samples, static_cast<std::int64_t>(std::ceil(reach)) + 2);
}

std::int64_t gridPoints(std::int64_t samples, double oversampling) {
    const double wanted = std::ceil(static_cast<double>(samples) * oversampling - 1e-9);
    const auto points = static_cast<std::int64_t>(wanted);
    if (points <= samples) return samples;
    const auto grid = std::ranges::lower_bound(kKernelGrids, points);
    const bool isNear =
        grid != kKernelGrids.end() && (3 * *grid <= 4 * points || *grid <= 2 * samples);
    return isNear ? *grid : fastFftLength(points);
}

} // namespace echolux::oct
