// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Live source" at work: counters at the pace of measuring, and edits of the source.
#pragma once

#include <QElapsedTimer>
#include <QObject>

namespace echolux {

class LiveSourcePanel;
struct Statistics;
class Workbench;

class LiveSourceTool : public QObject {
    Q_OBJECT
public:
    LiveSourceTool(LiveSourcePanel& panel, Workbench& bench);

private:
    void recordingChanged();
    void show(const Statistics& now);

    LiveSourcePanel& m_panel;
    Workbench& m_bench;
    QElapsedTimer m_sinceStart;
};

} // namespace echolux
