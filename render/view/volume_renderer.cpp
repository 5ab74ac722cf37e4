// SPDX-License-Identifier: GPL-3.0-or-later
// The order of drawing, pictures with fewer pixels, and the time that they take.
#include "render/view/volume_renderer.hpp"

#include "render/view/mixed_pixels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux {
namespace {

constexpr double kMovingMs = 25.0;
constexpr double kStillMs = 400.0;
constexpr double kLeastScale = 0.2;

void setVec3(GLint uniform, Vec3 v) {
    glUniform3f(uniform, static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z));
}

/// (lateral, depth, elevation) in the order of the texture.
Vec3 inTexture(Vec3 fraction) { return {fraction.y, fraction.x, fraction.z}; }

void blendOver(GLenum source = GL_SRC_ALPHA) {
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(source, GL_ONE_MINUS_SRC_ALPHA);
}
/// Blends over the edges behind the box. For a maximum the brighter value of each channel stays.
void blendVolume(VolumeScene::Mode mode) {
    if (mode != VolumeScene::Mode::Maximum) return blendOver(GL_ONE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
}

/// Extinction at full brightness, per diagonal of the box.
double extinctionOf(double opacity) {
    constexpr double kMost = 1.0 - 1e-6;
    return -std::log1p(-std::clamp(opacity, 0.0, kMost)) / VolumeScene::kOpacityLength;
}

} // namespace

VolumeRenderer::VolumeRenderer()
    : m_program(shaderText("image.vert"), shaderText("volume.frag")),
      m_copyProgram(shaderText("image.vert"), shaderText("copy.frag")),
      m_lineProgram(shaderText("lines.vert"), shaderText("lines.frag")),
      m_vertices(gl::VertexArray::make()), m_colours(m_program), m_timer(gl::Query::make()) {
    m_uniform = {m_program.uniform("rectangle"),     m_program.uniform("transposed"),
                 m_program.uniform("voxels"),        m_program.uniform("start"),
                 m_program.uniform("perX"),          m_program.uniform("perY"),
                 m_program.uniform("direction"),     m_program.uniform("viewport"),
                 m_program.uniform("mode"),          m_program.uniform("slicesAt"),
                 m_program.uniform("stepsPerVoxel"), m_program.uniform("asValues"),
                 m_program.uniform("depthCue"),      m_program.uniform("reach"),
                 m_program.uniform("extinction")};
    m_copyUniform = {m_copyProgram.uniform("rectangle"), m_copyProgram.uniform("transposed"),
                     m_copyProgram.uniform("picture"), m_copyProgram.uniform("size")};
    m_lineUniform = {m_lineProgram.uniform("points"), m_lineProgram.uniform("ink")};
}

/// The scale of the picture that can be drawn in the available time, judged by the time of the last
/// picture. The first picture has half the scale.
double VolumeRenderer::scaleFor(const VolumeScene& scene, const Rect& viewport) {
    if (m_timing) {
        GLint ready = 0;
        glGetQueryObjectiv(m_timer.name(), GL_QUERY_RESULT_AVAILABLE, &ready);
        if (ready != 0) {
            GLuint64 ns = 0;
            glGetQueryObjectui64v(m_timer.name(), GL_QUERY_RESULT, &ns);
            m_msPerWork[m_timedMode] = static_cast<double>(ns) * 1e-6 / m_timedWork;
            m_timing = false;
        }
    }
    const auto mode = static_cast<std::size_t>(scene.mode);
    if (!m_msPerWork[mode]) return 0.5;
    const double budgetMs = scene.detail == VolumeScene::Detail::Moving ? kMovingMs : kStillMs;
    const double fullMs = *m_msPerWork[mode] * viewport.width() * viewport.height();
    const double scale = std::sqrt(budgetMs / std::max(fullMs, 1e-9));
    return scale > 0.95 ? 1.0 : std::max(scale, kLeastScale);
}

