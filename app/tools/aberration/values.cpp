// SPDX-License-Identifier: GPL-3.0-or-later
// Converts elements to places, seconds to nanoseconds, amplitudes to decibels.
#include "app/tools/aberration/values.hpp"

#include "ui/controls/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux {
namespace {

using aberration::ElementGrid;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kNsPerS = 1e9;
constexpr double kLowestDb = -60.0;

ElementValues inPlaces(const ElementGrid& grid, const std::vector<double>& perElement,
                       double factor = 1.0) {
    ElementValues values{grid.rows, grid.columns, {}};
    values.values.assign(static_cast<std::size_t>(grid.places()), kNone);
    for (std::size_t i = 0; i < std::min(perElement.size(), grid.elements()); ++i)
        values.values[static_cast<std::size_t>(grid.placeOf[i])] = factor * perElement[i];
    return values;
}

std::vector<double> decibels(const std::vector<double>& amplitudes) {
    double sum = 0.0;
    for (const double amplitude : amplitudes) sum += amplitude;
    const double mean = amplitudes.empty() ? 0.0 : sum / static_cast<double>(amplitudes.size());
    std::vector<double> levels;
    levels.reserve(amplitudes.size());
    for (const double amplitude : amplitudes) {
        const bool heard = amplitude > 0.0 && mean > 0.0;
        levels.push_back(heard ? std::max(kLowestDb, 20.0 * std::log10(amplitude / mean))
                               : kLowestDb);
    }
    return levels;
}

ScreenValues screenOf(const ElementGrid& grid, const std::vector<double>& delayS,
                      const std::vector<double>& amplitude) {
    ScreenValues screen;
    screen.delayNs = inPlaces(grid, delayS, kNsPerS);
    screen.levelDelayNs = inPlaces(grid, aberration::withoutPistonAndTilt(grid, delayS), kNsPerS);
    if (!amplitude.empty()) screen.amplitudeDb = inPlaces(grid, decibels(amplitude));
    return screen;
}

std::vector<double> perElement(const ElementGrid& grid, const std::vector<double>& perPlace) {
    std::vector<double> values;
    values.reserve(grid.elements());
    for (const std::int32_t place : grid.placeOf)
        values.push_back(perPlace[static_cast<std::size_t>(place)]);
    return values;
}

std::shared_ptr<const std::vector<IterationStep>> stepsOf(const AberrationLook& look) {
    auto steps = std::make_shared<std::vector<IterationStep>>();
    const aberration::Estimate& estimate = look.estimate;
    for (std::size_t i = 0; i < estimate.steps.size(); ++i) {
        const aberration::Step& step = estimate.steps[i];
        std::vector<double> amplitude;
        for (const std::int32_t place : look.grid.placeOf) {
            const Complex& value = step.filter[static_cast<std::size_t>(place)];
            amplitude.push_back(std::sqrt(static_cast<double>(norm(value))));
        }
        const std::vector<double> delays =
            perElement(look.grid, delaysOf(step.filter, look.grid, estimate.centreHz));
        steps->push_back({static_cast<int>(i) + 1, screenOf(look.grid, delays, amplitude),
                          step.change, step.changeOfMagnitudes});
    }
    return steps;
}

AlignedSignals alignedOf(const FocusedSignals& focused) {
    return {static_cast<int>(focused.channels),
            static_cast<int>(focused.rows),
            focused.startS * 1e6,
            focused.stepS * 1e6,
            focused.before,
            focused.after};
}

ChannelSpectrum spectrumOf(const AberrationLook& look) {
    ChannelSpectrum spectrum;
    double peak = 0.0;
    for (const double power : look.spectrum.power) peak = std::max(peak, power);
    for (std::size_t i = 0; peak > 0.0 && i < look.spectrum.power.size(); ++i) {
        spectrum.frequencyMhz << look.spectrum.frequencyHz[i] * 1e-6;
        const double part = look.spectrum.power[i] / peak;
        spectrum.levelDb << (part > 0.0 ? std::max(-120.0, 10.0 * std::log10(part)) : -120.0);
    }
    for (const double bin : look.binsHz) spectrum.binsMhz << bin * 1e-6;
    return spectrum;
}

void addTruth(AberrationValues& values, const AberrationLook& look, const AberrationTruth& truth) {
    const aberration::Filter& found = look.estimate.filter;
    if (truth.delayS.size() != found.delayS.size()) return;
    values.truth = screenOf(look.grid, truth.delayS, truth.amplitude);
    std::vector<double> difference(found.delayS);
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= truth.delayS[i];
    values.residualNs = kNsPerS * aberration::rootMeanSquare(
                                      aberration::withoutPistonAndTilt(look.grid, difference));
    if (truth.amplitude.size() != found.amplitude.size()) return;
    const std::vector<double> is = decibels(found.amplitude);
    const std::vector<double> was = decibels(truth.amplitude);
    double mean = 0.0;
    for (std::size_t i = 0; i < is.size(); ++i)
        mean += (is[i] - was[i]) / static_cast<double>(is.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < is.size(); ++i) sum += std::pow(is[i] - was[i] - mean, 2.0);
    values.residualDb = std::sqrt(sum / static_cast<double>(is.size()));
}

} // namespace

