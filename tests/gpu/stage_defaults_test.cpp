// SPDX-License-Identifier: GPL-3.0-or-later
// Defaults are asked for before ports are checked, so every stage gives some for any frame, or says
// why not.
#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/support/test_frames.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace echolux::test {
namespace {

TEST(StageDefaults, AreGivenForAnyFrameOrRefused) {
    const FrameSpec image = imageSpec(5, 4);
    FrameSpec samples = image; // channel data without a depth
    samples.axes = {{AxisName::Channel, 4, 1.0, 0.0, ""}, {AxisName::Sample, 64, 1.0, 0.0, ""}};
    FrameSpec line = image;
    line.axes = {{AxisName::Depth, 64, 1e-4, 0.0, "m"}};
    FrameSpec number = image;
    number.axes = {{AxisName::Transmit, 1, 1.0, 0.0, ""}};
    for (const StageType* type : builtinStages()) {
        for (const FrameSpec& frame : {image, samples, line, number, octSpec(2, 3, 16)}) {
            SCOPED_TRACE(type->id + " for " + frame.describe());
            try {
                EXPECT_EQ(&type->defaultsFor(frame).table(), &type->table);
            } catch (const Error& error) { // a sentence, as where a probe is wanted
                EXPECT_TRUE(std::string_view(error.what()).ends_with('.')) << error.what();
            }
        }
    }
}

} // namespace
} // namespace echolux::test
