// SPDX-License-Identifier: GPL-3.0-or-later
// Runs frames of eight samples through many stages.
#include "app/bench/graph.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>

namespace echolux {
namespace {

FrameSpec smallFrame() {
    FrameSpec spec;
    spec.dtype = DType::I16;
    spec.axes = {{AxisName::Transmit, 1, 1.0, 0.0, ""},
                 {AxisName::Channel, 1, 1.0, 0.0, ""},
                 {AxisName::Sample, 8, 1.0 / 20e6, 0.0, "s"}};
    return spec;
}

PipelineConfig pipelineOf(const GraphProblem& problem) {
    PipelineConfig config;
    config.name = problem.id;
    config.stages.push_back({"codes", "to_float", false, {}});
    for (int branch = 0; branch < problem.branches; ++branch) {
        std::string before = "codes";
        for (int i = 1; i <= (problem.stages - 1) / problem.branches; ++i) {
            StageConfig stage{fmt::format("dc_{}_{}", branch, i), "dc_removal", false, {}};
            config.links.push_back({{kOutputPort, before}, {"in", stage.id}});
            before = stage.id;
            config.stages.push_back(std::move(stage));
        }
        config.views.push_back({fmt::format("view_{}", branch), "", {kOutputPort, before}});
    }
    return config;
}

double microseconds(const std::function<void()>& work, int frames) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    return took.count() / frames;
}

} // namespace

std::string GraphProblem::describe() const {
    return fmt::format("{} stages of 8 samples{}", stages,
                       branches > 1 ? fmt::format(" in {} branches", branches) : "");
}

std::vector<GraphProblem> graphProblems() { return {{"G1", 12, 1}, {"G2", 25, 2}, {"G3", 25, 4}}; }

GraphResult runGraphProblem(const GraphProblem& problem, Backend backend, int frames) {
    Runner runner(backend, 3, Fusing::Never);
    const SnapshotPtr snapshot = instantiate(pipelineOf(problem), smallFrame());
    runner.apply(snapshot);
    const Buffer raw(stagingMemory(backend), snapshot->input.bytes());
    const auto enqueueAll = [&](bool waits) {
        for (int frame = 0; frame < frames; ++frame) {
            const int slot = runner.enqueue({.raw = raw.as<std::byte>()});
            if (waits) runner.wait((slot + 1) % runner.slotCount());
        }
        if (waits) runner.drain();
    };
    GraphResult result;
    for (const bool captured : {false, true}) {
        runner.setCapturing(captured);
        enqueueAll(true); // warm-up
        const double us = microseconds([&] { enqueueAll(true); }, frames);
        (captured ? result.capturedUs : result.stepwiseUs) = us;
    }
    result.enqueueUs = microseconds([&] { enqueueAll(false); }, frames);
    runner.drain();
    return result;
}

} // namespace echolux
