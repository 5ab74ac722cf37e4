// SPDX-License-Identifier: GPL-3.0-or-later
// The thread of a plugin's source. What it shares with others lives as long as the last of them.
#include "app/live/guarded_source.hpp"

#include "app/dataset/frames/fact_check.hpp"
#include "app/dataset/plugins/guarded_recording.hpp"
#include "app/dataset/recording/thread_name.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

namespace echolux {
struct GuardedSource::Shared {
    enum class Turn {
        Opening, ///< the source opens
        Idle,    ///< its thread waits
        Asked,   ///< the source makes a frame
        Answered ///< what follows holds its answer
    };

    std::mutex mutex; ///< guards all but `stop` and, while Asked, `frame`
    std::condition_variable_any changed;
    Turn turn = Turn::Opening;
    RecordingInfo info;
    std::vector<std::byte> frame;
    Outcome outcome = Outcome::Nothing;
    FrameStamp stamp;
    std::string reason;
    std::string failure; ///< not empty: the source has thrown
    std::vector<LiveParameter> parameters;
    std::vector<std::pair<std::string, std::string>> readouts;
    std::vector<std::pair<std::string, double>>
        wanted;         ///< values that the source does not yet have
    bool ended = false; ///< the thread is at its end
    std::stop_source stop;
};

GuardedSource::GuardedSource(SourceOpener open, const std::string& address, const std::string& who,
                             const Patience& patience)
    : m_who(who), m_patience(patience), m_shared(std::make_shared<Shared>()) {
    m_thread =
        std::thread(&GuardedSource::work, m_shared, open, address.substr(address.find(':') + 1));
    std::string failure;
    {
        std::unique_lock lock(m_shared->mutex);
        const bool opened = m_shared->changed.wait_for(
            lock, patience.opening, [this] { return m_shared->turn != Shared::Turn::Opening; });
        failure = opened ? m_shared->failure
                         : fmt::format("it did not open within {} s",
                                       std::chrono::duration<double>(patience.opening).count());
        if (opened) m_info = m_shared->info;
    }
    try {
        guard(address, who, [&] {
            if (!failure.empty()) throw Error(failure);
            m_info.path = address;
            m_info.frameCount = 1; // a source has no end
            m_info.tracks.clear();
            if (m_info.format.empty()) m_info.format = who;
            checkFacts(m_info);
            const std::scoped_lock lock(m_shared->mutex);
            m_shared->frame.resize(m_info.frame.bytes());
        });
    } catch (...) {
        leave();
        throw;
    }
}

GuardedSource::~GuardedSource() { leave(); }

/// Ends the thread, or leaves it behind where the source does not return.
void GuardedSource::leave() {
    m_shared->stop.request_stop();
    std::unique_lock lock(m_shared->mutex);
    const bool ended =
        m_shared->changed.wait_for(lock, m_patience.closing, [this] { return m_shared->ended; });
    lock.unlock();
    if (ended) return m_thread.join();
    spdlog::warn("{} does not return; its thread is left behind.", m_who);
    m_thread.detach();
}

void GuardedSource::work(const std::shared_ptr<Shared>& shared, SourceOpener open,
                         const std::string& options) {
    nameThisThread("echolux-plugin");
    std::unique_ptr<LiveSource> source;
    RecordingInfo info;
    std::vector<LiveParameter> parameters;
    const std::string failure = failureOf([&] {
        source = open(options);
        if (source == nullptr) throw Error("it gave no source; correct the plugin");
        info = source->info();
        parameters = source->parameters();
    });
    const auto isAsked = [&] {
        return shared->turn == Shared::Turn::Asked || !shared->wanted.empty();
    };
    std::unique_lock lock(shared->mutex);
    shared->failure = failure;
    shared->info = std::move(info);
    shared->parameters = std::move(parameters);
    shared->turn = Shared::Turn::Idle;
    shared->changed.notify_all();
    while (failure.empty() && shared->changed.wait(lock, shared->stop.get_token(), isAsked)) {
        if (shared->stop.stop_requested()) break;
        lock.unlock();
        set(*shared, *source);
        answer(*shared, *source);
        lock.lock();
        shared->changed.notify_all();
    }
    lock.unlock();
    failureOf([&] { source.reset(); });
    lock.lock();
    shared->ended = true;
    shared->changed.notify_all();
}

/// Hands on the wanted values. Without the lock.
void GuardedSource::set(Shared& shared, LiveSource& source) {
    std::vector<std::pair<std::string, double>> wanted;
    {
        const std::scoped_lock lock(shared.mutex);
        wanted.swap(shared.wanted);
    }
    if (wanted.empty()) return;
    std::vector<LiveParameter> parameters;
    const std::string failure = failureOf([&] {
        for (const auto& [key, value] : wanted) source.setParameter(key, value);
        parameters = source.parameters();
    });
    const std::scoped_lock lock(shared.mutex);
    if (!failure.empty())
        shared.failure = failure;
    else if (shared.wanted.empty())
        shared.parameters = std::move(parameters);
}

/// Makes a frame where one was asked for. Without the lock.
void GuardedSource::answer(Shared& shared, LiveSource& source) {
    {
        const std::scoped_lock lock(shared.mutex);
        if (shared.turn != Shared::Turn::Asked) return;
    }
    Outcome outcome = Outcome::Nothing;
    FrameStamp stamp;
    std::string reason;
    std::vector<std::pair<std::string, std::string>> readouts;
    const std::string failure = failureOf([&] {
        outcome = source.next(shared.frame, stamp, shared.stop.get_token());
        reason = source.reason();
        readouts = source.readouts();
        const FrameSpec& now = source.info().frame;
        if (outcome == Outcome::Frame && !now.sameLayout(shared.info.frame)) {
            outcome = Outcome::Changed;
            reason = fmt::format("Its frames are {} now, and were {}.", now.describe(),
                                 shared.info.frame.describe());
        }
        if (outcome < Outcome::Frame || outcome > Outcome::Ended)
            throw Error("it gave an answer that does not exist");
    });
    const std::scoped_lock lock(shared.mutex);
    shared.outcome = outcome;
    shared.stamp = stamp;
    shared.reason = std::move(reason);
    shared.readouts = std::move(readouts);
    if (!failure.empty()) shared.failure = failure;
    shared.turn = Shared::Turn::Answered;
}

LiveSource::Outcome GuardedSource::next(std::span<std::byte> out, FrameStamp& stamp,
                                        const std::stop_token& stop) {
    Shared& shared = *m_shared;
    std::unique_lock lock(shared.mutex);
    if (shared.turn == Shared::Turn::Idle) {
        shared.turn = Shared::Turn::Asked;
        shared.changed.notify_all();
    }
    const bool answered = shared.changed.wait_for(lock, stop, kWait, [&] {
        return shared.turn == Shared::Turn::Answered || !shared.failure.empty();
    });
    if (!answered) return Outcome::Nothing;
    if (!shared.failure.empty()) {
        std::string who = m_who;
        who.front() = 'T';
        throw Error(fmt::format("{} failed: {}.", who, shared.failure));
    }
    shared.turn = Shared::Turn::Idle;
    m_reason = shared.reason;
    stamp = shared.stamp;
    if (shared.outcome == Outcome::Frame)
        std::memcpy(out.data(), shared.frame.data(), std::min(out.size(), shared.frame.size()));
    return shared.outcome;
}

std::vector<LiveParameter> GuardedSource::parameters() const {
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->parameters;
}

std::vector<std::pair<std::string, std::string>> GuardedSource::readouts() const {
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->readouts;
}

void GuardedSource::setParameter(const std::string& key, double value) {
    const std::scoped_lock lock(m_shared->mutex);
    const auto at = std::ranges::find(m_shared->parameters, key, &LiveParameter::key);
    if (at == m_shared->parameters.end() || !std::isfinite(value) || !(at->min <= at->max)) return;
    at->value = std::clamp(value, at->min, at->max);
    m_shared->wanted.emplace_back(key, at->value);
    m_shared->changed.notify_all();
}

} // namespace echolux
