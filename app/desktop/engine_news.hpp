// SPDX-License-Identifier: GPL-3.0-or-later
// Passes on the engine's callbacks as signals on the window's thread. Images and volumes are
// reported at most once per refresh of the screen: users cannot see more pictures, and drawing
// takes GPU time from the pipeline.
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

    /// The engine must be destroyed before this object.
    Engine::Callbacks callbacks();
    /// Call when another recording is adopted: pending sentences about the former one are dropped.
    void forget() { ++m_recording; }

signals:
    void imageReady(std::size_t view);
    void volumeChanged();
    void looked();
    void failed(const std::string& sentence);
    void warned(const std::string& sentence);

private:
    void announce(std::size_t what); ///< on any thread; number of a view, or of the volume
    void tellInTime();
    void tell();
    std::function<void(const std::string&)> posted(void (EngineNews::*told)(const std::string&));

    const QWidget& m_window;
    QElapsedTimer m_sinceTold;
    QTimer m_untilTold;
    /// One bit per announcement that is not reported yet. At most one event is queued, at any frame
    /// rate.
    std::atomic<unsigned> m_announced{0};
    std::atomic<int> m_recording{0}; ///< number of recordings adopted so far
};

} // namespace echolux
