// SPDX-License-Identifier: GPL-3.0-or-later
// The motion that comes with frames, and the particles that it carries over their images.
#pragma once

#include "render/interop/frame_texture.hpp"
#include "render/view/flow_particles.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace echolux {

/// The time of the particles is that of the recording: they move when a frame of another number
/// comes, by the frames between. Where the number falls, as when a recording begins again, or
/// jumps, they move as if the next frame had come. So they stand still while playback is frozen.
/// Constructed, used and destroyed on the GL thread with its context current.
class FlowLayer {
public:
    /// Copies the motion of the frame, which has one, and moves the particles at `pace`, see
    /// ParticleSettings.
    void take(const DisplayFrame& frame, double pace, Release<FrameSupplier>& release);
    void clear() { m_motion = {}; }
    bool empty() const { return m_motion[0].empty(); }
    /// Streams of the copies of take(); null before the first CUDA frame.
    std::array<device::Stream, 2> streams() const {
        return {m_motion[0].stream(), m_motion[1].stream()};
    }
    /// See FlowParticles::draw().
    void draw(const PlacedFrame& placed, const Rect& clip, Vec2 framebufferSize, int count) const;

private:
    std::int64_t framesTo(std::int64_t frame);

    std::array<FrameTexture, 2> m_motion;     ///< to the right, towards the probe
    std::optional<FlowParticles> m_particles; ///< empty before the first motion
    std::optional<std::int64_t> m_frame;      ///< number of the frame taken last
    std::int64_t m_least = 0; ///< fewest frames from one to the next so far; 0: none known
};

} // namespace echolux
