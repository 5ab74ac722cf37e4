// SPDX-License-Identifier: GPL-3.0-or-later
// Pace and position of playback.
#include "app/session/player.hpp"

#include "app/dataset/sample_check.hpp"
#include "app/session/thread_name.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

namespace echolux {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{1} << 30;
/// Where a recording names no rate; and the fastest pace at speed 1 (10 kHz packets are watched
/// slowed down).
constexpr double kDefaultRateHz = 20.0;
constexpr double kFastestRateHz = 60.0;

double paceOf(const RecordingInfo& info) {
    if (!(info.frameRateHz > 0.0)) return kDefaultRateHz;
    return std::min(info.frameRateHz, kFastestRateHz);
}

} // namespace

Player::Player(Recording& recording, Ring& ring, Callbacks callbacks)
    : m_recording(recording), m_ring(ring), m_callbacks(std::move(callbacks)),
      m_frameBytes(recording.info().frame.bytes()), m_watches(recording.info().firstFrameSound) {
    m_state.frameCount = recording.info().frameCount;
    m_state.last = m_state.frameCount - 1;
    m_state.frameRateHz = paceOf(recording.info());
    if (m_frameBytes * static_cast<std::size_t>(m_state.frameCount) <= kCacheBytes) {
        m_cache.resize(static_cast<std::size_t>(m_state.frameCount));
    }
    m_thread = std::thread([this] { loop(); });
}

Player::~Player() { stop(); }

void Player::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    m_ring.close();
    if (m_thread.joinable()) m_thread.join();
}

void Player::play() {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_state.loop && m_next > m_state.last) m_next = m_state.first;
        m_state.playing = true;
        m_rebase = true;
        forgetSweep();
    }
    m_wake.notify_all();
}

void Player::freeze() {
    const std::lock_guard lock(m_mutex);
    m_state.playing = false;
    m_wake.notify_all();
}

void Player::seek(std::int64_t frame) {
    m_ring.discardReady();
    {
        const std::lock_guard lock(m_mutex);
        m_next = std::clamp<std::int64_t>(frame, 0, m_state.frameCount - 1);
        m_state.position = m_next;
        m_deliverOne = true;
        m_rebase = true;
        forgetSweep();
    }
    m_wake.notify_all();
}

void Player::step(std::int64_t frames) {
    std::int64_t target = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_state.playing = false;
        target = m_state.position + frames;
        if (m_state.loop)
            target = ((target % m_state.frameCount) + m_state.frameCount) % m_state.frameCount;
    }
    seek(target);
}

void Player::setLoop(bool loop) {
    const std::lock_guard lock(m_mutex);
    m_state.loop = loop;
}

void Player::setRange(std::int64_t first, std::int64_t last) {
    const std::lock_guard lock(m_mutex);
    m_state.first = std::clamp<std::int64_t>(first, 0, m_state.frameCount - 1);
    m_state.last = std::clamp<std::int64_t>(last, m_state.first, m_state.frameCount - 1);
}

void Player::setSpeed(double speed) {
    {
        const std::lock_guard lock(m_mutex);
        m_state.speed = speed;
        m_rebase = true;
    }
    m_wake.notify_all();
}

PlayState Player::state() const {
    const std::lock_guard lock(m_mutex);
    return m_state;
}

Clock::duration Player::period() const {
    if (m_state.speed <= 0.0) return Clock::duration::zero();
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(1.0 / (m_state.frameRateHz * m_state.speed)));
}

std::uint64_t Player::sweep(std::vector<std::int64_t> frames) {
    const std::lock_guard lock(m_mutex);
    if (m_state.playing || m_deliverOne) return 0;
    forgetSweep();
    m_sweep = std::move(frames);
    m_wake.notify_all();
    return m_sweepNumber;
}

void Player::endSweep() {
    const std::lock_guard lock(m_mutex);
    forgetSweep();
}

void Player::forgetSweep() {
    m_sweep.clear();
    m_swept = 0;
    ++m_sweepNumber;
}

/// Blocks until a frame is to be read and says which; false when the player is to stop.
bool Player::waitForWork(Due& due) {
    std::unique_lock lock(m_mutex);
    while (!m_stop) {
        if (m_deliverOne || m_state.playing) {
            m_restless = true;
            if (!isShownDue(lock)) continue;
            due = {m_next++, 0};
            m_state.position = due.frame;
            return true;
        }
        if (m_restless) {
            m_restless = false;
            lock.unlock();
            if (m_callbacks.rested) m_callbacks.rested();
            lock.lock();
        } else if (m_swept < m_sweep.size()) {
            due = {m_sweep[m_swept++], m_sweepNumber};
            return true;
        } else {
            m_wake.wait(lock);
        }
    }
    return false;
}

/// False where it has waited for the frame's time, or playback is over: look again.
bool Player::isShownDue(std::unique_lock<std::mutex>& lock) {
    if (std::exchange(m_deliverOne, false)) return true;
    m_next = std::max(m_next, m_state.first);
    if (m_next > m_state.last) {
        m_state.playing = m_state.loop;
        if (!m_state.loop) return false;
        m_next = m_state.first;
    }
    const auto now = Clock::now();
    if (m_rebase) {
        m_due = now;
        m_rebase = false;
    }
    if (now < m_due) {
        m_wake.wait_until(lock, m_due);
        return false;
    }
    const auto step = period();
    if (step > Clock::duration::zero() && now > m_due + step) {
        ++m_late;
        m_due = now;
    }
    m_due += step;
    return true;
}

const std::byte* Player::cached(std::int64_t frame) {
    if (m_cache.empty()) return nullptr;
    std::vector<std::byte>& entry = m_cache[static_cast<std::size_t>(frame)];
    if (entry.empty()) {
        std::vector<std::byte> fresh(m_frameBytes);
        read(frame, fresh);
        entry = std::move(fresh);
    }
    return entry.data();
}

void Player::read(std::int64_t frame, std::span<std::byte> out) {
    m_recording.readFrame(frame, out);
    if (!m_watches) return;
    const auto warning = frameWarning(m_recording.info(), frame, out);
    if (!warning) return;
    m_watches = false;
    if (m_callbacks.warned) m_callbacks.warned(*warning);
}

void Player::deliver(const Due& due) {
    RawFrame* slot = m_ring.beginFill();
    if (slot == nullptr) return;
    const bool shown = due.sweep == 0;
    if (!shown && due.sweep != m_sweepNumber) {
        m_ring.giveBack(slot);
        return;
    }
    try {
        if (const std::byte* ready = cached(due.frame)) {
            std::memcpy(slot->data.data(), ready, m_frameBytes);
        } else {
            read(due.frame, {slot->data.as<std::byte>(), m_frameBytes});
        }
    } catch (const std::exception& error) {
        m_ring.giveBack(slot);
        stopAfterFailure(due);
        m_callbacks.failed(error.what());
        return;
    }
    slot->index = due.frame;
    slot->sweep = due.sweep;
    if (shown) {
        ++m_read;
        m_bytes += m_frameBytes;
    }
    m_ring.publish(slot);
    m_callbacks.published();
}

void Player::stopAfterFailure(const Due& due) {
    const std::lock_guard lock(m_mutex);
    if (due.sweep == 0) m_state.playing = false;
    if (due.sweep == m_sweepNumber) forgetSweep();
}

void Player::loop() {
    nameThisThread("echolux-source");
    Due due;
    while (waitForWork(due)) deliver(due);
}

} // namespace echolux
