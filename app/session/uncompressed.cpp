// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the amplitudes behind levels.
#include "app/session/uncompressed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux {
namespace {

bool isLevels(const FrameSpec& spec) { return spec.valueRange && spec.valueRange->unit == "dB"; }

/// The output of the stage before the image of `shownSource` becomes levels; see
/// stageBeforeLevels().
std::optional<std::string> beforeLevels(const Snapshot& snapshot, const Source& shownSource) {
    const FrameSpec& shown = snapshot.outputOf(shownSource);
    Source source = snapshot.resolved(shownSource);
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

std::string keptName(const Snapshot& snapshot, const Source& source) {
    const StageState& stage = snapshot.stages[source.stage];
    return source.output == 0 ? stage.id
                              : stage.type->outputNames()[source.output] + '@' + stage.id;
}

} // namespace

std::optional<std::string> stageBeforeLevels(const Snapshot& snapshot, std::size_t view) {
    return beforeLevels(snapshot, snapshot.views[view].source);
}

std::optional<LinesBehind> linesBehind(const Snapshot& snapshot, std::size_t view) {
    const Source source = snapshot.resolved(snapshot.views[view].source);
    if (source.isRecording() || source.ofFrameBefore) return std::nullopt;
    const StageState& conversion = snapshot.stages[source.stage];
    const bool converts = conversion.sources.size() == 1 && conversion.input().sector != nullptr &&
                          snapshot.outputOf(source).within != nullptr;
    if (!converts || conversion.input().dtype != DType::F32) return std::nullopt;
    const Source lines = snapshot.resolved(conversion.sources[0]);
    if (lines.isRecording() || lines.ofFrameBefore) return std::nullopt;
    return LinesBehind{keptName(snapshot, lines), conversion.input(),
                       beforeLevels(snapshot, lines)};
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
    std::optional<std::size_t> peak;
    float lowest = std::numeric_limits<float>::infinity();
    float highest = -lowest;
    for (std::size_t n = 0; n < levelsDb.size(); ++n) {
        if (std::isnan(levelsDb[n]) || std::isnan(amplitudes[n])) continue;
        if (!peak || amplitudes[n] > amplitudes[*peak]) peak = n;
        lowest = std::min(lowest, levelsDb[n]);
        highest = std::max(highest, levelsDb[n]);
    }
    if (!peak || !(amplitudes[*peak] > 0.0F)) return false;
    const double top = levelsDb[*peak];
    const double reference = amplitudes[*peak];
    // Ratios, so that the brightest pixel keeps its level without rounding.
    const auto restored = [&](std::size_t n) {
        return static_cast<float>(top + 20.0 * std::log10(amplitudes[n] / reference));
    };
    constexpr float kTolerance = 0.05F; // dB
    for (std::size_t n = 0; n < levelsDb.size(); ++n) {
        const bool isWithin =
            levelsDb[n] > lowest + kTolerance && levelsDb[n] < highest - kTolerance;
        if (isWithin && std::abs(restored(n) - levelsDb[n]) > kTolerance) return false;
    }
    for (std::size_t n = 0; n < levelsDb.size(); ++n)
        if (!std::isnan(levelsDb[n])) levelsDb[n] = amplitudes[n] > 0.0F ? restored(n) : lowest;
    return true;
}

} // namespace echolux
