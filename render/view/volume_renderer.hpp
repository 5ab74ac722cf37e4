// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a volume texture turned in space: maximum projection, composite or three slices, with its
// box.
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

/// Lives on the GL thread with its context current, from construction to destruction.
class VolumeRenderer {
public:
    VolumeRenderer(); ///< throws Error where the driver refuses the shaders

    void setColourMap(const ColourMap& map) { m_colours.setColourMap(map); }
    /// Pixels of the framebuffer that is bound, y down; draws within `viewport` alone.
    void draw(const VolumeTexture& volume, const VolumeScene& scene, const Rect& viewport,
              Vec2 framebufferSize);
    static constexpr int kProjectedSide = 96;
    /// The values of a small picture of the maximum projection, kProjectedSide square, in red;
    /// alpha is 0 beside the box. Precondition: a volume that is not empty.
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
    gl::VertexArray m_vertices; ///< empty, yet required by the core profile
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

    gl::Framebuffer m_reduced; ///< of pictures with fewer pixels than the screen
    gl::Texture m_reducedColour;
    int m_reducedWidth = 0;
    int m_reducedHeight = 0;

    gl::Framebuffer m_projected; ///< made when first asked for
    gl::Texture m_projectedValues;

    gl::Query m_timer;
    bool m_timing = false;    ///< its result is still to come
    double m_timedWork = 0.0; ///< pixels times steps per voxel of that picture
    std::optional<double> m_msPerWork[VolumeScene::kModes];
    std::size_t m_timedMode = 0;
    double m_scale = 1.0;
};

} // namespace echolux
