// SPDX-License-Identifier: GPL-3.0-or-later
// Decides when a piece of work runs, and passes its result on.
#include "app/desktop/workbench/probe_runner.hpp"

#include "app/desktop/workbench/background.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/session/session.hpp"
#include "gpu/core/failure_text.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>

namespace echolux {
namespace {

constexpr std::int64_t kPausePerWork = 3;

} // namespace

struct ProbeRunner::Door {
    std::mutex mutex;
    bool closed = false;
};

ProbeRunner::ProbeRunner(Workbench& bench, std::int64_t leastPauseMs)
    : m_bench(bench), m_leastPauseMs(leastPauseMs), m_door(std::make_shared<Door>()) {
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, [this] {
        if (!m_busy && m_bench.isOpen()) emit due();
    });
    connect(&bench, &Workbench::recordingChanged, this, [this] { ++m_recording; });
}

ProbeRunner::~ProbeRunner() {
    const std::lock_guard lock(m_door->mutex);
    m_door->closed = true;
}

void ProbeRunner::request() {
    m_again = m_busy;
    if (m_busy || m_soon.isActive()) return;
    const std::int64_t rest = m_sinceWork.isValid() ? m_pauseMs - m_sinceWork.elapsed() : 0;
    m_soon.start(static_cast<int>(std::max<std::int64_t>(rest, 0)));
}

void ProbeRunner::start(FrameProbe probe) {
    m_busy = true;
    m_again = false;
    ++m_started;
    m_bench.m_background.start(
        Background::Kind::Quiet, {},
        [this, door = m_door, engine = std::weak_ptr(m_bench.m_session.shared()),
         probe = std::move(probe),
         recording = m_recording](const std::stop_token&) -> Background::Finish {
            ProbeOutcome outcome;
            try {
                QElapsedTimer clock;
                clock.start();
                probe.prepare();
                outcome.ms = clock.elapsed();
                if (takeShown(*door, engine, probe)) { // waits for the pipeline
                    clock.start();
                    probe.compute();
                    outcome.ms += clock.elapsed();
                    outcome.taken = true;
                }
            } catch (const std::exception& error) {
                outcome.problem = failureText(error);
            }
            return [this, outcome = std::move(outcome), accept = probe.accept, recording] {
                finish(recording, outcome, accept);
            };
        });
}

/// False also where the window or the recording has been closed.
bool ProbeRunner::takeShown(Door& door, const std::weak_ptr<Engine>& from,
                            const FrameProbe& probe) {
    const std::lock_guard lock(door.mutex);
    const std::shared_ptr<Engine> engine = door.closed ? nullptr : from.lock();
    if (engine == nullptr) return false;
    if (probe.stage.empty()) {
        const RawPlace raw = engine->shownRaw();
        return probe.take({.samples = raw.samples(), .index = raw.index()});
    }
    const Engine::ShownFrame shown = engine->shownFrame(probe.stage);
    return probe.take({shown.raw.samples(), shown.raw.index(), shown.snapshot, shown.state});
}

void ProbeRunner::finish(std::uint64_t recording, const ProbeOutcome& outcome,
                         const std::function<void(const ProbeOutcome&)>& accept) {
    m_busy = false;
    m_sinceWork.start();
    const bool playing = m_bench.isOpen() && m_bench.isPlaying();
    m_pauseMs = playing ? std::max(m_leastPauseMs, kPausePerWork * outcome.ms) : 0;
    if (recording != m_recording) return request();
    accept(outcome);
    if (m_again) request();
}

} // namespace echolux
