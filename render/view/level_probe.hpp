// SPDX-License-Identifier: GPL-3.0-or-later
// Quantiles of a picture's values, found on the graphics card and fetched as four numbers.
#pragma once

#include "render/gl/objects.hpp"
#include "render/gl/pixel_fetch.hpp"
#include "render/view/auto_range.hpp"

#include <optional>

namespace echolux {

/// Two histograms in turn, by adding points: which powers of two the values span, then even bins
/// over that span (a 4096th of it). A 256 x 256 grid of larger pictures is looked at. Lives on the
/// GL thread with its context current.
class LevelProbe {
public:
    LevelProbe(); ///< throws Error where the driver refuses the shaders

    /// Enqueues the search in a texture's red; where its alpha is 0 there is no value. Values at or
    /// below `lowest` are not counted, nor what is not finite; beyond 8e37 they are not told apart.
    /// Forgets what it looked for before.
    void look(GLuint values, int width, int height, float lowest);
    void forget() { m_result.forget(); }
    bool looking() const { return m_result.pending(); }
    /// Once, when they are there; never waits. `count` is 0 where no value was one.
    std::optional<Levels> take();

private:
    struct Histogram {
        int across, down;
        gl::Texture counts;
        gl::Framebuffer framebuffer;
    };
    /// A texel that the next step, or the host, reads.
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
    gl::VertexArray m_vertices; ///< empty, yet required by the core profile
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
    int m_across = 0; ///< texels looked at
    int m_down = 0;
    float m_lowest = 0.0F;
    gl::PixelFetch m_result;
};

} // namespace echolux
