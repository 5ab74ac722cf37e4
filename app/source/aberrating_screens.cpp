// SPDX-License-Identifier: GPL-3.0-or-later
// Random fields of a Gaussian correlation on grids, from numbers that belong to their places.
#include "app/source/aberrating_screens.hpp"

#include "app/source/counter_random.hpp"
#include "app/source/option_range.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace echolux {

namespace {

using echoes::Screen;
using echoes::ScreenTables;

constexpr std::int64_t kStepsPerLength = 8; // cubics between them are within 1e-3 of the rms
constexpr std::int64_t kReach = 18;         // where a smoothing weight has fallen to 4e-5
constexpr double kMostCells = 1 << 24;      // of all screens
constexpr double kMostScale = 16.0;

/// Weights w with sum w^2 = 1 that give white noise the correlation exp(-(d / L)^2):
/// w = exp(-2 (d / L)^2), whose correlation with itself is that.
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
    // Along y first: column by column of noise, smoothed, then spread over its neighbours in x.
    std::vector<std::array<double, 4>> noise(static_cast<std::size_t>(rows));
    for (std::int64_t column = 0; column < columns; ++column) {
        const std::int64_t nodeX = x.first + column - kReach;
        for (std::int64_t row = 0; row < rows; ++row)
            noise[static_cast<std::size_t>(row)] =
                random.normal(static_cast<std::uint32_t>(nodeX),
                              static_cast<std::uint32_t>(y.first + row - kReach));
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

/// values = (values - mean) * scale: 0 on average over `samples`, `rms` about that.
void normalise(double* values, std::size_t count, const std::vector<double>& samples, double rms) {
    double mean = 0.0;
    for (const double s : samples) mean += s;
    mean /= static_cast<double>(samples.size());
    double squares = 0.0;
    for (const double s : samples) squares += (s - mean) * (s - mean);
    const double found = std::sqrt(squares / static_cast<double>(samples.size()));
    // A single element says nothing of mean and rms.
    if (samples.size() < 2) mean = 0.0;
    const double scale = samples.size() < 2 ? 1.0 : std::min(kMostScale, 1.0 / found);
    for (std::size_t i = 0; i < count; ++i) values[i] = (values[i] - mean) * scale * rms;
}

/// Appends a screen and normalises it by what it does straight at the elements.
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
        const echoes::ScreenEffect effect = screenAt(tables.view(), screen, along, e.y);
        delays.push_back(effect.delayS);
        gains.push_back(effect.logGain);
    }
    double* const values = tables.values.data() + screen.values;
    const std::size_t cells = field.size() / 2;
    normalise(values, cells, delays, design.delayRmsS);
    normalise(values + cells, cells, gains, design.gainRmsDb * kNepersPerDb);
    tables.list.push_back(screen);
}

void takeEffect(const echoes::ScreenEffect& effect, AberrationTruth& truth) {
    truth.delayS.push_back(effect.delayS);
    truth.amplitude.push_back(std::exp(effect.logGain));
}

AberrationTruth withoutNeedlessGains(AberrationTruth truth) {
    if (std::ranges::all_of(truth.amplitude, [](double a) { return a == 1.0; }))
        truth.amplitude.clear();
    return truth;
}

double deepest(const ScreenSetup& setup) {
    double depth = 0.0;
    for (const ScreenDesign& design : setup.screens) depth = std::max(depth, design.depthM);
    return depth;
}

} // namespace

void checkScreens(const ScreenSetup& setup, double depthM) {
    if (setup.screens.size() > ScreenSetup::kMost)
        throw Error(fmt::format("{} screens are asked for by --wall and --screen, but there is "
                                "room for {}: leave some out.",
                                setup.screens.size(), ScreenSetup::kMost));
    for (const ScreenDesign& design : setup.screens) {
        checkRange("--screen: delay", " ns", design.delayRmsS * 1e9, 0, 10000);
        checkRange("--screen: gain", " dB", design.gainRmsDb, 0, 20);
        checkRange("--screen: length", " mm", design.lengthXM * 1e3, 0.1, 1000);
        checkRange("--screen: length", " mm", design.lengthYM * 1e3, 0.1, 1000);
        checkRange("--screen: depth", " mm", design.depthM * 1e3, 0, 20);
    }
    if (setup.any() && !(deepest(setup) < depthM))
        throw Error(fmt::format("A screen lies {:g} mm deep, but what is imaged ends at --depth "
                                "{:g} mm: nothing would be behind it; choose a greater --depth.",
                                deepest(setup) * 1e3, depthM * 1e3));
}

