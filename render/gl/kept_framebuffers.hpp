// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing into textures beside the caller's framebuffer.
#pragma once

#include "render/gl/objects.hpp"

namespace echolux::gl {

/// At its end restores the caller's framebuffers and unbinds what drawing has bound.
class KeptFramebuffers {
public:
    KeptFramebuffers() {
        glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &m_drawn);
        glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &m_read);
    }
    ~KeptFramebuffers() {
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(m_drawn));
        glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(m_read));
        glDisable(GL_SCISSOR_TEST);
        glBindVertexArray(0);
        glUseProgram(0);
    }
    KeptFramebuffers(const KeptFramebuffers&) = delete;
    KeptFramebuffers& operator=(const KeptFramebuffers&) = delete;

private:
    GLint m_drawn = 0;
    GLint m_read = 0;
};

/// A framebuffer that draws into the texture; it is bound.
inline Framebuffer framebufferOf(const Texture& texture) {
    Framebuffer framebuffer = Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture.name(), 0);
    return framebuffer;
}

} // namespace echolux::gl
