// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline's graph at work: it shows the pipeline in force, and what people do to it is done.
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
    /// Cheap where stages, links, views and switches stay.
    void syncFromPipeline();
    /// What stages take now, alone or together.
    void showTimes(const std::vector<StageDuration>& durations);
    void link(const QString& from, const QString& to, const QString& port);
    void insert(const QString& type, const QString& from, const QString& to, const QString& port);
    /// One step; then the stage that came with it is chosen.
    void edit(const QString& what, const std::function<PipelineConfig(const Snapshot&)>& make);
    void show();
    QString nameOf(const QString& node) const;

    GraphView& m_view;
    Workbench& m_bench;
    SnapshotPtr m_shown; ///< with the structure that the graph has
    QString m_recording;
    QHash<QString, QString> m_reasons; ///< why stages cannot be bypassed
    StageTimes m_times;
};

} // namespace echolux
