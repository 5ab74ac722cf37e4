// SPDX-License-Identifier: GPL-3.0-or-later
// Counts, rates, latencies and times per stage.
#include "app/session/stream/live_statistics.hpp"

#include <utility>

namespace echolux {
namespace {

constexpr double kSmoothing = 1.0 / 16.0;

double smoothed(double before, double now) {
    return before == 0.0 ? now : before + kSmoothing * (now - before);
}

} // namespace

void LiveStatistics::processed(Runner& runner, int slot, std::int64_t frames) {
    const double share = 1.0 / static_cast<double>(frames);
    const FrameTiming& timing = runner.timing(slot);
    const std::vector<Step>& steps = runner.steps();
    const std::lock_guard lock(m_mutex);
    m_statistics.framesProcessed += static_cast<std::uint64_t>(frames);
    m_statistics.frameMs = smoothed(m_statistics.frameMs, share * timing.totalMs);
    m_statistics.uploadMs = smoothed(m_statistics.uploadMs, share * timing.uploadMs);
    m_statistics.stages.resize(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        StageDuration& stage = m_statistics.stages[i];
        std::string label = steps[i].label(*runner.snapshot());
        if (stage.id != label) stage = {std::move(label), 0.0};
        stage.ms = smoothed(stage.ms, share * timing.stepMs[i]);
    }
}

void LiveStatistics::presented(const ImageOrigin& origin) {
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

Statistics LiveStatistics::statistics(const Player& player, const Ring& ring) {
    const MemoryCounters memory = memoryCounters();
    const auto now = Clock::now();
    const std::lock_guard lock(m_mutex);
    m_statistics.framesRead = player.framesRead();
    m_statistics.framesLate = player.framesLate();
    m_statistics.framesDropped = ring.dropped();
    m_statistics.recordingBytesKept = player.keptBytes();
    m_statistics.readPerS = m_readRate.update(m_statistics.framesRead, now);
    m_statistics.processedPerS = m_processedRate.update(m_statistics.framesProcessed, now);
    m_statistics.shownPerS = m_shownRate.update(m_statistics.framesShown, now);
    m_statistics.megabytesPerS = m_byteRate.update(player.bytesRead(), now) / 1e6;
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
