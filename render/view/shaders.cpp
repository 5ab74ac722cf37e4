// SPDX-License-Identifier: GPL-3.0-or-later
// Look-up and assembly of shaders; colours; state common to all drawing.
#include "render/view/shaders.hpp"

#include "embedded/shaderFiles.hpp"
#include "gpu/core/embedded_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace echolux {
namespace {

std::string_view fileText(std::string_view name) {
    for (const EmbeddedFile& file : shaderFiles()) {
        if (file.name == name) return file.text;
    }
    throw std::logic_error("no such shader: " + std::string(name));
}

} // namespace

std::string shaderText(std::string_view name) {
    std::string text(fileText(name));
    constexpr std::string_view kInclude = "#include \"";
    for (std::size_t at = 0; (at = text.find(kInclude, at)) != std::string::npos;) {
        const std::size_t begin = at + kInclude.size();
        const std::size_t end = text.find('"', begin);
        text.replace(at, end + 1 - at, fileText(text.substr(begin, end - begin)));
    }
    return text;
}

ColourUniforms::ColourUniforms(const gl::Program& program)
    : m_texture(gl::makeTexture2d(GL_RGBA8, ColourMap::kEntries, 1, GL_RGBA, GL_UNSIGNED_BYTE)),
      m_colourMap(program.uniform("colourMap")), m_displayRange(program.uniform("displayRange")),
      m_gamma(program.uniform("gamma")), m_inverted(program.uniform("inverted")) {
    setColourMap(colourMaps().front());
}

void ColourUniforms::setColourMap(const ColourMap& map) {
    std::array<std::uint8_t, 4 * ColourMap::kEntries> texels;
    for (std::size_t i = 0; i < ColourMap::kEntries; ++i) {
        texels[4 * i] = static_cast<std::uint8_t>(map.colour[i] >> 16U);
        texels[4 * i + 1] = static_cast<std::uint8_t>(map.colour[i] >> 8U);
        texels[4 * i + 2] = static_cast<std::uint8_t>(map.colour[i]);
        texels[4 * i + 3] = 255;
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, m_texture.name());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, ColourMap::kEntries, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                    texels.data());
}

void ColourUniforms::apply(const DisplaySettings& settings) const {
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, m_texture.name());
    const auto min = static_cast<float>(settings.min);
    const auto max = std::max(static_cast<float>(settings.max),
                              std::nextafter(min, std::numeric_limits<float>::infinity()));
    glUniform1i(m_colourMap, 1);
    glUniform2f(m_displayRange, min, max);
    glUniform1f(m_gamma, static_cast<float>(settings.gamma));
    glUniform1i(m_inverted, settings.inverted ? 1 : 0);
}

MixingUniforms::MixingUniforms(const gl::Program& program)
    : m_mixing(program.uniform("mixing")), m_cycle(program.uniform("cycle")) {}

void MixingUniforms::apply(const FrameSpec& frame, const DisplaySettings& settings) const {
    constexpr GLint kValues = 0;
    constexpr GLint kLevels = 1;
    constexpr GLint kCircle = 2;
    constexpr GLint kLabels = 3;
    GLint mixing = kValues;
    if (frame.valueKind == ValueKind::Level) mixing = kLevels;
    if (frame.valueKind == ValueKind::Cyclic && frame.cycle > 0.0) mixing = kCircle;
    if (frame.valueKind == ValueKind::Label) mixing = kLabels;
    glUniform1i(m_mixing, settings.smooth ? mixing : kValues);
    glUniform1f(m_cycle, frame.cycle > 0.0 ? static_cast<float>(frame.cycle) : 1.0F);
}

void bindFrame(GLenum unit, GLuint texture, const DisplaySettings& settings) {
    glActiveTexture(unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    const GLint filter = settings.smooth ? GL_LINEAR : GL_NEAREST;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
}

void beginDrawing(const Rect& clip, Vec2 framebufferSize) {
    const auto round = [](double x) { return static_cast<GLint>(std::lround(x)); };
    glViewport(0, 0, round(framebufferSize.x), round(framebufferSize.y));
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_SCISSOR_TEST);
    glScissor(round(clip.left), round(framebufferSize.y) - round(clip.bottom),
              round(clip.right) - round(clip.left), round(clip.bottom) - round(clip.top));
}

void setRectangle(GLint uniform, const Rect& pixels, Vec2 framebufferSize) {
    const auto ndcX = [&](double x) { return static_cast<float>(2.0 * x / framebufferSize.x - 1); };
    const auto ndcY = [&](double y) { return static_cast<float>(1 - 2.0 * y / framebufferSize.y); };
    glUniform4f(uniform, ndcX(pixels.left), ndcY(pixels.top), ndcX(pixels.right),
                ndcY(pixels.bottom));
}

} // namespace echolux
