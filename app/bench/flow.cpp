// SPDX-License-Identifier: GPL-3.0-or-later
// Sets up ensembles of tissue and weak signal, and measures how fast the tissue is removed.
#include "app/bench/flow.hpp"

#include "app/bench/das.hpp"
#include "app/bench/problems.hpp"
#include "app/bench/runs.hpp"
#include "app/prediction/timed_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

namespace echolux {
namespace {

constexpr double kFrameRateHz = 4000.0;
constexpr const char* kClutter = "clutter_filter";
constexpr int kTissueParts = 4; ///< each 12 dB weaker than the one before
constexpr float kStrongest = 1000.0F;
constexpr float kPartRatio = 0.25F;

FrameSpec imageInput(const FlowProblem& problem) {
    FrameSpec image;
    image.dtype = DType::ComplexF32;
    image.axes = {{AxisName::Depth, problem.depths, 1e-4, 5e-3, "m"},
                  {AxisName::Lateral, problem.laterals, 1e-4, 0.0, "m"}};
    image.centreFrequencyHz = 5e6;
    return image;
}

/// Tissue of kTissueParts parts, each with a phase over time of its own, and normal noise of
/// variance 2 (1 in each of both parts).
std::vector<std::complex<float>> tissueAndNoise(std::int64_t frames, std::int64_t pixels) {
    std::minstd_rand random(3);
    std::normal_distribution<float> normal;
    std::vector<std::complex<float>> samples(static_cast<std::size_t>(frames * pixels));
    for (std::complex<float>& sample : samples) sample = {normal(random), normal(random)};
    float size = kStrongest;
    for (int part = 0; part < kTissueParts; ++part, size *= kPartRatio) {
        std::vector<float> brightness(static_cast<std::size_t>(pixels));
        for (float& each : brightness) each = size * normal(random);
        for (std::int64_t f = 0; f < frames; ++f) {
            const double turns =
                static_cast<double>((part + 1) * f * f) / static_cast<double>(8 * frames);
            const auto phase = std::polar(
                1.0F, static_cast<float>(2.0 * std::numbers::pi * std::remainder(turns, 1.0)));
            for (std::int64_t p = 0; p < pixels; ++p)
                samples[static_cast<std::size_t>(f * pixels + p)] +=
                    brightness[static_cast<std::size_t>(p)] * phase;
        }
    }
    return samples;
}

/// Of a run's RMS amplitudes per pixel.
double energyLeft(const FlowProblem& problem, const std::vector<float>& amplitudes) {
    double square = 0.0;
    for (const float amplitude : amplitudes) square += double{amplitude} * amplitude;
    const auto frames = static_cast<double>(problem.frames);
    constexpr double kNoiseVariance = 2.0;
    const double expected = kNoiseVariance * static_cast<double>(amplitudes.size()) *
                            (frames - static_cast<double>(problem.removed)) / frames;
    return square / expected;
}

} // namespace

SnapshotPtr FlowProblem::snapshot() const {
    PipelineConfig config;
    config.name = "bench flow";
    config.recording.ensemble = frames;
    FrameSpec input = imageInput(*this);
    if (beamforms) {
        const DasProblem das = chosenProblems(dasProblems(false), {"D4"}, "das").front();
        input = das.input;
        addStage(config, "beamform",
                 {{"f_number", das.params.fNumber},
                  {"speed_of_sound", das.params.soundSpeedMps},
                  {"lateral_min", das.params.lateralMinM},
                  {"lateral_max", das.params.lateralMaxM},
                  {"pixel_lateral", das.params.pixelLateralM},
                  {"depth_min", das.params.depthMinM},
                  {"depth_max", das.params.depthMaxM},
                  {"pixel_depth", das.params.pixelDepthM}});
    }
    input.frameIntervalS = 1.0 / kFrameRateHz;
    if (removed > 0) {
        addStage(config, kClutter,
                 {{"method", std::string("svd")},
                  {"first", std::int64_t{removed + 1}},
                  {"block_depth", block},
                  {"block_lateral", block},
                  {"overlap", std::string("half")}});
    } else {
        addStage(config, kClutter);
    }
    addStage(config, "flow",
             {{"depth_pixels", std::int64_t{1}}, {"lateral_pixels", std::int64_t{1}}});
    if (unwraps) addStage(config, "unwrap");
    config.views = {{"velocity", "", {kOutputPort, unwraps ? "unwrap" : "flow"}},
                    {"amplitude", "", {"amplitude", "flow"}}};
    return instantiate(config, input);
}

std::string FlowProblem::describe() const {
    return fmt::format("{}{} frames of {} x {}, {}{}{}", beamforms ? "beamforming, " : "", frames,
                       depths, laterals,
                       removed > 0 ? fmt::format("{} singular values removed", removed)
                                   : std::string("a line over time removed"),
                       block > 0 ? fmt::format(" by {} x {}", block, block) : std::string(),
                       unwraps ? ", unwrapped" : "");
}

std::vector<FlowProblem> flowProblems(bool reduced) {
    std::vector<FlowProblem> problems{{"V1", 512, 128, 64, 16},
                                      {"V2", 200, 250, 251, 16},
                                      {"V3", 32, 540, 253, 4},
                                      {"V4", 16, 540, 253, 0},
                                      {"V5", 32, 251, 251, 0, true},
                                      {"V6", 16, 540, 253, 0, false, true},
                                      {"V7", 64, 250, 251, 4, false, false, 32}};
    for (FlowProblem& problem : problems)
        if (reduced) problem.frames = std::min<std::int64_t>(problem.frames, 32);
    return problems;
}

FlowResult runFlowProblem(const FlowProblem& problem, Backend backend, int repeat) {
    const SnapshotPtr snapshot = problem.snapshot();
    const Buffer raw(stagingMemory(backend), snapshot->input.bytes());
    auto* samples = raw.as<std::complex<float>>();
    const std::int64_t pixels = problem.depths * problem.laterals;
    if (problem.beamforms) {
        const std::vector<float> numbers = randomNumbers(raw.bytes() / sizeof(float));
        std::ranges::copy(numbers, raw.as<float>());
    } else {
        std::ranges::copy(tissueAndNoise(problem.frames, pixels), samples);
    }
    const Buffer velocity(computeMemory(backend),
                          snapshot->outputOf(snapshot->views[0].source).bytes());
    const Buffer amplitude(computeMemory(backend), velocity.bytes());
    const FrameJob job{.raw = raw.as<std::byte>(),
                       .targets = {ViewTarget{velocity.data()}, ViewTarget{amplitude.data()}}};
    Runner runner(backend, 1);
    runner.apply(snapshot);
    FlowResult result;
    result.ensembleMs = medianProcessingMs(runner, job, repeat);
    const StepMedians steps = stepMedians(runner, job, repeat);
    result.clutterMs = steps.stepMs[problem.beamforms ? 1 : 0];
    if (problem.unwraps) result.unwrapMs = steps.stepMs.back();
    if (!problem.beamforms && problem.removed >= kTissueParts)
        result.left = energyLeft(problem, onHost(runner.exec(0), amplitude));
    runner.drain();
    const double perS = 1e3 / result.ensembleMs * static_cast<double>(problem.frames);
    result.framesPerS = perS;
    result.samplesPerS = perS * static_cast<double>(pixels);
    return result;
}

} // namespace echolux
