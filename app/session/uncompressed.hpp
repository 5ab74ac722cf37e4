// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages before a view know of its image: amplitudes beyond the displayed levels, phases,
// and the samples along beams that scan conversion made it of.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace echolux {

/// The stage whose output is the image of view number `view` before it becomes levels in dB: f32
/// with the same axes. Empty where the view shows no levels, or where its pixels are made of
/// levels.
std::optional<std::string> stageBeforeLevels(const Snapshot& snapshot, std::size_t view);

/// What scan conversion makes the image of a view of. Names are those of kept outputs, see
/// keptSource().
struct LinesBehind {
    std::string lines;                          ///< in beam space, f32
    FrameSpec spec;                             ///< of `lines`
    std::optional<std::string> amplitudes = {}; ///< of `lines`, see stageBeforeLevels()
};
/// Empty where the view does not show the result of scan conversion as it is.
std::optional<LinesBehind> linesBehind(const Snapshot& snapshot, std::size_t view);

/// The last stage whose output is a complex image with the axes of view number `view`, where the
/// view is made of it alone. Empty where there is none.
std::optional<std::string> stageWithPhasors(const Snapshot& snapshot, std::size_t view);

/// Compression limits levels to the displayed range. This puts 20 log10 of the amplitude in place
/// of all levels, shifted so that the brightest pixel keeps its level. False, and nothing changed,
/// where levels within the range are not those of the amplitudes. What is not a number stays so.
bool restoreLevels(std::span<float> levelsDb, std::span<const float> amplitudes);

} // namespace echolux
