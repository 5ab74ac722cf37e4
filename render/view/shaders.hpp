// SPDX-License-Identifier: GPL-3.0-or-later
// The text of the shaders and what several of them share.
#pragma once

#include "render/gl/objects.hpp"
#include "render/view/colour_map.hpp"
#include "render/view/display_settings.hpp"
#include "render/view/view_transform.hpp"

#include <string>
#include <string_view>

namespace echolux {

/// A file of resources/shaders with the files that it includes in their places.
std::string shaderText(std::string_view name);

/// The uniforms of colour.glsl, and the map's texture.
class ColourUniforms {
public:
    explicit ColourUniforms(const gl::Program& program);
    void setColourMap(const ColourMap& map);
    /// With the program in use; binds the map to texture unit 1.
    void apply(const DisplaySettings& settings) const;

private:
    gl::Texture m_texture;
    GLint m_colourMap, m_displayRange, m_gamma, m_inverted;
};

/// Viewport of the whole framebuffer, no blending, and only what lies in `clip` is drawn (pixels, y
/// down) until glDisable(GL_SCISSOR_TEST).
void beginDrawing(const Rect& clip, Vec2 framebufferSize);
/// The four normalised device coordinates of image.vert's `rectangle`.
void setRectangle(GLint uniform, const Rect& pixels, Vec2 framebufferSize);

} // namespace echolux
