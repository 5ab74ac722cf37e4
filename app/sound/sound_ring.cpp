// SPDX-License-Identifier: GPL-3.0-or-later
// A ring with two counters.
#include "app/sound/sound_ring.hpp"

#include <algorithm>

namespace echolux {
namespace {

constexpr float kFade = 0.99F; ///< per sample, so that the end of sound does not click

} // namespace

SoundRing::SoundRing(std::size_t capacity, std::size_t before)
    : m_samples(std::max<std::size_t>(capacity, 1)), m_before(std::min(before, m_samples.size())) {}

std::size_t SoundRing::waiting() const {
    const std::uint64_t read = m_read.load();
    const std::uint64_t written = m_written.load();
    return written > read ? static_cast<std::size_t>(written - read) : 0;
}

std::size_t SoundRing::write(std::span<const StereoSample> sound) {
    const std::uint64_t written = m_written.load();
    const std::size_t count = std::min(sound.size(), m_samples.size() - waiting());
    for (std::size_t i = 0; i < count; ++i) m_samples[(written + i) % m_samples.size()] = sound[i];
    m_written.store(written + count);
    return count;
}

void SoundRing::read(std::span<StereoSample> sound) {
    const std::uint64_t silenced = m_silenced.load(); // before m_written, which is never less
    const std::uint64_t written = m_written.load();
    std::uint64_t at = m_read.load();
    if (at < silenced) {
        at = silenced;
        m_plays = false;
    }
    if (!m_plays && written - at >= std::max<std::size_t>(m_before, 1)) m_plays = true;
    const float volume = m_volume.load();
    for (StereoSample& each : sound) {
        if (m_plays && at == written) {
            m_plays = false;
            m_gaps.fetch_add(1);
        }
        m_last = m_plays ? m_samples[at++ % m_samples.size()]
                         : StereoSample{kFade * m_last.left, kFade * m_last.right};
        each = {volume * m_last.left, volume * m_last.right};
    }
    m_read.store(at);
}

} // namespace echolux
