// SPDX-License-Identifier: GPL-3.0-or-later
// Counts, rates, latencies and times per stage.
#include "app/session/stream/live_statistics.hpp"

#include <algorithm>

namespace echolux {
namespace {

bool areOf(const std::vector<std::string>& ids, const Step& step, const Snapshot& snapshot) {
    return std::ranges::equal(
        ids, step.stages, {}, {},
        [&](std::size_t stage) -> const std::string& { return snapshot.stages[stage].id; });
}

} // namespace

void LiveStatistics::processed(Runner& runner, int slot, std::int64_t frames) {
    const double share = 1.0 / static_cast<double>(frames);
    const FrameTiming& timing = runner.timing(slot);
    const std::lock_guard lock(m_mutex);
    m_statistics.framesProcessed += static_cast<std::uint64_t>(frames);
    m_frame.add(share * timing.totalMs);
    m_upload.add(share * timing.uploadMs);
    if (!timing.isStepwise) return;
    follow(runner);
    for (std::size_t i = 0; i < m_steps.size(); ++i) m_steps[i].add(share * timing.stepMs[i]);
}

/// Allocates only where other steps run than before.
void LiveStatistics::follow(const Runner& runner) {
    const std::vector<Step>& steps = runner.steps();
    const Snapshot& snapshot = *runner.snapshot();
    std::vector<StageDuration>& stages = m_statistics.stages;
    const auto isSame = [&](const StageDuration& stage, const Step& step) {
        return areOf(stage.ids, step, snapshot);
    };
    if (!std::ranges::equal(stages, steps, isSame)) {
        stages.clear();
        for (const Step& step : steps) stages.push_back({step.ids(snapshot), {}});
        m_steps.assign(steps.size(), {});
    }
    for (std::size_t i = 0; i < steps.size(); ++i) stages[i].heldBytes = steps[i].heldBytes;
}

void LiveStatistics::restartTimes(const Runner& runner) {
    const std::lock_guard lock(m_mutex);
    m_frame.clear();
    m_upload.clear();
    m_steps.clear();
    m_statistics.stages.clear();
    m_statistics.isSeparate = runner.fusing() == Fusing::Never;
    m_statistics.hasFusions = runner.hasFusions();
    m_statistics.crossings = runner.crossings();
}

void LiveStatistics::presented(const ImageOrigin& origin, Clock::time_point now) {
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

Statistics LiveStatistics::statistics(const Player& player) {
    const MemoryCounters memory = memoryCounters();
    const auto now = Clock::now();
    const std::lock_guard lock(m_mutex);
    m_statistics.framesRead = player.framesRead();
    m_statistics.framesLate = player.framesLate();
    m_statistics.framesDropped = player.framesLeftOut();
    m_statistics.recordingBytesKept = player.keptBytes();
    m_statistics.readPerS = m_readRate.update(m_statistics.framesRead, now);
    m_statistics.processedPerS = m_processedRate.update(m_statistics.framesProcessed, now);
    m_statistics.shownPerS = m_shownRate.update(m_statistics.framesShown, now);
    m_statistics.megabytesPerS = m_byteRate.update(player.bytesRead(), now) / 1e6;
    m_statistics.frame = m_frame.times();
    m_statistics.upload = m_upload.times();
    for (std::size_t i = 0; i < m_steps.size(); ++i) m_statistics.stages[i].ms = m_steps[i].times();
    m_statistics.latencyMedianMs = m_latency.percentile(0.5);
    m_statistics.latency99Ms = m_latency.percentile(0.99);
    m_statistics.processingMedianMs = m_processing.percentile(0.5);
    m_statistics.waitingMedianMs = m_waiting.percentile(0.5);
    m_statistics.drawingMedianMs = m_drawing.percentile(0.5);
    m_statistics.deviceToHostCopies = memory.deviceToHost - m_baseline.deviceToHost;
    m_statistics.linesToHost = memory.linesToHost - m_baseline.linesToHost;
    m_statistics.allocations = memory.allocations - m_baseline.allocations;
    m_statistics.gpuBytesHeld = memory.bytesDeviceHeld;
    return m_statistics;
}

void LiveStatistics::resetCounters() {
    const std::lock_guard lock(m_mutex);
    m_baseline = memoryCounters();
}

} // namespace echolux
