// SPDX-License-Identifier: GPL-3.0-or-later
// Which frames can be captured on CUDA.
#include "app/pipeline/frame_program.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/pipeline/test_frames.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

bool isRepeated(
    StageType type, void (*change)(StageState& stage) = [](StageState&) {}) {
    auto snapshot = std::make_shared<Snapshot>(
        *instantiate(test::chainOf({"to_float", "dc_removal"}), test::codesSpec(1, 2, 8)));
    snapshot->stages[1].type = &type;
    change(snapshot->stages[1]);
    return makeFrameProgram(snapshot, Backend::Cuda, {}, Fusing::Allowed).isRepeated;
}

TEST(FrameProgram, FramesWithAFunctionInPythonOnCudaAreNotRepeated) {
    StageType type = stageType("dc_removal");
    EXPECT_TRUE(isRepeated(type));
    type.plugin = "/home/u/filter.so";
    EXPECT_TRUE(isRepeated(type));
    type.plugin = "/home/u/filter.py";
    EXPECT_FALSE(isRepeated(type));
    EXPECT_TRUE(isRepeated(type, [](StageState& stage) { stage.onCpu = true; }));
    EXPECT_TRUE(isRepeated(type, [](StageState& stage) { stage.bypass = true; }));
    type.hasCuda = false;
    EXPECT_TRUE(isRepeated(type)) << "it runs on the host";
}

} // namespace
} // namespace echolux
