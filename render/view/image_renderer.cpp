// SPDX-License-Identifier: GPL-3.0-or-later
// Shader set-up, state and the one draw call.
#include "render/view/image_renderer.hpp"

#include "embedded/shaderFiles.hpp"
#include "render/view/screen_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace echolux {
namespace {

std::string_view shader(std::string_view name) {
    for (const EmbeddedFile& file : shaderFiles()) {
        if (file.name == name) return file.text;
    }
    throw std::logic_error("no such shader: " + std::string(name));
}

} // namespace

ImageRenderer::ImageRenderer()
    : m_program(shader("image.vert"), shader("image.frag")), m_vertices(gl::VertexArray::make()),
      m_colourMap(gl::makeTexture2d(GL_RGBA8, ColourMap::kEntries, 1, GL_RGBA, GL_UNSIGNED_BYTE)) {
    m_uniform = {m_program.uniform("rectangle"),    m_program.uniform("transposed"),
                 m_program.uniform("values"),       m_program.uniform("colourMap"),
                 m_program.uniform("displayRange"), m_program.uniform("gamma"),
                 m_program.uniform("inverted"),     m_program.uniform("notANumberColour")};
    setColourMap(colourMaps().front());
}

void ImageRenderer::setColourMap(const ColourMap& map) {
    std::array<std::uint8_t, 4 * ColourMap::kEntries> texels;
    for (std::size_t i = 0; i < ColourMap::kEntries; ++i) {
        texels[4 * i] = static_cast<std::uint8_t>(map.colour[i] >> 16U);
        texels[4 * i + 1] = static_cast<std::uint8_t>(map.colour[i] >> 8U);
        texels[4 * i + 2] = static_cast<std::uint8_t>(map.colour[i]);
        texels[4 * i + 3] = 255;
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, m_colourMap.name());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, ColourMap::kEntries, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                    texels.data());
}

void ImageRenderer::draw(const FrameTexture& frame, const Rect& image, const Rect& clip,
                         Vec2 framebufferSize, const DisplaySettings& settings) const {
    if (frame.empty() || clip.width() <= 0.0 || clip.height() <= 0.0) return;
    const auto ndcX = [&](double x) { return static_cast<float>(2.0 * x / framebufferSize.x - 1); };
    const auto ndcY = [&](double y) { return static_cast<float>(1 - 2.0 * y / framebufferSize.y); };
    const auto round = [](double x) { return static_cast<GLint>(std::lround(x)); };

    glViewport(0, 0, round(framebufferSize.x), round(framebufferSize.y));
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_SCISSOR_TEST);
    glScissor(round(clip.left), round(framebufferSize.y) - round(clip.bottom),
              round(clip.right) - round(clip.left), round(clip.bottom) - round(clip.top));

    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, m_colourMap.name());
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, frame.name());
    const GLint filter = settings.smooth ? GL_LINEAR : GL_NEAREST;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);

    m_program.use();
    const auto min = static_cast<float>(settings.min);
    const auto max = std::max(static_cast<float>(settings.max),
                              std::nextafter(min, std::numeric_limits<float>::infinity()));
    glUniform4f(m_uniform.rectangle, ndcX(image.left), ndcY(image.top), ndcX(image.right),
                ndcY(image.bottom));
    glUniform1i(m_uniform.transposed, drawnTransposed(frame.spec()) ? 1 : 0);
    glUniform1i(m_uniform.values, 0);
    glUniform1i(m_uniform.colourMap, 1);
    glUniform2f(m_uniform.displayRange, min, max);
    glUniform1f(m_uniform.gamma, static_cast<float>(settings.gamma));
    glUniform1i(m_uniform.inverted, settings.inverted ? 1 : 0);
    glUniform3f(m_uniform.notANumberColour,
                static_cast<float>((kNotANumberColour >> 16U) & 0xffU) / 255.0F,
                static_cast<float>((kNotANumberColour >> 8U) & 0xffU) / 255.0F,
                static_cast<float>(kNotANumberColour & 0xffU) / 255.0F);
    glBindVertexArray(m_vertices.name());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(0);
    glUseProgram(0);
    glDisable(GL_SCISSOR_TEST);
}

} // namespace echolux
