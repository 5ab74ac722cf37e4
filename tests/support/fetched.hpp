// SPDX-License-Identifier: GPL-3.0-or-later
// What a canvas is asked for, waited for. Needs a current OpenGL context.
#pragma once

#include "render/gl/objects.hpp"
#include "render/view/frame_canvas.hpp"

#include <gtest/gtest.h>

namespace echolux::testing_support {

inline float valueAt(FrameCanvas& canvas, int column, int row) {
    canvas.askForValue(column, row);
    EXPECT_TRUE(canvas.valuePending());
    glFinish();
    const auto value = canvas.takeValue();
    EXPECT_TRUE(value) << "all commands have run";
    EXPECT_FALSE(canvas.valuePending());
    return value.value_or(0.0F);
}

} // namespace echolux::testing_support
