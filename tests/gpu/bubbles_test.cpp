// SPDX-License-Identifier: GPL-3.0-or-later
// Localisation of bubbles and their density, against scipy, numpy and closed forms.
#include "gpu/core/sector.hpp"
#include "gpu/flow/bubbles.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

constexpr std::int64_t kImageDepths = 60; ///< as in make_bubbles.py
constexpr std::int64_t kImageLaterals = 40;
constexpr const char* kSpotMethods[] = {"weighted_average", "radial_symmetry", "gaussian"};

struct SpotCase {
    const char* name;
    std::int64_t depthRadius;
    std::int64_t lateralRadius;
};
constexpr SpotCase kSpotCases[] = {{"round", 3, 3}, {"tall", 6, 3}};

Settings radii(std::int64_t depth, std::int64_t lateral, Settings more = {}) {
    more.emplace_back("depth_radius", depth);
    more.emplace_back("lateral_radius", lateral);
    return more;
}

std::vector<flow::Bubble> rowsOf(const HostFrame& list) {
    std::vector<flow::Bubble> rows(list.bytes.size() / sizeof(flow::Bubble));
    std::memcpy(rows.data(), list.bytes.data(), list.bytes.size());
    return rows;
}

std::vector<flow::Bubble> listed(const HostFrame& list) {
    std::vector<flow::Bubble> rows = rowsOf(list);
    std::erase_if(rows, [](const flow::Bubble& row) { return row.amplitude == 0.0F; });
    return rows;
}

/// In pixels.
struct SpotPlace {
    double z;
    double x;
};
SpotPlace pixelsOf(const flow::Bubble& bubble, const FrameSpec& image) {
    const auto at = [](float position, const Axis& axis) {
        return (double{position} - axis.origin) / axis.spacing;
    };
    return {at(bubble.depth, *image.find(AxisName::Depth)),
            at(bubble.lateral, *image.find(AxisName::Lateral))};
}

/// A Gaussian spot of this standard deviation, added to the image.
void addSpot(HostFrame& image, double z, double x, double height, double sigma = 1.0) {
    auto values = image.as<float>();
    const std::int64_t laterals = image.spec.axes.back().size;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double dz = static_cast<double>(static_cast<std::int64_t>(i) / laterals) - z;
        const double dx = static_cast<double>(static_cast<std::int64_t>(i) % laterals) - x;
        values[i] +=
            static_cast<float>(height * std::exp(-0.5 * (dz * dz + dx * dx) / (sigma * sigma)));
    }
}

TEST(Localise, FindsSpotsBetweenPixels) {
    const Vectors vectors("gpu/vectors/bubbles.txt");
    const FrameSpec spec = imageSpec(kImageDepths, kImageLaterals);
    const std::vector<float>& places = vectors["places"];
    for (const SpotCase& spots : kSpotCases) {
        const HostFrame image(spec, vectors[spots.name]);
        for (const char* method : kSpotMethods) {
            SCOPED_TRACE(std::string(spots.name) + " " + method);
            const auto rows =
                listed(runStage("localise", image,
                                radii(spots.depthRadius, spots.lateralRadius,
                                      {{"method", std::string(method)}, {"threshold", 12.0}})));
            ASSERT_EQ(rows.size(), places.size() / 2);
            double worst = 0.0;
            for (std::size_t i = 0; i < places.size(); i += 2) {
                double nearest = std::numeric_limits<double>::max();
                for (const flow::Bubble& row : rows) {
                    const SpotPlace found = pixelsOf(row, spec);
                    nearest = std::min(nearest, std::max(std::abs(found.z - places[i]),
                                                         std::abs(found.x - places[i + 1])));
                }
                worst = std::max(worst, nearest);
            }
            EXPECT_LT(worst, 0.01);
            RecordProperty(std::string("worst_") + spots.name + "_" + method,
                           std::to_string(worst));
        }
    }
}

TEST(Localise, GivesWhatNumpyGivesFromNoisyImages) {
    const Vectors vectors("gpu/vectors/bubbles.txt");
    const FrameSpec spec = imageSpec(kImageDepths, kImageLaterals);
    const double pixel =
        std::sqrt(spec.axes[0].spacing * spec.axes[1].spacing); // of the mean width
    for (const SpotCase& spots : kSpotCases) {
        const std::string name = std::string(spots.name) + "_noisy";
        const HostFrame image(spec, vectors[name]);
        for (const char* method : kSpotMethods) {
            SCOPED_TRACE(name + " " + method);
            const std::vector<float>& expected = vectors[name + "_" + method];
            const auto rows =
                listed(runStage("localise", image,
                                radii(spots.depthRadius, spots.lateralRadius,
                                      {{"method", std::string(method)}, {"threshold", 30.0}})));
            ASSERT_EQ(rows.size(), expected.size() / 4);
            EXPECT_GT(rows.size(), 16U) << "noise is listed, too";
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const SpotPlace found = pixelsOf(rows[i], spec);
                EXPECT_NEAR(found.z, expected[4 * i], 2e-3) << i;
                EXPECT_NEAR(found.x, expected[4 * i + 1], 2e-3) << i;
                EXPECT_EQ(rows[i].amplitude, expected[4 * i + 2]) << i;
                EXPECT_NEAR(rows[i].width / pixel, expected[4 * i + 3], 2e-3) << i;
            }
        }
    }
}

