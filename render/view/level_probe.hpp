// SPDX-License-Identifier: GPL-3.0-or-later
// Finds quantiles of a picture's values on the graphics card and fetches them as four numbers.
#pragma once

#include "render/gl/objects.hpp"
#include "render/gl/pixel_fetch.hpp"
#include "render/view/auto_range.hpp"

#include <optional>

namespace echolux {

/// Draws points additively into two histograms. The first tells which powers of two the values
/// span. The second has even bins of 1/4096 of that span. Of larger pictures only a grid of 256 x
/// 256 texels is read. Used on the GL thread with its context current.
class LevelProbe {
public:
    LevelProbe(); ///< throws Error where the driver refuses the shaders

    /// Enqueues the search in the red values of a texture. Texels with alpha 0 have no value.
    /// Values at or below `lowest` and values that are not finite do not count. Values beyond 8e37
    /// are not distinguished. Forgets an earlier search.
    void look(GLuint values, int width, int height, float lowest);
    void forget() { m_result.forget(); }
    bool looking() const { return m_result.pending(); }
    /// Returns the levels once, when they have arrived. Never waits. `count` is 0 where no value
    /// counted.
    std::optional<Levels> take();

private:
    struct Histogram {
        int across, down;
        gl::Texture counts;
        gl::Framebuffer framebuffer;
    };
    /// A result in one texel, which the next step or the host reads.
    struct Answer {
        gl::Texture texel;
        gl::Framebuffer framebuffer;
    };
    static Histogram makeHistogram(int across, int down);
    static Answer makeAnswer();
    void fill(const Histogram& histogram, GLuint values, bool fine);
    void find(const Histogram& histogram, const Answer& answer, bool fine);

    gl::Program m_scatter;
    gl::Program m_find;
    gl::VertexArray m_vertices; ///< empty, but the core profile requires one
    struct {
        GLint values, samples, lowestLevel, fine, range, bins;
    } m_scatterUniform{};
    struct {
        GLint histogram, bins, fine, range, parts;
    } m_findUniform{};
    Histogram m_coarse;
    Histogram m_even;
    Answer m_range;
    Answer m_levels;
    int m_across = 0; ///< number of texels that are read
    int m_down = 0;
    float m_lowest = 0.0F;
    gl::PixelFetch m_result;
};

} // namespace echolux
