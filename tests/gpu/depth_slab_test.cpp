// SPDX-License-Identifier: GPL-3.0-or-later
// Slabs between two boundaries, against their definition.
#include "gpu/core/decibels.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing_support::refusal;
using Depths = std::vector<float>;

constexpr double kDepthM = 2e-6;
constexpr std::int64_t kLines = 5;
constexpr std::int64_t kPixels = 40;

FrameSpec scanSpec(std::int64_t bscans = 0, double originM = 0.0) {
    FrameSpec spec = octSpec(bscans, kLines, kPixels);
    spec.axes.back() = {AxisName::Depth, kPixels, kDepthM, originM, "m"};
    return spec;
}

/// Pixel values are their numbers, from 1.
HostFrame numbered(const FrameSpec& spec) {
    HostFrame image(spec);
    auto values = image.as<float>();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
    return image;
}

/// A boundary at these pixels.
HostFrame boundary(const FrameSpec& image, const Depths& pixels) {
    const Axis& depth = image.axes.back();
    FrameSpec spec = image;
    spec.axes.pop_back();
    spec.valueRange = {0.0, 1.0, depth.unit, ""};
    Depths depths;
    for (const float pixel : pixels)
        depths.push_back(static_cast<float>(depth.origin + depth.spacing * pixel));
    return {spec, depths};
}

HostFrames slabOf(const HostFrame& image, const Depths& upper, const Depths& lower,
                  const Settings& settings = {}) {
    const StageType& type = stageType("depth_slab");
    const HostFrames inputs{image, boundary(image.spec, upper), boundary(image.spec, lower)};
    StageRunner runner(type, specsOf(inputs), paramsFor(type, image.spec, settings));
    return runner.runAll(inputs);
}

/// Pixels begin <= z < end of a line stay.
void expectSlab(const HostFrame& slab, const std::vector<std::pair<std::int64_t, std::int64_t>>& of,
                float nothing = 0.0F) {
    const auto values = slab.as<float>();
    ASSERT_EQ(values.size(), of.size() * kPixels);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto z = static_cast<std::int64_t>(i % kPixels);
        const auto [begin, end] = of[i / kPixels];
        ASSERT_EQ(values[i], z >= begin && z < end ? static_cast<float>(i + 1) : nothing) << i;
    }
}

const Depths kUpper{3, 4, 6, 5, 3};
const Depths kLower{20, 22, 25, 26, 30};

TEST(DepthSlab, KeepsWhatLiesBetweenTheSurfaces) {
    for (const double originM : {0.0, 1e-3}) {
        const HostFrames made = slabOf(numbered(scanSpec(0, originM)), kUpper, kLower);
        expectSlab(made[0], {{3, 20}, {4, 22}, {6, 25}, {5, 26}, {3, 30}});
    }
}

TEST(DepthSlab, OffsetsMoveBothBoundaries) {
    const HostFrame image = numbered(scanSpec());
    HostFrames made =
        slabOf(image, kUpper, kLower, {{"first_offset", 4e-6}, {"second_offset", -10e-6}});
    expectSlab(made[0], {{5, 15}, {6, 17}, {8, 20}, {7, 21}, {5, 25}});
    made = slabOf(image, kUpper, kLower,
                  {{"second_surface", std::string("upper")}, {"second_offset", 20e-6}});
    expectSlab(made[0], {{3, 13}, {4, 14}, {6, 16}, {5, 15}, {3, 13}});
    made = slabOf(image, kUpper, kLower,
                  {{"first_surface", std::string("lower")}, {"second_offset", 1e-3}});
    expectSlab(made[0], {{20, 40}, {22, 40}, {25, 40}, {26, 40}, {30, 40}});
    made = slabOf(image, kUpper, kLower, {{"first_offset", -1e-3}});
    expectSlab(made[0], {{0, 20}, {0, 22}, {0, 25}, {0, 26}, {0, 30}});
}

TEST(DepthSlab, IsEmptyWhereItsBoundariesCross) {
    const HostFrames made = slabOf(numbered(scanSpec()), kLower, kUpper);
    EXPECT_THAT(made[0].as<float>(), Each(0.0F));
    const HostFrames touching = slabOf(numbered(scanSpec()), kUpper, kUpper);
    EXPECT_THAT(touching[0].as<float>(), Each(0.0F));
}

TEST(DepthSlab, ABoundaryThatIsNoNumberMakesItsLineEmpty) {
    const HostFrames made =
        slabOf(numbered(scanSpec()), {3, NAN, 6, 5, INFINITY}, {20, 22, NAN, INFINITY, 30});
    expectSlab(made[0], {{3, 20}, {0, 0}, {0, 0}, {5, 40}, {0, 0}});
    const auto lines = made[1].as<float>();
    for (std::size_t z = 0; z < kPixels; ++z) {
        EXPECT_NE(lines[kPixels + z], 1.0F);
        EXPECT_NE(lines[2 * kPixels + z], -1.0F);
    }
}