TEST(Localise, ListsTheBrightestFirstAndNoMoreThanThereIsRoomFor) {
    HostFrame image(imageSpec(40, 50));
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 5; ++k)
            addSpot(image, 5 + 10 * i, 5 + 10 * k, 1.0 + (7 * (5 * i + k)) % 20);
    const auto all = rowsOf(runStage("localise", image, radii(3, 3, {{"threshold", 40.0}})));
    ASSERT_EQ(all.size(), 100U);
    for (std::size_t i = 0; i < 20; ++i)
        EXPECT_NEAR(all[i].amplitude, 20.0 - static_cast<double>(i), 1e-4);
    for (std::size_t i = 20; i < 100; ++i) {
        EXPECT_EQ(all[i].amplitude, 0.0F);
        EXPECT_EQ(all[i].depth, 0.0F);
    }
    const auto some = rowsOf(runStage(
        "localise", image, radii(3, 3, {{"threshold", 40.0}, {"bubbles", std::int64_t{7}}})));
    ASSERT_EQ(some.size(), 7U);
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(some[i].amplitude, all[i].amplitude);
        EXPECT_EQ(some[i].depth, all[i].depth);
        EXPECT_EQ(some[i].lateral, all[i].lateral);
    }
}

TEST(Localise, AFlatImageHasNoBubbleAndEqualPixelsAreOne) {
    for (const float level : {0.0F, 1.0F}) {
        HostFrame flat(imageSpec(30, 20), std::vector<float>(600, level));
        EXPECT_TRUE(listed(runStage("localise", flat, radii(3, 3))).empty()) << level;
    }
    const FrameSpec spec = imageSpec(30, 20);
    HostFrame image(spec);
    for (const std::size_t i : {310U, 311U, 330U, 331U}) image.as<float>()[i] = 2.0F;
    for (const char* method : kSpotMethods) {
        const auto rows =
            listed(runStage("localise", image, radii(3, 3, {{"method", std::string(method)}})));
        ASSERT_EQ(rows.size(), 1U) << method;
        if (std::string(method) != "gaussian") { // four equal pixels are no Gaussian
            EXPECT_NEAR(pixelsOf(rows[0], spec).z, 15.5, 1e-4) << method;
            EXPECT_NEAR(pixelsOf(rows[0], spec).x, 10.5, 1e-4) << method;
        }
    }
    // Equally bright spots: the first in the image comes first.
    HostFrame two(spec);
    addSpot(two, 20, 15, 1.0);
    addSpot(two, 10, 4, 1.0);
    const auto rows = listed(runStage("localise", two, radii(3, 3)));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].amplitude, rows[1].amplitude);
    EXPECT_LT(rows[0].depth, rows[1].depth);
}

TEST(Localise, SpotsAtTheBorderAreListedWithinTheirWindow) {
    const FrameSpec spec = imageSpec(24, 31);
    const SpotPlace places[] = {{0.2, 6.3}, {22.8, 17.4}, {11.7, 0.3}, {12.3, 29.6}, {0.0, 30.0}};
    for (const SpotPlace& at : places) {
        HostFrame image(spec);
        addSpot(image, at.z, at.x, 3.0);
        for (const char* method : kSpotMethods) {
            SCOPED_TRACE(std::string(method) + " " + std::to_string(at.z));
            const auto rows =
                listed(runStage("localise", image, radii(3, 3, {{"method", std::string(method)}})));
            ASSERT_EQ(rows.size(), 1U);
            const SpotPlace found = pixelsOf(rows[0], spec);
            // A part of the spot is missing, and only the Gaussian knows of it.
            const double near = std::string(method) == "gaussian" ? 1e-3 : 0.8;
            EXPECT_NEAR(found.z, at.z, near);
            EXPECT_NEAR(found.x, at.x, near);
        }
    }
}

