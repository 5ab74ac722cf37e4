// SPDX-License-Identifier: GPL-3.0-or-later
// Random fields with a Gaussian correlation on grids. Each random number belongs to a place,
// whatever the grid.
#include "gpu/echoes/random_screens.hpp"

#include "gpu/core/counter_random.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace echolux::echoes {
namespace {

constexpr std::int64_t kStepsPerLength = 8; // cubics between nodes this close miss the field by
                                            // less than 1e-3 of the rms
constexpr std::int64_t kReach = 18;         // steps at which a smoothing weight has fallen to 4e-5
constexpr double kMostCells = 1 << 24;      // of all screens
constexpr double kMostScale = 16.0;

/// Weights w = exp(-2 (d / L)^2), scaled so that sum w^2 = 1. They give white noise the correlation
/// exp(-(d / L)^2).
std::array<double, 2 * kReach + 1> smoothing() {
    std::array<double, 2 * kReach + 1> weights{};
    double squares = 0.0;
    for (std::int64_t i = -kReach; i <= kReach; ++i) {
        const double d = static_cast<double>(i) / kStepsPerLength;
        const double w = std::exp(-2.0 * d * d);
        weights[static_cast<std::size_t>(i + kReach)] = w;
        squares += w * w;
    }
    for (double& w : weights) w /= std::sqrt(squares);
    return weights;
}

/// First node of a grid whose nodes lie at whole multiples of the step, and how many there are.
struct Nodes {
    std::int64_t first = 0;
    std::int64_t count = 1;
};

Nodes nodesFor(double halfM, double stepM) {
    const auto reach = static_cast<std::int64_t>(std::ceil(halfM / stepM)) + 2;
    return {-reach, 2 * reach + 1};
}

double nodesAcross(double halfM, double lengthM) {
    return 2.0 * halfM * static_cast<double>(kStepsPerLength) / lengthM + 7.0;
}

/// Delays and gains of unit variance, [row][column] of each.
std::vector<double> fieldOf(const ScreenDesign& design, const Nodes& x, const Nodes& y) {
    const auto weights = smoothing();
    const CounterRandom random(design.seed, RandomStream::Screen);
    const std::int64_t columns = x.count + 2 * kReach;
    const std::int64_t rows = y.count + 2 * kReach;
    const auto cells = static_cast<std::size_t>(x.count * y.count);
    std::vector<double> field(2 * cells, 0.0);
    // First along y: smooths the noise column by column, then spreads each column over its
    // neighbours in x.
    std::vector<std::array<double, 4>> noise(static_cast<std::size_t>(rows));
    for (std::int64_t column = 0; column < columns; ++column) {
        const std::int64_t nodeX = x.first + column - kReach;
        for (std::int64_t row = 0; row < rows; ++row) {
            noise[static_cast<std::size_t>(row)] =
                random.normal(static_cast<std::uint32_t>(nodeX),
                              static_cast<std::uint32_t>(y.first + row - kReach));
        }
        for (std::int64_t row = 0; row < y.count; ++row) {
            double delay = 0.0;
            double gain = 0.0;
            for (std::int64_t tap = 0; tap <= 2 * kReach; ++tap) {
                const double w = weights[static_cast<std::size_t>(tap)];
                delay += w * noise[static_cast<std::size_t>(row + tap)][0];
                gain += w * noise[static_cast<std::size_t>(row + tap)][1];
            }
            const std::int64_t from = std::max<std::int64_t>(0, column - 2 * kReach);
            const std::int64_t to = std::min(x.count - 1, column);
            for (std::int64_t at = from; at <= to; ++at) {
                const double w = weights[static_cast<std::size_t>(column - at)];
                const auto cell = static_cast<std::size_t>(row * x.count + at);
                field[cell] += w * delay;
                field[cells + cell] += w * gain;
            }
        }
    }
    return field;
}

/// values = (values - mean) * scale, so that over `samples` the mean is 0 and the standard
/// deviation is `rms`.
void normalise(double* values, std::size_t count, const std::vector<double>& samples, double rms) {
    double mean = 0.0;
    for (const double s : samples) mean += s;
    mean /= static_cast<double>(samples.size());
    double squares = 0.0;
    for (const double s : samples) squares += (s - mean) * (s - mean);
    const double found = std::sqrt(squares / static_cast<double>(samples.size()));
    // A single element does not determine a mean or an rms.
    if (samples.size() < 2) mean = 0.0;
    const double scale = samples.size() < 2 ? 1.0 : std::min(kMostScale, 1.0 / found);
    for (std::size_t i = 0; i < count; ++i) values[i] = (values[i] - mean) * scale * rms;
}

/// Appends a screen and normalises it by its values straight in front of the elements.
void append(const ScreenDesign& design, const std::vector<Point>& elements,
            const ScreenExtent& extent, ScreenTables& tables) {
    constexpr double kNepersPerDb = std::numbers::ln10 / 20.0;
    Screen screen;
    screen.depthM = design.depthM;
    screen.stepXM = design.lengthXM / kStepsPerLength;
    screen.stepYM = design.lengthYM / kStepsPerLength;
    const Nodes x = nodesFor(extent.halfXM, screen.stepXM);
    const Nodes y = extent.halfYM > 0.0 ? nodesFor(extent.halfYM, screen.stepYM) : Nodes{};
    screen.firstXM = static_cast<double>(x.first) * screen.stepXM;
    screen.firstYM = static_cast<double>(y.first) * screen.stepYM;
    screen.columns = x.count;
    screen.rows = y.count;
    screen.values = std::ssize(tables.values);
    const std::vector<double> field = fieldOf(design, x, y);
    tables.values.insert(tables.values.end(), field.begin(), field.end());
    std::vector<double> delays;
    std::vector<double> gains;
    for (const Point& e : elements) {
        const double along = tables.shape.radiusM > 0.0
                                 ? tables.shape.radiusM * std::atan2(e.x, e.z - tables.shape.apexZ)
                                 : e.x;
        const ScreenEffect effect = screenAt(tables.view(), screen, along, e.y);
        delays.push_back(effect.delayS);
        gains.push_back(effect.logGain);
    }
    double* const values = tables.values.data() + screen.values;
    const std::size_t cells = field.size() / 2;
    normalise(values, cells, delays, design.delayRmsS);
    normalise(values + cells, cells, gains, design.gainRmsDb * kNepersPerDb);
    tables.list.push_back(screen);
}

/// The elements moved to the plane z = 0. Neighbours of an array in the plane y = 0 keep the
/// distance that they have along their arc.
std::vector<Point> unrolled(const Probe& probe) {
    std::vector<Point> places = probe.elements;
    const auto isCurved = [](const std::vector<Point>& of) {
        const auto flat = [&](const Point& e) { return e.y == of.front().y; };
        const auto level = [&](const Point& e) { return e.z == of.front().z; };
        return std::ranges::all_of(of, flat) && !std::ranges::all_of(of, level);
    };
    if (places.empty() || !isCurved(places)) return places;
    double along = 0.0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Point& e = probe.elements[i];
        if (i > 0)
            along += std::hypot(e.x - probe.elements[i - 1].x, e.z - probe.elements[i - 1].z);
        places[i] = {along, e.y, 0.0};
    }
    for (Point& e : places) e.x -= 0.5 * along;
    return places;
}

