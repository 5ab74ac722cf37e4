// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/aberration/host_estimate.hpp"

#include "gpu/aberration/estimator.hpp"
#include "gpu/aberration/focus.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux::aberration {
namespace {

const Exec kHost{Backend::Cpu, nullptr};

double meanHz(const std::vector<double>& bins) {
    double sum = 0.0;
    for (const double hz : bins) sum += hz;
    return bins.empty() ? 0.0 : sum / static_cast<double>(bins.size());
}

/// Sets the norm of the change from `before` divided by the norm of the new filter, and Herikstad's
/// measure of change.
void judge(const std::vector<Complex>& before, Step& step) {
    double moved = 0.0;
    double size = 0.0;
    double ratio = 0.0;
    for (std::size_t k = 0; k < step.filter.size(); ++k) {
        const Complex now = step.filter[k];
        moved += norm(now - before[k]);
        size += norm(now);
        ratio += norm(now) > 0.0F ? std::sqrt(norm(before[k]) / norm(now)) : 1.0;
    }
    step.change = size > 0.0 ? std::sqrt(moved / size) : 0.0;
    step.changeOfMagnitudes = std::fabs(ratio / static_cast<double>(step.filter.size()) - 1.0);
}

} // namespace

Spectra focusedSpectra(const FrameSpec& input, const void* samples, const FocusParams& params) {
    checkFocus(input, params);
    Spectra spectra;
    spectra.grid = elementGrid(input.acquisition->probe);
    FocusParams exact = params;
    exact.points = std::ssize(regionPoints(params));
    Focus focus(input, spectra.grid, exact);
    focus.allocate(kHost);
    focus.set(kHost, exact);
    spectra.points = focus.mostPoints();
    spectra.binsHz = binsOf(params.centreHz, params.bandwidthHz, params.bins);
    spectra.independentBins = independentBins(params.bandwidthHz, params.bins, params.gateS);
    spectra.values.resize(static_cast<std::size_t>(spectra.grid.places()) *
                          static_cast<std::size_t>(spectra.points) * spectra.binsHz.size());
    focus.run(kHost, samples, spectra.values.data());
    return spectra;
}

Spectra spectraOfAligned(const ElementGrid& grid, std::span<const float> samples,
                         std::size_t samplesPerChannel, double samplingFrequencyHz,
                         const BinRange& bins) {
    const auto count = static_cast<std::int64_t>(samplesPerChannel);
    if (samples.size() != static_cast<std::size_t>(grid.places()) * samplesPerChannel)
        throw Error(fmt::format("{} channels of {} samples were announced, but {} values are "
                                "there.",
                                grid.places(), count, samples.size()));
    Spectra spectra{.grid = grid, .points = 1};
    spectra.independentBins = static_cast<double>(bins.count);
    spectra.binsHz = frequenciesOf(bins, samplingFrequencyHz, count);
    spectra.values.resize(static_cast<std::size_t>(grid.places()) * spectra.binsHz.size());
    const std::vector<Complex> turns = turnsOf(count);
    alignedBins(kHost, samples.data(), grid.places(), count, bins, turns.data(), spectra.values);
    return spectra;
}

void toUsualScale(Spectra& spectra) {
    float greatest = 0.0F;
    for (const Complex& value : spectra.values)
        if (norm(value) < 1e30F) greatest = std::max(greatest, norm(value));
    if (!(greatest > 0.0F)) return;
    const float scale = kUsualMagnitude / std::sqrt(greatest);
    for (Complex& value : spectra.values) value = scale * value;
}

void takeFigures(Estimate& estimate, std::span<const float> figures) {
    const auto figure = [&](Figure which) {
        return static_cast<double>(figures[static_cast<std::size_t>(which)]);
    };
    estimate.valid = figure(Figure::Valid) > 0.0;
    estimate.coherent = figure(Figure::Valid) != 0.0;
    estimate.coherence = figure(Figure::Coherence);
    estimate.centreHz = figure(Figure::CentreHz);
    estimate.focusBefore = figure(Figure::FocusBefore);
    estimate.focusAfter = figure(Figure::FocusAfter);
    estimate.sharpnessBefore = figure(Figure::SharpnessBefore);
    estimate.sharpnessAfter = figure(Figure::SharpnessAfter);
    estimate.iterations = static_cast<std::int64_t>(figure(Figure::Iterations));
    estimate.age = static_cast<std::int64_t>(figure(Figure::Age));
}

Estimate estimate(const Spectra& spectra, const SolveParams& params, bool wantSteps,
                  std::span<const Complex> start) {
    Estimator estimator(spectra.grid, spectra.points, spectra.binsHz, spectra.independentBins,
                        params);
    if (static_cast<std::int64_t>(spectra.values.size()) != estimator.spectraCount())
        throw Error(fmt::format("{} values were given as the spectra of {} places at {} points in "
                                "{} bins.",
                                spectra.values.size(), spectra.grid.places(), spectra.points,
                                spectra.binsHz.size()));
    const Buffer tables(MemoryKind::Host, estimator.tableBytes());
    const Buffer scratch(MemoryKind::Host, estimator.scratchBytes());
    estimator.prepare(kHost, tables.data());
    const auto elements = static_cast<std::size_t>(estimator.elements());
    const auto places = static_cast<std::size_t>(spectra.grid.places());
    std::vector<float> phase(places, 0.0F);
    for (std::size_t k = 0; k < start.size() && k < places; ++k)
        phase[k] = std::atan2(start[k].im, start[k].re);
    std::vector<float> delay(elements);
    std::vector<float> amplitude(elements);
    std::vector<float> coherence(elements);
    std::vector<float> figures(kFigures);
    Estimate answer;
    std::vector<Complex> before(places);
    for (std::size_t k = 0; k < places; ++k) before[k] = {std::cos(phase[k]), std::sin(phase[k])};
    EstimateHooks hooks;
    if (wantSteps) {
        hooks.afterStep = [&](const Complex* filter) {
            Step step;
            step.filter.assign(filter, filter + places);
            judge(before, step);
            before = step.filter;
            answer.steps.push_back(std::move(step));
        };
    }
    estimator.run(kHost, spectra.values.data(), phase.data(), scratch.data(),
                  {delay.data(), amplitude.data(), coherence.data(), figures.data()}, hooks);
    answer.filter.delayS.assign(delay.begin(), delay.end());
    answer.filter.amplitude.assign(amplitude.begin(), amplitude.end());
    answer.filter.coherence.assign(coherence.begin(), coherence.end());
    takeFigures(answer, figures);
    if (!(answer.centreHz > 0.0)) answer.centreHz = meanHz(spectra.binsHz);
    return answer;
}

} // namespace echolux::aberration
