// SPDX-License-Identifier: GPL-3.0-or-later
// Edits: how a snapshot is posted, and how it comes into force.
#include "app/session/engine.hpp"

#include "app/pipeline/past_images.hpp"
#include "gpu/core/failure_text.hpp"

#include <exception>
#include <utility>

namespace echolux {

void Engine::timeSeparately(bool separately) {
    {
        const std::lock_guard lock(m_mutex);
        m_fusing = separately ? Fusing::Never : Fusing::Allowed;
        m_wishes.edit = true;
    }
    m_wake.notify_one();
}

void Engine::post(SnapshotPtr snapshot) {
    {
        const std::lock_guard lock(m_mutex);
        m_posted = std::move(snapshot);
        ++m_edits;
        m_wishes.edit = true;
    }
    m_wake.notify_one();
}

SnapshotPtr Engine::snapshot() const {
    const std::lock_guard lock(m_mutex);
    return m_posted;
}

/// Applies an edit completely or not at all. If it does not fit, the former snapshot stays in
/// force.
void Engine::applyPending() {
    m_player->endSweep();
    SnapshotPtr next;
    Fusing fusing = Fusing::Allowed;
    const auto readPosted = [&] {
        next = m_posted;
        fusing = m_fusing;
    };
    {
        const std::lock_guard lock(m_mutex);
        readPosted();
    }
    m_runner.foresee(next, m_looks.outputs(*next), fusing);
    retireAll();
    {
        const std::lock_guard lock(m_mutex);
        m_wishes.edit = false;
        readPosted();
        m_edit = m_edits;
    }
    const SnapshotPtr former = m_runner.snapshot();
    const std::uint64_t built = m_runner.builds();
    m_lastImages.clear();
    try {
        adopt(next, fusing);
    } catch (const std::exception& error) {
        if (former == nullptr) { // the engine was suspended: the next edit tries again
            m_runner.release();
            fail(failureText(error));
            return;
        }
        {
            const std::lock_guard lock(m_mutex);
            if (!m_wishes.edit) {
                m_posted = former;
                m_fusing = m_runner.fusing();
            }
        }
        m_callbacks.failed(error.what());
        adopt(former, m_runner.fusing());
    }
    m_broken = false;
    m_runAgain = !m_pastIsNewest;
    m_editArrived = Clock::now();
    const bool forgot = former == nullptr || m_runner.builds() != built || m_pastIsNewest;
    const std::lock_guard lock(m_mutex);
    m_wishes.past = forgot || changesPast(*former, *m_runner.snapshot());
    m_wishes.sweep = true;
}

/// The shown image is made again, from images that the pipeline in force has made.
void Engine::refillPast() {
    {
        const std::lock_guard lock(m_mutex);
        m_wishes.past = false;
    }
    if (!m_broken && m_player) m_player->refill();
}

/// Sets up the runner and the images for `snapshot`. The new images are made before the old ones
/// are released.
void Engine::adopt(const SnapshotPtr& snapshot, Fusing fusing) {
    windowsOf(info(), snapshot->ensemble(), snapshot->name);
    m_runsPrepared = false;
    const std::uint64_t built = m_runner.builds();
    const Fusing before = m_runner.fusing();
    m_runner.setFusing(fusing);
    m_runner.apply(snapshot, m_looks.outputs(*snapshot), m_sinks.bytesFor(snapshot));
    m_runs.runner().setFusing(m_runner.fusing());
    if (m_runner.builds() != built || m_runner.fusing() != before)
        m_statistics.restartTimes(m_runner);
    m_sinks.configure(snapshot);
    if (!m_player) return;
    m_player->setPast(imagesBefore(*snapshot));
    gather(snapshot->ensemble());
}

} // namespace echolux
