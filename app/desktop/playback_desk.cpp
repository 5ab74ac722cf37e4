// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the transport bar and the player.
#include "app/desktop/playback_desk.hpp"

#include "app/session/session.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/seek_bar.hpp"
#include "ui/window/transport_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace echolux {

PlaybackDesk::PlaybackDesk(TransportBar& bar, ViewArea& views, Session& session)
    : m_bar(bar), m_views(views), m_session(session) {
    const auto withPlayer = [this](auto action) {
        return [this, action](auto... values) {
            if (!m_session.isOpen()) return;
            action(m_session.player(), values...);
            showPosition();
        };
    };
    connect(&bar, &TransportBar::playToggled, this,
            withPlayer([](Player& player, bool play) { play ? player.play() : player.freeze(); }));
    connect(&bar, &TransportBar::stepRequested, this,
            withPlayer([](Player& player, int frames) { player.step(frames); }));
    connect(&bar, &TransportBar::seekRequested, this, withPlayer([](Player& player, qint64 frame) {
        const PlayState now = player.state();
        if (now.live) player.freeze(); // the bar counts the frames that are kept
        player.seek(now.live ? now.first + frame : frame);
    }));
    connect(&bar, &TransportBar::loopToggled, this,
            withPlayer([](Player& player, bool loop) { player.setLoop(loop); }));
    connect(&bar, &TransportBar::speedChosen, this,
            withPlayer([](Player& player, double speed) { player.setSpeed(speed); }));
    connect(&bar, &TransportBar::partChosen, this,
            withPlayer([](Player& player, qint64 first, qint64 last) {
                player.setRange(first, last);
                const std::int64_t now = player.state().position;
                if (!player.state().playing && (now < first || now > last))
                    player.seek(now < first ? first : last);
            }));
    connect(&views.bscan(), &ImageView::frameTaken, this, &PlaybackDesk::followPosition);
}

void PlaybackDesk::recordingOpened() {
    Player& player = m_session.player();
    const PlayState state = player.state();
    m_rate = -1.0;
    m_bar.setLive(state.live);
    m_bar.setPart(0, state.frameCount - 1);
    QList<SeekMark> marks;
    for (const RecordingMark& mark : m_session.recording().marks)
        marks += {static_cast<int>(mark.frame),
                  QString("Mark at %1 s%2%3")
                      .arg(mark.seconds, 0, 'f', 2)
                      .arg(mark.text.empty() ? "" : ": ", QString::fromStdString(mark.text))};
    m_bar.setMarks(marks);
    player.setLoop(true);
    m_bar.setLoop(true);
    m_bar.setSpeed(1.0);
    if (state.frameCount > 1 || state.live) player.play();
    showPosition();
}

void PlaybackDesk::resume(const PlayState& at) {
    Player& player = m_session.player();
    setSpeed(at.speed);
    player.setLoop(at.loop);
    m_bar.setLoop(at.loop);
    if (!at.playing) player.freeze();
    player.seek(at.position);
    showPosition();
}

void PlaybackDesk::freezeAt(std::int64_t frame, std::int64_t bscan) {
    Player& player = m_session.player();
    player.freeze();
    m_session.mailbox().showBscan(bscan);
    player.seek(frame);
    showPosition();
}

void PlaybackDesk::setSpeed(double speed) {
    m_session.player().setSpeed(speed);
    m_bar.setSpeed(speed);
}

void PlaybackDesk::showReachedRate(double perS) { m_bar.setReachedRate(perS); }

/// Ten times a second while frames run, because each repaint of the bar makes the image be composed
/// again. More often only where the B-scan's number changes.
void PlaybackDesk::followPosition() {
    constexpr qint64 kPeriodMs = 100;
    const bool playing = m_session.isPlaying();
    const bool recent = m_sincePosition.isValid() && m_sincePosition.elapsed() < kPeriodMs;
    if (playing && recent && !m_views.hasVolume()) return;
    m_sincePosition.start();
    showPosition();
}

void PlaybackDesk::showPosition() {
    if (!m_session.isOpen()) return;
    const PlayState state = m_session.player().state();
    const double rate = state.frameCount > 1 || state.live ? state.frameRateHz : 0.0;
    if (std::exchange(m_rate, rate) != rate) // ensembles change it
        m_bar.setRecordedRate(rate, state.live ? 0.0 : m_session.recording().frameRateHz);
    if (state.live) { // the bar counts the frames that are kept
        const std::int64_t newest = std::max<std::int64_t>(state.last - state.first, 0);
        const std::int64_t at = std::clamp<std::int64_t>(state.position - state.first, 0, newest);
        m_bar.setFrame(state.playing ? newest : at, state.last - state.first + 1);
    } else {
        m_bar.setFrame(state.playing ? m_session.mailbox().shownFrame() : state.position,
                       state.frameCount);
    }
    const bool freezes = m_bar.isPlaying() && !state.playing;
    m_bar.setPlaying(state.playing);
    if (freezes) emit frozen();
    tellPace(state.slow);
}

void PlaybackDesk::tellPace(bool slow) {
    if (std::exchange(m_slow, slow) == slow) return;
    if (!slow) return emit warned({});
    const RecordingInfo& info = m_session.recording();
    emit warned(QString::fromStdString(fmt::format(
        "{}: plays slower than recorded ({:.3g} frames/s); no frame is left out. A coarser image "
        "grid, fewer transmits or fewer stages are faster.",
        info.path.filename().string(), info.frameRateHz)));
}

} // namespace echolux
