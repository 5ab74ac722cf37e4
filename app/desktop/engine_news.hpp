// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine tells from its threads, told again on the window's: of images and volumes no more
// often than its screen shows another picture, for what is drawn in between nobody sees, and
// drawing takes the graphics card from the pipeline.
#pragma once

#include "app/session/engine.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <QWidget>

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

namespace echolux {

class EngineNews : public QObject {
    Q_OBJECT
public:
    explicit EngineNews(const QWidget& window);

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
    void tellInTime();
    void tell();
    std::function<void(const std::string&)> posted(void (EngineNews::*told)(const std::string&));

    const QWidget& m_window;
    QElapsedTimer m_sinceTold;
    QTimer m_untilTold;
    /// Announced and not told yet, as bits; one event at a time, however fast frames are processed.
    std::atomic<unsigned> m_announced{0};
    std::atomic<int> m_recording{0}; ///< counts those that were adopted
};

} // namespace echolux
