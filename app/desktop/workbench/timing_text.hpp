// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the statistics, in the window's words and as JSON.
#pragma once

#include "app/desktop/workbench/run_notes.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/session/stream/frame_traces.hpp"
#include "app/session/stream/statistics.hpp"
#include "gpu/exec/exec.hpp"
#include "ui/performance/readouts.hpp"
#include "ui/performance/timeline.hpp"

#include <QJsonObject>
#include <QString>

#include <optional>
#include <vector>

namespace echolux {

/// Times of the upload and of every step, each with a unique name. `notes`: runNotes() of the
/// snapshot.
std::vector<StageTime> stageTimes(const Snapshot& snapshot, const Statistics& now,
                                  const RunNotes& notes);
Milliseconds milliseconds(const StepTimes& times);
/// Why timing the stages separately would change nothing: no stages run as one. Empty where it
/// would, and while it is on.
QString whyNotSeparately(const Statistics& now, Backend backend);

/// Processing speed relative to the probe, see RealTimeReadouts. Empty where the frames are no
/// channel data. What is not known is 0: while playback is frozen how fast frames are played, and
/// until a few frames in a row were timed how fast they are computed.
std::optional<RealTimeReadouts> realTimeOf(const FrameSpec& recorded, const Statistics& now,
                                           bool playing);

/// "unit", "frame", "upload" and "steps" with last, mean and percentile_99; each step has the ids
/// of its stages, and "held_bytes" of their tables. "separately": whether stages are timed one by
/// one.
QJsonObject timesJson(const Statistics& now);

/// One row per lane of each slot, then the row "display": from the frame's publication to its
/// display. Covers the latest frames since the last pause of a second or more.
Timeline timelineOf(const Snapshot& snapshot, const std::vector<FrameTrace>& traces);

} // namespace echolux
