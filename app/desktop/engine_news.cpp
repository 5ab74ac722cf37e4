// SPDX-License-Identifier: GPL-3.0-or-later
// Turns callbacks of the engine into events of the window's thread.
#include "app/desktop/engine_news.hpp"

#include <QScreen>

namespace echolux {

namespace {

constexpr std::size_t kVolume = kMostViews; ///< this bit stands behind those of the views

/// The shortest time between two announcements. It is a little less than the screen's period, so
/// that only the screen's own rate delays the window.
qint64 leastMsBetween(const QWidget& window) {
    constexpr double kUsualHz = 60.0;
    constexpr double kShare = 0.9;
    const double hz = window.screen() != nullptr ? window.screen()->refreshRate() : kUsualHz;
    return static_cast<qint64>(kShare * 1000.0 / (hz >= 1.0 ? hz : kUsualHz));
}

} // namespace

EngineNews::EngineNews(const QWidget& window) : m_window(window) {
    m_untilTold.setSingleShot(true);
    m_untilTold.setTimerType(Qt::PreciseTimer);
    connect(&m_untilTold, &QTimer::timeout, this, &EngineNews::tell);
}

Engine::Callbacks EngineNews::callbacks() {
    const auto tellOfColumn = [this] {
        QMetaObject::invokeMethod(this, &EngineNews::looked, Qt::QueuedConnection);
    };
    return {[this](std::size_t view) { announce(view); }, posted(&EngineNews::failed), tellOfColumn,
            posted(&EngineNews::warned), [this] { announce(kVolume); }};
}

void EngineNews::announce(std::size_t what) {
    if (m_announced.fetch_or(1U << what) != 0) return; // an event is already on its way
    QMetaObject::invokeMethod(this, &EngineNews::tellInTime, Qt::QueuedConnection);
}

void EngineNews::tellInTime() {
    const qint64 early =
        m_sinceTold.isValid() ? leastMsBetween(m_window) - m_sinceTold.elapsed() : 0;
    if (early <= 0) return tell();
    m_untilTold.start(static_cast<int>(early));
}

void EngineNews::tell() {
    m_sinceTold.start();
    const unsigned announced = m_announced.exchange(0);
    for (std::size_t view = 0; view < kMostViews; ++view)
        if ((announced >> view & 1U) != 0) emit imageReady(view);
    if ((announced >> kVolume & 1U) != 0) emit volumeChanged();
}

std::function<void(const std::string&)>
EngineNews::posted(void (EngineNews::*told)(const std::string&)) {
    return [this, told](const std::string& sentence) {
        QMetaObject::invokeMethod(
            this,
            [this, told, sentence, about = m_recording.load()] {
                if (about == m_recording) emit(this->*told)(sentence);
            },
            Qt::QueuedConnection);
    };
}

} // namespace echolux
