// SPDX-License-Identifier: GPL-3.0-or-later
// The benches: measure delay and sum, the stages before it, and the OCT chain on the problems of
// published comparisons. Also measures how fast a recording plays and how good interpolators are.
#include "app/bench/benches.hpp"
#include "app/bench/beamformers.hpp"
#include "app/bench/bubbles.hpp"
#include "app/bench/das.hpp"
#include "app/bench/documents.hpp"
#include "app/bench/flow.hpp"
#include "app/bench/front.hpp"
#include "app/bench/graph.hpp"
#include "app/bench/interpolation.hpp"
#include "app/bench/model.hpp"
#include "app/bench/oct.hpp"
#include "app/bench/oct_trip.hpp"
#include "app/bench/problems.hpp"
#include "app/bench/report.hpp"
#include "app/bench/stream.hpp"
#include "app/command_line/command_tree.hpp"
#include "app/command_line/program.hpp"

#include "gpu/beamform/beamform_grid.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace echolux {
namespace {

void print(const DasResult& result) {
    std::printf("%s\n",
                fmt::format("  {:<42} {:>10.4f} {:>10.4f} {:>12.3e} {:>10.1e}", result.variant,
                            result.sumMs, result.packMs, result.pointsPerSecond, result.deviation)
                    .c_str());
    std::fflush(stdout);
}

nlohmann::ordered_json toJson(const DasProblem& problem, const DasResult& result) {
    return {{"problem", problem.id},
            {"what", problem.what},
            {"input", problem.input.describe()},
            {"frames", problem.frames},
            {"image", das::imageSpec(problem.input, problem.params).describe()},
            {"variant", result.variant},
            {"kernel_ms", result.sumMs},
            {"pack_ms", result.packMs},
            {"points", problem.points()},
            {"points_per_second", result.pointsPerSecond},
            {"deviation", result.deviation}};
}

void runDas(const BenchOptions& options) {
    BenchRun run(options, "das");
    const auto problems = chosenProblems(dasProblems(run.cpu), options.problems, "das");
    const Stream stream(run.choice.backend, "bench");
    const DasBench bench({run.choice.backend, stream.get()}, run.repeat);
    run.printHead("Delay and sum", "at most 5 transmits, 1 frame");
    std::printf(
        "points = pixels x elements x transmits x frames; pack = laying out the samples, in "
        "addition to the kernel.\n");
    for (const DasProblem& problem : problems) {
        std::printf("%s: %s, %s to %s\n", problem.id.c_str(), problem.what.c_str(),
                    problem.input.describe().c_str(),
                    das::imageSpec(problem.input, problem.params).describe().c_str());
        std::printf("  %-42s %10s %10s %12s %10s\n", "", "kernel ms", "pack ms", "points/s",
                    "deviation");
        const auto results = bench.run(problem, options.sweep);
        for (const DasResult& result : results) {
            print(result);
            run.report["results"].push_back(toJson(problem, result));
        }
        if (results.size() > 1) {
            std::printf("  best:\n");
            print(*std::ranges::min_element(results, {}, &DasResult::sumMs));
        }
    }
    run.finish();
}

void runOct(const BenchOptions& options) {
    BenchRun run(options, "oct");
    const auto problems = chosenProblems(octProblems(run.cpu), options.problems, "oct");
    run.printHead("OCT chain", "4 B-scans in a buffer");
    std::printf("Million A-scans per second: processing alone, data on the device; streaming from "
                "%s host memory, several buffers in flight.\n",
                run.cpu ? "plain" : "pinned");
    std::printf("%-6s %-78s %10s %10s %10s %8s %10s\n", "", "", "ms/buffer", "process", "stream",
                "GB/s", "dev. dB");
    for (const OctProblem& problem : problems) {
        const OctResult result =
            runOctProblem(problem, run.choice.backend,
                          options.separate ? Fusing::Never : Fusing::Allowed, run.repeat);
        std::printf("%s\n", fmt::format("{:<6} {:<78} {:>10.3f} {:>10.3g} {:>10.3g} {:>8.3g} "
                                        "{:>10.1e}",
                                        problem.id, problem.describe(), result.processingMs,
                                        result.processingPerS / 1e6, result.streamingPerS / 1e6,
                                        result.streamingGigabytesPerS, result.deviationDb)
                                .c_str());
        std::fflush(stdout);
        run.report["results"].push_back(
            {{"problem", problem.id},
             {"what", problem.describe()},
             {"fused", !run.cpu && !options.separate},
             {"processing_ms", result.processingMs},
             {"processing_ascans_per_second", result.processingPerS},
             {"streaming_ascans_per_second", result.streamingPerS},
             {"streaming_gigabytes_per_second", result.streamingGigabytesPerS},
             {"deviation_db", result.deviationDb}});
    }
    run.finish();
}

/// The problems that differ in the program of Tschupp 2019, which has one chain.
std::vector<OctProblem> originalProblems(bool reduced) {
    std::vector<OctProblem> problems = octProblems(reduced);
    std::erase_if(problems,
                  [](const OctProblem& each) { return each.movingAverage || each.gridding > 0.0; });
    return problems;
}

void runOriginalOct(const BenchOptions& options) {
    BenchRun run(options, "oct");
    const auto problems =
        chosenProblems(originalProblems(run.cpu), options.problems, "oct --original");
    run.printHead("Original program of Tschupp 2019", "4 B-scans in a buffer");
    std::printf("Stage by stage, DC removal by Fourier bins, one buffer at a time from and to "
                "pageable host memory.\n");
    std::printf("%-6s %-58s %12s %12s %12s %12s %10s\n", "", "microseconds per buffer", "to device",
                "process", "to host", "total", "MA-scan/s");
    const Stream stream(run.choice.backend, "bench");
    for (const OctProblem& problem : problems) {
        const TripTimes times = tripTimes({run.choice.backend, stream.get()}, problem,
                                          kTschuppOriginal, run.repeat, run.repeat);
        const double ascansPerS = times.perSecond * problem.lines();
        std::printf("%s\n",
                    fmt::format("{:<6} {:<58} {:>12.1f} {:>12.1f} {:>12.1f} {:>12.1f} {:>10.3g}",
                                problem.id, problem.describe(), times.upUs, times.processingUs,
                                times.downUs, times.totalUs, ascansPerS / 1e6)
                        .c_str());
        std::fflush(stdout);
        run.report["results"].push_back({{"problem", problem.id},
                                         {"what", problem.describe()},
                                         {"original", true},
                                         {"to_device_us", times.upUs},
                                         {"processing_us", times.processingUs},
                                         {"to_host_us", times.downUs},
                                         {"total_us", times.totalUs},
                                         {"ascans_per_second", ascansPerS}});
    }
    run.finish();
}

void runFront(const BenchOptions& options) {
    BenchRun run(options, "front");
    const auto problems = chosenProblems(frontProblems(run.cpu), options.problems, "front");
    run.printHead("Ultrasound front end", "at most 3 transmits");
    std::printf("Codes to what beamform takes, data on the device; GB/s: codes in, samples out.\n");
    std::printf("%-6s %-66s %10s %12s %8s %10s\n", "", "", "fused ms", "separate ms", "GB/s",
                "deviation");
    for (const FrontProblem& problem : problems) {
        const FrontResult result = runFrontProblem(problem, run.choice.backend, run.repeat);
        std::printf("%s\n", fmt::format("{:<6} {:<66} {:>10.4f} {:>12.4f} {:>8.3g} {:>10.1e}",
                                        problem.id, problem.describe(), result.fusedMs,
                                        result.separateMs, result.gigabytesPerS, result.deviation)
                                .c_str());
        std::fflush(stdout);
        run.report["results"].push_back({{"problem", problem.id},
                                         {"what", problem.describe()},
                                         {"fused_ms", result.fusedMs},
                                         {"separate_ms", result.separateMs},
                                         {"gigabytes_per_second", result.gigabytesPerS},
                                         {"deviation", result.deviation}});
    }
    run.finish();
}

void runFlow(const BenchOptions& options) {
    BenchRun run(options, "flow");
    const auto problems = chosenProblems(flowProblems(run.cpu), options.problems, "flow");
    run.printHead("Flow", "at most 32 frames");
    std::printf("Data on the device; clutter and unwrap ms: clutter_filter and unwrap alone; left: "
                "energy after the filter over that of the weak signal.\n");
    std::printf("%-6s %-62s %10s %10s %10s %12s %12s %8s\n", "", "", "ms", "clutter ms",
                "unwrap ms", "frames/s", "samples/s", "left");
    for (const FlowProblem& problem : problems) {
        const FlowResult result = runFlowProblem(problem, run.choice.backend, run.repeat);
        std::printf("%s\n",
                    fmt::format("{:<6} {:<62} {:>10.4f} {:>10.4f} {:>10.4f} {:>12.4g} {:>12.3e} "
                                "{:>8.4f}",
                                problem.id, problem.describe(), result.ensembleMs, result.clutterMs,
                                result.unwrapMs, result.framesPerS, result.samplesPerS, result.left)
                        .c_str());
        std::fflush(stdout);
        run.report["results"].push_back({{"problem", problem.id},
                                         {"what", problem.describe()},
                                         {"ensemble_ms", result.ensembleMs},
                                         {"clutter_ms", result.clutterMs},
                                         {"unwrap_ms", result.unwrapMs},
                                         {"frames_per_second", result.framesPerS},
                                         {"samples_per_second", result.samplesPerS},
                                         {"left", result.left}});
    }
    run.finish();
}

void runBeamformers(const BenchOptions& options) {
    BenchRun run(options, "beamformers");
    const auto problems =
        chosenProblems(beamformerProblems(run.cpu), options.problems, "beamformers");
    run.printHead("Channels combined", "61 rows, 7 in the eigenspace");
    std::printf("combine alone, delayed signals on the device; deviation from the CPU at some "
                "columns.\n");
    std::printf("%-6s %-92s %10s %12s %12s %10s\n", "", "", "ms", "frames/s", "pixels/s",
                "deviation");
    for (const BeamformerProblem& problem : problems) {
        const BeamformerResult result =
            runBeamformerProblem(problem, run.choice.backend, run.repeat);
        std::printf("%s\n", fmt::format("{:<6} {:<92} {:>10.4f} {:>12.4g} {:>12.3e} {:>10.1e}",
                                        problem.id, problem.describe(), result.frameMs,
                                        1e3 / result.frameMs, result.pixelsPerS, result.deviation)
                                .c_str());
        std::fflush(stdout);
        run.report["results"].push_back({{"problem", problem.id},
                                         {"what", problem.describe()},
                                         {"frame_ms", result.frameMs},
                                         {"pixels_per_second", result.pixelsPerS},
                                         {"deviation", result.deviation}});
    }
    run.finish();
}

void runGraphs(const BenchOptions& options) {
    BenchRun run(options, "graph");
    const auto problems = chosenProblems(graphProblems(), options.problems, "graph");
    run.printHead("Cost of a frame besides its computing", "fewer frames");
    std::printf("Microseconds per frame: its work launched as one, step by step; the caller's.\n");
    std::printf("%-6s %-40s %12s %12s %12s\n", "", "", "captured us", "stepwise us", "enqueue us");
    for (const GraphProblem& problem : problems) {
        const GraphResult result =
            runGraphProblem(problem, run.choice.backend, run.cpu ? 200 : 5000);
        std::printf("%s\n", fmt::format("{:<6} {:<40} {:>12.2f} {:>12.2f} {:>12.2f}", problem.id,
                                        problem.describe(), result.capturedUs, result.stepwiseUs,
                                        result.enqueueUs)
                                .c_str());
        std::fflush(stdout);
        run.report["results"].push_back({{"problem", problem.id},
                                         {"what", problem.describe()},
                                         {"captured_us", result.capturedUs},
                                         {"stepwise_us", result.stepwiseUs},
                                         {"enqueue_us", result.enqueueUs}});
    }
    run.finish();
}

/// For `echolux`, which completes the benches' words, too.
void addTree(CLI::App& bench) {
    CLI::App* tree = bench.add_subcommand("tree", "The benches and their options, as JSON");
    tree->group("");
    tree->callback([&bench] { fmt::print("{}\n", jsonOf(textOf(bench))); });
}

void addBenches(CLI::App& bench) {
    CLI::App* das = bench.add_subcommand("das", "Delay and sum: problems D1 to D4r (RF, IQ), A1 "
                                                "to A2a, C1, C3 (analytic signals) on random "
                                                "data");
    auto dasOptions = std::make_shared<BenchOptions>();
    addCommon(*das, dasOptions, "D1,D2");
    das->add_flag(
        "--sweep", dasOptions->sweep,
        "Try every way to divide the kernel's work, and the sums that could stand in its place");
    das->callback([dasOptions] { runDas(*dasOptions); });

    CLI::App* oct = bench.add_subcommand(
        "oct", "OCT chain: problems O1 to O3 (m: moving average, p: packed 12 bit), N1 to N2 "
               "(S4's: moving average, NUFFT gridding 1.25 to 2 times as fine)");
    auto octOptions = std::make_shared<BenchOptions>();
    addCommon(*oct, octOptions, "O1,O1mp");
    auto* separate =
        oct->add_flag("--separate", octOptions->separate, "Run the stages one by one, not fused");
    oct->add_flag(
           "--original", octOptions->original,
           "Run the original program of Tschupp 2019, section 2.2: its chain stage by stage, "
           "DC removal by Fourier bins, one buffer at a time from and to pageable memory")
        ->excludes(separate);
    oct->callback(
        [octOptions] { octOptions->original ? runOriginalOct(*octOptions) : runOct(*octOptions); });
    addBenchStream(bench);
    addBenchInterpolation(bench);
    addBenchDocuments(bench);
    addBenchModel(bench);
    addBenchBubbles(bench);

    CLI::App* graph = bench.add_subcommand(
        "graph", "Time that frames take besides their computing: problems G1 to G3, tiny frames");
    auto graphOptions = std::make_shared<BenchOptions>();
    addCommon(*graph, graphOptions, "G1,G2");
    graph->callback([graphOptions] { runGraphs(*graphOptions); });

    CLI::App* front = bench.add_subcommand(
        "front", "Ultrasound front end, codes to filtered samples: problems F1 to F5");
    auto frontOptions = std::make_shared<BenchOptions>();
    addCommon(*front, frontOptions, "F1,F2");
    front->callback([frontOptions] { runFront(*frontOptions); });

    CLI::App* flow = bench.add_subcommand(
        "flow", "Tissue removed from ensembles, and flow of the rest: problems V1 to V7");
    auto flowOptions = std::make_shared<BenchOptions>();
    addCommon(*flow, flowOptions, "V1,V2");
    flow->callback([flowOptions] { runFlow(*flowOptions); });

    CLI::App* beamformers = bench.add_subcommand(
        "beamformers", "combine alone, each method on delayed signals: problems B1 to B9e");
    auto beamformerOptions = std::make_shared<BenchOptions>();
    addCommon(*beamformers, beamformerOptions, "B3,B9");
    beamformers->callback([beamformerOptions] { runBeamformers(*beamformerOptions); });
    addTree(bench);
}

} // namespace

int runBench(int argc, char** argv) {
    static const Program kBench{"echolux bench", "Measure how fast a computation runs", "",
                                addBenches};
    return runProgramOf(kBench, argc, argv);
}

} // namespace echolux
