// SPDX-License-Identifier: GPL-3.0-or-later
// The source text of the shaders, and uniforms that several shaders share.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "render/gl/objects.hpp"
#include "render/view/colour_map.hpp"
#include "render/view/display_settings.hpp"
#include "render/view/view_transform.hpp"

#include <string>
#include <string_view>

namespace echolux {

/// A file of resources/shaders. Files that it includes are inserted.
std::string shaderText(std::string_view name);

/// The uniforms of colour.glsl, and the map's texture.
class ColourUniforms {
public:
    explicit ColourUniforms(const gl::Program& program);
    void setColourMap(const ColourMap& map);
    /// Sets the uniforms of the program in use. Binds the map to texture unit 1.
    void apply(const DisplaySettings& settings) const;

private:
    gl::Texture m_texture;
    GLint m_colourMap, m_displayRange, m_gamma, m_inverted;
};

/// The uniforms of mixing.glsl.
class MixingUniforms {
public:
    explicit MixingUniforms(const gl::Program& program);
    /// Sets the uniforms of the program in use for the values of `frame`.
    void apply(const FrameSpec& frame, const DisplaySettings& settings) const;

private:
    GLint m_mixing, m_cycle;
};

/// Binds a frame's texture to `unit`, filtered as the settings say.
void bindFrame(GLenum unit, GLuint texture, const DisplaySettings& settings);
/// Sets the viewport to the whole framebuffer and switches blending off. Only pixels within `clip`
/// (y down) are drawn until glDisable(GL_SCISSOR_TEST).
void beginDrawing(const Rect& clip, Vec2 framebufferSize);
/// Sets the uniform `rectangle` of image.vert, in normalised device coordinates.
void setRectangle(GLint uniform, const Rect& pixels, Vec2 framebufferSize);

} // namespace echolux
