// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the amplitudes behind levels.
#include "app/session/uncompressed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux {
namespace {

bool isLevels(const FrameSpec& spec) { return spec.valueRange && spec.valueRange->unit == "dB"; }

} // namespace

std::optional<std::string> stageBeforeLevels(const Snapshot& snapshot, std::size_t view) {
    const FrameSpec& shown = snapshot.outputOf(snapshot.views[view].source);
    Source source = snapshot.resolved(snapshot.views[view].source);
    for (std::size_t n = 0; n < snapshot.stages.size() && isLevels(shown); ++n) {
        if (source.isRecording() || source.ofFrameBefore) return std::nullopt;
        const StageState& stage = snapshot.stages[source.stage];
        if (stage.sources.size() != 1) return std::nullopt;
        source = snapshot.resolved(stage.sources[0]);
        const FrameSpec& before = stage.input();
        if (isLevels(before)) continue;
        const bool isPlain = !source.isRecording() && source.output == 0 && !source.ofFrameBefore;
        if (!isPlain || before.dtype != DType::F32 || before.axes != shown.axes)
            return std::nullopt;
        return snapshot.stages[source.stage].id;
    }
    return std::nullopt;
}

std::optional<std::string> stageWithPhasors(const Snapshot& snapshot, std::size_t view) {
    const FrameSpec& shown = snapshot.outputOf(snapshot.views[view].source);
    Source source = snapshot.resolved(snapshot.views[view].source);
    for (std::size_t n = 0; n <= snapshot.stages.size(); ++n) {
        if (source.isRecording() || source.ofFrameBefore) return std::nullopt;
        const FrameSpec& output = snapshot.outputOf(source);
        if (output.axes != shown.axes) return std::nullopt;
        const StageState& stage = snapshot.stages[source.stage];
        if (output.dtype == DType::ComplexF32)
            return source.output == 0 ? std::optional(stage.id) : std::nullopt;
        if (stage.sources.size() != 1) return std::nullopt;
        source = snapshot.resolved(stage.sources[0]);
    }
    return std::nullopt;
}

bool restoreLevels(std::span<float> levelsDb, std::span<const float> amplitudes) {
    if (levelsDb.size() != amplitudes.size()) return false;
    std::size_t peak = levelsDb.size();
    float lowest = std::numeric_limits<float>::max();
    float highest = std::numeric_limits<float>::lowest();
    for (std::size_t n = 0; n < levelsDb.size(); ++n) {
        if (std::isnan(levelsDb[n])) continue; // no data
        if (peak == levelsDb.size() || amplitudes[n] > amplitudes[peak]) peak = n;
        lowest = std::min(lowest, levelsDb[n]);
        highest = std::max(highest, levelsDb[n]);
    }
    if (peak == levelsDb.size() || !(amplitudes[peak] > 0.0F)) return false;
    const float shift = levelsDb[peak] - 20.0F * std::log10(amplitudes[peak]);
    const auto restored = [&](std::size_t n) { return 20.0F * std::log10(amplitudes[n]) + shift; };
    constexpr float kTolerance = 0.05F; // dB
    for (std::size_t n = 0; n < levelsDb.size(); ++n) {
        const bool isWithin =
            levelsDb[n] > lowest + kTolerance && levelsDb[n] < highest - kTolerance;
        if (isWithin && std::abs(restored(n) - levelsDb[n]) > kTolerance) return false;
    }
    for (std::size_t n = 0; n < levelsDb.size(); ++n) {
        if (std::isnan(levelsDb[n])) continue;
        levelsDb[n] = amplitudes[n] > 0.0F ? restored(n) : lowest;
    }
    return true;
}

} // namespace echolux
