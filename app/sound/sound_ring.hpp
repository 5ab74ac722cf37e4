// SPDX-License-Identifier: GPL-3.0-or-later
// Sound from the thread that makes it to the callback of the device. One thread writes, one reads.
#pragma once

#include "app/sound/doppler_sound.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// Nothing here waits, locks or allocates after construction. Sound begins once `before` samples
/// wait. Where they run out it fades to silence, which counts as a gap, and begins again likewise.
class SoundRing {
public:
    SoundRing(std::size_t capacity, std::size_t before);

    // The writing thread.
    /// Returns how many samples fitted; the others are dropped.
    std::size_t write(std::span<const StereoSample> sound);
    /// The waiting samples are not played. This counts as no gap.
    void silence() { m_silenced.store(m_written.load()); }
    void setVolume(float volume) { m_volume.store(volume); } ///< 0 to 1

    // Any thread.
    std::uint64_t gaps() const { return m_gaps.load(); }
    std::size_t waiting() const;

    // The reading thread.
    void read(std::span<StereoSample> sound);

private:
    std::vector<StereoSample> m_samples;
    std::size_t m_before;
    std::atomic<std::uint64_t> m_written{0};  ///< samples, ever
    std::atomic<std::uint64_t> m_read{0};     ///< likewise
    std::atomic<std::uint64_t> m_silenced{0}; ///< samples before this one are not played
    std::atomic<std::uint64_t> m_gaps{0};
    std::atomic<float> m_volume{1.0F};
    // The reading thread.
    bool m_plays = false;
    StereoSample m_last; ///< fades
};

} // namespace echolux
