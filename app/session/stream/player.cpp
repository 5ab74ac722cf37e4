// SPDX-License-Identifier: GPL-3.0-or-later
// Pace and position of playback.
#include "app/session/stream/player.hpp"

#include "app/dataset/recording/thread_name.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace echolux {
namespace {

/// The rate of recordings that state none, and the fastest rate at speed 1, in images per second.
/// (Packets recorded at 10 kHz are watched slowed down.)
constexpr double kDefaultRateHz = 20.0;
constexpr double kFastestRateHz = 60.0;

double paceOf(double recordedHz, std::int64_t ensemble) {
    if (!(recordedHz > 0.0)) return kDefaultRateHz;
    return std::min(recordedHz, kFastestRateHz * static_cast<double>(ensemble));
}

} // namespace

Player::Player(Recording& recording, Ring& ring, MemoryKind memory, std::size_t mostKept,
               Callbacks callbacks, std::int64_t ensemble)
    : m_ring(ring), m_callbacks(std::move(callbacks)), m_live(recording.live()),
      m_reader(recording, memory, mostKept, m_callbacks.warned, ensemble),
      m_recordedHz(recording.info().frameRateHz), m_frameBytes(recording.info().frame.bytes()) {
    m_state.frameCount = recording.info().frameCount;
    m_state.last = m_state.frameCount - 1;
    m_state.ensemble = ensemble;
    m_state.frameRateHz = paceOf(m_recordedHz, ensemble);
    m_reader.prepare(m_ring.frames());
    if (m_live != nullptr) {
        m_live->listen([this] {
            {
                const std::lock_guard lock(m_mutex);
            } // orders this before or after a decision to wait
            m_wake.notify_all();
        });
    }
    m_thread = std::thread([this] { loop(); });
}

Player::~Player() { stop(); }

void Player::stop() {
    if (m_live != nullptr) m_live->listen({});
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
        if (!m_state.loop && m_next > windows().lastOf(m_state.last))
            m_next = windows().firstOf(m_state.first);
        m_state.playing = true;
        m_rebase = true;
        if (m_live != nullptr) m_live->hold(false);
        watchPace();
        forgetSweep();
    }
    m_wake.notify_all();
}

void Player::freeze() {
    const std::lock_guard lock(m_mutex);
    m_state.playing = false;
    if (m_live != nullptr) m_live->hold(true);
    m_wake.notify_all();
}

void Player::seek(std::int64_t frame) {
    const bool discarded = m_ring.discardReady();
    {
        const std::lock_guard lock(m_mutex);
        const bool follows = !discarded && !m_deliverOne && windows().firstOf(frame) == m_next;
        goTo(frame, follows);
    }
    m_wake.notify_all();
}

void Player::setPast(std::int64_t images) {
    const std::lock_guard lock(m_mutex);
    m_past = images;
}

void Player::refill() {
    {
        const std::lock_guard lock(m_mutex);
        if (m_state.playing || m_past == 0) return;
    }
    const bool discarded = m_ring.discardReady();
    {
        const std::lock_guard lock(m_mutex);
        const bool isNew = discarded || m_deliverOne;
        goTo(m_state.position, false);
        m_again = !isNew;
    }
    m_wake.notify_all();
}

/// Call it under the lock. `follows`: the frame before was delivered last.
void Player::goTo(std::int64_t frame, bool follows) {
    m_target = windows().firstOf(frame);
    const std::int64_t past = follows ? 0 : m_past * m_state.ensemble;
    m_next = std::max<std::int64_t>(m_target - past, 0);
    m_state.position = windows().lastOf(frame);
    m_deliverOne = true;
    m_again = false;
    m_rebase = true;
    forgetSweep();
}

/// Call it under the lock. The target, or what has to come before it.
Player::Due Player::soughtDue() {
    m_deliverOne = m_next < m_target;
    return {.frame = m_next,
            .count = m_state.ensemble,
            .ensemble = m_state.ensemble,
            .isPast = m_deliverOne,
            .isAgain = m_again && !m_deliverOne};
}

