// SPDX-License-Identifier: GPL-3.0-or-later
// Shader set-up, state and the one draw call.
#include "render/view/image_renderer.hpp"

#include "render/view/screen_axis.hpp"

namespace echolux {

ImageRenderer::ImageRenderer()
    : m_program(shaderText("image.vert"), shaderText("image.frag")),
      m_vertices(gl::VertexArray::make()), m_colours(m_program), m_mixing(m_program) {
    m_uniform = {m_program.uniform("rectangle"), m_program.uniform("transposed"),
                 m_program.uniform("values"), m_program.uniform("notANumberColour"),
                 m_program.uniform("hasGaps")};
}

void ImageRenderer::setColourMap(const ColourMap& map) { m_colours.setColourMap(map); }

void ImageRenderer::draw(const FrameTexture& frame, const Rect& image, const Rect& clip,
                         Vec2 framebufferSize, const DisplaySettings& settings) const {
    if (frame.empty() || clip.width() <= 0.0 || clip.height() <= 0.0) return;
    beginDrawing(clip, framebufferSize);
    m_program.use();
    m_colours.apply(settings);
    m_mixing.apply(frame.spec(), settings);
    glUniform1i(m_uniform.hasGaps, frame.spec().hasGaps ? 1 : 0);

    bindFrame(GL_TEXTURE0, frame.name(), settings);
    glUniform1i(m_uniform.values, 0);
    glUniform1i(m_uniform.transposed, drawnTransposed(frame.spec()) ? 1 : 0);
    glUniform3f(m_uniform.notANumberColour,
                static_cast<float>((kNotANumberColour >> 16U) & 0xffU) / 255.0F,
                static_cast<float>((kNotANumberColour >> 8U) & 0xffU) / 255.0F,
                static_cast<float>(kNotANumberColour & 0xffU) / 255.0F);
    setRectangle(m_uniform.rectangle, image, framebufferSize);
    glBindVertexArray(m_vertices.name());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(0);
    glUseProgram(0);
    glDisable(GL_SCISSOR_TEST);
}

} // namespace echolux
