// SPDX-License-Identifier: GPL-3.0-or-later
// Simulates bubbles, images, localises and tracks them, and compares with where they are.
#include "app/bench/bubbles.hpp"

#include "app/bench/runs.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/prediction/timed_work.hpp"
#include "app/source/plane_wave_simulator.hpp"
#include "gpu/flow/bubbles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <set>

namespace echolux {
namespace {

constexpr std::size_t kPlacesView = 0;
constexpr std::size_t kTracksView = 1;
constexpr std::size_t kDensityView = 2;

PlaneWaveSetup bundledSetup() {
    PlaneWaveSetup setup; // as testdata/README.md says
    setup.elements = 48;
    setup.samplingHz = 15e6;
    setup.startDepthM = 10e-3;
    setup.depthM = 22e-3;
    setup.frameRateHz = 300.0;
    setup.attenuationDbPerCmMhz = 0.1;
    setup.converter.bits = 10;
    return setup;
}

PlaneWaveSetup fiveWaves() {
    PlaneWaveSetup setup;
    setup.elements = 64;
    setup.depthM = 22e-3;
    setup.frameRateHz = 1000.0;
    setup.converter.snrDb = 40.0;
    setup.anglesRad.clear();
    for (const double degrees : {-8.0, -4.0, 0.0, 4.0, 8.0})
        setup.anglesRad.push_back(degrees * std::numbers::pi / 180.0);
    return setup;
}

/// As `echolux simulate plane-wave` asks for it.
Phantom phantomFor(const PlaneWaveSetup& setup) {
    constexpr double kMarginPitches = 5.0;
    constexpr double kClearWavelengths = 5.0;
    const DepthRange depths = recordedDepths(setup);
    PhantomRequest request;
    request.name = "bubbles";
    request.halfWidthM = 0.5 * setup.apertureM() + kMarginPitches * setup.pitchM;
    request.startDepthM = std::max(depths.first, kClearWavelengths * setup.wavelengthM());
    request.depthM = depths.last;
    request.wavelengthM = setup.wavelengthM();
    return makePhantom(request);
}

/// Views of both lists and of the density.
SnapshotPtr scoredPipeline(const FrameSpec& raw, const std::string& method) {
    PipelineConfig config = shippedPipeline("bubble_tracks");
    config.views = {{.id = "places", .label = "", .from = {kOutputPort, "localise"}},
                    {.id = "tracks", .label = "", .from = {kOutputPort, "track"}},
                    {.id = "density", .label = "", .from = {kOutputPort, "tracks"}}};
    return withValue(*instantiate(config, raw), "localise", "method", method);
}

bool lies(double place, const Axis& axis) {
    const double end = axis.origin + axis.spacing * static_cast<double>(axis.size - 1);
    return place > axis.origin && place < end;
}

/// Of a list with so many properties per row.
std::vector<BubbleState> statesOf(std::span<const float> rows, std::int64_t properties,
                                  std::set<float>* tracks) {
    std::vector<BubbleState> states;
    const auto each = static_cast<std::size_t>(properties);
    for (std::size_t first = 0; first + each <= rows.size(); first += each) {
        const auto& row = *reinterpret_cast<const flow::TrackedBubble*>(&rows[first]);
        if (row.bubble.amplitude == 0.0F) continue;
        states.push_back({row.bubble.depth, row.bubble.lateral});
        if (tracks == nullptr) continue;
        states.back().depthSpeed = row.depthSpeed;
        states.back().lateralSpeed = row.lateralSpeed;
        tracks->insert(row.track);
    }
    return states;
}

/// Of the pixels in the tubes.
double saturationOf(const std::vector<float>& density, const FrameSpec& grid,
                    const Phantom& phantom) {
    const Axis& depth = *grid.find(AxisName::Depth);
    const Axis& lateral = *grid.find(AxisName::Lateral);
    double inside = 0.0;
    double crossed = 0.0;
    for (std::size_t i = 0; i < density.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i) / lateral.size;
        const auto column = static_cast<std::int64_t>(i) % lateral.size;
        const double z = depth.origin + depth.spacing * static_cast<double>(row);
        const double x = lateral.origin + lateral.spacing * static_cast<double>(column);
        const bool isInside = std::ranges::any_of(
            phantom.tubes, [&](const FlowingTube& tube) { return tube.contains(x, z); });
        if (!isInside) continue;
        inside += 1.0;
        crossed += density[i] > 0.0F ? 1.0 : 0.0;
    }
    return crossed / inside;
}

} // namespace

