// SPDX-License-Identifier: GPL-3.0-or-later
// GLX pbuffer and EGL surfaceless contexts.
#include "tests/support/gl_context.hpp"

#include "render/gl/objects.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glx.h>

#include <cstdlib>

namespace echolux::testing_support {
namespace {

class GlxContext final : public GlContext {
public:
    GlxContext() = default;
    ~GlxContext() override {
        if (m_display == nullptr) return;
        glXMakeContextCurrent(m_display, 0, 0, nullptr);
        if (m_context != nullptr) glXDestroyContext(m_display, m_context);
        if (m_pbuffer != 0) glXDestroyPbuffer(m_display, m_pbuffer);
        XCloseDisplay(m_display);
    }

    bool create(std::string& reason) {
        m_display = XOpenDisplay(nullptr);
        if (m_display == nullptr) return refuse(reason, "no X display");
        const int wanted[] = {GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT, GLX_RENDER_TYPE, GLX_RGBA_BIT, 0};
        int count = 0;
        GLXFBConfig* configs =
            glXChooseFBConfig(m_display, DefaultScreen(m_display), wanted, &count);
        if (configs == nullptr || count == 0) return refuse(reason, "no GLX configuration");
        const GLXFBConfig config = configs[0];
        XFree(configs);
        const auto createContext = reinterpret_cast<PFNGLXCREATECONTEXTATTRIBSARBPROC>(
            glXGetProcAddress(reinterpret_cast<const GLubyte*>("glXCreateContextAttribsARB")));
        if (createContext == nullptr) return refuse(reason, "no glXCreateContextAttribsARB");
        const int version[] = {GLX_CONTEXT_MAJOR_VERSION_ARB,
                               3,
                               GLX_CONTEXT_MINOR_VERSION_ARB,
                               3,
                               GLX_CONTEXT_PROFILE_MASK_ARB,
                               GLX_CONTEXT_CORE_PROFILE_BIT_ARB,
                               0};
        m_context = createContext(m_display, config, nullptr, True, version);
        if (m_context == nullptr) return refuse(reason, "no OpenGL 3.3 core context on GLX");
        const int size[] = {GLX_PBUFFER_WIDTH, 16, GLX_PBUFFER_HEIGHT, 16, 0};
        m_pbuffer = glXCreatePbuffer(m_display, config, size);
        if (glXMakeContextCurrent(m_display, m_pbuffer, m_pbuffer, m_context) == False) {
            return refuse(reason, "GLX context cannot be made current");
        }
        return true;
    }

private:
    static bool refuse(std::string& reason, const char* why) {
        reason = why;
        return false;
    }

    Display* m_display = nullptr;
    GLXContext m_context = nullptr;
    GLXPbuffer m_pbuffer = 0;
};

class EglContext final : public GlContext {
public:
    EglContext() = default;
    ~EglContext() override {
        if (m_display == EGL_NO_DISPLAY) return;
        eglMakeCurrent(m_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (m_context != EGL_NO_CONTEXT) eglDestroyContext(m_display, m_context);
        eglTerminate(m_display);
    }

    bool create(std::string& reason) {
        m_display =
            eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
        if (m_display == EGL_NO_DISPLAY ||
            eglInitialize(m_display, nullptr, nullptr) == EGL_FALSE ||
            eglBindAPI(EGL_OPENGL_API) == EGL_FALSE) {
            reason = "no surfaceless EGL display with OpenGL";
            return false;
        }
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  3,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  3,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_NONE};
        m_context = eglCreateContext(m_display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
        if (m_context == EGL_NO_CONTEXT ||
            eglMakeCurrent(m_display, EGL_NO_SURFACE, EGL_NO_SURFACE, m_context) == EGL_FALSE) {
            reason = "no OpenGL 3.3 core context on EGL";
            return false;
        }
        return true;
    }

private:
    EGLDisplay m_display = EGL_NO_DISPLAY;
    EGLContext m_context = EGL_NO_CONTEXT;
};

template <class Context> std::unique_ptr<GlContext> attempt(std::string& reason) {
    auto context = std::make_unique<Context>();
    if (!context->create(reason)) return nullptr;
    return context;
}

} // namespace

std::unique_ptr<GlContext> GlContext::tryCreate(std::string& reason) {
    std::string glxReason = "no DISPLAY";
    if (std::getenv("DISPLAY") != nullptr) {
        if (auto context = attempt<GlxContext>(glxReason)) return context;
    }
    std::string eglReason;
    if (auto context = attempt<EglContext>(eglReason)) return context;
    reason = glxReason + "; " + eglReason;
    return nullptr;
}

void GlTest::SetUp() {
    std::string reason;
    m_context = GlContext::tryCreate(reason);
    if (!m_context) GTEST_SKIP() << "no OpenGL: " << reason;
    gl::loadFunctions();
}

} // namespace echolux::testing_support
