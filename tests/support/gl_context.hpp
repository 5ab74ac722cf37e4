// SPDX-License-Identifier: GPL-3.0-or-later
// An OpenGL 3.3 core context without a window: GLX on the display there is, else EGL without one.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace echolux::testing_support {

/// Current on the calling thread from creation to destruction.
class GlContext {
public:
    /// Null, with the reason, where none can be had.
    static std::unique_ptr<GlContext> tryCreate(std::string& reason);
    virtual ~GlContext() = default;
};

/// Runs each test in a context of its own; skips, with the reason, where there is none.
class GlTest : public testing::Test {
protected:
    void SetUp() override;
    std::unique_ptr<GlContext> m_context;
};

} // namespace echolux::testing_support
