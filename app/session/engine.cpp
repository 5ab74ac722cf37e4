// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline thread: how it begins and ends, what it decides to do next, and who takes images.
#include "app/session/engine.hpp"

#include "app/dataset/recording/thread_name.hpp"
#include "app/pipeline/past_images.hpp"
#include "app/session/stream/frame_reader.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>

namespace echolux {
namespace {

/// Ring slots besides those of frames in flight: one is kept for runs after an edit, one is being
/// filled, one is ready.
constexpr int kSpareRingSlots = 3;
/// The part of kSpareRingSlots that the pipeline may hold and still start another frame.
constexpr int kKeptRingSlots = 1;
/// Images besides those of frames in flight: one is published, one is on screen.
constexpr int kSpareImages = 2;

EnginePlace selected(const EnginePlace& place) {
    place.select();
    return place;
}

} // namespace

void EnginePlace::select() const {
    if (backend == Backend::Cuda) device::select(gpu);
}

EngineLimits EngineLimits::usual(Backend backend) {
    return {mostKeptBytes(), backend == Backend::Cuda ? kRunBytes : 0};
}

Engine::Engine(std::unique_ptr<Recording> recording, SnapshotPtr snapshot, const EnginePlace& place,
               Callbacks callbacks, const LookTypes& looks)
    : Engine(std::move(recording), std::move(snapshot), place, std::move(callbacks),
             EngineLimits::usual(place.backend), looks) {}

Engine::Engine(std::unique_ptr<Recording> recording, SnapshotPtr snapshot, const EnginePlace& place,
               Callbacks callbacks, const EngineLimits& limits, const LookTypes& looks)
    : m_place(selected(place)), m_recording(std::move(recording)),
      m_callbacks(std::move(callbacks)), m_runner(place.backend, place.inFlight),
      m_runs(place.backend, place.inFlight, limits.runBytes),
      m_ring(m_runner.slotCount() + kSpareRingSlots, m_runner.slotCount() + kKeptRingSlots),
      m_volume(place.backend, m_callbacks.volumeChanged), m_sinks(m_volume),
      m_sweep(m_runner, m_volume),
      m_looks({place.backend, m_recording->info().frame, [this] { wake(); }}, looks) {
    m_volume.onWish([this] { wake(); });
    for (std::size_t view = 0; view < kMostViews; ++view) {
        const auto presented = [this, view](const ImageOrigin& origin) {
            if (view != 0) return;
            const Clock::time_point now = Clock::now();
            m_statistics.presented(origin, now);
            m_traces.presented(origin.serial, now);
        };
        ViewMailbox& made =
            m_mailboxes.emplace_back(place.backend, m_runner.slotCount() + kSpareImages, presented,
                                     [this, view] { m_callbacks.imageReady(view); });
        m_sinks.add(made.sink, view);
    }
    for (int i = 0; i < m_runner.slotCount(); ++i) m_delivered.emplace_back(place.backend, false);
    m_lastImages.reserve(kMostViews);
    adopt(snapshot, m_fusing);
    m_posted = std::move(snapshot);
    m_statistics.resetCounters();
    const auto published = [this] { wake(); };
    const auto rested = [this] { wish(&Wishes::sweep); };
    m_player = std::make_unique<Player>(
        *m_recording, m_ring, stagingMemory(place.backend), limits.keptBytes,
        Player::Callbacks{published, m_callbacks.failed, m_callbacks.warned, rested,
                          [this] { selectPlace(); }},
        m_posted->ensemble());
    m_player->setPast(imagesBefore(*m_posted));
    m_thread = std::thread([this] { loop(); });
}

Engine::~Engine() {
    m_player->stop();
    wish(&Wishes::stop);
    m_thread.join();
}

void Engine::wake() {
    { const std::lock_guard lock(m_mutex); } // orders this before or after the decision to sleep
    m_wake.notify_one();
}

void Engine::wish(bool Wishes::*what) {
    {
        const std::lock_guard lock(m_mutex);
        m_wishes.*what = true;
    }
    m_wake.notify_one();
}

void Engine::suspend() {
    std::unique_lock lock(m_mutex);
    ++m_wishes.suspensions;
    m_wake.notify_one();
    m_atRest.wait(lock, [this] { return m_wishes.resting; });
}

void Engine::resume() {
    {
        const std::lock_guard lock(m_mutex);
        if (--m_wishes.suspensions > 0) return;
        m_wishes.resting = false;
        m_wishes.edit = true;
    }
    m_wake.notify_one();
}

void Engine::atBoundary(const std::function<void()>& task) {
    std::packaged_task<void()> waiting(task);
    std::future<void> done = waiting.get_future();
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(waiting));
        m_wishes.tasks = true;
    }
    m_wake.notify_one();
    done.get();
}

void Engine::runTasks() {
    std::vector<std::packaged_task<void()>> tasks;
    {
        const std::lock_guard lock(m_mutex);
        tasks.swap(m_tasks);
        m_wishes.tasks = false;
    }
    for (auto& task : tasks) task();
}

void Engine::addSink(ImageSink& sink, std::size_t view) {
    atBoundary([&] {
        retireAll();
        sink.configure(ImageFormat::of(m_runner.snapshot(), view));
        m_sinks.add(sink, view);
    });
}

void Engine::removeSink(ImageSink& sink) {
    atBoundary([&] {
        try {
            retireAll();
        } catch (const std::exception& error) {
            fail(failureText(error));
        }
        m_sinks.remove(sink);
        sink.configure({});
    });
}

void Engine::addSink(RawSink& sink) {
    atBoundary([&] { m_rawSinks.push_back(&sink); });
}

