// SPDX-License-Identifier: GPL-3.0-or-later
// The frames that a sweep needs, and what is done with them.
#include "app/session/volume/volume_sweep.hpp"

namespace echolux {

void VolumeSweep::begin(Player& player, std::int64_t shown, std::int64_t frameCount) {
    const VolumeRows& rows = m_volume.rows();
    m_wanted = rows.volumeOf(shown, frameCount);
    std::vector<std::int64_t> frames = rows.missingFrames(m_wanted);
    if (frames.empty()) return;
    if (m_runner.hasPast()) frames = rows.framesUpTo(frames.back(), m_wanted);
    m_runner.resetAside();
    m_number = player.sweep(std::move(frames));
    frameDone();
}

int VolumeSweep::start(const RawFrame& raw) {
    const int slot =
        m_runner.enqueue({.raw = raw.samples, .turn = Turn::Aside, .frame = raw.index});
    const ConstTensorView image = m_runner.viewOutput(slot, 0);
    m_volume.fill(m_runner.exec(slot), image.as<float>(), raw.index, m_wanted);
    return slot;
}

void VolumeSweep::frameDone() {
    const VolumeProgress now{m_volume.rows().held(m_wanted), m_wanted.count()};
    {
        const std::lock_guard lock(m_mutex);
        m_progress = now;
        m_progressOf = m_number;
    }
    m_volume.announce();
}

std::optional<VolumeProgress> VolumeSweep::progress(const Player& player) const {
    const std::lock_guard lock(m_mutex);
    const bool over = m_progressOf == 0 || m_progressOf != player.sweepNumber() ||
                      m_progress.bscans == m_progress.of;
    return over ? std::nullopt : std::optional(m_progress);
}

} // namespace echolux
