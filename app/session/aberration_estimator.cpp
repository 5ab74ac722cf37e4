// SPDX-License-Identifier: GPL-3.0-or-later
// The chain of the stage `aberration`, and the effect of an estimate at the brightest point.
#include "app/session/aberration_estimator.hpp"

#include "app/pipeline/sub_chain.hpp"
#include "gpu/aberration/focus.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/stage/registry.hpp"
#include "gpu/stages/aberration.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>
#include <thread>
#include <utility>

namespace echolux {
namespace {

using aberration::FocusParams;
using aberration::Spectra;
using Phasor = std::complex<double>;

constexpr std::int64_t kShownRows = 96;   ///< rows of signals that are shown
constexpr std::int64_t kFrequencies = 96; ///< frequencies of the spectrum
constexpr double kTwoPi = 2.0 * std::numbers::pi;

Phasor toPhasor(const Complex& value) { return {value.re, value.im}; }

/// One factor per place and bin, which undoes the filter. Empty: nothing is undone.
using Correction = std::vector<Phasor>;

Correction correctionOf(const Spectra& spectra, const aberration::Filter& filter) {
    const std::size_t bins = spectra.binsHz.size();
    Correction factors(static_cast<std::size_t>(spectra.grid.places()) * bins);
    for (std::size_t element = 0; element < filter.delayS.size(); ++element) {
        const auto place = static_cast<std::size_t>(spectra.grid.placeOf[element]);
        for (std::size_t bin = 0; bin < bins; ++bin)
            factors[place * bins + bin] =
                std::polar(1.0, kTwoPi * spectra.binsHz[bin] * filter.delayS[element]);
    }
    return factors;
}

/// Power of the beam sum over all bins.
double powerAt(const Spectra& spectra, std::size_t point, const Correction& factors) {
    const auto places = static_cast<std::size_t>(spectra.grid.places());
    const auto points = static_cast<std::size_t>(spectra.points);
    const std::size_t bins = spectra.binsHz.size();
    double power = 0.0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        Phasor sum = 0.0;
        for (std::size_t place = 0; place < places; ++place) {
            const Phasor value = toPhasor(spectra.values[(place * points + point) * bins + bin]);
            sum += factors.empty() ? value : value * factors[place * bins + bin];
        }
        power += std::norm(sum);
    }
    return power;
}

std::size_t brightestOf(const Spectra& spectra, const Correction& factors) {
    std::size_t brightest = 0;
    double most = -1.0;
    for (std::size_t point = 0; point < static_cast<std::size_t>(spectra.points); ++point) {
        const double power = powerAt(spectra, point, factors);
        if (power <= most) continue;
        most = power;
        brightest = point;
    }
    return brightest;
}

FocusedSignals signalsOf(const Spectra& spectra, std::size_t point, const Correction& factors,
                         double gateS) {
    constexpr auto kRows = static_cast<std::size_t>(kShownRows);
    const std::size_t elements = spectra.grid.elements();
    const std::size_t bins = spectra.binsHz.size();
    const auto points = static_cast<std::size_t>(spectra.points);
    FocusedSignals focused{.channels = static_cast<std::int64_t>(elements),
                           .rows = kShownRows,
                           .startS = -0.5 * gateS,
                           .stepS = gateS / static_cast<double>(kShownRows - 1)};
    std::vector<Phasor> turns(bins * kRows);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        for (std::size_t row = 0; row < kRows; ++row) {
            const double t = focused.startS + static_cast<double>(row) * focused.stepS;
            turns[bin * kRows + row] = std::polar(1.0, kTwoPi * spectra.binsHz[bin] * t);
        }
    }
    focused.before.resize(elements * kRows);
    focused.after.resize(elements * kRows);
    for (std::size_t element = 0; element < elements; ++element) {
        const auto place = static_cast<std::size_t>(spectra.grid.placeOf[element]);
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const Phasor value = toPhasor(spectra.values[(place * points + point) * bins + bin]);
            const Phasor corrected = value * factors[place * bins + bin];
            for (std::size_t row = 0; row < kRows; ++row) {
                const Phasor& turn = turns[bin * kRows + row];
                const std::size_t at = element * kRows + row;
                focused.before[at] += static_cast<float>((value * turn).real());
                focused.after[at] += static_cast<float>((corrected * turn).real());
            }
        }
    }
    return focused;
}

