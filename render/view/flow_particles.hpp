// SPDX-License-Identifier: GPL-3.0-or-later
// Particles that a field of velocities carries from frame to frame, drawn as short streaks.
#pragma once

#include "render/gl/objects.hpp"
#include "render/interop/frame_texture.hpp"
#include "render/view/blend_renderer.hpp"
#include "render/view/display_settings.hpp"

#include <array>
#include <cstdint>

namespace echolux {

/// The velocities in the image plane, [depth][lateral] in metres. Both are 0 where nothing flows.
struct FlowField {
    const FrameTexture& toTheRight;
    const FrameTexture& towardsProbe;

    /// Metres per second of one unit of the textures' values. 0 where particles cannot follow: the
    /// axes are no lengths, or the values no velocities.
    double metresPerSecond() const;
};

/// Places and ages are in a texture, and a shader moves them, so nothing comes to the host. A
/// particle that leaves the flow, or is old, begins anew at a random place where something flows.
/// The same frames in the same order give the same picture.
/// Constructed, used and destroyed on the GL thread with its context current.
class FlowParticles {
public:
    FlowParticles(); ///< throws Error where the driver refuses the shaders

    /// Moves all particles through `field` for `seconds`; 0 moves none, and replaces those that no
    /// longer are in the flow. A field that particles cannot follow changes nothing.
    void move(const FlowField& field, double seconds);
    /// Draws the first `count` particles onto what the framebuffer holds. `placed` is the picture
    /// of one of the field's images; streaks are longest at its `settings.max`.
    void draw(const FlowField& field, const PlacedFrame& placed, const Rect& clip,
              Vec2 framebufferSize, int count) const;

private:
    struct State {
        gl::Texture particles; ///< RGBA32F, one texel each, see particles_move.frag
        gl::Framebuffer framebuffer;
    };
    static State makeState();
    const State& now() const { return m_states[m_moves % 2]; }

    gl::Program m_move;
    gl::Program m_draw;
    gl::VertexArray m_vertices; ///< empty, but the core profile requires one
    std::array<State, 2> m_states;
    std::uint32_t m_moves = 0;
    struct {
        GLint particles, toTheRight, towardsProbe, stride, move;
    } m_moveUniform{};
    struct {
        GLint particles, toTheRight, towardsProbe, rectangle, framebufferSize, metres, halfWidth,
            fastest;
    } m_drawUniform{};
};

} // namespace echolux
