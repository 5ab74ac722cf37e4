// SPDX-License-Identifier: GPL-3.0-or-later
// A framebuffer of known size to draw into and read colours from. Needs a current OpenGL context.
#pragma once

#include "render/gl/objects.hpp"

#include <cstdint>
#include <vector>

namespace echolux::testing_support {

class Offscreen {
public:
    Offscreen(int width, int height)
        : m_width(width), m_height(height),
          m_colour(gl::makeTexture2d(GL_RGBA8, width, height, GL_RGBA, GL_UNSIGNED_BYTE)),
          m_framebuffer(gl::Framebuffer::make()) {
        glBindFramebuffer(GL_FRAMEBUFFER, m_framebuffer.name());
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m_colour.name(),
                               0);
    }
    /// 0xRRGGBB, rows from the top.
    std::vector<std::uint32_t> pixels() const {
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(m_width * m_height) * 4);
        glBindFramebuffer(GL_FRAMEBUFFER, m_framebuffer.name());
        glReadPixels(0, 0, m_width, m_height, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
        std::vector<std::uint32_t> colours;
        colours.reserve(bytes.size() / 4);
        for (int row = m_height - 1; row >= 0; --row) {
            for (int column = 0; column < m_width; ++column) {
                const std::uint8_t* p = bytes.data() + 4 * (row * m_width + column);
                colours.push_back(static_cast<std::uint32_t>(p[0] << 16 | p[1] << 8 | p[2]));
            }
        }
        return colours;
    }

private:
    int m_width;
    int m_height;
    gl::Texture m_colour;
    gl::Framebuffer m_framebuffer;
};

} // namespace echolux::testing_support
