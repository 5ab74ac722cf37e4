// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a frame over another one that has been drawn, through a colour map and with gaps.
#pragma once

#include "render/gl/objects.hpp"
#include "render/interop/frame_texture.hpp"
#include "render/view/shaders.hpp"

namespace echolux {

/// A frame and where the whole of it would be drawn, in device pixels of the framebuffer, y down.
struct PlacedFrame {
    const FrameTexture& frame;
    Rect image;
    DisplaySettings settings;
};

/// Constructed, used and destroyed on the GL thread with its context current.
class BlendRenderer {
public:
    BlendRenderer(); ///< throws Error where the driver refuses the shaders

    void setColourMap(const ColourMap& map);
    /// Draws `upper` within `clip` onto what the framebuffer holds, which is `lower`.
    void draw(const PlacedFrame& upper, const PlacedFrame& lower, const Rect& clip,
              Vec2 framebufferSize, const BlendSettings& blend) const;

private:
    gl::Program m_program;
    gl::VertexArray m_vertices; ///< empty, but the core profile requires one
    ColourUniforms m_colours;
    MixingUniforms m_mixing;
    struct {
        GLint rectangle, transposed, values, bothSigns, opacity, priority, lower, lowerPlace,
            lowerTransposed, lowerRange;
    } m_uniform{};
};

} // namespace echolux