void VolumeRenderer::draw(const VolumeTexture& volume, const VolumeScene& scene,
                          const Rect& viewport, Vec2 framebufferSize) {
    if (volume.empty() || viewport.width() < 1.0 || viewport.height() < 1.0) return;
    const VolumeProjection projection(VolumeBox::of(volume.spec()), scene.orbit, viewport);
    m_scale = scaleFor(scene, viewport);
    const bool measured = !m_timing;
    if (measured) glBeginQuery(GL_TIME_ELAPSED, m_timer.name());

    beginDrawing(viewport, framebufferSize);
    drawEdges(projection, true, framebufferSize);
    if (m_scale < 1.0) {
        drawReduced(volume, scene, projection.rays(), viewport, framebufferSize);
    } else {
        blendVolume(scene.mode);
        drawVolume(volume, scene, projection.rays(), viewport, viewport, framebufferSize, 1.0);
    }
    blendOver();
    if (scene.mode == VolumeScene::Mode::Slices)
        drawSliceOutlines(projection, scene, framebufferSize);
    drawEdges(projection, false, framebufferSize);

    if (measured) {
        glEndQuery(GL_TIME_ELAPSED);
        m_timing = true;
        m_timedMode = static_cast<std::size_t>(scene.mode);
        m_timedWork = std::max(1.0, viewport.width() * viewport.height() * m_scale * m_scale);
    }
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glBindVertexArray(0);
    glUseProgram(0);
}

const gl::Texture& VolumeRenderer::projected(const VolumeTexture& volume, const Orbit& orbit) {
    constexpr Vec2 kSize{kProjectedSide, kProjectedSide};
    constexpr Rect kSquare{0.0, 0.0, kProjectedSide, kProjectedSide};
    GLint drawn = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawn);
    if (m_projected.name() == 0) {
        glActiveTexture(GL_TEXTURE0);
        m_projectedValues =
            gl::makeTexture2d(GL_RGBA32F, kProjectedSide, kProjectedSide, GL_RGBA, GL_FLOAT);
        m_projected = gl::Framebuffer::make();
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, m_projected.name());
        glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                               m_projectedValues.name(), 0);
    }
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, m_projected.name());
    VolumeScene scene;
    scene.orbit = orbit;
    scene.display = {.max = std::numeric_limits<float>::max(), .smooth = false};
    const VolumeProjection projection(VolumeBox::of(volume.spec()), orbit, kSquare);
    beginDrawing(kSquare, kSize);
    m_program.use();
    glUniform1i(m_uniform.asValues, 1);
    drawVolume(volume, scene, projection.rays(), kSquare, kSquare, kSize, 1.0);
    glUniform1i(m_uniform.asValues, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(drawn));
    return m_projectedValues;
}

