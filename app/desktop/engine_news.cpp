// SPDX-License-Identifier: GPL-3.0-or-later
// Callbacks of the engine as events of the window's thread.
#include "app/desktop/engine_news.hpp"

namespace echolux {

Engine::Callbacks EngineNews::callbacks() {
    const auto announce = [this] {
        if (m_imageAnnounced.exchange(true)) return;
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_imageAnnounced = false;
                emit imageReady();
            },
            Qt::QueuedConnection);
    };
    const auto tellOfColumn = [this] {
        QMetaObject::invokeMethod(this, &EngineNews::columnReady, Qt::QueuedConnection);
    };
    return {announce, posted(&EngineNews::failed), tellOfColumn, posted(&EngineNews::warned)};
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