TEST(Localise, WhatIsNotFiniteIsNoBubble) {
    const FrameSpec spec = imageSpec(40, 40);
    HostFrame image(spec);
    addSpot(image, 20.3, 19.8, 1.0);
    const float wild[] = {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity(), -0.5F};
    for (std::size_t i = 0; i < 3; ++i) image.as<float>()[40 * (4 + i) + 7 * i] = wild[i];
    image.as<float>()[19 * 40 + 22] = wild[0]; // in the window
    for (const char* method : kSpotMethods) {
        const auto rows =
            listed(runStage("localise", image, radii(3, 3, {{"method", std::string(method)}})));
        ASSERT_EQ(rows.size(), 1U) << method;
        EXPECT_NEAR(pixelsOf(rows[0], spec).z, 20.3, 0.3);
        EXPECT_NEAR(pixelsOf(rows[0], spec).x, 19.8, 0.3);
        EXPECT_TRUE(std::isfinite(rows[0].width));
    }
}

TEST(Localise, TheWidthIsTheStandardDeviationOfAGaussian) {
    const FrameSpec spec = imageSpec(40, 40);
    HostFrame image(spec);
    addSpot(image, 20.3, 19.8, 1.0, 1.5);
    const auto rows = listed(runStage("localise", image, radii(8, 8)));
    ASSERT_EQ(rows.size(), 1U);
    const double pixel = std::sqrt(spec.axes[0].spacing * spec.axes[1].spacing);
    EXPECT_NEAR(rows[0].width / pixel, 1.5, 1e-3);
}

TEST(Localise, EnsemblesHaveAListPerFrame) {
    const FrameSpec image = imageSpec(30, 20);
    FrameSpec spec = ensembleOf(image, 3);
    HostFrame frames(spec);
    for (int f = 0; f < 3; ++f) {
        HostFrame one(image);
        for (int i = 0; i <= f; ++i) addSpot(one, 6.25 + 9 * i, 8.5 + f, 1.0 + f - 0.1 * i);
        std::memcpy(frames.bytes.data() + static_cast<std::size_t>(f) * image.bytes(),
                    one.bytes.data(), image.bytes());
    }
    const HostFrame list =
        runStage("localise", frames, radii(3, 3, {{"bubbles", std::int64_t{5}}}));
    EXPECT_EQ(list.spec.describe(), "f32 [frame 3][bubble 5][property 4]");
    const auto rows = rowsOf(list);
    for (std::size_t f = 0; f < 3; ++f) {
        for (std::size_t i = 0; i < 5; ++i) {
            const flow::Bubble& row = rows[5 * f + i];
            EXPECT_EQ(row.amplitude > 0.0F, i <= f) << f << " " << i;
            if (i > f) continue;
            EXPECT_NEAR(pixelsOf(row, image).z, 6.25 + 9.0 * static_cast<double>(i), 0.01);
            EXPECT_NEAR(pixelsOf(row, image).x, 8.5 + static_cast<double>(f), 0.01);
        }
    }
}

TEST(Localise, TheThresholdFollowsTheStrongestOfTheLastFrames) {
    const FrameSpec spec = imageSpec(30, 30);
    const StageType& type = stageType("localise");
    StageRunner run(type, spec, paramsFor(type, spec, radii(3, 3, {{"threshold", 20.0}})));
    HostFrame strong(spec);
    addSpot(strong, 10, 10, 1.0);
    HostFrame weak(spec);
    addSpot(weak, 20, 20, 0.09);
    EXPECT_EQ(listed(run.run(strong)).size(), 1U);
    EXPECT_TRUE(listed(run.run(weak)).empty()) << "21 dB below the frame before";
    for (int i = 0; i < 150; ++i) run.run(weak);
    EXPECT_EQ(listed(run.run(weak)).size(), 1U) << "1.3 dB later";
    run.reset();
    EXPECT_EQ(listed(run.run(weak)).size(), 1U);
}

HostFrame listOf(const FrameSpec& image, std::int64_t most, const std::vector<SpotPlace>& pixels) {
    HostFrame list(flow::bubbleListOf(image, most));
    auto* rows = reinterpret_cast<flow::Bubble*>(list.bytes.data());
    const Axis& depth = *image.find(AxisName::Depth);
    const Axis& lateral = *image.find(AxisName::Lateral);
    for (const SpotPlace& at : pixels)
        *rows++ = {static_cast<float>(depth.origin + at.z * depth.spacing),
                   static_cast<float>(lateral.origin + at.x * lateral.spacing), 1.0F, 0.0F};
    return list;
}