/// `viewport` is in the pixels that `rays` counts. `target` is where the result goes.
void VolumeRenderer::drawVolume(const VolumeTexture& volume, const VolumeScene& scene,
                                const VolumeProjection::Rays& rays, const Rect& viewport,
                                const Rect& target, Vec2 targetSize, double stepsPerVoxel) {
    m_program.use();
    m_colours.apply(scene.display);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_3D, volume.name());
    const bool mixes = mayMixPixels(volume.spec().valueKind);
    const GLint filter = scene.display.smooth && mixes ? GL_LINEAR : GL_NEAREST;
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, filter);
    glUniform1i(m_uniform.voxels, 0);
    glUniform1i(m_uniform.transposed, 0);
    setVec3(m_uniform.start, inTexture(rays.start));
    setVec3(m_uniform.perX, inTexture(rays.perX));
    setVec3(m_uniform.perY, inTexture(rays.perY));
    setVec3(m_uniform.direction, inTexture(rays.direction));
    glUniform4f(m_uniform.viewport, static_cast<float>(viewport.left),
                static_cast<float>(viewport.top), static_cast<float>(viewport.width()),
                static_cast<float>(viewport.height()));
    glUniform1i(m_uniform.mode, static_cast<GLint>(scene.mode));
    glUniform1f(m_uniform.depthCue, static_cast<float>(std::clamp(scene.depthCue, 0.0, 1.0)));
    glUniform1f(m_uniform.reach, static_cast<float>(std::max(rays.reach, 1e-6)));
    glUniform1f(m_uniform.extinction, static_cast<float>(extinctionOf(scene.opacity)));
    setVec3(m_uniform.slicesAt, inTexture(scene.slicesAt));
    glUniform1f(m_uniform.stepsPerVoxel, static_cast<float>(stepsPerVoxel));
    setRectangle(m_uniform.rectangle, target, targetSize);
    glBindVertexArray(m_vertices.name());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void VolumeRenderer::drawReduced(const VolumeTexture& volume, const VolumeScene& scene,
                                 const VolumeProjection::Rays& rays, const Rect& viewport,
                                 Vec2 framebufferSize) {
    GLint screen = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
    const int fullWidth = static_cast<int>(std::ceil(viewport.width()));
    const int fullHeight = static_cast<int>(std::ceil(viewport.height()));
    if (fullWidth != m_reducedWidth || fullHeight != m_reducedHeight) {
        glActiveTexture(GL_TEXTURE0);
        m_reducedColour =
            gl::makeTexture2d(GL_RGBA8, fullWidth, fullHeight, GL_RGBA, GL_UNSIGNED_BYTE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        if (m_reduced.name() == 0) m_reduced = gl::Framebuffer::make();
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, m_reduced.name());
        glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                               m_reducedColour.name(), 0);
        m_reducedWidth = fullWidth;
        m_reducedHeight = fullHeight;
    }
    // Draws into a corner of the texture. The texture is as large as the viewport, so a changing
    // scale needs no new texture.
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, m_reduced.name());
    const double width = std::max(1.0, std::round(fullWidth * m_scale));
    const double height = std::max(1.0, std::round(fullHeight * m_scale));
    const Rect corner{0.0, fullHeight - height, width, static_cast<double>(fullHeight)};
    const Vec2 reducedSize{static_cast<double>(fullWidth), static_cast<double>(fullHeight)};
    beginDrawing(corner, reducedSize);
    drawVolume(volume, scene, rays, viewport, corner, reducedSize, std::max(0.5, m_scale));

    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(screen));
    beginDrawing(viewport, framebufferSize);
    blendVolume(scene.mode);
    m_copyProgram.use();
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, m_reducedColour.name());
    glUniform1i(m_copyUniform.picture, 0);
    glUniform2f(m_copyUniform.size, static_cast<float>(width), static_cast<float>(height));
    glUniform1i(m_copyUniform.transposed, 0);
    setRectangle(m_copyUniform.rectangle, viewport, framebufferSize);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void VolumeRenderer::drawLines(std::span<const Vec2> points, Vec2 framebufferSize, float brightness,
                               float alpha) const {
    if (points.empty()) return;
    std::array<float, 64> coordinates{};
    for (std::size_t i = 0; i < points.size(); ++i) {
        // At the middle of a pixel, so that upright lines stay one pixel sharp.
        coordinates[2 * i] =
            static_cast<float>(2.0 * (std::floor(points[i].x) + 0.5) / framebufferSize.x - 1.0);
        coordinates[2 * i + 1] =
            static_cast<float>(1.0 - 2.0 * (std::floor(points[i].y) + 0.5) / framebufferSize.y);
    }
    m_lineProgram.use();
    glUniform2fv(m_lineUniform.points, static_cast<GLsizei>(points.size()), coordinates.data());
    glUniform4f(m_lineUniform.ink, brightness, brightness, brightness, alpha);
    glBindVertexArray(m_vertices.name());
    glDrawArrays(GL_LINES, 0, static_cast<GLsizei>(points.size()));
}

void VolumeRenderer::drawEdges(const VolumeProjection& projection, bool hidden,
                               Vec2 framebufferSize) const {
    std::array<Vec2, 24> points;
    std::size_t count = 0;
    for (const VolumeProjection::Edge& edge : projection.edges()) {
        if (edge.hidden != hidden) continue;
        points[count++] = edge.from;
        points[count++] = edge.to;
    }
    drawLines(std::span(points).first(count), framebufferSize, hidden ? 0.22F : 0.45F, 1.0F);
}

void VolumeRenderer::drawSliceOutlines(const VolumeProjection& projection, const VolumeScene& scene,
                                       Vec2 framebufferSize) const {
    const double at[] = {scene.slicesAt.x, scene.slicesAt.y, scene.slicesAt.z};
    std::array<Vec2, 24> points;
    std::size_t count = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const std::array<Vec2, 4> outline = projection.sliceOutline(axis, at[axis]);
        for (std::size_t i = 0; i < 4; ++i) {
            points[count++] = outline[i];
            points[count++] = outline[(i + 1) % 4];
        }
    }
    drawLines(points, framebufferSize, 0.85F, 0.25F);
}

} // namespace echolux
