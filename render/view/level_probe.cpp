// SPDX-License-Identifier: GPL-3.0-or-later
// The four draw calls of a search, and where each leaves its result.
#include "render/view/level_probe.hpp"

#include "render/gl/kept_framebuffers.hpp"
#include "render/view/shaders.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux {
namespace {

constexpr int kMostAcross = 256;
constexpr int kPowersOfTwo = 512; ///< of each sign
constexpr int kEvenSide = 64;     ///< 64 x 64 even bins

void bindTexture(int unit, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, texture);
}

Rect whole(int across, int down) {
    return {0.0, 0.0, static_cast<double>(across), static_cast<double>(down)};
}
Vec2 sizeOf(int across, int down) {
    return {static_cast<double>(across), static_cast<double>(down)};
}

} // namespace

LevelProbe::Histogram LevelProbe::makeHistogram(int across, int down) {
    glActiveTexture(GL_TEXTURE0);
    Histogram made{across, down, gl::makeTexture2d(GL_R32F, across, down, GL_RED, GL_FLOAT), {}};
    made.framebuffer = gl::framebufferOf(made.counts);
    return made;
}

LevelProbe::Answer LevelProbe::makeAnswer() {
    glActiveTexture(GL_TEXTURE0);
    Answer made{gl::makeTexture2d(GL_RGBA32F, 1, 1, GL_RGBA, GL_FLOAT), {}};
    made.framebuffer = gl::framebufferOf(made.texel);
    return made;
}

LevelProbe::LevelProbe()
    : m_scatter(shaderText("levels_scatter.vert"), shaderText("levels_one.frag")),
      m_find(shaderText("whole.vert"), shaderText("levels_find.frag")),
      m_vertices(gl::VertexArray::make()) {
    m_scatterUniform = {m_scatter.uniform("values"),      m_scatter.uniform("samples"),
                        m_scatter.uniform("lowestLevel"), m_scatter.uniform("fine"),
                        m_scatter.uniform("range"),       m_scatter.uniform("bins")};
    m_findUniform = {m_find.uniform("histogram"), m_find.uniform("bins"), m_find.uniform("fine"),
                     m_find.uniform("range"), m_find.uniform("parts")};
    const gl::KeptFramebuffers kept;
    m_coarse = makeHistogram(kPowersOfTwo, 1);
    m_even = makeHistogram(kEvenSide, kEvenSide);
    m_range = makeAnswer();
    m_levels = makeAnswer();
}

void LevelProbe::look(GLuint values, int width, int height, float lowest) {
    const gl::KeptFramebuffers kept;
    m_across = std::min(width, kMostAcross);
    m_down = std::min(height, kMostAcross);
    m_lowest = lowest;
    fill(m_coarse, values, false);
    find(m_coarse, m_range, false);
    fill(m_even, values, true);
    find(m_even, m_levels, true);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m_levels.framebuffer.name());
    m_result.ask(0, 0);
}

void LevelProbe::fill(const Histogram& histogram, GLuint values, bool fine) {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, histogram.framebuffer.name());
    beginDrawing(whole(histogram.across, histogram.down), sizeOf(histogram.across, histogram.down));
    glClearColor(0.0F, 0.0F, 0.0F, 0.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    m_scatter.use();
    bindTexture(0, values);
    bindTexture(1, m_range.texel.name());
    glUniform1i(m_scatterUniform.values, 0);
    glUniform1i(m_scatterUniform.range, 1);
    glUniform2i(m_scatterUniform.samples, m_across, m_down);
    glUniform1f(m_scatterUniform.lowestLevel, m_lowest);
    glUniform1i(m_scatterUniform.fine, fine ? 1 : 0);
    glUniform2i(m_scatterUniform.bins, histogram.across, histogram.down);
    glBindVertexArray(m_vertices.name());
    glDrawArrays(GL_POINTS, 0, m_across * m_down);
    glDisable(GL_BLEND);
}

void LevelProbe::find(const Histogram& histogram, const Answer& answer, bool fine) {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, answer.framebuffer.name());
    beginDrawing(whole(1, 1), sizeOf(1, 1));
    m_find.use();
    bindTexture(0, histogram.counts.name());
    // The shader does not read the range while it writes it, but the bound texture must be a
    // different one.
    bindTexture(1, (fine ? m_range : m_levels).texel.name());
    glUniform1i(m_findUniform.histogram, 0);
    glUniform1i(m_findUniform.range, 1);
    glUniform2i(m_findUniform.bins, histogram.across, histogram.down);
    glUniform1i(m_findUniform.fine, fine ? 1 : 0);
    glUniform3f(m_findUniform.parts, static_cast<float>(kBlackPart), static_cast<float>(kNoisePart),
                static_cast<float>(kWhitePart));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glActiveTexture(GL_TEXTURE0);
}

std::optional<Levels> LevelProbe::take() {
    const auto pixel = m_result.take();
    if (!pixel) return std::nullopt;
    return Levels{pixel->red, pixel->green, pixel->blue,
                  static_cast<std::int64_t>(std::llround(pixel->alpha))};
}

} // namespace echolux
