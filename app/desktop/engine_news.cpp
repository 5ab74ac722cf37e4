// SPDX-License-Identifier: GPL-3.0-or-later
// Callbacks of the engine as events of the window's thread.
#include "app/desktop/engine_news.hpp"

namespace echolux {

namespace {

constexpr std::size_t kVolume = kMostViews; ///< announced after the views

} // namespace

Engine::Callbacks EngineNews::callbacks() {
    const auto tellOfColumn = [this] {
        QMetaObject::invokeMethod(this, &EngineNews::columnReady, Qt::QueuedConnection);
    };
    return {[this](std::size_t view) { announce(view); }, posted(&EngineNews::failed), tellOfColumn,
            posted(&EngineNews::warned), [this] { announce(kVolume); }};
}

void EngineNews::announce(std::size_t what) {
    if (m_announced.fetch_or(1U << what) != 0) return; // an event is on its way
    QMetaObject::invokeMethod(this, &EngineNews::tell, Qt::QueuedConnection);
}

void EngineNews::tell() {
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
