// SPDX-License-Identifier: GPL-3.0-or-later
// What the statistics tell of times, in the window's words and as JSON.
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

/// The upload and every step, each under a name of its own. `notes`: runNotes() of the snapshot.
std::vector<StageTime> stageTimes(const Snapshot& snapshot, const Statistics& now,
                                  const RunNotes& notes);
Milliseconds milliseconds(const StepTimes& times);
/// Why stages cannot be timed separately; empty where they can.
QString whyNotSeparately(const Statistics& now, Backend backend);

/// How fast frames come against the probe; nothing where the recording does not tell its rate.
std::optional<RealTimeReadouts> realTimeOf(const FrameSpec& recorded, const Statistics& now);

/// "unit", "frame", "upload", "steps": last, mean and percentile_99 each, and of each step the ids
/// of its stages; "separately".
QJsonObject timesJson(const Statistics& now);

/// A row per stream of each slot, then the display: from published to swapped. Of the latest frames
/// as far as they came without a pause of a second.
Timeline timelineOf(const Snapshot& snapshot, const std::vector<FrameTrace>& traces);

} // namespace echolux