/// The parameters for one place.
FocusParams onPlace(FocusParams params, const Point& place) {
    params.lateralM = place.x;
    params.depthM = place.z;
    params.widthM = 0.0;
    params.heightM = 0.0;
    params.points = 1;
    return params;
}

FocusedSpectrum spectrumAt(const FrameSpec& input, const void* samples, const FocusParams& focus,
                           const Point& place) {
    constexpr double kOfBand = 0.96; // the edges of the band are left out
    const double half = 0.5 * input.samplingFrequencyHz();
    const double mixed = isComplex(input.dtype) ? input.demodulationFrequencyHz : 0.0;
    const double high = mixed + kOfBand * half;
    const double low = std::max(mixed - kOfBand * half, 0.01 * high);
    FocusParams params = onPlace(focus, place);
    params.centreHz = 0.5 * (low + high);
    params.bandwidthHz = high - low;
    params.bins = kFrequencies;
    const Spectra spectra = aberration::focusedSpectra(input, samples, params);
    FocusedSpectrum spectrum{spectra.binsHz, std::vector<double>(spectra.binsHz.size(), 0.0)};
    for (std::size_t i = 0; i < spectra.values.size(); ++i)
        spectrum.power[i % spectrum.power.size()] += norm(spectra.values[i]);
    return spectrum;
}

/// The depth near `place` at which the corrected beam sum is strongest.
Point inFocus(const FrameSpec& input, const void* samples, const FocusParams& focus,
              const Point& place, const aberration::Filter& filter) {
    FocusParams line = onPlace(focus, place);
    line.points = 16;
    line.heightM = focus.gateS * focus.soundSpeedMps / waysOf(*input.acquisition);
    line.gateS = 0.5 * focus.gateS; // it sets the distance of points
    const Spectra spectra = aberration::focusedSpectra(input, samples, line);
    const Correction factors = correctionOf(spectra, filter);
    return aberration::regionPoints(line)[brightestOf(spectra, factors)];
}

/// Powers along the array through `place`, without and with the correction, and their distance.
struct Profile {
    std::vector<double> before = {};
    std::vector<double> after = {};
    double firstM = 0.0;
    double stepM = 0.0;
};

Profile profileAt(const FrameSpec& input, const void* samples, const FocusParams& focus,
                  const Point& place, const aberration::Filter& filter) {
    constexpr double kWavelengths = 40.0;
    constexpr int kFiner = 4; // than the distance of points in a region
    FocusParams line = onPlace(focus, place);
    line.points = static_cast<std::int64_t>(kWavelengths);
    line.widthM = kWavelengths * focus.soundSpeedMps / focus.centreHz * 1.001;
    Profile profile;
    for (int shift = 0; shift < kFiner; ++shift) {
        const Spectra spectra = aberration::focusedSpectra(input, samples, line);
        const auto points = static_cast<std::size_t>(spectra.points);
        const Correction factors = correctionOf(spectra, filter);
        if (shift == 0) {
            profile.before.resize(points * kFiner);
            profile.after.resize(points * kFiner);
            profile.firstM = aberration::regionPoints(line).front().x;
            profile.stepM = line.widthM / static_cast<double>(points * kFiner);
        }
        for (std::size_t point = 0; point < points; ++point) {
            const std::size_t at = point * kFiner + static_cast<std::size_t>(shift);
            profile.before[at] = powerAt(spectra, point, {});
            profile.after[at] = powerAt(spectra, point, factors);
        }
        line.lateralM += profile.stepM;
    }
    return profile;
}

/// A width exists only where a peak stands out.
bool standsOut(std::vector<double> powers) {
    constexpr double kOverMedian = 10.0;
    if (powers.empty()) return false;
    const double peak = *std::ranges::max_element(powers);
    const auto middle = powers.begin() + std::ssize(powers) / 2;
    std::ranges::nth_element(powers, middle);
    return peak > kOverMedian * *middle;
}

