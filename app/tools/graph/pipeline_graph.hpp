// SPDX-License-Identifier: GPL-3.0-or-later
// A planned pipeline as the graph that the window draws.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "app/session/stream/statistics.hpp"
#include "ui/graph/graph_model.hpp"

#include <QHash>

#include <optional>

namespace echolux {

/// Why stages that run have to: by instance, those that need not are left out. Plans the pipeline
/// once per stage.
QHash<QString, QString> bypassReasons(const Snapshot& snapshot);

/// What the statistics tell of a pipeline's stages.
struct StageTimes {
    QHash<QString, QString> together; ///< by instance: of those that run as one, which these are
    QHash<QString, GraphTimes> ms;    ///< by instance; of those that run as one the first has it
};
/// Stages that have gone meanwhile are left out.
StageTimes timesOf(const Snapshot& snapshot, const std::vector<StageDuration>& durations);

/// `recording`: its name.
GraphModel graphOf(const Snapshot& snapshot, const QString& recording,
                   const QHash<QString, QString>& bypassReasons, const StageTimes& times);
/// Views have ids of their own, since a stage may be called the same.
std::optional<std::string> viewOf(const QString& node);

/// The built-in stages, by what they take.
QList<StageChoice> stageChoices();

} // namespace echolux
