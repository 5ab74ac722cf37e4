// SPDX-License-Identifier: GPL-3.0-or-later
// Options of benches, and the file with their figures.
#include "app/bench/report.hpp"

#include "app/command_line/options.hpp"

#include <cstdio>

namespace echolux {

BenchRun::BenchRun(const BenchOptions& options, const char* bench)
    : choice(chooseBackend(options.backend, options.gpu)), cpu(choice.backend == Backend::Cpu),
      repeat(options.repeat > 0 ? options.repeat
             : cpu              ? 3
                                : 21) {
    if (!options.json.empty()) json.emplace(options.json);
    report = {{"bench", bench},          {"backend", nameOf(choice.backend)},
              {"device", choice.device}, {"repeat", repeat},
              {"reduced", cpu},          {"results", nlohmann::ordered_json::array()}};
}

void BenchRun::printHead(const char* what, const char* reduction) const {
    std::printf("%s on %s (%s); medians of %d runs after warm-up.\n", what, choice.device.c_str(),
                std::string(nameOf(choice.backend)).c_str(), repeat);
    if (cpu) std::printf("Reduced for the CPU: %s.\n", reduction);
}

void BenchRun::finish() {
    if (!json) return;
    json->finish(report.dump(2) + '\n');
}

void addCommon(CLI::App& bench, const std::shared_ptr<BenchOptions>& options,
               const std::string& example) {
    bench.add_option("--backend", options->backend, "auto, cuda or cpu")->capture_default_str();
    addDeviceTo(bench, options->gpu);
    bench.add_option("--problem", options->problems, "Only these, for example " + example)
        ->delimiter(',');
    bench.add_option("--repeat", options->repeat, "Timed runs (default: 21 on CUDA, 3 on the CPU)")
        ->check(CLI::Range(1, 10000));
    bench.add_option("--json", options->json, "Write the figures to this file");
}

} // namespace echolux
