// SPDX-License-Identifier: GPL-3.0-or-later
// to_float against hand-made codes of every sample type.
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include "gpu/core/complex.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

FrameSpec codes(DType dtype, std::int64_t count, double offset, double scale) {
    FrameSpec spec;
    spec.dtype = dtype;
    spec.axes = {{AxisName::Sample, count, 1e-8, 0.0, "s"}};
    spec.codeOffset = offset;
    spec.codeScale = scale;
    return spec;
}

template <class Code> std::vector<float>
converted(const FrameSpec& spec, const std::vector<Code>& values, const Settings& settings = {}) {
    const HostFrame out = runStage("to_float", HostFrame(spec, values), settings);
    const auto floats = out.as<float>();
    return {floats.begin(), floats.end()};
}

using testing::ElementsAre;

TEST(ToFloat, EverySampleType) {
    EXPECT_THAT(converted<std::uint8_t>(codes(DType::U8, 3, 128, 0.5), {0, 128, 255}),
                ElementsAre(-64.0F, 0.0F, 63.5F));
    EXPECT_THAT(converted<std::int16_t>(codes(DType::I16, 3, 0, 2), {-32768, 1, 32767}),
                ElementsAre(-65536.0F, 2.0F, 65534.0F));
    EXPECT_THAT(converted<std::uint16_t>(codes(DType::U16, 3, 32768, 1), {0, 32769, 65535}),
                ElementsAre(-32768.0F, 1.0F, 32767.0F));
    EXPECT_THAT(converted<float>(codes(DType::F32, 2, 0, 1), {-0.25F, 1e-30F}),
                ElementsAre(-0.25F, 1e-30F));
    EXPECT_THAT(
        converted<std::int16_t>(codes(DType::ComplexI16, 2, 1, 0.5), {3, -3, 32767, -32768}),
        ElementsAre(1.0F, -2.0F, 16383.0F, -16384.5F));
    EXPECT_THAT(converted<float>(codes(DType::ComplexF32, 1, 0, 3), {1.5F, -2.0F}),
                ElementsAre(4.5F, -6.0F));
}

TEST(ToFloat, Packed12UnpacksPairsAndAnOddLastSample) {
    // 0x123, 0xFED, 0x800 as nibbles: low byte first, the shared byte's low nibble first.
    EXPECT_THAT(
        converted<std::uint8_t>(codes(DType::Packed12, 3, 2048, 1), {0x23, 0xD1, 0xFE, 0x00, 0x08}),
        ElementsAre(0x123 - 2048.0F, 0xFED - 2048.0F, 0.0F));
}

TEST(ToFloat, ScaleMultipliesAndTheOutputIsPhysical) {
    const FrameSpec spec = codes(DType::U8, 1, 100, 0.25);
    EXPECT_THAT(converted<std::uint8_t>(spec, {108}, {{"scale", 10.0}}), ElementsAre(20.0F));
    const HostFrame out = runStage("to_float", HostFrame(spec, std::vector<std::uint8_t>{108}));
    EXPECT_EQ(out.spec.codeOffset, 0.0);
    EXPECT_EQ(out.spec.codeScale, 1.0);
    EXPECT_EQ(out.spec.dtype, DType::F32);
}

} // namespace
} // namespace echolux::test