/// Where the pipeline corrects sent waves by the estimate of the previous frame, `chain` gets the
/// same link, from the stage `estimator` back to the stage that sends.
void closeLoop(PipelineConfig& chain, const Snapshot& snapshot, Source last,
               const StageConfig& estimator) {
    const auto sender = std::ranges::find_if(chain.stages, [](const StageConfig& stage) {
        return stageType(stage.type).role == Role::SendsWaves;
    });
    if (sender == chain.stages.end()) return;
    const StageState& state = snapshot.stage(sender->id);
    const Source delays = state.sources[1];
    if (delays.isRecording() || snapshot.stages[delays.stage].id != estimator.id) return;
    chain.views = {{"focused", "", outputName(snapshot, last)}};
    chain.links.push_back({outputName(snapshot, delays),
                           {state.type->inputs[1].name, sender->id},
                           {},
                           /*ofFrameBefore=*/true});
    chain.stages.push_back(estimator);
}

} // namespace

AberrationChain aberrationChain(const Snapshot& snapshot, std::int64_t patch) {
    if (snapshot.input.spectrometer != nullptr || snapshot.input.acquisition == nullptr)
        throw Error("Spectra of light have no channels that a screen could delay; aberration is "
                    "estimated from recordings of ultrasound channel data.");
    const StageState* stage = snapshot.findWith<AberrationParams>();
    if (stage == nullptr) throw Error("This pipeline estimates no aberration.");
    if (snapshot.ensemble() > 1 || stage->input().isEnsemble())
        throw Error("This pipeline images ensembles of frames, of which none is looked at by "
                    "itself.");
    AberrationChain chain{.raw = snapshot.input, .config = {}, .stage = stage->id};
    const Source source = stage->sources.front();
    if (!source.isRecording()) chain.config = chainTo(snapshot, source, Role::SendsWaves);
    const auto& params = stage->params.as<AberrationParams>();
    chain.patches = params.patches;
    patch = std::clamp<std::int64_t>(patch, 0, params.patches - 1);
    chain.patch = patch;
    chain.focus = focusOfPatch(params, patch);
    chain.solve = params;
    chain.screens = screensBefore(snapshot, source);
    StageConfig own{.id = stage->id, .type = stage->type->id};
    for (const ParamRow& row : stage->params.table().rows())
        own.values.emplace_back(row.key, stage->params.get(row.key));
    closeLoop(chain.config, snapshot, source, own);
    PipelineConfig key = chain.config;
    key.stages.push_back(std::move(own));
    chain.key = fmt::format("{}\npatch {}", toToml(key), patch);
    return chain;
}

std::optional<double> halfWidth(const std::vector<double>& powers, std::ptrdiff_t reach) {
    if (powers.empty()) return std::nullopt;
    const auto peak = std::ranges::max_element(powers);
    if (!(*peak > 0.0)) return std::nullopt;
    const double half = *peak / 4.0; // amplitudes: half of the amplitude is a quarter of the power
    const auto farthest = [&](auto from, auto end) -> std::optional<double> {
        const auto last = std::min(reach, std::distance(from, end) - 1);
        std::ptrdiff_t at = 0;
        for (std::ptrdiff_t i = 0; i <= last; ++i)
            if (from[i] > half) at = i;
        if (at == reach) return std::nullopt; // it exceeds half up to the limit of the search
        if (from + at + 1 == end) return std::nullopt;
        const double here = from[at], next = from[at + 1];
        return static_cast<double>(at) + (next < half ? (here - half) / (here - next) : 0.0);
    };
    const auto right = farthest(peak, powers.end());
    const auto left = farthest(std::make_reverse_iterator(peak + 1), powers.rend());
    if (!left || !right) return std::nullopt;
    return *left + *right;
}

/// NOTE: it is not in the header, because oneTBB's own header uses a word that is a macro of Qt's.
struct AberrationEstimator::FewCores {
    oneapi::tbb::task_arena arena{
        std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / 4)};
};