void Engine::removeSink(RawSink& sink) {
    atBoundary([&] {
        std::erase(m_rawSinks, &sink);
        sink.end();
    });
}

RawPlace Engine::shownRaw() {
    RawPlace shown;
    atBoundary([&] { shown = {m_lastRaw.run.forOther(), m_lastRaw.at}; });
    if (!shown) throw Error("No frame has been processed yet; step to a frame that can be read.");
    return shown;
}

Engine::RawCopy Engine::copyShownRaw() {
    const RawPlace shown = shownRaw();
    return {shown.index(), {shown.samples(), shown.samples() + shown.run->frameBytes}};
}

Statistics Engine::statistics() {
    Statistics now = m_statistics.statistics(*m_player);
    if (LiveFrames* frames = m_recording->live()) {
        now.live = frames->counters();
        now.framesRead = now.live->kept; // of the same moment
    }
    if (info().frame.spectrometer) {
        addOctRates(now, info().frame);
    } else {
        addVolumeRate(now, *snapshot());
    }
    return now;
}

/// The source thread and the pipeline thread call this first.
void Engine::selectPlace() {
    try {
        m_place.select();
    } catch (const Error& error) {
        m_callbacks.failed(error.what());
    }
}

const std::array<Engine::Decision, 11> Engine::kDecisions{{
    {[](const Engine&, const Wishes& wishes) { return wishes.tasks; }, &done<&Engine::runTasks>,
     true},
    {[](const Engine&, const Wishes& wishes) { return wishes.suspensions > 0 && !wishes.resting; },
     &done<&Engine::giveMemoryBack>, true},
    {[](const Engine& engine, const Wishes& wishes) {
         const bool completesPast =
             engine.m_pastIsNewest && !engine.m_broken && !engine.m_ring.empty();
         return wishes.edit && !completesPast;
     },
     &done<&Engine::applyPending>},
    {[](const Engine& engine, const Wishes&) { return engine.runsDue(); },
     &done<&Engine::prepareRuns>},
    {[](const Engine& engine, const Wishes&) { return engine.mayStart(); },
     [](Engine& engine) { return engine.startGivenUp() || engine.startNext(); }},
    {[](const Engine& engine, const Wishes&) { return !engine.m_inFlight.empty(); },
     &done<&Engine::retireOldest>},
    {[](const Engine& engine, const Wishes&) {
         return engine.m_runAgain && engine.m_lastRaw && !engine.m_broken;
     },
     [](Engine& engine) {
         engine.start(engine.m_lastRaw, true);
         return true;
     }},
    {[](const Engine& engine, const Wishes&) { return engine.isLookDue(); },
     &done<&Engine::lookClosely>},
    {[](const Engine& engine, const Wishes&) { return !engine.m_broken; },
     [](Engine& engine) { return engine.m_sinks.catchUp(); }},
    {[](const Engine&, const Wishes& wishes) { return wishes.past; }, &done<&Engine::refillPast>},
    {[](const Engine&, const Wishes& wishes) { return wishes.sweep; }, &done<&Engine::beginSweep>},
}};

void Engine::loop() {
    nameThisThread("echolux-pipeline");
    selectPlace();
    std::unique_lock lock(m_mutex);
    while (!m_wishes.stop) {
        const Wishes wishes = m_wishes;
        lock.unlock(); // it is never held while a frame is processed
        const bool busy = decide(wishes);
        lock.lock();
        if (!busy) sleep(lock);
    }
    lock.unlock();
    try {
        retireAll();
    } catch (const std::exception& error) {
        spdlog::error("{}", failureText(error));
    }
    for (RawSink* sink : m_rawSinks) sink->end();
}

/// One decision of the pipeline thread. False: nothing is due.
bool Engine::decide(const Wishes& wishes) {
    try {
        return std::ranges::any_of(kDecisions, [&](const Decision& row) {
            return (wishes.suspensions == 0 || row.whileSuspended) && row.isDue(*this, wishes) &&
                   row.act(*this);
        });
    } catch (const std::exception& error) {
        fail(failureText(error));
        return true;
    }
}

void Engine::sleep(std::unique_lock<std::mutex>& lock) {
    const auto workCame = [this] { return hasWork(); };
    const auto lookDueAt = m_looks.due();
    if (lookDueAt && !m_broken && !m_lastImages.empty()) {
        m_wake.wait_until(lock, *lookDueAt, workCame);
    } else {
        m_wake.wait(lock, workCame);
    }
}

/// Call it under the lock.
bool Engine::hasWork() const {
    if (m_wishes.stop || m_wishes.tasks) return true;
    if (m_wishes.suspensions > 0) return !m_wishes.resting;
    return m_wishes.edit || isLookDue() || m_wishes.past || m_wishes.sweep ||
           (!m_broken && (m_split || !m_ring.empty() || m_sinks.hasWork()));
}

/// After this, suspend() returns in any case.
void Engine::giveMemoryBack() {
    m_player->endSweep();
    try {
        retireAll();
        m_runner.release();
        m_runs.release();
        m_sinks.configure(nullptr);
    } catch (const std::exception& error) {
        fail(failureText(error));
    }
    m_lastImages.clear();
    {
        const std::lock_guard lock(m_mutex);
        m_wishes.resting = true;
    }
    m_atRest.notify_all();
}

/// Starts to fill the volume that the shown B-scan belongs to, with images of the pipeline in
/// force.
void Engine::beginSweep() {
    {
        const std::lock_guard lock(m_mutex);
        m_wishes.sweep = false;
    }
    if (!m_broken && m_lastRaw) m_sweep.begin(*m_player, m_lastRaw.index(), info().frameCount);
}

} // namespace echolux
