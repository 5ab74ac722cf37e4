// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a rotated volume texture with its box: maximum projection, composite or three slices.
#pragma once

#include "render/gl/objects.hpp"
#include "render/interop/volume_texture.hpp"
#include "render/view/orbit.hpp"
#include "render/view/shaders.hpp"
#include "render/view/volume_scene.hpp"

#include <array>
#include <optional>
#include <span>

namespace echolux {

/// Constructed, used and destroyed on the GL thread with its context current.
class VolumeRenderer {
public:
    VolumeRenderer(); ///< throws Error where the driver refuses the shaders

    void setColourMap(const ColourMap& map) { m_colours.setColourMap(map); }
    /// Draws within `viewport` only, in pixels of the bound framebuffer, y down.
    void draw(const VolumeTexture& volume, const VolumeScene& scene, const Rect& viewport,
              Vec2 framebufferSize);
    static constexpr int kProjectedSide = 96;
    /// A small picture of the maximum projection, kProjectedSide pixels square: values in red,
    /// alpha 0 beside the box. Precondition: the volume is not empty.
    const gl::Texture& projected(const VolumeTexture& volume, const Orbit& orbit);
    /// Pixels drawn per pixel of the screen in the last picture, along each direction.
    double lastScale() const { return m_scale; }

private:
    double scaleFor(const VolumeScene& scene, const Rect& viewport);
    void drawVolume(const VolumeTexture& volume, const VolumeScene& scene,
                    const VolumeProjection::Rays& rays, const Rect& viewport, const Rect& target,
                    Vec2 targetSize, double stepsPerVoxel);
    void drawReduced(const VolumeTexture& volume, const VolumeScene& scene,
                     const VolumeProjection::Rays& rays, const Rect& viewport,
                     Vec2 framebufferSize);
    void drawLines(std::span<const Vec2> points, Vec2 framebufferSize, float brightness,
                   float alpha) const;
    void drawEdges(const VolumeProjection& projection, bool hidden, Vec2 framebufferSize) const;
    void drawSliceOutlines(const VolumeProjection& projection, const VolumeScene& scene,
                           Vec2 framebufferSize) const;

    gl::Program m_program;
    gl::Program m_copyProgram;
    gl::Program m_lineProgram;
    gl::VertexArray m_vertices; ///< empty, but the core profile requires one
    ColourUniforms m_colours;
    struct {
        GLint rectangle, transposed, voxels, start, perX, perY, direction, viewport, mode, slicesAt,
            stepsPerVoxel, asValues, depthCue, reach, extinction;
    } m_uniform{};
    struct {
        GLint rectangle, transposed, picture, size;
    } m_copyUniform{};
    struct {
        GLint points, ink;
    } m_lineUniform{};

    gl::Framebuffer m_reduced; ///< for pictures with fewer pixels than the screen
    gl::Texture m_reducedColour;
    int m_reducedWidth = 0;
    int m_reducedHeight = 0;

    gl::Framebuffer m_projected; ///< made at its first use
    gl::Texture m_projectedValues;

    gl::Query m_timer;
    bool m_timing = false;    ///< the timer's result has not arrived yet
    double m_timedWork = 0.0; ///< pixels times steps per voxel of that picture
    std::optional<double> m_msPerWork[VolumeScene::kModes];
    std::size_t m_timedMode = 0;
    double m_scale = 1.0;
};

} // namespace echolux
