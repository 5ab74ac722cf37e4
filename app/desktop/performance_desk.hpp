// SPDX-License-Identifier: GPL-3.0-or-later
// The performance dock at work: counters, rates and times, four times a second; the same as JSON.
#pragma once

#include "app/desktop/pipeline_graph.hpp"
#include "app/session/stream/statistics.hpp"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>

namespace echolux {

class MainWindow;
struct Readouts;
struct RealTimeReadouts;
class Session;
class ViewArea;

class PerformanceDesk : public QObject {
    Q_OBJECT
public:
    PerformanceDesk(MainWindow& window, ViewArea& views, Session& session);

    /// What --stats writes: counts, rates, latency, milliseconds per stage, display path.
    QByteArray statsJson();

signals:
    void measured(const echolux::Statistics& now); ///< while a recording is open

private:
    void measure();
    std::optional<RealTimeReadouts> realTimeOf(const Statistics& now);
    Readouts readoutsOf(const Statistics& now);
    const RunNotes& notesOf(const SnapshotPtr& snapshot);
    bool isOct();

    MainWindow& m_window;
    ViewArea& m_views;
    Session& m_session;
    QTimer m_period;
    QElapsedTimer m_sinceStart;
    SnapshotPtr m_noted; ///< whose notes these are
    RunNotes m_notes;
};

} // namespace echolux