double screenMarginS(const ScreenSetup& setup) {
    constexpr double kFourSigma = 4.0;
    double squares = 0.0;
    for (const ScreenDesign& design : setup.screens) squares += design.delayRmsS * design.delayRmsS;
    return kFourSigma * (setup.onTransmit ? 2.0 : 1.0) * std::sqrt(squares);
}

echoes::ScreenTables makeScreens(const ScreenSetup& setup, const std::vector<Point>& elements,
                                 const echoes::ScreenShape& shape, const ScreenExtent& extent) {
    ScreenTables tables{.shape = shape};
    double cells = 0.0;
    for (const ScreenDesign& design : setup.screens) {
        const double rows = extent.halfYM > 0.0 ? nodesAcross(extent.halfYM, design.lengthYM) : 1.0;
        cells += rows * nodesAcross(extent.halfXM, design.lengthXM);
        if (cells > kMostCells)
            throw Error(fmt::format("A screen with a correlation length of {:g} mm is too finely "
                                    "grained for what is imaged, {:g} x {:g} mm wide: choose a "
                                    "greater length in --screen.",
                                    std::min(design.lengthXM, design.lengthYM) * 1e3,
                                    2e3 * extent.halfXM, 2e3 * extent.halfYM));
    }
    for (const ScreenDesign& design : setup.screens) append(design, elements, extent, tables);
    return tables;
}

AberrationTruth aberrationTruth(const ScreenTables& screens,
                                const std::vector<echoes::ElementFace>& faces, const Point& focus) {
    AberrationTruth truth;
    for (const echoes::ElementFace& face : faces)
        takeEffect(passScreens(screens.view(), rayStart(face, focus), focus), truth);
    return withoutNeedlessGains(std::move(truth));
}

AberrationTruth aberrationTruth(const ScreenTables& screens, const std::vector<Point>& elements,
                                const Point& focus) {
    AberrationTruth truth;
    for (const Point& e : elements) takeEffect(passScreens(screens.view(), e, focus), truth);
    return withoutNeedlessGains(std::move(truth));
}

double behindScreens(const ScreenSetup& setup, double startM, double depthM) {
    return 0.5 * (std::max(startM, deepest(setup)) + depthM);
}

const std::vector<std::pair<std::string, std::string>>& wallNames() {
    static const std::vector<std::pair<std::string, std::string>> names{
        {"abdominal", "20 mm of skin, fat and muscle whose borders wander by 0.5 to 1 mm"},
        {"abersim", "20 mm as 8 screens, together 0.09 mm rms, lengths 4 and 100 mm"}};
    return names;
}

std::vector<ScreenDesign> wallScreens(const std::string& name, double soundSpeedMps,
                                      std::uint64_t seed) {
    constexpr double kSkin = 1613.0;
    constexpr double kFat = 1448.0;
    constexpr double kMuscle = 1547.0;
    std::vector<ScreenDesign> screens;
    if (name == "abdominal") {
        // A border that wanders by h replaces one speed by the other over h: h (1 / c1 - 1 / c2).
        const auto border = [&](double depthM, double wanderM, double above, double below,
                                double gainDb) {
            screens.push_back({.depthM = depthM,
                               .delayRmsS = wanderM * std::abs(1.0 / above - 1.0 / below),
                               .gainRmsDb = gainDb,
                               .lengthXM = 5e-3,
                               .lengthYM = 5e-3,
                               .seed = seed + screens.size()});
        };
        border(2e-3, 0.5e-3, kSkin, kFat, 1.0);
        border(12e-3, 1e-3, kFat, kMuscle, 2.0);
        border(20e-3, 1e-3, kMuscle, soundSpeedMps, 1.0);
        return screens;
    }
    if (name == "abersim") {
        constexpr double kWander = 0.09e-3; // of all screens together
        for (std::size_t i = 0; i < ScreenSetup::kMost; ++i)
            screens.push_back({.depthM = (static_cast<double>(i) + 0.5) * 2.5e-3,
                               .delayRmsS = kWander / soundSpeedMps / std::sqrt(8.0),
                               .lengthXM = 4e-3,
                               .lengthYM = 100e-3,
                               .seed = seed + i});
        return screens;
    }
    std::string known;
    for (const auto& [each, help] : wallNames()) known += (known.empty() ? "" : ", ") + each;
    throw Error(fmt::format("There is no wall '{}' (--wall): choose one of {}.", name, known));
}

} // namespace echolux
