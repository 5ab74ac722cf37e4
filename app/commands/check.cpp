// SPDX-License-Identifier: GPL-3.0-or-later
// echolux check pairs: every kind of array, transmit and signal with every pipeline, measurement
// and export.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/offscreen_fonts.hpp"
#include "app/pairs/pair_table.hpp"
#include "app/pairs/pairs.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <QTemporaryDir>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace echolux {
namespace {

struct PairsOptions {
    std::vector<std::string> arrays;
    std::vector<std::string> transmits;
    std::vector<std::string> kindsOfSignal;
    std::vector<std::string> kinds;
    std::vector<std::string> names;
    std::size_t rows = 0; ///< of a sample; 0: all
    double share = 0.25;
    std::uint64_t seed = 1;
    std::string backend = "cpu";
    int gpu = 0;
    bool refusals = false;
};

bool isWanted(const std::vector<std::string>& wanted, std::string_view name) {
    return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
}

std::vector<pairs::Pair> pairsOf(const PairsOptions& o) {
    std::vector<pairs::Pair> chosen =
        o.rows == 0 ? pairs::allPairs() : pairs::sampleOfPairs(o.seed, o.rows, o.share);
    std::erase_if(chosen, [&](const pairs::Pair& pair) {
        return !isWanted(o.arrays, pair.acquired.array->name) ||
               !isWanted(o.transmits, pair.acquired.transmit->name) ||
               !isWanted(o.kindsOfSignal, nameOf(pair.acquired.signal)) ||
               !isWanted(o.kinds, pair.kind) || !isWanted(o.names, pair.name);
    });
    if (chosen.empty())
        throw Error("No pair has these names; 'echolux check pairs --help' lists what there is.");
    return chosen;
}

void checkPairs(const PairsOptions& o) {
    const std::vector<pairs::Pair> chosen = pairsOf(o);
    const Backend backend = chooseBackend(o.backend, o.gpu).backend;
    const auto fonts = offscreenFonts();
    const QTemporaryDir folder;
    if (!folder.isValid()) throw Error("There is no place for temporary files; free some space.");
    pairs::SceneRecordings recordings(folder.path().toStdString());
    std::vector<pairs::PairResult> results;
    for (const pairs::Pair& pair : chosen) {
        results.push_back(runPair(pair, recordings, backend));
        if (results.back().outcome == pairs::Outcome::Wrong)
            std::fprintf(stderr, "%s", pairs::wrongOf({results.back()}).c_str());
    }
    std::fputs((pairs::tableOf(results) + "\n" + pairs::groupsOf(results)).c_str(), stdout);
    if (o.refusals) std::fputs(("\n" + pairs::refusalsOf(results)).c_str(), stdout);
    const std::size_t wrong = countOf(results, pairs::Outcome::Wrong);
    if (wrong > 0)
        throw Error(fmt::format("{} of {} pairs are wrong, and said above what is.", wrong,
                                results.size()));
}

template <class Rows> std::string listedNames(const Rows& rows) {
    std::string names;
    for (const auto& row : rows) names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

std::string kindNames() {
    std::string names;
    for (const std::string& kind : pairs::checkKinds()) names += (names.empty() ? "" : ", ") + kind;
    return names;
}

} // namespace

void addCheck(CLI::App& app) {
    CLI::App& check =
        *app.add_subcommand("check", "Check the program on recordings of known truth");
    check.require_subcommand(1);
    auto options = std::make_shared<PairsOptions>();
    PairsOptions& o = *options;
    CLI::App& command = *check.add_subcommand(
        "pairs", "Simulate every kind of array, transmit and signal, and run every pipeline, "
                 "measurement and export on each; each pair is right, or refused as expected");
    command.add_option("--array", o.arrays,
                       "Only these arrays: " + listedNames(echolux::pairs::arrayRows()));
    command.add_option("--transmit", o.transmits,
                       "Only these transmits: " + listedNames(echolux::pairs::transmitRows()));
    command.add_option("--signal", o.kindsOfSignal, "Only these signals: RF, IQ");
    command.add_option("--kind", o.kinds, "Only these kinds of pairs: " + kindNames());
    command.add_option("--name", o.names, "Only these pipelines, measurements or endings");
    command.add_option("--rows", o.rows, "A sample of so many rows; 0: all")->capture_default_str();
    command
        .add_option("--share", o.share,
                    "Share of the pipelines, measurements and exports of a "
                    "sample's rows")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--seed", o.seed, "Seed of the sample")->capture_default_str();
    command.add_option("--backend", o.backend, "auto, cuda or cpu")
        ->check(CLI::IsMember({"auto", "cuda", "cpu"}))
        ->capture_default_str();
    addDeviceTo(command, o.gpu);
    command.add_flag("--refusals", o.refusals, "Print what is refused and why");
    command.callback([options] { checkPairs(*options); });
}

} // namespace echolux
