// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Performance": measured rates, times and memory.
#pragma once

#include "app/desktop/workbench/run_notes.hpp"
#include "app/session/stream/statistics.hpp"
#include "ui/performance/readouts.hpp"

#include <QElapsedTimer>
#include <QObject>

namespace echolux {

class PerformancePanel;
class Workbench;

/// Draws nothing where nothing has changed.
class PerformanceTool : public QObject {
    Q_OBJECT
public:
    PerformanceTool(PerformancePanel& panel, Workbench& bench);

private:
    void show(const Statistics& now);
    void rest();
    double seconds() const;
    Readouts readoutsOf(const Statistics& now);
    const RunNotes& notesOf(const SnapshotPtr& snapshot);

    PerformancePanel& m_panel;
    Workbench& m_bench;
    QElapsedTimer m_sinceStart;
    SnapshotPtr m_noted; ///< the snapshot that m_notes belong to
    RunNotes m_notes;
    Statistics m_shown;
    Readouts m_readouts;   ///< m_shown as readouts
    bool m_traced = false; ///< the timeline is visible
    bool m_rests = false;  ///< nothing has changed since the last drawing
};

} // namespace echolux
