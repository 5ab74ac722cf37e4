// SPDX-License-Identifier: GPL-3.0-or-later
// Creation and destruction of OpenGL objects, compilation of shaders.
#include "render/gl/objects.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace echolux::gl {
namespace {

std::string text(GLenum what) {
    const auto* bytes = reinterpret_cast<const char*>(glGetString(what));
    return bytes != nullptr ? bytes : "unknown";
}

/// Log of a shader or program, depending on the two functions.
std::string infoLog(GLuint name, PFNGLGETSHADERIVPROC getValue, PFNGLGETSHADERINFOLOGPROC getLog) {
    GLint length = 0;
    getValue(name, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length > 0 ? length : 0), '\0');
    if (length > 0) getLog(name, length, nullptr, log.data());
    return log;
}

[[noreturn]] void refuseShaders(const std::string& log) {
    throw Error(fmt::format("The graphics driver ({}) refuses the program's shaders: {}; update "
                            "the driver.",
                            rendererName(), log));
}

GLuint compile(GLenum kind, std::string_view source) {
    const GLuint shader = glCreateShader(kind);
    const char* begin = source.data();
    const auto length = static_cast<GLint>(source.size());
    glShaderSource(shader, 1, &begin, &length);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled == GL_TRUE) return shader;
    const std::string log = infoLog(shader, glGetShaderiv, glGetShaderInfoLog);
    glDeleteShader(shader);
    refuseShaders(log);
}

} // namespace

void loadFunctions() {
    // NOTE: a core profile does not list extensions in the old way. Without this GLEW finds
    // nothing.
    glewExperimental = GL_TRUE;
    const GLenum code = glewInit();
    // NOTE: a GLEW that is built for GLX reports "no GLX display" on EGL, after it has loaded all
    // of OpenGL.
    if (code != GLEW_OK && code != GLEW_ERROR_NO_GLX_DISPLAY) {
        throw Error(fmt::format("OpenGL cannot be used: {}; install a graphics driver that offers "
                                "OpenGL 3.3.",
                                reinterpret_cast<const char*>(glewGetErrorString(code))));
    }
    while (glGetError() != GL_NO_ERROR) {
    } // GLEW's tests may leave an error behind
    if (GLEW_VERSION_3_3 == GL_FALSE) {
        throw Error(fmt::format("The graphics driver ({}) offers OpenGL {} but 3.3 is needed; "
                                "update the driver.",
                                rendererName(), text(GL_VERSION)));
    }
}

std::string rendererName() { return text(GL_RENDERER); }
std::string vendorName() { return text(GL_VENDOR); }

namespace detail {

GLuint createTexture() {
    GLuint name = 0;
    glGenTextures(1, &name);
    return name;
}
GLuint createFramebuffer() {
    GLuint name = 0;
    glGenFramebuffers(1, &name);
    return name;
}
GLuint createVertexArray() {
    GLuint name = 0;
    glGenVertexArrays(1, &name);
    return name;
}
GLuint createPixelBuffer() {
    GLuint name = 0;
    glGenBuffers(1, &name);
    return name;
}
GLuint createQuery() {
    GLuint name = 0;
    glGenQueries(1, &name);
    return name;
}
void destroyTexture(GLuint name) { glDeleteTextures(1, &name); }
void destroyFramebuffer(GLuint name) { glDeleteFramebuffers(1, &name); }
void destroyVertexArray(GLuint name) { glDeleteVertexArrays(1, &name); }
void destroyPixelBuffer(GLuint name) { glDeleteBuffers(1, &name); }
void destroyQuery(GLuint name) { glDeleteQueries(1, &name); }

} // namespace detail

Texture makeTexture2d(GLint internalFormat, int width, int height, GLenum format, GLenum type) {
    Texture texture = Texture::make();
    glBindTexture(GL_TEXTURE_2D, texture.name());
    glTexImage2D(GL_TEXTURE_2D, 0, internalFormat, width, height, 0, format, type, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

Texture makeTexture3d(GLint internalFormat, int width, int height, int depth, GLenum format,
                      GLenum type) {
    Texture texture = Texture::make();
    glBindTexture(GL_TEXTURE_3D, texture.name());
    glTexImage3D(GL_TEXTURE_3D, 0, internalFormat, width, height, depth, 0, format, type, nullptr);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
    return texture;
}

Program::Program(std::string_view vertexSource, std::string_view fragmentSource) {
    const GLuint vertex = compile(GL_VERTEX_SHADER, vertexSource);
    GLuint fragment = 0;
    try {
        fragment = compile(GL_FRAGMENT_SHADER, fragmentSource);
    } catch (...) {
        glDeleteShader(vertex);
        throw;
    }
    m_name = glCreateProgram();
    glAttachShader(m_name, vertex);
    glAttachShader(m_name, fragment);
    glLinkProgram(m_name);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    GLint linked = GL_FALSE;
    glGetProgramiv(m_name, GL_LINK_STATUS, &linked);
    if (linked == GL_TRUE) return;
    const std::string log = infoLog(m_name, glGetProgramiv, glGetProgramInfoLog);
    glDeleteProgram(m_name);
    refuseShaders(log);
}

Program::~Program() {
    if (m_name != 0) glDeleteProgram(m_name);
}

GLint Program::uniform(const char* name) const {
    const GLint location = glGetUniformLocation(m_name, name);
    if (location < 0) throw std::logic_error(std::string("shader has no uniform ") + name);
    return location;
}

} // namespace echolux::gl