void Player::setEnsemble(std::int64_t frames) {
    if (frames == state().ensemble) return;
    m_ring.discardReady();
    {
        const std::lock_guard lock(m_mutex);
        m_state.ensemble = frames;
        m_state.frameRateHz = paceOf(m_recordedHz, frames);
        watchPace();
        m_run = 1;
        goTo(m_state.position, false);
    }
    m_wake.notify_all();
}

void Player::step(std::int64_t frames) {
    std::int64_t target = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_state.playing = false;
        if (m_live != nullptr) m_live->hold(true);
        target = m_state.position + frames * m_state.ensemble;
        const std::int64_t whole = windows().whole();
        if (m_state.loop && m_live == nullptr) target = ((target % whole) + whole) % whole;
    }
    seek(target);
}

void Player::setLoop(bool loop) {
    const std::lock_guard lock(m_mutex);
    m_state.loop = loop;
}

void Player::setRange(std::int64_t first, std::int64_t last) {
    if (m_live != nullptr) return;
    const std::lock_guard lock(m_mutex);
    m_state.first = std::clamp<std::int64_t>(first, 0, m_state.frameCount - 1);
    m_state.last = std::clamp<std::int64_t>(last, m_state.first, m_state.frameCount - 1);
}

void Player::setSpeed(double speed) {
    {
        const std::lock_guard lock(m_mutex);
        m_state.speed = speed;
        m_rebase = true;
        watchPace();
    }
    m_wake.notify_all();
}

void Player::setRun(std::int64_t frames) {
    const std::lock_guard lock(m_mutex);
    m_run = frames;
}

bool Player::hurries() const {
    const std::lock_guard lock(m_mutex);
    return m_state.playing && m_state.speed <= 0.0 && m_live == nullptr;
}

PlayState Player::state() const {
    const std::lock_guard lock(m_mutex);
    PlayState state = m_state;
    state.slow = state.playing && m_pace.isSlow();
    if (m_live == nullptr) return state;
    const KeptFrames kept = m_live->kept();
    state.live = true;
    state.first = kept.first;
    state.last = kept.last;
    state.frameCount = kept.last + 1;
    return state;
}

Clock::duration Player::period() const {
    if (m_state.speed <= 0.0) return Clock::duration::zero();
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
        static_cast<double>(m_state.ensemble) / (m_state.frameRateHz * m_state.speed)));
}

