// SPDX-License-Identifier: GPL-3.0-or-later
// Pace and position of playback.
#include "app/session/player.hpp"

#include "app/dataset/sample_check.hpp"
#include "app/session/thread_name.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

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
      m_frameBytes(recording.info().frame.bytes()),
      m_watches(recording.info().firstFrameSound) {
    m_state.frameCount = recording.info().frameCount;
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
        if (!m_state.loop && m_next >= m_state.frameCount) m_next = 0;
        m_state.playing = true;
        m_rebase = true;
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

/// Blocks until a frame is due and says which; false when the player is to stop.
bool Player::waitForWork(std::int64_t& frame) {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [this] { return m_stop || m_deliverOne || m_state.playing; });
        if (m_stop) return false;
        if (m_deliverOne) {
            m_deliverOne = false;
            break;
        }
        if (m_next >= m_state.frameCount) {
            if (!m_state.loop) {
                m_state.playing = false;
                continue;
            }
            m_next = 0;
        }
        const auto now = Clock::now();
        if (m_rebase) {
            m_due = now;
            m_rebase = false;
        }
        if (now >= m_due) {
            const auto step = period();
            if (step > Clock::duration::zero() && now > m_due + step) {
                ++m_late;
                m_due = now;
            }
            m_due += step;
            break;
        }
        m_wake.wait_until(lock, m_due);
    }
    frame = m_next++;
    m_state.position = frame;
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

void Player::deliver(std::int64_t frame) {
    RawFrame* slot = m_ring.beginFill();
    if (slot == nullptr) return;
    try {
        if (const std::byte* ready = cached(frame)) {
            std::memcpy(slot->data.data(), ready, m_frameBytes);
        } else {
            read(frame, {slot->data.as<std::byte>(), m_frameBytes});
        }
    } catch (const std::exception& error) {
        m_ring.giveBack(slot);
        freeze();
        m_callbacks.failed(error.what());
        return;
    }
    slot->index = frame;
    ++m_read;
    m_bytes += m_frameBytes;
    m_ring.publish(slot);
    m_callbacks.published();
}

void Player::loop() {
    nameThisThread("echolux-source");
    std::int64_t frame = 0;
    while (waitForWork(frame)) deliver(frame);
}

} // namespace echolux
