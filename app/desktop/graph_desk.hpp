// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline's graph at work: it shows the pipeline in force, and what people do to it is done.
#pragma once

#include "app/desktop/pipeline_graph.hpp"

#include <QObject>

#include <functional>

namespace echolux {

class MainWindow;
class PipelineDesk;
class Session;

class GraphDesk : public QObject {
    Q_OBJECT
public:
    GraphDesk(MainWindow& window, Session& session, PipelineDesk& pipelines);

    /// After every change of the pipeline; cheap where stages, links, views and switches stay.
    void follow();
    /// What stages take now, alone or together.
    void showTimes(const std::vector<StageDuration>& durations);

private:
    void link(const QString& from, const QString& to, const QString& port);
    void insert(const QString& type, const QString& from, const QString& to, const QString& port);
    /// One step; then the stage that came with it is chosen.
    void edit(const QString& what, const std::function<PipelineConfig(const Snapshot&)>& make);
    void show();
    QString nameOf(const QString& node) const;

    MainWindow& m_window;
    Session& m_session;
    PipelineDesk& m_pipelines;
    SnapshotPtr m_shown; ///< with the structure that the graph has
    QString m_recording;
    QHash<QString, QString> m_reasons; ///< why stages cannot be bypassed
    StageTimes m_times;
};

} // namespace echolux
