// SPDX-License-Identifier: GPL-3.0-or-later
// The transport bar at work: playing, freezing, seeking, speed; and which frame it names.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <cstdint>

namespace echolux {

class MainWindow;
class Session;
struct PlayState;
class ViewArea;

class PlaybackDesk : public QObject {
    Q_OBJECT
public:
    PlaybackDesk(MainWindow& window, ViewArea& views, Session& session);

    void recordingOpened();           ///< it plays, in a loop, as fast as it was recorded
    void resume(const PlayState& at); ///< precondition: a recording is open
    /// The same; `bscan` of those in the frame.
    void freezeAt(std::int64_t frame, std::int64_t bscan);
    void setSpeed(double speed); ///< the same; times the recorded rate; 0: no pause
    void showReachedRate(double perS);
    /// While frames run, what is shown; at rest what has been asked for, which is shown soon.
    void showPosition();

signals:
    void frozen(); ///< plots fit their axes at once
    /// Playing does not keep up with the recording; empty: it does again, or nothing plays.
    void paceTold(const QString& sentence);

private:
    void followPosition();
    void tellPace(bool slow);

    MainWindow& m_window;
    ViewArea& m_views;
    Session& m_session;
    QElapsedTimer m_sincePosition;
    double m_rate = -1.0; ///< that the bar knows, frames per second at speed 1
    bool m_slow = false;  ///< told
};

} // namespace echolux
