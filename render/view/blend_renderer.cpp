// SPDX-License-Identifier: GPL-3.0-or-later
// Shader set-up and the draw call of a frame over another one.
#include "render/view/blend_renderer.hpp"

#include "render/view/screen_axis.hpp"

namespace echolux {

BlendRenderer::BlendRenderer()
    : m_program(shaderText("image.vert"), shaderText("blend.frag")),
      m_vertices(gl::VertexArray::make()), m_colours(m_program), m_mixing(m_program) {
    m_uniform = {m_program.uniform("rectangle"),       m_program.uniform("transposed"),
                 m_program.uniform("values"),          m_program.uniform("bothSigns"),
                 m_program.uniform("opacity"),         m_program.uniform("priority"),
                 m_program.uniform("lower"),           m_program.uniform("lowerPlace"),
                 m_program.uniform("lowerTransposed"), m_program.uniform("lowerRange")};
}

void BlendRenderer::setColourMap(const ColourMap& map) { m_colours.setColourMap(map); }

void BlendRenderer::draw(const PlacedFrame& upper, const PlacedFrame& lower, const Rect& clip,
                         Vec2 framebufferSize, const BlendSettings& blend) const {
    if (upper.frame.empty() || lower.frame.empty() || clip.width() <= 0.0 || clip.height() <= 0.0)
        return;
    beginDrawing(clip, framebufferSize);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    m_program.use();
    m_colours.apply(upper.settings);
    m_mixing.apply(upper.frame.spec(), upper.settings);
    bindFrame(GL_TEXTURE0, upper.frame.name(), upper.settings);
    bindFrame(GL_TEXTURE2, lower.frame.name(), lower.settings);
    glUniform1i(m_uniform.values, 0);
    glUniform1i(m_uniform.lower, 2);
    const auto flag = [](bool value) { return value ? 1 : 0; };
    glUniform1i(m_uniform.transposed, flag(drawnTransposed(upper.frame.spec())));
    glUniform1i(m_uniform.lowerTransposed, flag(drawnTransposed(lower.frame.spec())));
    const auto& range = upper.frame.spec().valueRange;
    glUniform1i(m_uniform.bothSigns, flag(range && range->min < 0.0 && range->max > 0.0));
    glUniform1f(m_uniform.opacity, static_cast<float>(blend.opacity));
    glUniform1f(m_uniform.priority, static_cast<float>(blend.priority));
    // Rows of the framebuffer are counted from below.
    glUniform4f(m_uniform.lowerPlace, static_cast<float>(lower.image.left),
                static_cast<float>(framebufferSize.y - lower.image.top),
                static_cast<float>(1.0 / lower.image.width()),
                static_cast<float>(-1.0 / lower.image.height()));
    glUniform2f(m_uniform.lowerRange, static_cast<float>(lower.settings.min),
                static_cast<float>(lower.settings.max));
    setRectangle(m_uniform.rectangle, upper.image, framebufferSize);
    glBindVertexArray(m_vertices.name());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(0);
    glUseProgram(0);
    glActiveTexture(GL_TEXTURE0);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
}

} // namespace echolux
