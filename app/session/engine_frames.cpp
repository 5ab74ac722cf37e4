// SPDX-License-Identifier: GPL-3.0-or-later
// The frames in flight: how each begins and ends.
#include "app/session/engine.hpp"

#include <exception>
#include <utility>

namespace echolux {

/// The oldest frame that is still wanted. It drops frames of an ended sweep, and frames that were
/// gathered to ensembles of another size.
RawRef Engine::takeWanted() {
    for (;;) {
        RawRef raw = m_ring.tryTake();
        if (!raw) return raw;
        if (raw->sweep == 0 && raw->ensemble != m_runner.snapshot()->ensemble()) continue;
        if (raw->sweep == 0 || raw->sweep == m_player->sweepNumber()) return raw;
    }
}

/// Frames that were read for ensembles of another size are read again.
void Engine::gather(std::int64_t frames) {
    if (frames == m_player->state().ensemble) return;
    m_lastRaw = {};
    m_split = {};
    m_givenUp = {};
    m_player->setEnsemble(frames);
}

bool Engine::mayStart() const {
    return !m_broken && static_cast<int>(m_inFlight.size()) < m_runner.slotCount();
}

/// False where no frame waits.
bool Engine::startNext() {
    if (m_split) {
        const RawPlace next = m_split;
        if (++m_split.at == next.run->count) m_split = {};
        start(next, false);
        return true;
    }
    const RawRef raw = takeWanted();
    if (!raw) return false;
    if (raw->sweep != 0) {
        startSwept(raw);
        return true;
    }
    if (raw->isPast) {
        startPast(raw);
        return true;
    }
    if (!raw->isAgain)
        for (RawSink* sink : m_rawSinks) sink->take(raw.forOther());
    if (raw->count > 1 && m_runsPrepared && raw->count == m_runs.frames()) {
        startRun(raw);
    } else {
        if (raw->count > raw->ensemble) m_split = {raw, 1};
        start({raw, raw->ensemble - 1}, false);
    }
    return true;
}

Engine::InFlight Engine::inFlight(const RawPlace& raw, bool again) const {
    const std::int64_t ensemble = raw.run->ensemble;
    const std::int64_t first = raw.run->index + raw.at - (ensemble - 1);
    const bool shownBefore = again || raw.run->isAgain;
    return {raw,
            {first, 1, shownBefore, ensemble, m_edit},
            shownBefore ? m_editArrived : raw.run->arrived};
}

/// Starts a frame, or the ensemble that ends with it. After an exception the frame stays in flight,
/// and fail() removes it.
void Engine::start(const RawPlace& raw, bool again) {
    m_runAgain = false;
    InFlight& job = m_inFlight.emplace_back(inFlight(raw, again));
    const ViewTargets targets = m_sinks.begin(viewCount());
    if (!again) resetAfterJump(job.frames);
    m_runner.timeEveryFrame(timesEveryFrame());
    compute(job, targets, again ? Turn::Again : Turn::Next);
}

void Engine::resetAfterJump(const FrameRun& next) {
    const EnsembleWindows windows{next.ensemble, info().frameCount};
    const bool looped = next.first == 0 && m_lastIndex + 1 == windows.whole();
    if (next.first != m_lastIndex + 1 && !looped) m_runner.reset();
}

/// False where no frame was given up before it was shown.
bool Engine::startGivenUp() {
    if (!m_givenUp) return false;
    const RawPlace raw = std::exchange(m_givenUp, {});
    m_runAgain = false;
    InFlight& job = m_inFlight.emplace_back(inFlight(raw, false));
    compute(job, m_sinks.begin(viewCount()), Turn::Again); // it was the last frame enqueued
    return true;
}

void Engine::compute(InFlight& job, const ViewTargets& targets, Turn turn) {
    const FrameRun& frames = job.frames;
    const FrameJob work{job.raw.run->frame(job.raw.at - (frames.ensemble - 1)), targets, turn,
                        frames.first};
    if (m_place.backend != Backend::Cpu) {
        job.slot = m_runner.enqueue(work);
    } else if (!m_hostWork.run([&] { job.slot = m_runner.enqueue(work); })) {
        return giveUp();
    }
    deliver(job, targets);
}

std::uint64_t Engine::edits() const {
    const std::lock_guard lock(m_mutex);
    return m_edits;
}

void Engine::giveUpStale() {
    const std::lock_guard lock(m_mutex); // an edit that waits here is not being computed
    if (m_wishes.edit && m_gaveUp < kMostGivenUp) m_hostWork.giveUp();
}

/// The frame in flight is incomplete. It runs again as if it had not started.
void Engine::giveUp() {
    const InFlight job = std::move(m_inFlight.back());
    m_inFlight.pop_back();
    ++m_gaveUp;
    m_statesAreTorn = true;
    m_sinks.abandon();
    m_lastSlot = -1;
    m_lastImages.clear();
    if (job.frames.again) {
        m_runAgain = true;
    } else {
        m_givenUp = job.raw;
    }
}

void Engine::startRun(const RawRef& run) {
    m_runAgain = false;
    InFlight& job = m_inFlight.emplace_back(
        InFlight{{run, run->count - 1}, {run->index, run->count, false, 1, m_edit}, run->arrived});
    const ViewTargets targets = m_sinks.begin(viewCount());
    m_runs.runner().timeEveryFrame(timesEveryFrame());
    job.slot = m_runs.enqueue(*run);
    deliver(job, targets);
}

const FrameSpec& Engine::imageSpec(std::size_t view) const {
    const Snapshot& snapshot = *m_runner.snapshot();
    return snapshot.outputOf(snapshot.views[view].source);
}

/// Hands on the images of the frames, whose work has been enqueued.
void Engine::deliver(InFlight& job, const ViewTargets& targets) {
    const Runner& runner = runnerOf(job);
    const Exec exec = runner.exec(job.slot);
    std::array<RunImages, kMostViews> images;
    for (std::size_t view = 0; view < viewCount(); ++view) {
        const auto* lent = static_cast<const float*>(targets[view].pixels);
        const bool madeThere = lent != nullptr && job.frames.count == 1;
        images[view] = {madeThere ? lent : runner.viewOutput(job.slot, view).as<float>(),
                        imageSpec(view).count()};
        job.images[view] = lent != nullptr ? lent : images[view].image(job.frames.count - 1);
    }
    for (std::size_t view = 0; view < viewCount(); ++view) {
        if (const auto over = m_runner.snapshot()->views[view].over)
            images[view].beneath = images[*over].image(job.frames.count - 1);
        images[view].motion = runner.viewMotion(job.slot, view);
        m_sinks.take(view, exec, job.frames, images[view]);
    }
    job.delivered = &m_delivered[m_begun++ % m_delivered.size()];
    job.delivered->record(exec);
    m_lastIndex = job.frames.last();
    m_pastIsNewest = false;
}

/// Of a frame that no sink receives.
Engine::InFlight& Engine::unseen(const RawRef& raw, InFlight::For purpose) {
    return m_inFlight.emplace_back(InFlight{{raw, raw->ensemble - 1},
                                            {.first = raw->index, .ensemble = raw->ensemble},
                                            raw->arrived,
                                            purpose});
}

void Engine::startSwept(const RawRef& raw) {
    InFlight& job = unseen(raw, InFlight::For::Sweep);
    job.slot = m_sweep.start(*raw);
    if (job.slot == m_lastSlot) m_lastSlot = -1;
}

/// The states take the frame in.
void Engine::startPast(const RawRef& raw) {
    InFlight& job = unseen(raw, InFlight::For::Past);
    m_runAgain = false;
    resetAfterJump(job.frames);
    job.slot =
        m_runner.enqueue({.raw = raw->samples, .turn = Turn::Next, .frame = job.frames.first});
    if (job.slot == m_lastSlot) m_lastSlot = -1;
    m_lastIndex = job.frames.last();
    m_pastIsNewest = true;
}

/// True where playback runs as fast as possible and runs are not prepared since it began or since
/// the last edit.
bool Engine::runsDue() const { return !m_runsPrepared && !m_broken && m_player->hurries(); }

void Engine::prepareRuns() {
    while (!m_inFlight.empty() && m_inFlight.front().frames.count > 1) retireOldest();
    m_framesPerRun = m_runs.prepare(*m_runner.snapshot());
    m_player->setRun(m_framesPerRun);
    m_runsPrepared = true;
}

Runner& Engine::runnerOf(const InFlight& job) {
    return job.frames.count > 1 ? m_runs.runner() : m_runner;
}

void Engine::retireOldest() {
    InFlight& oldest = m_inFlight.front();
    runnerOf(oldest).waitShown(oldest.slot);
    if (oldest.delivered != nullptr) oldest.delivered->synchronize();
    const InFlight done = std::move(oldest);
    m_inFlight.pop_front();
    if (done.purpose == InFlight::For::Screen) {
        show(done);
    } else { // neither counted nor timed
        runnerOf(done).wait(done.slot);
        if (done.purpose == InFlight::For::Sweep) m_sweep.frameDone();
    }
    if (isLookDue()) lookClosely();
}

/// Images do not wait for steps that only later frames need.
void Engine::show(const InFlight& done) {
    m_gaveUp = 0;
    m_statesAreTorn = false;
    m_lastRaw = done.raw;
    m_lastSlot = done.frames.count > 1 ? -1 : done.slot;
    m_lastImages.clear();
    for (std::size_t view = 0; view < viewCount(); ++view)
        m_lastImages.push_back({done.images[view], &imageSpec(view)});
    ++m_serial;
    const auto publish = [&] {
        m_looks.imageCame(done.frames.again ? 0 : done.frames.count);
        m_sinks.done(viewCount(), done.frames, m_serial, done.arrived);
    };
    Runner& runner = runnerOf(done);
    const bool early = runner.hasAsides() && !m_traces.isOn();
    if (early) publish();
    runner.wait(done.slot);
    if (m_traces.isOn()) traceShown(done);
    m_statistics.processed(runner, done.slot, done.frames.frames());
    if (!early) publish();
}

bool Engine::timesEveryFrame() const {
    return m_traces.isOn() || m_runner.fusing() == Fusing::Never;
}

/// Records times before the image can reach the screen.
void Engine::traceShown(const InFlight& done) {
    Runner& runner = runnerOf(done);
    if (!runner.timing(done.slot).isStepwise) return;
    readTrace(runner, done.slot, m_trace);
    m_trace.frame = done.frames.last();
    m_trace.count = done.frames.count;
    m_trace.serial = m_serial;
    m_trace.published = Clock::now();
    m_traces.add(m_trace);
}

void Engine::retireAll() {
    while (!m_inFlight.empty()) retireOldest();
}

void Engine::fail(const std::string& sentence) {
    try {
        m_runner.drain();
        m_runs.runner().drain();
        m_runner.reset(); // frames are missing in its states
        m_broken = m_runner.snapshot() == nullptr;
    } catch (const std::exception&) {
        m_broken = true; // a failed CUDA context cannot recover
    }
    m_player->freeze();
    m_player->endSweep();
    m_split = {};
    m_givenUp = {};
    m_gaveUp = 0;
    m_statesAreTorn = false;
    m_pastIsNewest = false;
    m_inFlight.clear();
    m_sinks.abandon();
    m_callbacks.failed(sentence);
}

} // namespace echolux
