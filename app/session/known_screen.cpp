// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/known_screen.hpp"

#include "gpu/stages/aberrating_screen.hpp"

namespace echolux {
namespace {

/// The effect of two screens one behind the other.
AberrationTruth passedBoth(const AberrationTruth& one, const AberrationTruth& other) {
    AberrationTruth both = one;
    if (both.amplitude.empty()) both.amplitude.assign(one.delayS.size(), 1.0);
    for (std::size_t e = 0; e < both.delayS.size(); ++e) {
        both.delayS[e] += other.delayS[e];
        if (!other.amplitude.empty()) both.amplitude[e] *= other.amplitude[e];
    }
    return both;
}

} // namespace

std::optional<AberrationTruth> screensBefore(const Snapshot& snapshot, Source last) {
    std::optional<AberrationTruth> all;
    for (Source at = last; !at.isRecording(); at = snapshot.stages[at.stage].sources[0]) {
        const StageState& stage = snapshot.stages[at.stage];
        if (!stage.type->has<AberratingScreenParams>() || stage.bypass) continue;
        const echoes::ElementScreen put = screenBefore(stage.input().acquisition->probe,
                                                       stage.params.as<AberratingScreenParams>());
        const AberrationTruth own{put.delayS, put.amplitude};
        all = all ? passedBoth(*all, own) : own;
    }
    return all;
}

std::optional<AberrationTruth> knownScreen(const std::optional<AberrationTruth>& put,
                                           const AberrationTruth* recorded) {
    if (recorded == nullptr) return put;
    if (!put || put->delayS.size() != recorded->delayS.size()) return *recorded;
    return passedBoth(*put, *recorded);
}

} // namespace echolux
