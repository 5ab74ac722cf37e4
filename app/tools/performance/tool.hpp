// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Performance" at work: rates, times and memory as they are measured.
#pragma once

#include "app/desktop/workbench/run_notes.hpp"
#include "app/session/stream/statistics.hpp"
#include "ui/performance/readouts.hpp"

#include <QElapsedTimer>
#include <QObject>

namespace echolux {

class PerformancePanel;
class Workbench;

/// Where nothing has changed, nothing is drawn.
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
    SnapshotPtr m_noted; ///< whose notes these are
    RunNotes m_notes;
    Statistics m_shown;
    Readouts m_readouts;   ///< the same
    bool m_traced = false; ///< the timeline is shown, too
    bool m_rests = false;  ///< nothing has changed since
};

} // namespace echolux
