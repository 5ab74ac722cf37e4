// SPDX-License-Identifier: GPL-3.0-or-later
// echolux bench das: how fast delay and sum runs on the problems of a published comparison.
#include "app/commands/bench_das.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/output_file.hpp"

#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {
namespace {

struct BenchOptions {
    std::string backend = "auto";
    std::string json;
    std::vector<std::string> problems;
    int repeat = 0; ///< 0: 21 on CUDA, 3 on the CPU
    bool sweep = false;
};

std::vector<DasProblem> chosenProblems(const BenchOptions& options, bool reduced) {
    const std::vector<DasProblem> all = dasProblems(reduced);
    if (options.problems.empty()) return all;
    std::vector<DasProblem> chosen;
    for (const std::string& id : options.problems) {
        const auto at = std::ranges::find(all, id, &DasProblem::id);
        if (at == all.end()) {
            std::vector<std::string> known;
            for (const DasProblem& problem : all) known.push_back(problem.id);
            throw Error(fmt::format("bench das: there is no problem '{}'; choose from {}.", id,
                                    fmt::join(known, ", ")));
        }
        chosen.push_back(*at);
    }
    return chosen;
}

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
    const BackendChoice choice = chooseBackend(options.backend);
    const bool cpu = choice.backend == Backend::Cpu;
    const auto problems = chosenProblems(options, cpu);
    std::optional<OutputFile> json;
    if (!options.json.empty()) json.emplace(options.json);
    const Stream stream(choice.backend, "bench");
    const int repeat = options.repeat > 0 ? options.repeat : cpu ? 3 : 21;
    const DasBench bench({choice.backend, stream.get()}, repeat);
    std::printf("Delay and sum on %s (%s); medians of %d runs after warm-up.\n",
                choice.device.c_str(), std::string(nameOf(choice.backend)).c_str(), repeat);
    if (cpu) std::printf("Reduced for the CPU: at most 5 transmits, 1 frame.\n");
    std::printf(
        "points = pixels x elements x transmits x frames; pack = laying out the samples, in "
        "addition to the kernel.\n");
    nlohmann::ordered_json report = {
        {"bench", "das"},          {"backend", nameOf(choice.backend)},
        {"device", choice.device}, {"repeat", repeat},
        {"reduced", cpu},          {"results", nlohmann::ordered_json::array()}};
    for (const DasProblem& problem : problems) {
        std::printf("%s: %s, %s to %s\n", problem.id.c_str(), problem.what.c_str(),
                    problem.input.describe().c_str(),
                    das::imageSpec(problem.input, problem.params).describe().c_str());
        std::printf("  %-42s %10s %10s %12s %10s\n", "", "kernel ms", "pack ms", "points/s",
                    "deviation");
        std::vector<das::TunedVariant> variants{das::TunedVariant{}};
        if (options.sweep) {
            for (const das::TunedVariant& variant : dasVariants(problem)) {
                variants.push_back(variant);
            }
        }
        auto results = bench.run(problem, variants);
        for (const DasResult& result : results) {
            print(result);
            report["results"].push_back(toJson(problem, result));
        }
        if (results.size() > 1) {
            std::printf("  best:\n");
            print(*std::ranges::min_element(results, {}, &DasResult::sumMs));
        }
    }
    if (json) {
        json->device().write(QByteArray::fromStdString(report.dump(2) + '\n'));
        json->commit();
    }
}

} // namespace

void addBench(CLI::App& app) {
    CLI::App* bench = app.add_subcommand("bench", "Measure how fast a computation runs");
    bench->require_subcommand(1);
    CLI::App* das = bench->add_subcommand(
        "das", "Delay and sum: problems D1, D2, D2a, D3, D4, D4r on random data");
    auto options = std::make_shared<BenchOptions>();
    das->add_option("--backend", options->backend, "auto, cuda or cpu")->capture_default_str();
    das->add_option("--problem", options->problems, "Only these, for example D1,D2")
        ->delimiter(',');
    das->add_option("--repeat", options->repeat, "Timed runs (default: 21 on CUDA, 3 on the CPU)")
        ->check(CLI::Range(1, 10000));
    das->add_option("--json", options->json, "Write the figures to this file");
    das->add_flag("--sweep", options->sweep, "Try every way to divide the kernel's work");
    das->callback([options] { runDas(*options); });
}

} // namespace echolux
