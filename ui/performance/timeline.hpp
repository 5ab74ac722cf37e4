// SPDX-License-Identifier: GPL-3.0-or-later
// When the parts of the latest frames ran, as the timeline shows it.
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace echolux {

/// Times in milliseconds on one axis for all; the first begins at 0.
struct TimelineBar {
    QString label;          ///< of the stage
    int stage = 0;          ///< for its colour, see stageColour(); below zero: none of them
    std::int64_t frame = 0; ///< counted from 1
    double startMs = 0.0;
    double ms = 0.0;
};

struct TimelineRow {
    QString name; ///< of the stream
    std::vector<TimelineBar> bars;
};

using Timeline = std::vector<TimelineRow>; ///< from top to bottom

} // namespace echolux