std::vector<double> delaysOf(const std::vector<Complex>& filter, const ElementGrid& grid,
                             double centreHz) {
    std::vector<double> delays(filter.size(), 0.0);
    if (!(centreHz > 0.0)) return delays;
    const double period = 1.0 / centreHz;
    double first = 0.0; // of the previous row
    for (std::int32_t row = 0; row < grid.rows; ++row) {
        double before = first;
        for (std::int32_t column = 0; column < grid.columns; ++column) {
            const auto at = static_cast<std::size_t>(row * grid.columns + column);
            if (at >= filter.size() || (filter[at].re == 0.0F && filter[at].im == 0.0F)) continue;
            const double wrapped = -std::atan2(static_cast<double>(filter[at].im),
                                               static_cast<double>(filter[at].re)) /
                                   (2.0 * std::numbers::pi) * period;
            delays[at] = wrapped + period * std::round((before - wrapped) / period);
            before = delays[at];
            if (column == 0) first = before;
        }
    }
    return delays;
}

AberrationValues valuesOf(const AberrationLook& look, const std::optional<AberrationTruth>& truth) {
    const aberration::Estimate& estimate = look.estimate;
    AberrationValues values;
    values.found = screenOf(look.grid, estimate.filter.delayS, estimate.filter.amplitude);
    values.coherence = inPlaces(look.grid, estimate.filter.coherence);
    values.aligned = alignedOf(look.focused);
    values.spectrum = spectrumOf(look);
    values.steps = stepsOf(look);
    values.published = aberration::isPublished(look.method);
    values.valid = estimate.valid;
    values.coherent = estimate.coherent;
    values.meanCoherence = estimate.coherence;
    values.rmsDelayNs = kNsPerS * aberration::rootMeanSquare(aberration::withoutPistonAndTilt(
                                      look.grid, estimate.filter.delayS));
    values.focusBefore = estimate.focusBefore;
    values.focusAfter = estimate.focusAfter;
    values.sharpnessBefore = estimate.sharpnessBefore;
    values.sharpnessAfter = estimate.sharpnessAfter;
    if (look.widthBeforeM) values.widthBeforeMm = *look.widthBeforeM * 1e3;
    if (look.widthAfterM) values.widthAfterMm = *look.widthAfterM * 1e3;
    if (truth) addTruth(values, look, *truth);
    values.text =
        QString("%1 points, %2 MHz").arg(look.points).arg(numberText(estimate.centreHz * 1e-6, 2));
    return values;
}

} // namespace echolux