TEST(DepthSlab, WhatIsBesideAnImageInDecibelsIsDarkest) {
    FrameSpec spec = scanSpec();
    spec.valueRange = {-8.0, 32.0, "dB", ""};
    expectSlab(slabOf(numbered(spec), kUpper, kLower)[0],
               {{3, 20}, {4, 22}, {6, 25}, {5, 26}, {3, 30}}, kNothingDb);
}

TEST(DepthSlab, FlattenedItBeginsAtDepthZero) {
    const HostFrames made = slabOf(numbered(scanSpec(0, 1e-4)), kUpper, kLower,
                                   {{"flatten", true}, {"first_offset", -10e-6}});
    EXPECT_EQ(made[0].spec.axes.back().origin, 0.0);
    EXPECT_EQ(made[1].spec.axes.back().origin, 1e-4);
    const auto values = made[0].as<float>();
    for (std::int64_t line = 0; line < kLines; ++line) {
        const auto at = static_cast<std::size_t>(line);
        const auto begin = static_cast<std::int64_t>(kUpper[at]) - 5;
        const auto end = static_cast<std::int64_t>(kLower[at]);
        for (std::int64_t z = 0; z < kPixels; ++z) {
            const std::int64_t from = begin + z;
            const bool inside = from >= 0 && from < end;
            ASSERT_EQ(values[at * kPixels + static_cast<std::size_t>(z)],
                      inside ? static_cast<float>(line * kPixels + from + 1) : 0.0F)
                << line << " " << z;
        }
    }
}

TEST(DepthSlab, DrawsItsBoundariesWithTheirOffsets) {
    const HostFrames made = slabOf(numbered(scanSpec()), {3, 3, 10, 11, 11}, {20, 20, 20, 20, 20},
                                   {{"first_offset", 4e-6},
                                    {"second_offset", 1e-3},
                                    {"flatten", true},
                                    {"thickness", std::int64_t{1}}});
    EXPECT_EQ(made[1].spec.valueRange->min, -1.0);
    const std::pair<std::int64_t, std::int64_t> expected[] = {
        {5, 5}, {5, 8}, {9, 12}, {13, 13}, {13, 13}};
    const auto values = made[1].as<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto z = static_cast<std::int64_t>(i % kPixels);
        const auto [first, last] = expected[i / kPixels];
        ASSERT_EQ(values[i], z >= first && z <= last ? 1.0F : 0.0F) << i;
    }
}

TEST(DepthSlab, TakesVolumes) {
    const FrameSpec spec = scanSpec(2);
    const Depths upper{1, 2, 3, 4, 5, 30, 2, 2, 2, 2};
    const Depths lower{9, 9, 9, 9, 9, 40, 3, 4, 5, 6};
    const HostFrames made = slabOf(numbered(spec), upper, lower);
    expectSlab(made[0],
               {{1, 9}, {2, 9}, {3, 9}, {4, 9}, {5, 9}, {30, 40}, {2, 3}, {2, 4}, {2, 5}, {2, 6}});
    // The last line of one B-scan and the first of the next are no neighbours.
    EXPECT_EQ(made[1].as<float>()[4 * kPixels + 7], 0.0F);
}

TEST(DepthSlab, RefusesSurfacesOfOtherImages) {
    const StageType& type = stageType("depth_slab");
    const FrameSpec image = scanSpec();
    const auto plan = [&](const FrameSpec& upper, const FrameSpec& lower) {
        return refusal([&] { type.plan({{image, upper, lower}}, paramsFor(type, image, {})); });
    };
    const FrameSpec fitting = boundary(image, kUpper).spec;
    FrameSpec longer = fitting;
    longer.axes.back().size = 7;
    EXPECT_THAT(plan(fitting, longer), AllOf(HasSubstr("'lower' is f32 [lateral 7]"),
                                             HasSubstr("5 lines in each of 1 B-scans")));
    FrameSpec bins = fitting;
    bins.valueRange->unit = "";
    EXPECT_THAT(plan(bins, fitting), HasSubstr("'upper' is in bins, and the depth of the image in "
                                               "'m'"));
    EXPECT_THAT(refusal([&] {
                    runStage("depth_slab",
                             HostFrames{numbered(image), numbered(image), boundary(image, kLower)});
                }),
                HasSubstr("Port 'upper' of stage 'depth_slab' takes frames with the axes lateral"));
}

} // namespace
} // namespace echolux::test