std::vector<BubbleProblem> bubbleProblems() {
    return {{"B1", 64, bundledSetup()}, {"B2", 64, fiveWaves()}};
}

std::string BubbleProblem::describe() const {
    return fmt::format("{} frames at {:g} per second, {} elements, {} plane waves", frames,
                       setup.frameRateHz, setup.elements, setup.anglesRad.size());
}

std::vector<std::string> bubbleMethods() {
    return {"weighted_average", "radial_symmetry", "gaussian"};
}

struct BubbleScene::Parts {
    BubbleProblem problem;
    Phantom phantom;
    FrameSpec frame;
    std::vector<std::int16_t> samples;

    std::size_t each() const { return static_cast<std::size_t>(frame.count()); }

    /// The true bubbles that lie in the image.
    std::vector<BubbleState> truth(std::int64_t number, const FrameSpec& image) const {
        constexpr double kShortlyS = 1e-5;
        const double timeS = static_cast<double>(number) / problem.setup.frameRateHz;
        std::vector<Scatterer> now;
        std::vector<Scatterer> later;
        phantom.movingAt(timeS, now);
        phantom.movingAt(timeS + kShortlyS, later);
        std::vector<BubbleState> states;
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (!lies(now[i].z, *image.find(AxisName::Depth)) ||
                !lies(now[i].x, *image.find(AxisName::Lateral)))
                continue;
            states.push_back({now[i].z, now[i].x, (later[i].z - now[i].z) / kShortlyS,
                              (later[i].x - now[i].x) / kShortlyS});
        }
        return states;
    }
};

BubbleScene::BubbleScene(const BubbleProblem& problem)
    : m_parts(std::make_unique<Parts>(Parts{problem, phantomFor(problem.setup), {}, {}})) {
    PlaneWaveSimulator simulator(problem.setup, m_parts->phantom);
    m_parts->frame = simulator.frame();
    m_parts->frame.frameIntervalS = 1.0 / problem.setup.frameRateHz;
    const std::size_t each = m_parts->each();
    m_parts->samples.resize(static_cast<std::size_t>(problem.frames) * each);
    for (std::int64_t i = 0; i < problem.frames; ++i)
        simulator.render(
            i, std::span(m_parts->samples).subspan(static_cast<std::size_t>(i) * each, each));
}
BubbleScene::~BubbleScene() = default;
BubbleScene::BubbleScene(BubbleScene&&) noexcept = default;

std::span<const std::int16_t> BubbleScene::samples(std::int64_t frame) const {
    return std::span(m_parts->samples)
        .subspan(static_cast<std::size_t>(frame) * m_parts->each(), m_parts->each());
}

BubbleResult BubbleScene::score(const std::string& method, Backend backend) const {
    const Parts& parts = *m_parts;
    const SnapshotPtr snapshot = scoredPipeline(parts.frame, method);
    const auto specOf = [&](std::size_t view) -> const FrameSpec& {
        return snapshot->outputOf(snapshot->views[view].source);
    };
    std::vector<Buffer> outputs;
    ViewTargets targets{};
    for (std::size_t view = 0; view < snapshot->views.size(); ++view) {
        outputs.emplace_back(computeMemory(backend), specOf(view).bytes());
        targets[view] = ViewTarget{outputs.back().data()};
    }
    const Buffer raw(stagingMemory(backend), snapshot->input.bytes());
    Runner runner(backend, 1);
    runner.apply(snapshot);
    BubbleResult result{.method = method, .places = {}, .tracks = {}};
    std::set<float> tracks;
    const std::int64_t together = snapshot->ensemble();
    const double withinM = 0.25 * parts.problem.setup.wavelengthM();
    for (std::int64_t first = 0; first + together <= parts.problem.frames; first += together) {
        std::ranges::copy(std::span(parts.samples)
                              .subspan(static_cast<std::size_t>(first) * parts.each(),
                                       static_cast<std::size_t>(together) * parts.each()),
                          raw.as<std::int16_t>());
        runner.enqueue({.raw = raw.as<std::byte>(), .targets = targets, .frame = first / together});
        runner.drain();
        const auto add = [&](std::size_t view, std::set<float>* numbers, BubbleScores& scores) {
            const std::vector<float> list = onHost(runner.exec(0), outputs[view]);
            const std::size_t each = list.size() / static_cast<std::size_t>(together);
            for (std::int64_t f = 0; f < together; ++f)
                scores.add(
                    statesOf(std::span(list).subspan(static_cast<std::size_t>(f) * each, each),
                             specOf(view).sizeOf(AxisName::Property), numbers),
                    parts.truth(first + f, specOf(kDensityView)), withinM);
        };
        add(kPlacesView, nullptr, result.places);
        add(kTracksView, &tracks, result.tracks);
    }
    result.trackCount = static_cast<double>(tracks.size());
    result.saturation = saturationOf(onHost(runner.exec(0), outputs[kDensityView]),
                                     specOf(kDensityView), parts.phantom);
    return result;
}

