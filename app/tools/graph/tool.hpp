// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Graph": shows the pipeline in force and carries out the user's edits.
#pragma once

#include "app/tools/graph/pipeline_graph.hpp"

#include <QObject>

#include <functional>

namespace echolux {

class GraphView;
class Workbench;

class GraphTool : public QObject {
    Q_OBJECT
public:
    GraphTool(GraphView& view, Workbench& bench);

private:
    /// Does nothing where stages, links, views, switches, the layout of the frames and the
    /// recording's name are unchanged.
    void syncFromPipeline();
    /// Shows the present time of each stage, or of stages that run as one step.
    void showTimes(const std::vector<StageDuration>& durations);
    void link(const QString& from, const QString& to, const QString& port);
    void insert(const QString& type, const QString& from, const QString& to, const QString& port);
    PipelineConfig inserted(const Snapshot& now, const QString& type, const QString& from,
                            const QString& to, const QString& port) const;
    bool fits(const QString& type, const QString& from, const QString& to,
              const QString& port) const;
    /// Makes one step of the undo list, then selects the stage that it added.
    void edit(const QString& what, const std::function<PipelineConfig(const Snapshot&)>& make);
    void show();
    QString nameOf(const QString& node) const;

    GraphView& m_view;
    Workbench& m_bench;
    SnapshotPtr m_shown; ///< the snapshot whose structure the graph shows
    QString m_recording;
    QHash<QString, QString> m_reasons; ///< why stages cannot be bypassed, by instance
    StageTimes m_times;
};

} // namespace echolux
