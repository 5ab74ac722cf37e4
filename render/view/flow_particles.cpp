// SPDX-License-Identifier: GPL-3.0-or-later
// Shader set-up, the step of all particles and their drawing.
#include "render/view/flow_particles.hpp"

#include "render/gl/kept_framebuffers.hpp"
#include "render/view/shaders.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr int kSide = 64; ///< texels of the state, across and down
static_assert(kSide * kSide == ParticleSettings::kMost);
constexpr int kCorners = 6; ///< of the two triangles of a streak

double extentM(const FrameSpec& spec, std::size_t axis) {
    return static_cast<double>(spec.axes[axis].size) * spec.axes[axis].spacing;
}

/// The particles and their field as the first three textures of the shaders in use.
template <class Uniform>
void bind(const gl::Texture& particles, const FlowField& field, const Uniform& uniform) {
    const std::pair<GLuint, GLint> textures[] = {
        {particles.name(), uniform.particles},
        {field.toTheRight.name(), uniform.toTheRight},
        {field.towardsProbe.name(), uniform.towardsProbe},
    };
    GLint unit = 0;
    for (const auto& [texture, sampler] : textures) {
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        glBindTexture(GL_TEXTURE_2D, texture);
        glUniform1i(sampler, unit++);
    }
}

} // namespace

double FlowField::metresPerSecond() const {
    if (toTheRight.empty() || towardsProbe.empty()) return 0.0;
    const FrameSpec& spec = toTheRight.spec();
    if (spec.axes[0].name != AxisName::Depth || spec.axes[1].name != AxisName::Lateral ||
        spec.axes[0].unit != "m" || spec.axes[1].unit != "m" || !spec.valueRange)
        return 0.0;
    const std::string& unit = spec.valueRange->unit;
    return unit == "m/s" ? 1.0 : unit == "cm/s" ? 1e-2 : unit == "mm/s" ? 1e-3 : 0.0;
}

FlowParticles::State FlowParticles::makeState() {
    glActiveTexture(GL_TEXTURE0);
    State made{gl::makeTexture2d(GL_RGBA32F, kSide, kSide, GL_RGBA, GL_FLOAT), {}};
    made.framebuffer = gl::framebufferOf(made.particles);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0.0F, 0.0F, 0.0F, 0.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    return made;
}

FlowParticles::FlowParticles()
    : m_move(shaderText("whole.vert"), shaderText("particles_move.frag")),
      m_draw(shaderText("particles.vert"), shaderText("particles.frag")),
      m_vertices(gl::VertexArray::make()) {
    m_moveUniform = {m_move.uniform("particles"), m_move.uniform("toTheRight"),
                     m_move.uniform("towardsProbe"), m_move.uniform("stride"),
                     m_move.uniform("move")};
    m_drawUniform = {m_draw.uniform("particles"),       m_draw.uniform("toTheRight"),
                     m_draw.uniform("towardsProbe"),    m_draw.uniform("rectangle"),
                     m_draw.uniform("framebufferSize"), m_draw.uniform("metres"),
                     m_draw.uniform("halfWidth"),       m_draw.uniform("fastest")};
    const gl::KeptFramebuffers kept;
    for (State& state : m_states) state = makeState();
}

void FlowParticles::move(const FlowField& field, double seconds) {
    const double unit = field.metresPerSecond();
    if (unit == 0.0) return;
    const FrameSpec& spec = field.toTheRight.spec();
    const gl::KeptFramebuffers kept;
    const State& next = m_states[(m_moves + 1) % 2];
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, next.framebuffer.name());
    beginDrawing({0.0, 0.0, kSide, kSide}, {kSide, kSide});
    m_move.use();
    bind(now().particles, field, m_moveUniform);
    glUniform2f(m_moveUniform.stride, static_cast<float>(seconds * unit / extentM(spec, 1)),
                static_cast<float>(-seconds * unit / extentM(spec, 0)));
    glUniform1ui(m_moveUniform.move, m_moves);
    glBindVertexArray(m_vertices.name());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glActiveTexture(GL_TEXTURE0);
    ++m_moves;
}

void FlowParticles::draw(const FlowField& field, const PlacedFrame& placed, const Rect& clip,
                         Vec2 framebufferSize, int count) const {
    count = std::min(count, ParticleSettings::kMost);
    if (count <= 0 || m_moves == 0 || field.metresPerSecond() == 0.0 || clip.width() <= 0.0 ||
        clip.height() <= 0.0)
        return;
    const FrameSpec& spec = field.toTheRight.spec();
    beginDrawing(clip, framebufferSize);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    m_draw.use();
    bind(now().particles, field, m_drawUniform);
    setRectangle(m_drawUniform.rectangle, placed.image, framebufferSize);
    glUniform2f(m_drawUniform.framebufferSize, static_cast<float>(framebufferSize.x),
                static_cast<float>(framebufferSize.y));
    glUniform2f(m_drawUniform.metres, static_cast<float>(extentM(spec, 1)),
                static_cast<float>(extentM(spec, 0)));
    // Larger pictures get wider streaks, so that saved pictures look like the screen.
    constexpr double kOfSmallerSide = 1.0 / 320.0;
    const double smaller = std::min(framebufferSize.x, framebufferSize.y);
    glUniform1f(m_drawUniform.halfWidth,
                static_cast<float>(std::max(1.5, kOfSmallerSide * smaller)));
    glUniform1f(m_drawUniform.fastest, static_cast<float>(std::max(placed.settings.max, 1e-6)));
    glBindVertexArray(m_vertices.name());
    glDrawArrays(GL_TRIANGLES, 0, kCorners * count);
    glBindVertexArray(0);
    glUseProgram(0);
    glActiveTexture(GL_TEXTURE0);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
}

} // namespace echolux
