// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that the description of an aberrating screen fits the probe.
#include "app/dataset/recording/aberration_truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux {

namespace {

/// A longer delay means a wrong unit, because no record could be corrected by it.
constexpr double kMostDelayS = 1e-3;

double meanOf(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

/// The rms of the deviations from the mean.
double rmsOf(const std::vector<double>& values) {
    const double mean = meanOf(values);
    double sum = 0.0;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return values.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(values.size()));
}

/// Sums over pairs of elements with one distance.
struct Lag {
    double distanceM = 0.0;
    double sum = 0.0;
    double pairs = 0.0;
};

/// From pairs of elements that differ only along `along`; along `across` they may differ by half of
/// the least distance. 0 where the correlation stays above 1/e.
double correlationLength(const std::vector<double>& values, const std::vector<Point>& elements,
                         double Point::*along, double Point::*across) {
    constexpr std::size_t kMostPairs = std::size_t{1} << 24;
    constexpr double kNearM = 1e-6;
    const std::size_t count = values.size();
    const std::size_t stride = std::max<std::size_t>(1, count * count / kMostPairs);
    const double mean = meanOf(values);
    const double variance = rmsOf(values) * rmsOf(values);
    if (!(variance > 0.0)) return 0.0;
    double leastM = std::numeric_limits<double>::infinity();
    double greatestM = 0.0;
    for (std::size_t a = 0; a < count; a += stride)
        for (std::size_t b = 0; b < count; ++b) {
            const double apart = std::abs(elements[a].*along - elements[b].*along);
            if (apart < kNearM || std::abs(elements[a].*across - elements[b].*across) > kNearM)
                continue;
            leastM = std::min(leastM, apart);
            greatestM = std::max(greatestM, apart);
        }
    if (!(greatestM > 0.0)) return 0.0;
    const auto lags = static_cast<std::size_t>(std::min(greatestM / leastM, 1e6)) + 2;
    std::vector<Lag> found(lags);
    for (std::size_t a = 0; a < count; a += stride)
        for (std::size_t b = 0; b < count; ++b) {
            const double apart = std::abs(elements[a].*along - elements[b].*along);
            if (std::abs(elements[a].*across - elements[b].*across) > kNearM) continue;
            Lag& lag = found[std::min(lags - 1, static_cast<std::size_t>(apart / leastM + 0.5))];
            lag.distanceM += apart;
            lag.sum += (values[a] - mean) * (values[b] - mean);
            lag.pairs += 1.0;
        }
    double beforeM = 0.0;
    double before = 1.0;
    for (std::size_t i = 1; i < lags; ++i) {
        if (found[i].pairs == 0.0) continue;
        const double atM = found[i].distanceM / found[i].pairs;
        const double now = found[i].sum / found[i].pairs / variance;
        constexpr double kFallen = 1.0 / std::numbers::e;
        if (now <= kFallen) return beforeM + (atM - beforeM) * (before - kFallen) / (before - now);
        beforeM = atM;
        before = now;
    }
    return 0.0;
}

} // namespace

std::optional<std::string> contradictionIn(const AberrationTruth& truth, std::size_t elements) {
    if (truth.delayS.size() != elements)
        return fmt::format("its screen has {} delays, but the probe {} elements",
                           truth.delayS.size(), elements);
    if (!truth.amplitude.empty() && truth.amplitude.size() != elements)
        return fmt::format("its screen has {} amplitudes, but the probe {} elements",
                           truth.amplitude.size(), elements);
    const auto sound = [](double s) { return std::abs(s) <= kMostDelayS; };
    if (!std::ranges::all_of(truth.delayS, sound))
        return "its screen has delays that are no numbers or longer than 1 ms";
    const auto weight = [](double a) { return std::isfinite(a) && a >= 0.0; };
    if (!std::ranges::all_of(truth.amplitude, weight))
        return "its screen has amplitudes that are no numbers or negative";
    return std::nullopt;
}

AberrationFigures figuresOf(const AberrationTruth& truth, const std::vector<Point>& elements) {
    AberrationFigures figures;
    if (truth.delayS.empty() || truth.delayS.size() != elements.size()) return figures;
    figures.delayRmsS = rmsOf(truth.delayS);
    const auto [least, greatest] = std::ranges::minmax(truth.delayS);
    figures.leastDelayS = least;
    figures.greatestDelayS = greatest;
    std::vector<double> decibels;
    for (const double a : truth.amplitude)
        if (a > 0.0) decibels.push_back(20.0 * std::log10(a));
    figures.gainRmsDb = rmsOf(decibels);
    figures.lengthXM = correlationLength(truth.delayS, elements, &Point::x, &Point::y);
    figures.lengthYM = correlationLength(truth.delayS, elements, &Point::y, &Point::x);
    return figures;
}

} // namespace echolux
