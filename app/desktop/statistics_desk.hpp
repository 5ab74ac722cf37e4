// SPDX-License-Identifier: GPL-3.0-or-later
// Measures counters, rates and times four times a second, for the window and as JSON.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "app/session/stream/statistics.hpp"

#include <QByteArray>
#include <QObject>
#include <QTimer>

namespace echolux {

class Session;
class ViewArea;

class StatisticsDesk : public QObject {
    Q_OBJECT
public:
    StatisticsDesk(ViewArea& views, Session& session);

    void measure(); ///< does nothing without a recording
    /// The file that --stats writes: counts, rates, latency, milliseconds per stage, display path.
    QByteArray statsJson();

signals:
    void measured(const echolux::Statistics& now); ///< figures, pipeline or playback have changed
    void measuredTheSame();

private:
    ViewArea& m_views;
    Session& m_session;
    QTimer m_period;
    SnapshotPtr m_snapshot; ///< snapshot of the last measurement, as are the next members
    Statistics m_measured;
    bool m_playing = false;
};

} // namespace echolux
