// SPDX-License-Identifier: GPL-3.0-or-later
// Times at which the parts of the latest frames ran, for the timeline.
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace echolux {

/// Times in milliseconds on one common axis. The earliest bar begins at 0.
struct TimelineBar {
    QString label;          ///< label of the stage
    int stage = 0;          ///< for its colour, see stageColour(); negative: no stage
    std::int64_t frame = 0; ///< counted from 1
    double startMs = 0.0;
    double ms = 0.0;
};

struct TimelineRow {
    QString name; ///< name of the stream
    std::vector<TimelineBar> bars;
};

using Timeline = std::vector<TimelineRow>; ///< from top to bottom

} // namespace echolux