/// Takes the mean and the slope along an axis out of values of elements.
void level(std::vector<double>& values, const std::vector<Point>& elements, double Point::*axis) {
    const auto count = static_cast<double>(values.size());
    double place = 0.0;
    double mean = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        place += elements[i].*axis / count;
        mean += values[i] / count;
    }
    double squares = 0.0;
    double products = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double off = elements[i].*axis - place;
        squares += off * off;
        products += off * values[i];
    }
    const double slope = squares > 0.0 ? products / squares : 0.0;
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] -= mean + slope * (elements[i].*axis - place);
}

/// Leaves of the delays what no slope over the array explains, with the requested rms.
void levelDelays(std::vector<double>& delays, const std::vector<Point>& elements, double rms) {
    if (delays.size() < 2 || !(rms > 0.0)) return;
    level(delays, elements, &Point::x);
    level(delays, elements, &Point::y);
    for (double& delay : delays) delay /= rms;
    normalise(delays.data(), delays.size(), std::vector(delays), rms);
}

ScreenExtent extentOf(const std::vector<Point>& elements) {
    ScreenExtent extent;
    for (const Point& e : elements) {
        extent.halfXM = std::max(extent.halfXM, std::fabs(e.x));
        extent.halfYM = std::max(extent.halfYM, std::fabs(e.y));
    }
    return extent;
}

} // namespace

void checkGrain(const std::vector<ScreenDesign>& designs, const ScreenExtent& extent) {
    double cells = 0.0;
    for (const ScreenDesign& design : designs) {
        const double rows = extent.halfYM > 0.0 ? nodesAcross(extent.halfYM, design.lengthYM) : 1.0;
        cells += rows * nodesAcross(extent.halfXM, design.lengthXM);
        if (cells > kMostCells) {
            throw Error(fmt::format("A screen with a correlation length of {:g} mm is too finely "
                                    "grained for what is imaged, {:g} x {:g} mm wide: choose a "
                                    "greater length.",
                                    std::min(design.lengthXM, design.lengthYM) * 1e3,
                                    2e3 * extent.halfXM, 2e3 * extent.halfYM));
        }
    }
}

ScreenTables makeScreens(const std::vector<ScreenDesign>& designs,
                         const std::vector<Point>& elements, const ScreenShape& shape,
                         const ScreenExtent& extent) {
    checkGrain(designs, extent);
    ScreenTables tables{.shape = shape};
    for (const ScreenDesign& design : designs) append(design, elements, extent, tables);
    return tables;
}

void checkGrain(const ScreenDesign& design, const Probe& probe) {
    checkGrain({design}, extentOf(unrolled(probe)));
}

ElementScreen screenOnElements(const ScreenDesign& design, const Probe& probe) {
    const std::vector<Point> elements = unrolled(probe);
    const ScreenTables tables = makeScreens({design}, elements, {}, extentOf(elements));
    ElementScreen on;
    for (const Point& e : elements) {
        const ScreenEffect effect = screenAt(tables.view(), tables.list.front(), e.x, e.y);
        on.delayS.push_back(effect.delayS);
        on.amplitude.push_back(std::exp(effect.logGain));
    }
    levelDelays(on.delayS, elements, design.delayRmsS);
    return on;
}

} // namespace echolux::echoes
