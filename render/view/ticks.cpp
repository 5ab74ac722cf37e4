// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of a round step and the labels that go with it.
#include "render/view/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace echolux {
namespace {

constexpr std::int64_t kMaxTicks = 1000;
constexpr double kSlack = 1e-9; ///< of a step: bounds moved by rounding still count as inside

struct RoundStep {
    double step;
    int mantissa; ///< 1, 2 or 5
    int exponent;
};

RoundStep roundUp(double atLeast) {
    int exponent = static_cast<int>(std::floor(std::log10(atLeast)));
    for (;; ++exponent) {
        const double power = std::pow(10.0, exponent);
        for (const int mantissa : {1, 2, 5}) {
            if (mantissa * power >= atLeast * (1.0 - kSlack)) {
                return {mantissa * power, mantissa, exponent};
            }
        }
    }
}

/// Multiples i * step within [min, max], without those whose i is a multiple of `skipEvery`.
std::vector<double> multiples(double min, double max, double step, std::int64_t skipEvery) {
    std::vector<double> values;
    const auto first = static_cast<std::int64_t>(std::ceil(min / step - kSlack));
    const auto last = static_cast<std::int64_t>(std::floor(max / step + kSlack));
    for (std::int64_t i = first; i <= last; ++i) {
        if (skipEvery == 0 || i % skipEvery != 0) values.push_back(static_cast<double>(i) * step);
    }
    return values;
}

} // namespace

double roundDown(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const int mantissa : {5, 2}) {
        if (mantissa * power <= value * (1.0 + kSlack)) return mantissa * power;
    }
    return power;
}

std::string formatNumber(double value, int decimals) {
    std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
    const bool zero = digits.find_first_not_of("0.") == std::string::npos;
    return value < 0.0 && !zero ? "\u2212" + digits : digits;
}

std::string Ticks::label(double value) const { return formatNumber(value, decimals); }

Ticks makeTicks(double min, double max, double minStep) {
    Ticks ticks;
    if (!std::isfinite(min) || !std::isfinite(max) || !(min < max)) return ticks;
    const double leastStep = (max - min) / static_cast<double>(kMaxTicks);
    const RoundStep round = roundUp(std::max(minStep, leastStep));
    // Far from zero and close together, a double cannot tell neighbours apart.
    if (!(std::max(std::abs(min), std::abs(max)) / round.step < 1e12)) return ticks;
    ticks.step = round.step;
    ticks.decimals = std::max(0, -round.exponent);
    ticks.major = multiples(min, max, round.step, 0);
    const int parts = round.mantissa == 2 ? 4 : 5;
    ticks.minor = multiples(min, max, round.step / parts, parts);
    return ticks;
}

} // namespace echolux
