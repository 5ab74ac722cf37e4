// SPDX-License-Identifier: GPL-3.0-or-later
// Converts a planned pipeline to the graph that the window draws.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "app/session/stream/statistics.hpp"
#include "ui/graph/graph_model.hpp"

#include <QHash>

#include <optional>

namespace echolux {

/// For each instance that cannot be bypassed, the reason. Plans the pipeline once per stage.
QHash<QString, QString> bypassReasons(const Snapshot& snapshot);

/// Measured times of a pipeline's stages.
struct StageTimes {
    /// By instance, only for stages that run as one step: label of the step.
    QHash<QString, QString> together;
    /// By instance; of stages that run as one step only the first has an entry.
    QHash<QString, GraphTimes> ms;
};
/// Durations of stages that are not in `snapshot` are left out.
StageTimes timesOf(const Snapshot& snapshot, const std::vector<StageDuration>& durations);

/// `recording`: name of the recording.
GraphModel graphOf(const Snapshot& snapshot, const QString& recording,
                   const QHash<QString, QString>& bypassReasons, const StageTimes& times);
/// Id of the view that `node` shows; empty where the node is no view. Nodes of views have ids of
/// their own, because a stage may have the same name.
std::optional<std::string> viewOf(const QString& node);

/// The built-in stages, grouped by what their input is.
QList<StageChoice> stageChoices();

} // namespace echolux
