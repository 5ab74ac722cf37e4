// SPDX-License-Identifier: GPL-3.0-or-later
// Taking the motion of frames, and the time between them.
#include "render/view/flow_layer.hpp"

#include <algorithm>

namespace echolux {

void FlowLayer::take(const DisplayFrame& frame, double pace, Release<FrameSupplier>& release) {
    const float* pixels = frame.motion;
    for (FrameTexture& texture : m_motion) {
        DisplayFrame part = frame;
        part.pixels = pixels;
        texture.take(part, release);
        pixels += frame.spec->count();
    }
    if (!m_particles) m_particles.emplace();
    const auto frames = static_cast<double>(framesTo(frame.frame));
    m_particles->move({m_motion[0], m_motion[1]}, frames * frame.spec->frameIntervalS * pace);
}

/// Frames from the one taken last to `frame`, at most a few times the usual number.
std::int64_t FlowLayer::framesTo(std::int64_t frame) {
    constexpr std::int64_t kMostLeftOut = 8;
    const std::int64_t frames = frame - m_frame.value_or(frame);
    m_frame = frame;
    if (frames == 0) return 0;
    if (frames < 0 || (m_least > 0 && frames > kMostLeftOut * m_least)) return m_least;
    m_least = m_least == 0 ? frames : std::min(m_least, frames);
    return frames;
}

void FlowLayer::draw(const PlacedFrame& placed, const Rect& clip, Vec2 framebufferSize,
                     int count) const {
    if (m_particles && !empty())
        m_particles->draw({m_motion[0], m_motion[1]}, placed, clip, framebufferSize, count);
}

} // namespace echolux
