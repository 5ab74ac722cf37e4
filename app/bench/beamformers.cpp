// SPDX-License-Identifier: GPL-3.0-or-later
// Sets up delayed channel data, combines it in all ways, and compares with the CPU at some columns.
#include "app/bench/beamformers.hpp"

#include "app/bench/runs.hpp"
#include "app/prediction/timed_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr std::int64_t kComparedColumns = 2;

/// The first columns of delayed data, as a problem of its own.
std::vector<float> columnsOf(const BeamformerProblem& problem, const std::vector<float>& samples) {
    std::vector<float> some;
    const auto width = static_cast<std::size_t>(2 * problem.laterals);
    for (std::size_t row = 0; row < samples.size() / width; ++row)
        some.insert(some.end(), samples.begin() + static_cast<std::ptrdiff_t>(row * width),
                    samples.begin() + static_cast<std::ptrdiff_t>(row * width) +
                        2 * kComparedColumns);
    return some;
}

/// The image, and the median time where `repeat` is not 0.
std::vector<float> imageOf(const BeamformerProblem& problem, const std::vector<float>& samples,
                           Backend backend, int repeat, double* medianMs) {
    const SnapshotPtr snapshot = problem.snapshot();
    const Buffer raw(stagingMemory(backend), snapshot->input.bytes());
    std::ranges::copy(samples, raw.as<float>());
    const Buffer image(computeMemory(backend), snapshot->output().bytes());
    const FrameJob job{.raw = raw.as<std::byte>(), .targets = {ViewTarget{image.data()}}};
    Runner runner(backend, 1);
    runner.apply(snapshot);
    const double ms = medianProcessingMs(runner, job, std::max(repeat, 1));
    if (medianMs != nullptr) *medianMs = ms;
    std::vector<float> values = onHost(runner.exec(0), image);
    runner.drain();
    return values;
}

double deviationOf(const std::vector<float>& got, const std::vector<float>& expected) {
    Deviation deviation;
    for (std::size_t i = 0; i < expected.size(); i += 2) {
        deviation.add(std::hypot(expected[i], expected[i + 1]),
                      std::hypot(expected[i] - got[i], expected[i + 1] - got[i + 1]));
    }
    return deviation.relative();
}

} // namespace

FrameSpec BeamformerProblem::input() const {
    FrameSpec spec;
    spec.dtype = DType::ComplexF32;
    spec.axes = {{AxisName::Channel, channels, 1.0, 0.0, ""},
                 {AxisName::Depth, depths, 1e-4, 5e-3, "m"},
                 {AxisName::Lateral, laterals, 1e-4, 0.0, "m"}};
    return spec;
}

SnapshotPtr BeamformerProblem::snapshot() const {
    PipelineConfig config;
    config.name = "bench beamformers";
    addStage(config, "combine", values);
    return instantiate(config, input());
}

std::string BeamformerProblem::describe() const {
    std::string text = fmt::format("{} x {} pixels, {} channels", depths, laterals, channels);
    for (const auto& [key, value] : values) text += ", " + key + " " + ParamTable::format(value);
    return text;
}

std::vector<BeamformerProblem> beamformerProblems(bool reduced) {
    const auto of = [](const char* method) {
        return std::pair<std::string, ParamValue>{"method", std::string(method)};
    };
    const auto whole = [](std::int64_t value) { return ParamValue{value}; };
    const auto lags = of("short_lag_coherence");
    const auto variance = of("minimum_variance");
    std::vector<BeamformerProblem> problems{
        {"B1", {of("sum")}},
        {"B2", {of("coherence_factor")}},
        {"B3", {of("generalized_coherence"), {"low_bins", whole(2)}}},
        {"B4", {of("phase_coherence")}},
        {"B5", {of("circular_coherence")}},
        {"B6", {of("sign_coherence")}},
        {"B7", {lags, {"lags", whole(20)}, {"rows", whole(5)}}},
        {"B7r", {lags, {"lags", whole(10)}, {"rows", whole(13)}}},
        {"B8", {of("multiply"), {"order", whole(2)}}},
        {"B8q", {of("multiply"), {"order", whole(4)}}},
        {"B9", {variance, {"averaged_rows", whole(1)}}},
        {"B9r", {variance, {"averaged_rows", whole(3)}}},
        {"B9e", {variance, {"averaged_rows", whole(3)}, {"eigenspace", 0.1}}}};
    for (BeamformerProblem& problem : problems)
        if (reduced) problem.depths = problem.id == "B9e" ? 7 : 61;
    return problems;
}

BeamformerResult runBeamformerProblem(const BeamformerProblem& problem, Backend backend,
                                      int repeat) {
    const std::vector<float> samples = randomNumbers(problem.input().bytes() / sizeof(float));
    BeamformerResult result;
    const std::vector<float> image = imageOf(problem, samples, backend, repeat, &result.frameMs);
    BeamformerProblem columns = problem;
    columns.laterals = kComparedColumns;
    const std::vector<float> expected =
        imageOf(columns, columnsOf(problem, samples), Backend::Cpu, 0, nullptr);
    result.deviation = deviationOf(columnsOf(problem, image), expected);
    result.pixelsPerS =
        static_cast<double>(problem.depths * problem.laterals) / (result.frameMs * 1e-3);
    return result;
}

} // namespace echolux
