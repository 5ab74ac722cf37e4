// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pairs/pair_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

namespace echolux::pairs {
namespace {

std::string rowOf(const Acquired& of) {
    return fmt::format("{} | {} | {}", of.array->name, of.transmit->name, nameOf(of.signal));
}

/// A figure of the row's pair of this kind; "-" where it was not run, or has none.
std::string figureIn(const std::vector<const PairResult*>& row, std::string_view kind,
                     std::string_view id, const char* form) {
    for (const PairResult* result : row) {
        if (result->pair.kind != kind) continue;
        const auto at = std::ranges::find(result->figures, id, &measure::Figure::id);
        if (at != result->figures.end() && std::isfinite(at->value))
            return fmt::format(fmt::runtime(form), at->value);
    }
    return "-";
}

std::size_t countIn(const std::vector<const PairResult*>& row, Outcome outcome) {
    return static_cast<std::size_t>(std::ranges::count(row, outcome, &PairResult::outcome));
}

/// " right / refused / wrong (worst figure) |"
std::string cellOf(const std::vector<const PairResult*>& group) {
    if (group.empty()) return " - |";
    std::string worst;
    double most = 0.0;
    for (const PairResult* result : group)
        for (const measure::Figure& figure : result->figures) {
            if (figure.id != "offset" && figure.id != "difference") continue;
            if (worst.empty() || figure.value > most) {
                most = figure.value;
                worst = fmt::format(" ({:.2g})", most);
            }
        }
    return fmt::format(" {} / {} / {}{} |", countIn(group, Outcome::Right),
                       countIn(group, Outcome::Refused), countIn(group, Outcome::Wrong), worst);
}

} // namespace

std::size_t countOf(const std::vector<PairResult>& results, Outcome outcome) {
    return static_cast<std::size_t>(std::ranges::count(results, outcome, &PairResult::outcome));
}

std::string tableOf(const std::vector<PairResult>& results) {
    std::vector<std::pair<std::string, std::vector<const PairResult*>>> rows;
    for (const PairResult& result : results) {
        const std::string name = rowOf(result.pair.acquired);
        if (rows.empty() || rows.back().first != name) rows.push_back({name, {}});
        rows.back().second.push_back(&result);
    }
    std::string text = "| array | transmit | signal | points off, wavelengths | loss, dB | speckle "
                       "SNR (beamformed) | contrast, dB (beamformed) | speed of the vessel's | "
                       "right | refused | wrong |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (const auto& [name, row] : rows)
        text += fmt::format("| {} | {} | {} | {} ({}) | {} ({}) | {} | {} | {} | {} |\n", name,
                            figureIn(row, "points", "offset", "{:.3f}"),
                            figureIn(row, "points", "loss", "{:.2f}"),
                            figureIn(row, "speckle", "snr", "{:.2f}"),
                            figureIn(row, "speckle", "snr_beamformed", "{:.2f}"),
                            figureIn(row, "speckle", "contrast", "{:.1f}"),
                            figureIn(row, "speckle", "contrast_beamformed", "{:.1f}"),
                            figureIn(row, "flow", "speed", "{:.2f}"), countIn(row, Outcome::Right),
                            countIn(row, Outcome::Refused), countIn(row, Outcome::Wrong));
    return text;
}

std::string groupsOf(const std::vector<PairResult>& results) {
    std::map<std::string_view, std::map<std::string, std::vector<const PairResult*>>> arrays;
    for (const PairResult& result : results)
        arrays[result.pair.acquired.array->name][result.pair.kind].push_back(&result);
    const std::vector<std::string> kinds = checkKinds();
    std::string text = fmt::format("right / refused / wrong (worst)\n\n| array | {} |\n|---|",
                                   fmt::join(kinds, " | "));
    for (std::size_t i = 0; i < kinds.size(); ++i) text += "---|";
    for (const ArrayRow& array : arrayRows()) {
        if (!arrays.contains(array.name)) continue;
        text += fmt::format("\n| {} |", array.name);
        for (const std::string& kind : kinds) text += cellOf(arrays[array.name][kind]);
    }
    return text + "\n";
}

std::string refusalsOf(const std::vector<PairResult>& results) {
    std::map<std::string, std::pair<std::size_t, std::string>> sentences;
    for (const PairResult& result : results) {
        if (result.outcome != Outcome::Refused) continue;
        auto& [count, first] = sentences[result.pair.kind + " " + result.pair.name];
        if (++count == 1) first = result.sentence;
    }
    std::string text;
    for (const auto& [what, refused] : sentences)
        text += fmt::format("{} ({}): {}\n", what, refused.first, refused.second);
    return text;
}

std::string wrongOf(const std::vector<PairResult>& results) {
    std::string text;
    for (const PairResult& result : results)
        if (result.outcome == Outcome::Wrong)
            text += fmt::format("{}: {}\n", result.pair.describe(), result.sentence);
    return text;
}

} // namespace echolux::pairs
