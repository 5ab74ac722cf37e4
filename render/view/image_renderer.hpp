// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a frame texture through a colour map into a rectangle of the current framebuffer.
#pragma once

#include "render/gl/objects.hpp"
#include "render/interop/frame_texture.hpp"
#include "render/view/shaders.hpp"

namespace echolux {

/// Constructed, used and destroyed on the GL thread with its context current.
class ImageRenderer {
public:
    ImageRenderer(); ///< throws Error where the driver refuses the shaders

    void setColourMap(const ColourMap& map);
    /// The whole frame covers `image`; only the part within `clip` is drawn. Both are in device
    /// pixels of the framebuffer, y down. [lateral][depth] is drawn with depth down.
    void draw(const FrameTexture& frame, const Rect& image, const Rect& clip, Vec2 framebufferSize,
              const DisplaySettings& settings) const;

private:
    gl::Program m_program;
    gl::VertexArray m_vertices; ///< empty, but the core profile requires one
    ColourUniforms m_colours;
    MixingUniforms m_mixing;
    struct {
        GLint rectangle, transposed, values, notANumberColour, hasGaps;
    } m_uniform{};
};

} // namespace echolux
