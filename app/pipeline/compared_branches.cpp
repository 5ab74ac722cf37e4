// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pipeline/compared_branches.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace echolux {
namespace {

constexpr const char* kCompare = "compare";

/// Stages from the recording to the source, by their first inputs.
std::vector<std::size_t> branchTo(const Snapshot& snapshot, Source source) {
    std::vector<std::size_t> stages;
    while (!source.isRecording() && stages.size() < snapshot.stages.size()) {
        stages.push_back(source.stage);
        source = snapshot.stages[source.stage].sources.front();
    }
    std::ranges::reverse(stages);
    return stages;
}

bool runAlike(const StageState& a, const StageState& b) {
    return a.bypass == b.bypass && a.alone == b.alone && a.onCpu == b.onCpu;
}

std::vector<std::string> differingKeys(const StageState& a, const StageState& b) {
    std::vector<std::string> keys;
    for (const ParamRow& row : a.type->table.rows())
        if (a.params.get(row.key) != b.params.get(row.key))
            keys.push_back(fmt::format("'{}'", row.key));
    return keys;
}

} // namespace

std::vector<std::string> unevenBranches(const Snapshot& snapshot) {
    std::vector<std::string> sentences;
    for (const StageState& stage : snapshot.stages) {
        if (stage.type->id != kCompare || stage.bypass || stage.sources.size() < 2) continue;
        const auto first = branchTo(snapshot, stage.sources[0]);
        const auto second = branchTo(snapshot, stage.sources[1]);
        const auto sameType = [&](std::size_t i, std::size_t k) {
            return snapshot.stages[i].type == snapshot.stages[k].type;
        };
        if (!std::ranges::equal(first, second, sameType)) continue;
        bool runDifferently = false;
        std::vector<std::string> differences;
        for (std::size_t n = 0; n < first.size(); ++n) {
            const StageState& a = snapshot.stages[first[n]];
            const StageState& b = snapshot.stages[second[n]];
            runDifferently = runDifferently || !runAlike(a, b);
            const std::vector<std::string> keys = differingKeys(a, b);
            if (!keys.empty())
                differences.push_back(
                    fmt::format("'{}' and '{}' in {}", a.id, b.id, fmt::join(keys, ", ")));
        }
        if (differences.size() + (runDifferently ? 1U : 0U) < 2) continue;
        sentences.push_back(fmt::format(
            "The branches that '{}' compares differ in more than one way: {}. Set the same values "
            "in both, unless their difference is meant.",
            stage.id, fmt::join(differences, "; ")));
    }
    return sentences;
}

} // namespace echolux
