// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the transport bar: play, freeze, seek, speed, and the frame number shown.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <cstdint>

namespace echolux {

class Session;
struct PlayState;
class TransportBar;
class ViewArea;

class PlaybackDesk : public QObject {
    Q_OBJECT
public:
    PlaybackDesk(TransportBar& bar, ViewArea& views, Session& session);

    void recordingOpened();           ///< plays in a loop at the recorded rate
    void resume(const PlayState& at); ///< precondition: a recording is open
    /// Precondition: a recording is open. `bscan`: number of the B-scan within the frame.
    void freezeAt(std::int64_t frame, std::int64_t bscan);
    /// Relative to the recorded rate; 0: as fast as possible. Precondition: a recording is open.
    void setSpeed(double speed);
    void showReachedRate(double perS);
    /// Shows the displayed frame while playing, and the requested frame while frozen.
    void showPosition();

signals:
    void frozen(); ///< plots fit their axes at once
    /// Why playback is slower than the recording; empty: it keeps up, or nothing plays.
    void warned(const QString& sentence);

private:
    void followPosition();
    void tellPace(bool slow);

    TransportBar& m_bar;
    ViewArea& m_views;
    Session& m_session;
    QElapsedTimer m_sincePosition;
    double m_rate = -1.0; ///< frames per second at speed 1, as the bar shows it
    bool m_slow = false;  ///< the last warned() said that playback is slow
};

} // namespace echolux
