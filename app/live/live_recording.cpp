// SPDX-License-Identifier: GPL-3.0-or-later
// The thread of a live source, and what is counted there.
#include "app/live/live_recording.hpp"

#include "app/dataset/recording/printable.hpp"
#include "app/dataset/recording/thread_name.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <limits>

namespace echolux {
namespace {

/// A live source has no end. The number is far beyond all frames that can come.
constexpr std::int64_t kEndless = std::int64_t{1} << 40;
constexpr std::int64_t kFewest = 16;    ///< frames that are kept where memory allows
constexpr std::int64_t kMost = 100'000; ///< small frames cost memory besides their samples

std::int64_t framesKept(const RecordingInfo& info, const LivePlace& place) {
    const std::size_t bytes = std::max<std::size_t>(info.frame.bytes(), 1);
    const auto fit = std::min(static_cast<std::int64_t>(place.mostBytes / bytes), kMost);
    if (fit < 2)
        throw Error(fmt::format("{}: one frame has {} MB, and {} MB may be kept in memory; allow "
                                "more memory for live frames.",
                                info.path.string(), bytes / 1'000'000,
                                place.mostBytes / 1'000'000));
    if (!(info.frameRateHz > 0.0)) return fit;
    const double wanted = std::ceil(place.seconds * info.frameRateHz);
    return std::min(fit, std::max(kFewest, static_cast<std::int64_t>(wanted)));
}

double secondsSince(FrameLoan::TimePoint then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

} // namespace

LiveRecording::LiveRecording(std::unique_ptr<LiveSource> source, const LivePlace& place,
                             double patienceS)
    : m_source(std::move(source)) {
    m_info = m_source->info();
    m_info.frameCount = kEndless;
    m_info.live = true;
    m_history = std::make_unique<FrameHistory>(place.memory, m_info.frame.bytes(),
                                               framesKept(m_info, place));
    m_spare.resize(m_info.frame.bytes());
    m_counters.memoryBytes = m_history->bytes();
    m_counters.mostKept = m_history->capacity();
    m_lastCame = std::chrono::steady_clock::now();
    m_thread = std::jthread([this, began = place.began](const std::stop_token& stop) {
        nameThisThread("echolux-live");
        if (began) began();
        loop(stop);
    });
    std::unique_lock lock(m_mutex);
    const bool came = m_came.wait_for(lock, std::chrono::duration<double>(patienceS), [this] {
        return m_counters.kept > 0 || m_counters.state == LiveState::Ended ||
               m_counters.state == LiveState::Changed;
    });
    if (came && m_counters.kept > 0) return;
    const std::string reason = m_counters.reason;
    lock.unlock();
    m_thread = {};
    const std::string name = m_info.path.string();
    if (!reason.empty()) throw Error(fmt::format("{}: {}", name, reason));
    throw Error(fmt::format("{}: no frame came within {:.3g} s; start the source, then open it "
                            "again.",
                            name, patienceS));
}

LiveRecording::~LiveRecording() = default;

void LiveRecording::readFrame(std::int64_t index, std::span<std::byte> out) {
    const FrameLoan loan = lend(index);
    if (!loan)
        throw Error(fmt::format("{}: frame {} is no longer kept; newer frames have replaced it.",
                                m_info.path.string(), index + 1));
    std::memcpy(out.data(), loan.samples(), out.size());
}

void LiveRecording::listen(std::function<void()> came) {
    const std::lock_guard lock(m_listening);
    m_listener = std::move(came);
}

bool LiveRecording::waitFor(std::int64_t number, double seconds) {
    std::unique_lock lock(m_mutex);
    const auto isThere = [&] { return kept().last >= number; };
    m_came.wait_for(lock, std::chrono::duration<double>(seconds), [&] {
        return isThere() || m_counters.state == LiveState::Ended ||
               m_counters.state == LiveState::Changed;
    });
    return isThere();
}

void LiveRecording::tell() {
    m_came.notify_all();
    const std::lock_guard lock(m_listening);
    if (m_listener) m_listener();
}

LiveCounters LiveRecording::counters() const {
    const std::lock_guard lock(m_mutex);
    LiveCounters now = m_counters;
    now.ageS = secondsSince(m_lastCame);
    const double period = m_info.frameRateHz > 0.0 ? 1.0 / m_info.frameRateHz : 0.0;
    if (now.state == LiveState::Running && now.ageS > std::max(kSilenceS, 5.0 * period))
        now.state = LiveState::Silent;
    return now;
}

void LiveRecording::loop(const std::stop_token& stop) {
    try {
        while (!stop.stop_requested() && m_counters.state == LiveState::Running) readOne(stop);
    } catch (const std::exception& error) {
        {
            const std::lock_guard lock(m_mutex);
            m_counters.state = LiveState::Ended;
            m_counters.reason = printable(failureText(error));
        }
        tell();
    }
}

void LiveRecording::readOne(const std::stop_token& stop) {
    std::byte* room = m_history->beginWrite();
    std::byte* out = room != nullptr ? room : m_spare.data();
    FrameStamp stamp;
    LiveSource::Outcome outcome = LiveSource::Outcome::Nothing;
    try {
        outcome = m_source->next({out, m_spare.size()}, stamp, stop);
    } catch (...) {
        if (room != nullptr) m_history->abandonWrite();
        throw;
    }
    const bool isFrame = outcome == LiveSource::Outcome::Frame;
    const bool held = m_held && m_recorders == 0;
    if (isFrame && room != nullptr && !held) {
        m_history->publish(stamp);
    } else if (room != nullptr) {
        m_history->abandonWrite();
    }
    if (outcome == LiveSource::Outcome::Nothing) return;
    {
        const std::lock_guard lock(m_mutex);
        count(outcome, stamp);
        if (isFrame)
            ++(held              ? m_counters.whileHeld
               : room != nullptr ? m_counters.kept
                                 : m_counters.withoutRoom);
    }
    tell();
}

/// Call it under the lock.
void LiveRecording::count(LiveSource::Outcome outcome, const FrameStamp& stamp) {
    switch (outcome) {
    case LiveSource::Outcome::Nothing: return;
    case LiveSource::Outcome::Changed:
        m_counters.state = LiveState::Changed;
        m_counters.reason = printable(m_source->reason());
        return;
    case LiveSource::Outcome::Ended:
        m_counters.state = LiveState::Ended;
        m_counters.reason = printable(m_source->reason());
        return;
    case LiveSource::Outcome::Malformed:
        ++m_counters.malformed;
        m_counters.reason = printable(m_source->reason());
        break;
    case LiveSource::Outcome::Frame: break;
    }
    m_lastCame = std::chrono::steady_clock::now();
    // A number that falls belongs to a source that has started again.
    const bool counts = m_lastNumber >= 0 && stamp.number > m_lastNumber;
    const std::int64_t lost = counts ? stamp.number - m_lastNumber - 1 : stamp.lostBefore;
    m_counters.lostAtSource += static_cast<std::uint64_t>(lost);
    if (stamp.number >= 0) m_lastNumber = stamp.number;
}

} // namespace echolux
