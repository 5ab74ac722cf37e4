// SPDX-License-Identifier: GPL-3.0-or-later
// echolux bench bubbles: prints scores and times.
#include "app/bench/bubbles.hpp"
#include "app/bench/problems.hpp"
#include "app/bench/report.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace echolux {
namespace {

nlohmann::ordered_json toJson(const BubbleScores& scores, double wavelengthM) {
    return {{"jaccard", scores.jaccard()},
            {"precision", scores.precision()},
            {"recall", scores.recall()},
            {"axial_rmse_wavelengths", scores.axialRmseM() / wavelengthM},
            {"lateral_rmse_wavelengths", scores.lateralRmseM() / wavelengthM}};
}

std::string toText(const BubbleScores& scores, double wavelengthM) {
    constexpr double kPercent = 100.0;
    return fmt::format("{:>8.1f} {:>8.1f} {:>8.1f} {:>8.3f} {:>8.3f}", kPercent * scores.jaccard(),
                       kPercent * scores.precision(), kPercent * scores.recall(),
                       scores.axialRmseM() / wavelengthM, scores.lateralRmseM() / wavelengthM);
}

void scoreBubbles(BenchRun& run, const BubbleProblem& problem) {
    const BubbleScene scene(problem);
    const double wavelengthM = problem.setup.wavelengthM();
    std::printf("%s: %s\n", problem.id.c_str(), problem.describe().c_str());
    for (const std::string& method : bubbleMethods()) {
        const BubbleResult result = scene.score(method, run.choice.backend);
        constexpr double kMillimetres = 1e3;
        constexpr double kPercent = 100.0;
        const double speedMmPerS = kMillimetres * result.tracks.speedRmseMps();
        std::printf("%s\n", fmt::format("  {:<17} places {}\n  {:<17} tracks {} {:>8.0f} {:>8.2f} "
                                        "{:>8.1f}",
                                        method, toText(result.places, wavelengthM), "",
                                        toText(result.tracks, wavelengthM), result.trackCount,
                                        speedMmPerS, kPercent * result.saturation)
                                .c_str());
        std::fflush(stdout);
        nlohmann::ordered_json tracks = toJson(result.tracks, wavelengthM);
        tracks["count"] = result.trackCount;
        tracks["velocity_rmse_mm_per_second"] = speedMmPerS;
        tracks["saturation"] = result.saturation;
        run.report["results"].push_back({{"problem", problem.id},
                                         {"what", problem.describe()},
                                         {"method", method},
                                         {"places", toJson(result.places, wavelengthM)},
                                         {"tracks", tracks}});
    }
}

void timeBubbles(BenchRun& run) {
    const BubbleChain chain = runBubbleChain(run.choice.backend, run.repeat);
    std::printf("%s\n",
                fmt::format("{} images of {} x {} at once, {} bubbles ({:.1f} tracked): {:.4g} "
                            "frames/s; ms: envelope {:.4f}, localise {:.4f}, track {:.4f}, "
                            "accumulate {:.4f}",
                            BubbleChain::kFrames, BubbleChain::kSide, BubbleChain::kSide,
                            BubbleChain::kBubbles, chain.listed, chain.framesPerS(),
                            chain.envelopeMs, chain.localiseMs, chain.trackMs, chain.accumulateMs)
                    .c_str());
    run.report["chain"] = {{"frames_per_second", chain.framesPerS()},
                           {"ensemble_ms", chain.ensembleMs},
                           {"envelope_ms", chain.envelopeMs},
                           {"localise_ms", chain.localiseMs},
                           {"track_ms", chain.trackMs},
                           {"accumulate_ms", chain.accumulateMs},
                           {"tracked_bubbles", chain.listed}};
}

void runBubbles(const BenchOptions& options) {
    BenchRun run(options, "bubbles");
    const auto problems = chosenProblems(bubbleProblems(), options.problems, "bubbles");
    run.printHead("Bubbles", "fewer runs");
    std::printf("Simulated bubbles in two tubes, by the pipeline bubble_tracks, against where they "
                "are; pairs within a\nquarter of a wavelength. Root mean squares in wavelengths; "
                "velocity: of the vector's error, mm/s;\nsaturation: fine pixels in the tubes that "
                "a track went through.\n");
    std::printf("  %-17s        %8s %8s %8s %8s %8s %8s %8s %8s\n", "", "Jaccard", "precis.",
                "recall", "axial", "lateral", "tracks", "velocity", "saturat.");
    for (const BubbleProblem& problem : problems) scoreBubbles(run, problem);
    timeBubbles(run);
    run.finish();
}

} // namespace

void addBenchBubbles(CLI::App& bench) {
    CLI::App* bubbles = bench.add_subcommand(
        "bubbles", "How well bubbles are localised and tracked, and how fast: problems B1 (the "
                   "bundled recording), B2");
    auto bubbleOptions = std::make_shared<BenchOptions>();
    addCommon(*bubbles, bubbleOptions, "B1");
    bubbles->callback([bubbleOptions] { runBubbles(*bubbleOptions); });
}

} // namespace echolux
