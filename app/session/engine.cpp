// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline thread: takes raw frames, keeps several in flight, publishes images, applies edits.
#include "app/session/engine.hpp"

#include "app/session/thread_name.hpp"
#include "gpu/memory/transfer.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>

namespace echolux {
namespace {

constexpr int kSlotsInFlight = 3;
/// Besides those in flight: the one kept for runs after an edit, one being filled, one ready.
constexpr int kSpareRingSlots = 3;
/// Besides those in flight: one published, one on screen.
constexpr int kSpareImages = 2;
constexpr auto kColumnPeriod = std::chrono::milliseconds(100);
constexpr double kSmoothing = 1.0 / 16.0;

std::vector<std::string> keptStages(const Snapshot& snapshot) {
    const StageState* envelope = snapshot.findType("envelope");
    return envelope != nullptr ? std::vector<std::string>{envelope->id}
                               : std::vector<std::string>{};
}

double smoothed(double before, double now) {
    return before == 0.0 ? now : before + kSmoothing * (now - before);
}

} // namespace

Engine::Engine(std::unique_ptr<Recording> recording, SnapshotPtr snapshot, Backend backend,
               Callbacks callbacks)
    : m_recording(std::move(recording)), m_backend(backend), m_callbacks(std::move(callbacks)),
      m_runner(backend, kSlotsInFlight),
      m_ring(RingPolicy::Block, stagingMemory(backend), m_runner.slotCount() + kSpareRingSlots,
             m_recording->info().frame.bytes()),
      m_mailbox(backend, m_runner.slotCount() + kSpareImages,
                [this](const ImageOrigin& origin) { onPresented(origin); }),
      m_volume(backend), m_rawLines(m_recording->info().frame) {
    m_runner.apply(snapshot, keptStages(*snapshot));
    m_mailbox.resize(snapshot->output().bytes());
    m_volume.configure(snapshot->output(), snapshot->input.spectrometer.get());
    m_columnStaging = Buffer(stagingMemory(backend), snapshot->output().bytes());
    m_posted = std::move(snapshot);
    m_baseline = memoryCounters();
    m_player = std::make_unique<Player>(
        *m_recording, m_ring,
        Player::Callbacks{[this] {
                              // Taking the lock orders this with the pipeline thread's decision to
                              // sleep.
                              { const std::lock_guard lock(m_mutex); }
                              m_wake.notify_one();
                          },
                          [this](const std::string& sentence) { m_callbacks.failed(sentence); }});
    m_thread = std::thread([this] { loop(); });
}

Engine::~Engine() {
    m_player->stop();
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void Engine::post(SnapshotPtr snapshot) {
    {
        const std::lock_guard lock(m_mutex);
        m_posted = std::move(snapshot);
        m_pending = true;
    }
    m_wake.notify_one();
}

SnapshotPtr Engine::snapshot() const {
    const std::lock_guard lock(m_mutex);
    return m_posted;
}

void Engine::setEnFace(const EnFaceView& view) {
    m_volume.setEnFace(view);
    { const std::lock_guard lock(m_mutex); } // orders this with the decision to sleep
    m_wake.notify_one();
}

void Engine::pickColumn(std::optional<double> lateralM) {
    {
        const std::lock_guard lock(m_mutex);
        m_picked = lateralM;
        m_pickChanged = lateralM.has_value();
        if (!lateralM) m_column.reset();
    }
    m_wake.notify_one();
}

std::optional<ColumnData> Engine::column() const {
    const std::lock_guard lock(m_mutex);
    return m_column;
}

void Engine::loop() {
    nameThisThread("echolux-pipeline");
    std::unique_lock lock(m_mutex);
    while (!m_stop) work(lock);
    lock.unlock();
    try {
        retireAll();
    } catch (const std::exception& error) {
        spdlog::error("{}", error.what());
    }
}

/// One decision of the pipeline thread. Enters and leaves with `lock` held; no frame is processed
/// under it.
void Engine::work(std::unique_lock<std::mutex>& lock) {
    const bool pending = m_pending;
    const bool pickChanged = m_pickChanged && m_lastSlot >= 0;
    lock.unlock();
    bool idle = false;
    try {
        if (pending) {
            applyPending();
        } else if (RawFrame* raw = nullptr;
                   !m_broken && static_cast<int>(m_inFlight.size()) < m_runner.slotCount() &&
                   (raw = m_ring.tryTake()) != nullptr) {
            m_runAgain = false;
            start(raw, false);
        } else if (!m_inFlight.empty()) {
            retireOldest();
        } else if (m_runAgain && m_lastRaw != nullptr && !m_broken) {
            m_runAgain = false;
            start(m_lastRaw, true);
        } else if (pickChanged || columnDue()) {
            updateColumn(m_lastSlot);
        } else if (!m_broken && m_volume.work()) {
            m_callbacks.imageReady();
        } else {
            idle = true;
        }
    } catch (const std::exception& error) {
        fail(error.what());
    }
    lock.lock();
    if (idle) {
        const auto hasWork = [this] {
            return m_stop || m_pending || (m_pickChanged && m_lastSlot >= 0) ||
                   (!m_broken && (!m_ring.empty() || m_volume.hasWork()));
        };
        if (m_columnStale && m_picked && m_lastSlot >= 0) {
            m_wake.wait_until(lock, m_lastColumn + kColumnPeriod, hasWork);
        } else {
            m_wake.wait(lock, hasWork);
        }
    }
}

/// All or nothing: what does not fit leaves the former snapshot in force.
void Engine::applyPending() {
    retireAll();
    SnapshotPtr next;
    {
        const std::lock_guard lock(m_mutex);
        m_pending = false;
        next = m_posted;
    }
    const SnapshotPtr former = m_runner.snapshot();
    m_lastSlot = -1;
    try {
        m_runner.apply(next, keptStages(*next));
        resizeImages(*next);
    } catch (const std::exception& error) {
        {
            const std::lock_guard lock(m_mutex);
            if (!m_pending) m_posted = former;
        }
        m_callbacks.failed(error.what());
        m_runner.apply(former, keptStages(*former));
        resizeImages(*former);
    }
    m_runAgain = true;
    m_editArrived = Clock::now();
}

void Engine::resizeImages(const Snapshot& snapshot) {
    const std::size_t bytes = snapshot.output().bytes();
    m_volume.configure(snapshot.output(), snapshot.input.spectrometer.get());
    if (m_columnStaging.bytes() == bytes) return;
    Buffer staging(stagingMemory(m_backend), bytes);
    m_mailbox.resize(bytes);
    m_columnStaging = std::move(staging);
}

void Engine::start(RawFrame* raw, bool again) {
    Image* image = m_mailbox.beginWrite();
    try {
        const bool looped = raw->index == 0 && m_lastIndex + 1 == info().frameCount;
        const bool jumped = raw->index != m_lastIndex + 1 && !looped;
        if (!again && jumped) m_runner.reset();
        const int slot = m_runner.enqueue(
            {raw->data.as<std::byte>(), image->pixels.data(), &image->consumed, again});
        m_volume.write(m_runner.exec(slot), image->pixels.as<const float>(),
                       m_runner.snapshot()->output(), raw->index);
        image->ready.record(m_runner.exec(slot));
        m_lastIndex = raw->index;
        m_inFlight.push_back({slot, raw, image, again, again ? m_editArrived : raw->arrived});
    } catch (...) {
        m_mailbox.abandon(image);
        if (!again) m_ring.giveBack(raw);
        throw;
    }
}

void Engine::retireOldest() {
    const InFlight done = m_inFlight.front();
    m_inFlight.pop_front();
    if (!done.again) {
        if (m_lastRaw != nullptr) m_ring.giveBack(m_lastRaw);
        m_lastRaw = done.raw;
    }
    try {
        m_runner.wait(done.slot);
        done.image->ready.synchronize(); // the volume has read it too
    } catch (...) {
        m_mailbox.abandon(done.image);
        throw;
    }
    m_lastSlot = done.slot;
    done.image->spec = m_runner.snapshot()->output();
    done.image->origin = {done.raw->index, ++m_serial, done.arrived, {}, {}};
    m_mailbox.publish(done.image);
    updateTimes(done.slot);
    m_callbacks.imageReady();
    m_columnStale = true;
    if (columnDue()) updateColumn(done.slot);
}

/// The picked column lags behind the image, and its last update is long enough ago.
bool Engine::columnDue() const {
    return m_columnStale && m_lastSlot >= 0 && Clock::now() - m_lastColumn >= kColumnPeriod;
}

void Engine::retireAll() {
    while (!m_inFlight.empty()) retireOldest();
}

void Engine::updateTimes(int slot) {
    const FrameTiming& timing = m_runner.timing(slot);
    const Snapshot& snapshot = *m_runner.snapshot();
    const std::lock_guard lock(m_mutex);
    ++m_statistics.framesProcessed;
    m_statistics.frameMs = smoothed(m_statistics.frameMs, timing.totalMs);
    m_statistics.uploadMs = smoothed(m_statistics.uploadMs, timing.uploadMs);
    const std::vector<Step>& steps = m_runner.steps();
    m_statistics.stages.resize(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        StageDuration& stage = m_statistics.stages[i];
        std::string label = steps[i].label(snapshot);
        if (stage.id != label) stage = {std::move(label), 0.0};
        stage.ms = smoothed(stage.ms, timing.stepMs[i]);
    }
}

/// Only for a picked column and at most ten times a second: the one place where pixels visit the
/// host.
void Engine::updateColumn(int slot) {
    ColumnData column;
    {
        const std::lock_guard lock(m_mutex);
        m_pickChanged = false;
        m_columnStale = false;
        if (!m_picked) return;
        column.lateralM = *m_picked;
    }
    m_lastColumn = Clock::now();
    if (m_lastRaw != nullptr && info().frame.find(AxisName::Sample) != nullptr) {
        column.frame = m_lastRaw->index;
        m_rawLines.read(column, m_lastRaw->data.as<std::byte>());
    }
    const StageState* envelope = m_runner.snapshot()->findType("envelope");
    const Axis* depth = envelope != nullptr ? envelope->plan.output.find(AxisName::Depth) : nullptr;
    if (depth != nullptr) {
        const ConstTensorView view = m_runner.keptOutput(slot, envelope->id);
        const auto lines = static_cast<std::size_t>(depth->size);
        const auto stride = static_cast<std::size_t>(view.spec->count()) / lines * sizeof(float);
        const Exec on = m_runner.exec(slot);
        downloadStrided(on, m_columnStaging.data(),
                        view.as<float>() + columnIndex(*view.spec, column.lateralM), sizeof(float),
                        lines, stride);
        m_runner.drain();
        column.envelope.assign(m_columnStaging.as<float>(), m_columnStaging.as<float>() + lines);
        column.depthStartM = depth->origin;
        column.depthStepM = depth->spacing;
    }
    {
        const std::lock_guard lock(m_mutex);
        m_column = std::move(column);
    }
    m_callbacks.columnReady();
}

void Engine::fail(const std::string& sentence) {
    try {
        m_runner.drain();
        m_runner.reset(); // frames are missing
        m_broken = m_runner.snapshot() == nullptr;
    } catch (const std::exception&) {
        m_broken = true; // a failed CUDA context does not recover
    }
    m_player->freeze();
    for (const InFlight& lost : m_inFlight) {
        m_mailbox.abandon(lost.image);
        if (!lost.again) m_ring.giveBack(lost.raw);
    }
    m_inFlight.clear();
    m_callbacks.failed(sentence);
}

void Engine::onPresented(const ImageOrigin& origin) {
    const auto now = Clock::now();
    const auto msBetween = [](Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double, std::milli>(to - from).count();
    };
    const std::lock_guard lock(m_mutex);
    ++m_statistics.framesShown;
    m_latency.add(msBetween(origin.arrived, now));
    m_processing.add(msBetween(origin.arrived, origin.processed));
    m_waiting.add(msBetween(origin.processed, origin.fetched));
    m_drawing.add(msBetween(origin.fetched, now));
}

Statistics Engine::statistics() {
    const MemoryCounters memory = memoryCounters();
    const auto now = Clock::now();
    const std::lock_guard lock(m_mutex);
    m_statistics.framesRead = m_player->framesRead();
    m_statistics.framesLate = m_player->framesLate();
    m_statistics.framesDropped = m_ring.dropped();
    m_statistics.readPerS = m_readRate.update(m_statistics.framesRead, now);
    m_statistics.processedPerS = m_processedRate.update(m_statistics.framesProcessed, now);
    m_statistics.shownPerS = m_shownRate.update(m_statistics.framesShown, now);
    m_statistics.megabytesPerS = m_byteRate.update(m_player->bytesRead(), now) / 1e6;
    m_statistics.latencyMedianMs = m_latency.percentile(0.5);
    m_statistics.latency99Ms = m_latency.percentile(0.99);
    m_statistics.processingMedianMs = m_processing.percentile(0.5);
    m_statistics.waitingMedianMs = m_waiting.percentile(0.5);
    m_statistics.drawingMedianMs = m_drawing.percentile(0.5);
    m_statistics.deviceToHostCopies = memory.deviceToHost - m_baseline.deviceToHost;
    m_statistics.allocations = memory.allocations - m_baseline.allocations;
    m_statistics.gpuBytesHeld = memory.bytesDeviceHeld;
    return m_statistics;
}

void Engine::resetCounters() {
    const std::lock_guard lock(m_mutex);
    m_baseline = memoryCounters();
}

} // namespace echolux
