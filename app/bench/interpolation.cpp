// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the filter test as tables and JSON.
#include "app/bench/interpolation.hpp"

#include "app/lab/filter_test.hpp"
#include "gpu/core/whole_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {
namespace {

struct InterpolationOptions {
    std::string json;
    double noise = 0.0;
};

constexpr int kColumnEvery = 5; ///< from one column to the next, in 1/100 cycle per sample

bool isColumn(double frequency) { return std::lround(100.0 * frequency) % kColumnEvery == 0; }

void printTable(const std::vector<lab::Interpolator>& interpolators, const lab::FilterTest& test,
                const std::vector<std::vector<double>>& levels) {
    std::string head = fmt::format("{:<28}", fmt::format("delays 0 to {:g} sample", test.spread));
    for (const double f : test.frequencies)
        if (isColumn(f)) head += fmt::format("{:>7.2f}", f);
    std::printf("%s\n", head.c_str());
    for (std::size_t i = 0; i < interpolators.size(); ++i) {
        std::string row = fmt::format("  {:<26}", interpolators[i].label());
        for (std::size_t f = 0; f < test.frequencies.size(); ++f)
            if (isColumn(test.frequencies[f])) row += fmt::format("{:>7.1f}", levels[i][f]);
        std::printf("%s\n", row.c_str());
    }
}

void addResults(const std::vector<lab::Interpolator>& interpolators, const lab::FilterTest& test,
                const std::vector<std::vector<double>>& levels, nlohmann::ordered_json& results) {
    for (std::size_t i = 0; i < interpolators.size(); ++i) {
        for (std::size_t f = 0; f < test.frequencies.size(); ++f) {
            results.push_back({{"interpolator", interpolators[i].id()},
                               {"cycles_per_sample", test.frequencies[f]},
                               {"spread", test.spread},
                               {"snr_db", levels[i][f]}});
        }
    }
}

void runInterpolation(const InterpolationOptions& options) {
    std::optional<PartialFile> json;
    if (!options.json.empty()) json.emplace(options.json);
    nlohmann::ordered_json report{{"bench", "interpolation"},
                                  {"noise", options.noise},
                                  {"results", nlohmann::ordered_json::array()}};
    std::printf("Signal-to-noise ratio (dB) of pulses whose delays are undone, over cycles per "
                "sample; added noise %g.\n",
                options.noise);
    const std::vector<lab::Interpolator> interpolators = lab::comparedInterpolators();
    for (const double spread : {1.0, 0.5}) {
        const lab::FilterTest test{lab::usualFrequencies(), spread, options.noise};
        const auto levels = lab::signalToNoiseDb(interpolators, test);
        printTable(interpolators, test, levels);
        addResults(interpolators, test, levels, report["results"]);
    }
    if (!json) return;
    json->finish(report.dump(2) + '\n');
}

} // namespace

void addBenchInterpolation(CLI::App& bench) {
    auto options = std::make_shared<InterpolationOptions>();
    CLI::App* interpolation = bench.add_subcommand(
        "interpolation", "Measure how well each interpolation of beamform reads between samples");
    interpolation
        ->add_option("--noise", options->noise,
                     "Noise added to each copy: its RMS divided by the RMS of the signal")
        ->check(CLI::Range(0.0, 10.0))
        ->capture_default_str();
    interpolation->add_option("--json", options->json, "Write the figures to this file");
    interpolation->callback([options] { runInterpolation(*options); });
}

} // namespace echolux
