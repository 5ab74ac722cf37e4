// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine tells from its threads, told again on the window's.
#pragma once

#include "app/session/engine.hpp"

#include <QObject>

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

namespace echolux {

class EngineNews : public QObject {
    Q_OBJECT
public:
    /// For engines that go before this.
    Engine::Callbacks callbacks();
    /// Another recording is adopted: sentences about the former one that are still on their way are
    /// dropped.
    void forget() { ++m_recording; }

signals:
    void imageReady(std::size_t view);
    void volumeChanged();
    void columnReady();
    void failed(const std::string& sentence);
    void warned(const std::string& sentence);

private:
    void announce(std::size_t what); ///< any thread: a view's number, or that of the volume
    void tell();
    std::function<void(const std::string&)> posted(void (EngineNews::*told)(const std::string&));

    /// Announced and not told yet, as bits; one event at a time, however fast frames are processed.
    std::atomic<unsigned> m_announced{0};
    std::atomic<int> m_recording{0}; ///< counts those that were adopted
};

} // namespace echolux
