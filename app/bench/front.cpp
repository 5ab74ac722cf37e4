// SPDX-License-Identifier: GPL-3.0-or-later
// Sets up the front ends and runs them, fused and stage by stage.
#include "app/bench/front.hpp"

#include "app/bench/runs.hpp"
#include "app/prediction/timed_work.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace echolux {
namespace {

/// Fills codes of any type with a level and noise.
void fillCodes(const FrameSpec& spec, void* codes) {
    std::minstd_rand random(1);
    std::uniform_real_distribution<double> uniform(0.0, 250.0);
    const auto fill = [&](auto* to) {
        using Code = std::remove_pointer_t<decltype(to)>;
        std::generate_n(to, spec.count(), [&] { return static_cast<Code>(uniform(random)); });
    };
    if (spec.dtype == DType::U8) {
        fill(static_cast<std::uint8_t*>(codes));
    } else if (spec.dtype == DType::I16) {
        fill(static_cast<std::int16_t*>(codes));
    } else {
        fill(static_cast<float*>(codes));
    }
}

} // namespace

SnapshotPtr FrontProblem::snapshot() const {
    constexpr double kSamplingHz = 20.832e6;
    auto acquisition = std::make_shared<Acquisition>();
    acquisition->probe.elements.resize(static_cast<std::size_t>(channels));
    acquisition->transmits.resize(static_cast<std::size_t>(transmits));
    FrameSpec spec;
    spec.dtype = codes;
    spec.codeOffset = codes == DType::U8 ? 128.0 : 0.0;
    spec.axes = {{AxisName::Transmit, transmits, 1.0, 0.0, ""},
                 {AxisName::Channel, channels, 1.0, 0.0, ""},
                 {AxisName::Sample, samples, 1.0 / kSamplingHz, 0.0, "s"}};
    spec.centreFrequencyHz = kSamplingHz / 4.0;
    spec.acquisition = acquisition;
    PipelineConfig config;
    for (const char* type : stages) {
        StageConfig& stage = config.stages.emplace_back();
        stage.id = stage.type = type;
    }
    return instantiate(config, spec);
}

std::string FrontProblem::describe() const {
    return fmt::format("{} x {} x {} {}, {}", transmits, channels, samples, nameOf(codes),
                       fmt::join(stages, " "));
}

std::vector<FrontProblem> frontProblems(bool reduced) {
    const std::vector<const char*> band{"to_float", "dc_removal", "bandpass"};
    const std::vector<const char*> mixed{"to_float", "dc_removal", "iq_demod"};
    const std::vector<const char*> both{"to_float", "dc_removal", "bandpass", "iq_demod"};
    const std::vector<const char*> all{"to_float", "dc_removal", "bandpass", "analytic"};
    // F1 to F3 have the sizes of the PICMUS recordings.
    std::vector<FrontProblem> problems{
        {"F1", all, DType::I16, 75, 128, 1666},   {"F1s", band, DType::I16, 75, 128, 1666},
        {"F2", mixed, DType::I16, 75, 128, 1666}, {"F2b", both, DType::I16, 75, 128, 1666},
        {"F3", all, DType::F32, 75, 128, 1666},   {"F4", all, DType::U8, 3, 128, 8192},
        {"F5", all, DType::I16, 1, 64, 899}};
    for (FrontProblem& problem : problems)
        if (reduced) problem.transmits = std::min<std::int64_t>(problem.transmits, 3);
    return problems;
}

FrontResult runFrontProblem(const FrontProblem& problem, Backend backend, int repeat) {
    const SnapshotPtr snapshot = problem.snapshot();
    const Buffer raw(stagingMemory(backend), snapshot->input.bytes());
    fillCodes(snapshot->input, raw.data());
    const Buffer out(computeMemory(backend), snapshot->output().bytes());
    const FrameJob job{.raw = raw.as<std::byte>(), .targets = {ViewTarget{out.data()}}};
    std::vector<float> samples[2];
    FrontResult result;
    for (const Fusing fusing : {Fusing::Allowed, Fusing::Never}) {
        Runner runner(backend, 1, fusing);
        runner.apply(snapshot);
        const bool fused = fusing == Fusing::Allowed;
        (fused ? result.fusedMs : result.separateMs) = medianProcessingMs(runner, job, repeat);
        std::vector<float>& got = samples[fused ? 0 : 1];
        got.resize(out.bytes() / sizeof(float));
        download(runner.exec(0), got.data(), out.data(), out.bytes());
        runner.drain();
    }
    double greatest = 0.0;
    for (std::size_t i = 0; i < samples[0].size(); ++i) {
        greatest = std::max(greatest, std::abs(double{samples[1][i]}));
        result.deviation =
            std::max(result.deviation, std::abs(double{samples[0][i]} - double{samples[1][i]}));
    }
    if (greatest > 0.0) result.deviation /= greatest;
    result.gigabytesPerS = static_cast<double>(raw.bytes() + out.bytes()) / result.fusedMs / 1e6;
    return result;
}

} // namespace echolux