BubbleChain runBubbleChain(Backend backend, int repeat) {
    constexpr std::int64_t kSide = BubbleChain::kSide;
    constexpr std::int64_t kFrames = BubbleChain::kFrames;
    FrameSpec input;
    input.dtype = DType::ComplexF32;
    input.axes = {{AxisName::Depth, kSide, 1e-4, 5e-3, "m"},
                  {AxisName::Lateral, kSide, 1e-4, 0.0, "m"}};
    input.centreFrequencyHz = 5e6;
    input.frameIntervalS = 4e-3;
    input.recordedForm = RecordedForm::Beamformed;
    PipelineConfig config;
    config.name = "bench bubbles";
    config.recording.ensemble = kFrames;
    for (const char* stage : {"envelope", "localise", "track", "accumulate"})
        addStage(config, stage);
    config.links.push_back({{kOutputPort, "envelope"}, {"image", "accumulate"}});
    config.views = {{"density", "", {kOutputPort, "accumulate"}},
                    {"tracks", "", {kOutputPort, "track"}}};
    const SnapshotPtr snapshot = instantiate(config, input);
    const Buffer raw(stagingMemory(backend), snapshot->input.bytes());
    auto* samples = raw.as<std::complex<float>>();
    std::minstd_rand random(3);
    std::normal_distribution<float> normal(0.0F, 0.01F);
    for (std::int64_t i = 0; i < kFrames * kSide * kSide; ++i)
        samples[i] = {normal(random), normal(random)};
    constexpr int kColumns = 8;
    constexpr double kApart = 30.0; // pixels
    constexpr double kRadius = 2.0;
    constexpr std::int64_t kReach = 6;
    for (std::int64_t f = 0; f < kFrames; ++f) {
        const double turn = 2.0 * std::numbers::pi * static_cast<double>(f) / kFrames;
        for (std::int64_t bubble = 0; bubble < BubbleChain::kBubbles; ++bubble) {
            const double z =
                kApart * (0.7 + static_cast<double>(bubble / kColumns)) + kRadius * std::sin(turn);
            const double x =
                kApart * (0.7 + static_cast<double>(bubble % kColumns)) + kRadius * std::cos(turn);
            for (auto row = std::llround(z) - kReach; row <= std::llround(z) + kReach; ++row)
                for (auto at = std::llround(x) - kReach; at <= std::llround(x) + kReach; ++at)
                    samples[(f * kSide + row) * kSide + at] += static_cast<float>(
                        std::exp(-0.35 * (std::pow(static_cast<double>(row) - z, 2.0) +
                                          std::pow(static_cast<double>(at) - x, 2.0))));
        }
    }
    const auto specOf = [&](std::size_t view) -> const FrameSpec& {
        return snapshot->outputOf(snapshot->views[view].source);
    };
    const Buffer density(computeMemory(backend), specOf(0).bytes());
    const Buffer tracks(computeMemory(backend), specOf(1).bytes());
    const FrameJob job{.raw = raw.as<std::byte>(),
                       .targets = {ViewTarget{density.data()}, ViewTarget{tracks.data()}}};
    Runner runner(backend, 1);
    runner.apply(snapshot);
    BubbleChain result;
    result.ensembleMs = medianProcessingMs(runner, job, repeat);
    const StepMedians steps = stepMedians(runner, job, repeat);
    result.envelopeMs = steps.stepMs[0];
    result.localiseMs = steps.stepMs[1];
    result.trackMs = steps.stepMs[2];
    result.accumulateMs = steps.stepMs[3];
    const std::vector<float> rows = onHost(runner.exec(0), tracks);
    result.listed =
        static_cast<double>(statesOf(rows, flow::kTrackProperties, nullptr).size()) / kFrames;
    runner.drain();
    return result;
}

} // namespace echolux
