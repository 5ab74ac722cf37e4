// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/oct_trip.hpp"

#include "app/bench/runs.hpp"
#include "app/prediction/timed_work.hpp"
#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace echolux {

RoundTrip::RoundTrip(const Exec& exec, const OctProblem& problem, const TripWay& way)
    : m_snapshot(tschuppChain(problem, way.dcRemoval)), m_onCuda(exec.backend == Backend::Cuda),
      m_runner(exec.backend, way.streams, way.fusing) {
    const bool pinned = way.memory == TripMemory::Pinned && m_onCuda;
    const MemoryKind memory = pinned ? MemoryKind::Pinned : MemoryKind::Host;
    m_runner.apply(m_snapshot);
    m_raw = Buffer(memory, m_snapshot->input.bytes());
    fillSpectra(problem, m_snapshot->input, m_raw.as<std::byte>());
    for (int slot = 0; slot < m_runner.slotCount(); ++slot) {
        m_images.emplace_back(memory, m_snapshot->output().bytes());
        m_back.emplace_back(exec.backend, true);
        m_computed.emplace_back(exec.backend, true);
    }
}

TripTimes RoundTrip::parts(int repeat) {
    std::array<std::vector<double>, 3> us;
    for (int i = 0; i < kWarmUps + repeat; ++i) {
        const auto slot = static_cast<std::size_t>(start());
        m_back[slot].synchronize();
        const FrameTiming& timing = m_runner.timing(static_cast<int>(slot));
        if (i < kWarmUps) continue;
        us[0].push_back(1e3 * timing.uploadMs);
        us[1].push_back(1e3 * (timing.totalMs - timing.uploadMs));
        us[2].push_back(
            !m_onCuda ? 0.0 : 1e3 * device::elapsedMs(m_computed[slot].get(), m_back[slot].get()));
    }
    TripTimes times{medianOf(us[0]), medianOf(us[1]), medianOf(us[2]), 0.0, 0.0};
    times.totalUs = times.upUs + times.processingUs + times.downUs;
    return times;
}

double RoundTrip::perSecond(int buffers) {
    const auto play = [&](int count) {
        for (int i = 0; i < count; ++i) {
            // The stream of the next slot runs its work in order; only the host's memory of the
            // image must be free.
            const auto next = static_cast<std::size_t>(m_started % m_runner.slotCount());
            if (m_started >= m_runner.slotCount()) m_back[next].synchronize();
            start();
        }
        for (const Event& event : m_back) event.synchronize();
    };
    play(kWarmUps * m_runner.slotCount());
    const auto from = std::chrono::steady_clock::now();
    play(buffers);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - from;
    return buffers / spent.count();
}

std::vector<float> RoundTrip::image() {
    const auto slot = static_cast<std::size_t>(start());
    m_back[slot].synchronize();
    const auto* first = m_images[slot].as<float>();
    return {first, first + m_snapshot->output().count()};
}

int RoundTrip::start() {
    const int slot = m_runner.enqueue({.raw = m_raw.as<std::byte>()});
    const auto at = static_cast<std::size_t>(slot);
    const Exec exec = m_runner.exec(slot);
    m_computed[at].record(exec);
    download(exec, m_images[at].data(), m_runner.viewOutput(slot, 0).data, m_images[at].bytes());
    m_back[at].record(exec);
    ++m_started;
    return slot;
}

TripTimes tripTimes(const Exec& exec, const OctProblem& problem, const TripWay& way, int repeat,
                    int buffers) {
    RoundTrip trip(exec, problem, way);
    TripTimes times = trip.parts(repeat);
    times.perSecond = trip.perSecond(buffers);
    return times;
}

} // namespace echolux