TEST(Accumulate, CountsBubblesOnAFinerGrid) {
    const FrameSpec image = imageSpec(5, 4);
    const HostFrame unread(image);
    const HostFrame list = listOf(image, 9,
                                  {{0.0, 0.0},
                                   {-0.4, -0.4},
                                   {2.4, 1.1},
                                   {2.4, 1.2},
                                   {4.4, 3.4},
                                   {4.6, 0.0},
                                   {-0.6, 1.0},
                                   {1.0, 3.6}});
    const HostFrame density =
        runStage("accumulate", HostFrames{list, unread}, {{"finer", std::int64_t{5}}});
    EXPECT_EQ(density.spec.describe(), "f32 [depth 25][lateral 20]");
    std::vector<float> expected(500);
    expected[2 * 20 + 2] = 1.0F; // the middle of the first pixel
    expected[0] = 1.0F;
    expected[14 * 20 + 8] = 2.0F;
    expected[24 * 20 + 19] = 1.0F; // three lie beside the image
    EXPECT_EQ(std::vector<float>(density.as<float>().begin(), density.as<float>().end()), expected);
    // A fine pixel lies where the place that it counts lies.
    for (const std::size_t axis : {0U, 1U}) {
        const Axis& coarse = image.axes[axis];
        const Axis& fine = density.spec.axes[axis];
        EXPECT_NEAR(fine.spacing, coarse.spacing / 5.0, 1e-15);
        EXPECT_NEAR(fine.origin + 2.0 * fine.spacing, coarse.origin, 1e-15);
    }
}

TEST(Accumulate, GrowsFromFrameToFrameAndFadesIfAsked) {
    const FrameSpec image = imageSpec(3, 3);
    const HostFrame unread(image);
    const StageType& type = stageType("accumulate");
    const HostFrame here = listOf(image, 4, {{1.0, 1.0}, {1.0, 1.0}, {0.0, 2.0}});
    const FrameSpec list = here.spec;
    Params params = paramsFor(type, list, {{"finer", std::int64_t{1}}});
    StageRunner run(type, {list, image}, params);
    const auto at = [](const HostFrame& density, std::size_t i) { return density.as<float>()[i]; };
    EXPECT_EQ(at(run.run({here, unread}), 4), 2.0F);
    EXPECT_EQ(at(run.run({here, unread}), 4), 4.0F);
    EXPECT_EQ(at(run.runAgain({here, unread}), 4), 4.0F) << "a frame that is run again counts once";
    params.set("accumulate", "decay", 0.25);
    run.update(params);
    const HostFrame faded = run.run({here, unread});
    EXPECT_EQ(at(faded, 4), 5.0F);
    EXPECT_EQ(at(faded, 2), 2.5F);
    run.reset();
    EXPECT_EQ(at(run.run({here, unread}), 4), 2.0F);
}

TEST(Accumulate, AnEnsembleCountsAsItsFrames) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-0.5, 5.5);
    const FrameSpec image = imageSpec(6, 6);
    const HostFrame unread(image);
    const StageType& type = stageType("accumulate");
    const std::int64_t most = 50;
    const Settings settings{{"finer", std::int64_t{2}}, {"decay", 0.1}};
    const FrameSpec single = flow::bubbleListOf(image, most);
    StageRunner alone(type, {single, image}, paramsFor(type, single, settings));
    HostFrame together(flow::bubbleListOf(ensembleOf(image, 4), most));
    HostFrame last;
    for (std::size_t f = 0; f < 4; ++f) {
        std::vector<SpotPlace> places;
        for (int i = 0; i < 45; ++i) places.push_back({uniform(random), uniform(random)});
        const HostFrame list = listOf(image, most, places);
        std::memcpy(together.bytes.data() + f * single.bytes(), list.bytes.data(), single.bytes());
        last = alone.run({list, unread});
    }
    const HostFrame once = runStage("accumulate", HostFrames{together, unread}, settings);
    for (std::size_t i = 0; i < once.as<float>().size(); ++i)
        EXPECT_NEAR(once.as<float>()[i], last.as<float>()[i], 1e-5) << i;
    EXPECT_GT(*std::ranges::max_element(once.as<float>()), 2.0F);
}

TEST(Accumulate, RefusesLinesOfASector) {
    FrameSpec image = imageSpec(5, 4);
    auto sector = std::make_shared<Sector>();
    sector->anglesRad = {0.0, 0.1, 0.2, 0.3};
    image.sector = sector;
    const StageType& type = stageType("accumulate");
    const FrameSpec list = flow::bubbleListOf(image, 5);
    EXPECT_THAT(refusal([&] {
                    type.plan(std::vector<FrameSpec>{list, image}, paramsFor(type, list, {}));
                }),
                HasSubstr("put scan_conversion before"));
}

} // namespace
} // namespace echolux::test
