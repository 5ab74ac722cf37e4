// SPDX-License-Identifier: GPL-3.0-or-later
// The frames in flight: how each begins, and what becomes of it.
#include "app/session/engine.hpp"

#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <set>

namespace echolux {

/// The oldest frame that anybody waits for; of a sweep that something has ended, none.
RawFrame* Engine::takeWanted() {
    for (;;) {
        RawFrame* raw = m_ring.tryTake();
        if (raw == nullptr || raw->sweep == 0 || raw->sweep == m_player->sweepNumber()) return raw;
        m_ring.giveBack(raw);
    }
}

bool Engine::mayStart() const {
    return !m_broken && static_cast<int>(m_inFlight.size()) < m_runner.slotCount();
}

/// False where nothing waits.
bool Engine::startNext() {
    if (m_split) {
        const RawPlace next = m_split;
        m_split = ++m_split.at < next.run->count ? m_split : RawPlace{};
        start(next, false);
        return true;
    }
    RawFrame* raw = takeWanted();
    if (raw == nullptr) return false;
    if (raw->sweep != 0) {
        startSwept(raw);
    } else if (raw->count > 1 && m_runsPrepared && raw->count == m_runs.frames()) {
        startRun(raw);
    } else {
        if (raw->count > 1) m_split = {raw, 1};
        start({raw, 0}, false);
    }
    return true;
}

std::vector<Image*> Engine::beginImages() {
    std::vector<Image*> images;
    for (std::size_t view = 0; view < m_runner.snapshot()->views.size(); ++view)
        images.push_back(mailbox(view).beginWrite());
    return images;
}

/// What throws on its way leaves the frame in flight, for fail() to take back.
void Engine::start(const RawPlace& raw, bool again) {
    m_runAgain = false;
    m_inFlight.push_back(
        {-1, raw, 1, beginImages(), again, again ? m_editArrived : raw.run->arrived});
    const std::vector<Image*>& images = m_inFlight.back().images;
    std::array<ViewTarget, kMostViews> targets;
    std::ranges::transform(images, targets.begin(), [](Image* image) {
        return ViewTarget{image->pixels.data(), &image->consumed};
    });
    const std::int64_t index = raw.index();
    const bool looped = index == 0 && m_lastIndex + 1 == info().frameCount;
    const bool jumped = index != m_lastIndex + 1 && !looped;
    if (!again && jumped) m_runner.reset();
    m_runner.timeEveryFrame(timesEveryFrame());
    const int slot = m_runner.enqueue({raw.samples(), targets[0].pixels, targets[0].free,
                                       again ? Turn::Again : Turn::Next, index,
                                       std::span(targets).subspan(1, images.size() - 1)});
    m_volume.write(m_runner.exec(slot), images[0]->pixels.as<const float>(), index);
    for (Image* image : images) image->ready.record(m_runner.exec(slot));
    m_inFlight.back().slot = slot;
    m_lastIndex = index;
}

/// Of a run only the last image can be shown; all of them go into the volume.
void Engine::startRun(RawFrame* run) {
    const RawPlace last{run, run->count - 1};
    m_inFlight.push_back({-1, last, run->count, beginImages(), false, run->arrived});
    Image* image = m_inFlight.back().images[0]; // of several views there are no runs
    m_runs.runner().timeEveryFrame(timesEveryFrame());
    const int slot = m_runs.enqueue(*run);
    const Exec exec = m_runs.runner().exec(slot);
    const float* images = m_runs.images(slot);
    const std::size_t bytes = image->pixels.bytes();
    image->consumed.blockStream(exec);
    copyWithin(exec, image->pixels.data(),
               images + static_cast<std::size_t>(last.at) * (bytes / sizeof(float)), bytes);
    m_volume.write(exec, images, run->index, run->count);
    image->ready.record(exec);
    m_inFlight.back().slot = slot;
    m_lastIndex = last.index();
}

void Engine::startSwept(RawFrame* raw) {
    m_inFlight.push_back({-1, {raw, 0}, 1, {}, false, raw->arrived});
    const int slot = m_sweep.start(*raw);
    m_inFlight.back().slot = slot;
    if (slot == m_lastSlot) m_lastSlot = -1;
}

/// Playback has begun to hurry, or the pipeline was edited since.
bool Engine::runsDue() const { return !m_runsPrepared && !m_broken && m_player->hurries(); }

void Engine::prepareRuns() {
    while (!m_inFlight.empty() && m_inFlight.front().count > 1) retireOldest();
    m_framesPerRun = m_runs.prepare(*m_runner.snapshot());
    m_player->setRun(m_framesPerRun);
    m_runsPrepared = true;
}

Runner& Engine::runnerOf(const InFlight& job) { return job.count > 1 ? m_runs.runner() : m_runner; }

void Engine::retireOldest() {
    const InFlight done = m_inFlight.front();
    runnerOf(done).wait(done.slot);
    for (Image* image : done.images) image->ready.synchronize(); // the volume has read it too
    m_inFlight.pop_front();
    if (!done.images.empty()) {
        show(done);
    } else { // neither counted nor timed
        m_ring.giveBack(done.raw.run);
        m_sweep.frameDone();
    }
    m_callbacks.imageReady();
    if (columnDue()) updateColumn();
}

void Engine::show(const InFlight& done) {
    if (!done.again) {
        if (m_lastRaw && m_lastRaw.run != done.raw.run) m_ring.giveBack(m_lastRaw.run);
        m_lastRaw = done.raw;
    }
    m_lastSlot = done.count > 1 ? -1 : done.slot;
    m_lastImages.assign(done.images.begin(), done.images.end());
    const Snapshot& snapshot = *m_runner.snapshot();
    ++m_serial;
    if (m_tracing) traceShown(done);
    for (std::size_t view = 0; view < done.images.size(); ++view) {
        Image* image = done.images[view];
        image->spec = snapshot.outputOf(snapshot.views[view].source);
        image->origin = {done.raw.index(), m_serial, done.arrived, {}, {}};
        mailbox(view).publish(image);
    }
    m_statistics.processed(runnerOf(done), done.slot, done.count);
    m_column.imageCame();
}

bool Engine::timesEveryFrame() const { return m_tracing || m_runner.fusing() == Fusing::Never; }

/// Before the image can reach the screen.
void Engine::traceShown(const InFlight& done) {
    Runner& runner = runnerOf(done);
    if (!runner.timing(done.slot).isStepwise) return;
    readTrace(runner, done.slot, m_trace);
    m_trace.frame = done.raw.index();
    m_trace.count = done.count;
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
        m_runner.reset(); // frames are missing
        m_broken = m_runner.snapshot() == nullptr;
    } catch (const std::exception&) {
        m_broken = true; // a failed CUDA context does not recover
    }
    m_player->freeze();
    m_player->endSweep();
    std::set<RawFrame*> lostRuns;
    if (m_split) lostRuns.insert(m_split.run);
    m_split = {};
    for (const InFlight& lost : m_inFlight) {
        for (std::size_t view = 0; view < lost.images.size(); ++view)
            mailbox(view).abandon(lost.images[view]);
        lostRuns.insert(lost.raw.run);
    }
    m_inFlight.clear();
    lostRuns.erase(m_lastRaw.run);
    for (RawFrame* run : lostRuns) m_ring.giveBack(run);
    m_callbacks.failed(sentence);
}

} // namespace echolux
