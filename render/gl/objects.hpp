// SPDX-License-Identifier: GPL-3.0-or-later
// Owners of OpenGL 3.3 core objects. Construct, use and destroy them with their context current.
// Include before any Qt OpenGL header: GLEW must come first.
#pragma once

#include <GL/glew.h>

#include <string>
#include <string_view>
#include <utility>

namespace echolux::gl {

/// Loads the functions of the current context. Call it once per context. Throws Error where the
/// context offers less than OpenGL 3.3.
void loadFunctions();
/// The renderer of the current context, such as "NVIDIA H200/PCIe/SSE2".
std::string rendererName();
std::string vendorName();

namespace detail {
GLuint createTexture();
GLuint createFramebuffer();
GLuint createVertexArray();
GLuint createPixelBuffer();
GLuint createQuery();
void destroyTexture(GLuint name);
void destroyFramebuffer(GLuint name);
void destroyVertexArray(GLuint name);
void destroyPixelBuffer(GLuint name);
void destroyQuery(GLuint name);
} // namespace detail

/// Move-only name of an OpenGL object; 0 when empty.
template <GLuint (*Create)(), void (*Destroy)(GLuint)> class Object {
public:
    Object() = default;
    static Object make() {
        Object object;
        object.m_name = Create();
        return object;
    }
    Object(Object&& other) noexcept : m_name(std::exchange(other.m_name, 0)) {}
    Object& operator=(Object&& other) noexcept {
        std::swap(m_name, other.m_name);
        return *this;
    }
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    ~Object() {
        if (m_name != 0) Destroy(m_name);
    }
    GLuint name() const { return m_name; }

private:
    GLuint m_name = 0;
};

using Texture = Object<detail::createTexture, detail::destroyTexture>;
using Framebuffer = Object<detail::createFramebuffer, detail::destroyFramebuffer>;
using VertexArray = Object<detail::createVertexArray, detail::destroyVertexArray>;
using PixelBuffer = Object<detail::createPixelBuffer, detail::destroyPixelBuffer>;
using Query = Object<detail::createQuery, detail::destroyQuery>;

/// 2D texture without mipmaps, clamped at its edges, nearest filter, contents undefined.
Texture makeTexture2d(GLint internalFormat, int width, int height, GLenum format, GLenum type);

/// The same in three dimensions, with a linear filter.
Texture makeTexture3d(GLint internalFormat, int width, int height, int depth, GLenum format,
                      GLenum type);

/// A linked vertex and fragment shader.
class Program {
public:
    Program() = default;
    /// Throws Error with the compiler's log.
    Program(std::string_view vertexSource, std::string_view fragmentSource);
    Program(Program&& other) noexcept : m_name(std::exchange(other.m_name, 0)) {}
    Program& operator=(Program&& other) noexcept {
        std::swap(m_name, other.m_name);
        return *this;
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();

    void use() const { glUseProgram(m_name); }
    /// Throws std::logic_error where the program has no uniform of this name.
    GLint uniform(const char* name) const;

private:
    GLuint m_name = 0;
};

} // namespace echolux::gl
