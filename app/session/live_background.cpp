// SPDX-License-Identifier: GPL-3.0-or-later
// Hands frames from the pipeline's thread to the thread that sums them.
#include "app/session/live_background.hpp"

#include "app/session/engine.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace echolux {

LiveBackground::LiveBackground(const FrameSpec& raw, std::int64_t lines)
    : m_mean(raw), m_wanted(lines), m_linesPerFrame(raw.count() / raw.axes.back().size) {}

void LiveBackground::take(RawRef frames) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_ended || m_taken >= m_wanted) return;
        m_taken += frames->count * m_linesPerFrame;
        m_waiting.push_back(std::move(frames));
    }
    m_changed.notify_all();
}

void LiveBackground::end() {
    std::unique_lock lock(m_mutex);
    m_ended = true;
    m_waiting.clear();
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return !m_isSumming; });
}

bool LiveBackground::average(const std::stop_token& stop, const Progress& progress) {
    while (m_mean.lines() < m_wanted) {
        RawRef frames = next(stop);
        if (!frames) return false;
        std::exception_ptr failure;
        try {
            sum(*frames);
        } catch (...) {
            failure = std::current_exception();
        }
        frames = {};
        {
            const std::lock_guard lock(m_mutex);
            m_isSumming = false;
        }
        m_changed.notify_all();
        if (failure) std::rethrow_exception(failure);
        progress(static_cast<double>(m_mean.lines()) / static_cast<double>(m_wanted));
    }
    return true;
}

/// Empty where no frame comes any more.
RawRef LiveBackground::next(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [this] { return m_ended || !m_waiting.empty(); });
    if (stop.stop_requested() || m_waiting.empty()) return {};
    RawRef frames = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_isSumming = true;
    return frames;
}

void LiveBackground::sum(const RawFrame& frames) {
    for (std::int64_t i = 0; i < frames.count && m_mean.lines() < m_wanted; ++i)
        m_mean.add({frames.frame(i), frames.frameBytes}, m_wanted - m_mean.lines());
}

std::vector<float> averageNextLines(Engine& engine, std::int64_t lines, const std::stop_token& stop,
                                    const LiveBackground::Progress& progress) {
    struct Listening {
        Engine& engine;
        LiveBackground& sink;
        Listening(Engine& of, LiveBackground& listener) : engine(of), sink(listener) {
            engine.addSink(sink);
        }
        ~Listening() { engine.removeSink(sink); }
        Listening(const Listening&) = delete;
        Listening& operator=(const Listening&) = delete;
    };
    LiveBackground background(engine.info().frame, lines);
    {
        const Listening listening(engine, background);
        if (!background.average(stop, progress)) return {};
    }
    return background.mean();
}

} // namespace echolux