std::uint64_t Player::sweep(std::vector<std::int64_t> frames) {
    const std::lock_guard lock(m_mutex);
    if (m_state.playing || m_deliverOne || m_live != nullptr) return 0;
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

/// Waits until a frame is to be read, and returns it in `due`. False when the player must stop.
bool Player::waitForWork(Due& due) {
    std::unique_lock lock(m_mutex);
    while (!m_stop) {
        if (m_deliverOne || m_state.playing) {
            m_restless = true;
            if (!(m_live != nullptr ? isLiveDue(lock, due) : isShownDue(lock, due))) continue;
            m_next += due.count;
            if (!due.isPast) m_state.position = m_next - 1;
            return true;
        }
        if (m_restless) {
            m_restless = false;
            lock.unlock();
            if (m_callbacks.rested) m_callbacks.rested();
            lock.lock();
        } else if (m_swept < m_sweep.size()) {
            due = {.frame = m_sweep[m_swept++],
                   .count = m_state.ensemble,
                   .ensemble = m_state.ensemble,
                   .sweep = m_sweepNumber};
            return true;
        } else {
            m_wake.wait(lock);
        }
    }
    return false;
}

/// False where it waited for the frame's time, or where playback has ended: the caller must look
/// again.
bool Player::isShownDue(std::unique_lock<std::mutex>& lock, Due& due) {
    const std::int64_t each = m_state.ensemble;
    if (m_deliverOne) {
        due = soughtDue();
        return true;
    }
    const std::int64_t first = windows().firstOf(m_state.first);
    m_next = std::max(m_next, first);
    if (m_next > windows().lastOf(m_state.last)) {
        m_state.playing = m_state.loop;
        if (!m_state.loop) return false;
        m_next = first;
    }
    const auto now = Clock::now();
    if (m_rebase) {
        m_due = now;
        m_pace.restart();
        m_rebase = false;
    }
    if (now < m_due) {
        m_wake.wait_until(lock, m_due);
        return false;
    }
    const auto step = period();
    if (step == Clock::duration::zero()) {
        due = {.frame = m_next, .count = framesDue(), .ensemble = each};
        return true;
    }
    if (now > m_due + step) {
        m_late += static_cast<std::uint64_t>(each);
        m_due = now;
    }
    m_due += step;
    m_pace.add(each, now);
    due = {.frame = m_next, .count = each, .ensemble = each, .paced = true};
    return true;
}

std::int64_t Player::framesDue() const {
    if (m_state.ensemble > 1) return m_state.ensemble;
    const bool fits = m_next % m_run == 0 && m_next + m_run - 1 <= m_state.last;
    return fits ? m_run : 1;
}

/// Call it under the lock. Begins a new measurement of the pace, compared with the recording's rate
/// where playback should reach it.
void Player::watchPace() {
    const bool reachable = m_state.frameRateHz >= m_recordedHz && m_state.speed >= 1.0;
    m_pace.want(reachable ? m_recordedHz : 0.0);
}

/// False where the frame could not be read.
bool Player::deliver(const Due& due) {
    RawFrame* slot = m_ring.beginFill();
    if (slot == nullptr) return true;
    const bool counts = due.sweep == 0 && !due.isPast && !due.isAgain;
    if (due.sweep != 0 && due.sweep != m_sweepNumber) {
        m_ring.abandonFill(slot);
        return true;
    }
    try {
        m_reader.read(due.frame, due.count, *slot);
    } catch (const std::exception& error) {
        m_ring.abandonFill(slot);
        if (m_live != nullptr) { // newer frames have replaced it
            m_leftOut += static_cast<std::uint64_t>(due.count);
            return true;
        }
        if (due.isPast) return true;
        if (due.count > due.ensemble) return deliverSingly(due);
        stopAfterFailure(due);
        m_callbacks.failed(error.what());
        return false;
    }
    slot->sweep = due.sweep;
    slot->isPast = due.isPast;
    slot->isAgain = due.isAgain;
    slot->ensemble = due.ensemble;
    if (due.paced) m_ring.waitForRoom();
    if (counts) {
        m_read += static_cast<std::uint64_t>(due.count);
        m_bytes += static_cast<std::uint64_t>(due.count) * m_frameBytes;
    }
    m_ring.publish(slot);
    m_callbacks.published();
    return true;
}

/// Where a run could not be read, it delivers the frames before the damaged one.
bool Player::deliverSingly(const Due& run) {
    for (std::int64_t i = 0; i < run.count; ++i) {
        if (deliver({.frame = run.frame + i})) continue;
        const std::lock_guard lock(m_mutex);
        if (m_next == run.frame + run.count) { // no seek has happened meanwhile
            m_next = run.frame + i + 1;
            m_state.position = run.frame + i;
        }
        return false;
    }
    return true;
}

void Player::stopAfterFailure(const Due& due) {
    const std::lock_guard lock(m_mutex);
    if (due.sweep == 0) m_state.playing = false;
    if (due.sweep == m_sweepNumber) forgetSweep();
}

void Player::loop() {
    nameThisThread("echolux-source");
    if (m_callbacks.began) m_callbacks.began();
    Due due;
    while (waitForWork(due)) deliver(due);
}

} // namespace echolux
