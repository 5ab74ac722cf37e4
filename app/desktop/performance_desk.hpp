// SPDX-License-Identifier: GPL-3.0-or-later
// The performance dock at work: counters, rates and times, four times a second; the same as JSON.
#pragma once

#include "app/desktop/pipeline_graph.hpp"
#include "app/session/stream/statistics.hpp"
#include "ui/performance/readouts.hpp"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>

namespace echolux {

class MainWindow;
class Session;
class ViewArea;

class PerformanceDesk : public QObject {
    Q_OBJECT
public:
    PerformanceDesk(MainWindow& window, ViewArea& views, Session& session);

    /// Shows what has changed since the last call; where nothing has, nothing is drawn.
    void measure();
    /// What --stats writes: counts, rates, latency, milliseconds per stage, display path.
    QByteArray statsJson();

signals:
    void measured(const echolux::Statistics& now); ///< while a recording is open

private:
    double seconds() const;
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
    Statistics m_measured; ///< what is shown
    Readouts m_readouts;   ///< the same
    bool m_traced = false; ///< the timeline is shown, too
    bool m_playing = false;
    bool m_rests = false; ///< nothing has changed since
};

} // namespace echolux