AberrationEstimator::AberrationEstimator()
    : m_runner(Backend::Cpu, 1), m_few(std::make_unique<FewCores>()) {}

AberrationEstimator::~AberrationEstimator() = default;

void AberrationEstimator::prepare(const AberrationChain& chain) {
    std::string stages = toToml(chain.config);
    const bool same = m_raw.bytes() == chain.raw.bytes() && stages == m_stages &&
                      chain.raw.acquisition == m_chain.raw.acquisition &&
                      (chain.config.stages.empty() || m_runner.snapshot() != nullptr);
    m_chain = chain;
    if (same) return;
    m_runner.release();
    m_stages.clear();
    m_raw = Buffer(MemoryKind::Host, chain.raw.bytes());
    if (!chain.config.stages.empty()) {
        SnapshotPtr planned = instantiate(chain.config, chain.raw);
        m_few->arena.execute([&] { m_runner.apply(std::move(planned)); });
    }
    m_stages = std::move(stages);
}

void AberrationEstimator::take(const std::byte* frame, std::span<const std::byte> state) {
    std::memcpy(m_raw.data(), frame, m_raw.bytes());
    m_state.assign(state.begin(), state.end());
}

AberrationLook AberrationEstimator::look() {
    AberrationLook look;
    m_few->arena.execute([&] { look = lookAt(); });
    return look;
}

EstimateParts AberrationEstimator::parts(Backend backend) const {
    return estimateParts(backend, m_input, m_samples, m_chain.focus, m_chain.solve);
}

AberrationLook AberrationEstimator::lookAt() {
    FrameSpec input = m_chain.raw;
    const void* samples = m_raw.data();
    if (!m_chain.config.stages.empty()) {
        const ConstTensorView made =
            m_runner.viewOutput(m_runner.enqueue({.raw = m_raw.as<std::byte>()}), 0);
        input = *made.spec;
        samples = made.data;
    }
    m_input = input;
    m_samples = samples;
    Spectra spectra = aberration::focusedSpectra(input, samples, m_chain.focus);
    if (aberration::isIterated(m_chain.solve.method)) aberration::toUsualScale(spectra);
    AberrationLook look{.grid = spectra.grid,
                        .estimate = aberration::estimate(spectra, m_chain.solve, true),
                        .binsHz = spectra.binsHz,
                        .method = m_chain.solve.method,
                        .points = spectra.points};
    if (auto live = estimateIn(m_state, look.grid, m_chain.patches, m_chain.patch)) {
        live->steps = std::move(look.estimate.steps);
        look.estimate = std::move(*live);
    }
    const aberration::Filter& filter = look.estimate.filter;
    const FocusParams& focus = m_chain.focus;
    Point place =
        aberration::regionPoints(focus)[brightestOf(spectra, correctionOf(spectra, filter))];
    place = inFocus(input, samples, focus, place, filter);
    const Profile profile = profileAt(input, samples, focus, place, filter);
    const auto peak = std::ranges::max_element(profile.after) - profile.after.begin();
    place.x = profile.firstM + static_cast<double>(peak) * profile.stepM;
    const Spectra there = aberration::focusedSpectra(input, samples, onPlace(focus, place));
    look.focused = signalsOf(there, 0, correctionOf(there, filter), focus.gateS);
    look.spectrum = spectrumAt(input, samples, focus, place);
    const auto widthOf = [&](const std::vector<double>& powers) -> std::optional<double> {
        constexpr double kReachWavelengths = 5.0; // farther away there may be another point
        const double reach = kReachWavelengths * focus.soundSpeedMps / focus.centreHz;
        const auto width = halfWidth(powers, std::lround(reach / profile.stepM));
        return width ? std::optional(*width * profile.stepM) : std::nullopt;
    };
    if (!standsOut(profile.after)) return look;
    look.widthBeforeM = widthOf(profile.before);
    look.widthAfterM = widthOf(profile.after);
    return look;
}

} // namespace echolux
