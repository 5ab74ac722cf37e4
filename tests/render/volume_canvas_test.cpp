// SPDX-License-Identifier: GPL-3.0-or-later
// Drawn volumes against their voxels: projections, slices, updates, shrinking.
#include "tests/support/gl_context.hpp"
#include "tests/support/host_volume.hpp"
#include "tests/support/offscreen.hpp"

#include "gpu/memory/buffer.hpp"
#include "render/view/volume_canvas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

using testing_support::HostVolume;
using testing_support::Offscreen;

constexpr int kCanvas = 240;
constexpr Rect kWholeCanvas{0.0, 0.0, kCanvas, kCanvas};
constexpr std::int64_t kVolumeSide = 4;

/// 4 x 4 x 4 voxels of 0 but for some of 51 .. 255.
FrameSpec smallCube() {
    FrameSpec spec;
    spec.axes = {{AxisName::Elevation, kVolumeSide, 1e-3, 0.0, "m"},
                 {AxisName::Lateral, kVolumeSide, 1e-3, 0.0, "m"},
                 {AxisName::Depth, kVolumeSide, 1e-3, 0.0, "m"}};
    return spec;
}

std::size_t voxel(std::int64_t elevation, std::int64_t lateral, std::int64_t depth) {
    return static_cast<std::size_t>((elevation * kVolumeSide + lateral) * kVolumeSide + depth);
}

class DrawnVolume : public testing_support::GlTest {
protected:
    void SetUp() override {
        GlTest::SetUp();
        if (!m_context) return;
        m_values.assign(kVolumeSide * kVolumeSide * kVolumeSide, 0.0F);
        m_values[voxel(1, 0, 2)] = 102.0F;
        m_values[voxel(3, 0, 2)] = 204.0F;
        m_values[voxel(2, 3, 1)] = 255.0F;
        m_volume = std::make_unique<HostVolume>(smallCube(), m_values);
        m_canvas = std::make_unique<VolumeCanvas>();
        m_target = std::make_unique<Offscreen>(kCanvas, kCanvas);
        m_scene.display = {.min = 0.0, .max = 255.0, .smooth = false};
        m_scene.orbit.lookAtBscan();
    }
    void TearDown() override {
        m_target.reset();
        m_canvas.reset();
    }
    /// Brightness in the middle of a voxel's place on screen. Drawn until all pixels are.
    std::uint32_t seen(Vec3 fraction) {
        for (int i = 0; i < 20; ++i) {
            m_canvas->draw(m_scene, kWholeCanvas, {kCanvas, kCanvas});
            m_pixels = m_target->pixels();
            if (m_canvas->lastScale() == 1.0) break;
        }
        const VolumeProjection projection(VolumeBox::of(smallCube()), m_scene.orbit, kWholeCanvas);
        const Vec3 at = projection.toPixel(fraction);
        return m_pixels[static_cast<std::size_t>(static_cast<int>(at.y) * kCanvas +
                                                 static_cast<int>(at.x))] &
               0xffU;
    }
    static Vec3 middle(std::int64_t elevation, std::int64_t lateral, std::int64_t depth) {
        const auto fraction = [](std::int64_t i) {
            return (static_cast<double>(i) + 0.4) / kVolumeSide;
        };
        return {fraction(lateral), fraction(depth), fraction(elevation)};
    }

    std::vector<float> m_values;
    std::unique_ptr<HostVolume> m_volume;
    std::unique_ptr<VolumeCanvas> m_canvas;
    std::unique_ptr<Offscreen> m_target;
    VolumeScene m_scene;
    std::vector<std::uint32_t> m_pixels;
};

TEST_F(DrawnVolume, ProjectionIsTheMaximumAlongTheLook) {
    ASSERT_TRUE(m_canvas->takeNewest(*m_volume));
    EXPECT_FALSE(m_canvas->takeNewest(*m_volume));
    for (std::int64_t lateral = 0; lateral < kVolumeSide; ++lateral) {
        for (std::int64_t depth = 0; depth < kVolumeSide; ++depth) {
            float most = 0.0F;
            for (std::int64_t e = 0; e < kVolumeSide; ++e)
                most = std::max(most, m_values[voxel(e, lateral, depth)]);
            EXPECT_EQ(seen(middle(0, lateral, depth)), static_cast<std::uint32_t>(most))
                << lateral << " " << depth;
        }
    }
    m_scene.orbit.lookEnFace();
    EXPECT_EQ(seen(middle(1, 0, 0)), 102U);
    EXPECT_EQ(seen(middle(3, 0, 0)), 204U);
    EXPECT_EQ(seen(middle(2, 3, 0)), 255U);
    EXPECT_EQ(seen(middle(2, 0, 0)), 0U);
    EXPECT_EQ(m_pixels[0], 0U) << "beside the box it is black";
}

TEST_F(DrawnVolume, TheLevelsOfItsProjectionAreFoundWithoutACopy) {
    m_canvas->askForLevels(m_scene.orbit, Content::Amplitudes);
    EXPECT_FALSE(m_canvas->levelsPending()) << "there is no volume";
    ASSERT_TRUE(m_canvas->takeNewest(*m_volume));
    m_scene.orbit.lookEnFace();
    m_scene.display.max = 1.0; // limits clip colours, not values
    const std::uint32_t bright = seen(middle(1, 0, 0));
    const MemoryCounters before = memoryCounters();
    const auto levels = [&](Content content) {
        m_canvas->askForLevels(m_scene.orbit, content);
        for (int i = 0; i < 1000 && m_canvas->levelsPending(); ++i) {
            m_target->pixels();
            if (const auto found = m_canvas->takeLevels()) return *found;
        }
        return Levels{};
    };
    // Four by four lines, of which three meet something; of 96 x 96 pixels the box covers a third.
    const Levels all = levels(Content::Amplitudes);
    EXPECT_NEAR(double(all.count), 96.0 * 96.0 * 0.94 * 0.94 / 3.0, 200.0);
    EXPECT_NEAR(all.black, 0.0, 0.1);
    EXPECT_NEAR(all.noise, 0.0, 0.1);
    EXPECT_NEAR(all.white, 255.0, 0.1);
    EXPECT_EQ(memoryCounters().deviceToHost, before.deviceToHost);
    EXPECT_EQ(seen(middle(1, 0, 0)), bright) << "the next picture is as before";
}

TEST_F(DrawnVolume, WithoutADepthCueItIsTheMaximumPixelByPixel) {
    testing_support::LayeredOct sample{.bscans = 32, .lines = 48, .bins = 40};
    HostVolume volume = HostVolume::of(sample);
    ASSERT_TRUE(m_canvas->takeNewest(volume));
    m_scene.display = {.min = 30.0, .max = 100.0, .gamma = 0.8};
    m_scene.orbit.lookFromAbove();
    seen({});
    const auto plain = m_pixels;
    m_scene.depthCue = 1e-12; // nothing, by the way of the depth cue
    seen({});
    EXPECT_EQ(m_pixels, plain);
    m_scene.depthCue = 0.5;
    seen({});
    std::size_t brighter = 0;
    std::size_t darker = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        brighter += (m_pixels[i] & 0xffU) > (plain[i] & 0xffU) ? 1U : 0U;
        darker += (m_pixels[i] & 0xffU) < (plain[i] & 0xffU) ? 1U : 0U;
    }
    EXPECT_EQ(brighter, 0U);
    EXPECT_GT(darker, plain.size() / 8);
}

TEST_F(DrawnVolume, WhatLiesFurtherFromTheEyeIsDarker) {
    std::ranges::fill(m_values, 0.0F);
    m_values[voxel(3, 0, 0)] = m_values[voxel(0, 2, 0)] = 255.0F; // near, far
    m_values[voxel(3, 3, 3)] = 102.0F;                            // before a brighter one
    m_values[voxel(0, 3, 3)] = 204.0F;
    HostVolume volume(smallCube(), m_values);
    ASSERT_TRUE(m_canvas->takeNewest(volume));
    m_scene.depthCue = 0.5;
    const auto lit = [](double value, double depth) { return value * (1.0 - 0.5 * depth); };
    EXPECT_NEAR(seen(middle(3, 0, 0)), lit(255.0, 0.125), 1.0);
    EXPECT_NEAR(seen(middle(0, 2, 0)), lit(255.0, 0.875), 1.0);
    EXPECT_NEAR(seen(middle(0, 3, 3)), lit(204.0, 0.875), 1.0);
    m_scene.depthCue = 1.0;
    EXPECT_NEAR(seen(middle(0, 3, 3)), 102.0 * 0.875, 1.0) << "the near one looks brighter now";
}

/// What emission and absorption make of brightness `b` (0 to 1) all along the cube.
double throughTheCube(double b, double opacity) {
    const double length = 1.0 / std::sqrt(3.0) / VolumeScene::kOpacityLength;
    return 255.0 * b * (1.0 - std::pow(1.0 - opacity, b * length));
}

TEST_F(DrawnVolume, TheCompositeFollowsTheAbsorptionLaw) {
    m_scene.mode = VolumeScene::Mode::Composite;
    for (const float value : {51.0F, 127.5F, 255.0F}) {
        HostVolume volume(smallCube(), std::vector<float>(m_values.size(), value));
        ASSERT_TRUE(m_canvas->takeNewest(volume));
        for (const double opacity : {0.0, 0.003, 0.02, 0.5}) {
            m_scene.opacity = opacity;
            EXPECT_NEAR(seen(middle(0, 1, 1)), throughTheCube(double(value) / 255.0, opacity), 1.5)
                << value << " " << opacity;
        }
    }
}

TEST_F(DrawnVolume, TheCompositeDoesNotDependOnTheNumberOfSteps) {
    constexpr std::int64_t kFine = 32;
    FrameSpec spec = smallCube();
    for (Axis& axis : spec.axes) {
        axis.spacing *= double(kVolumeSide) / kFine;
        axis.size = kFine;
    }
    std::vector<float> fine;
    for (std::int64_t e = 0; e < kFine; ++e)
        for (std::int64_t l = 0; l < kFine; ++l)
            for (std::int64_t d = 0; d < kFine; ++d)
                fine.push_back(m_values[voxel(e * kVolumeSide / kFine, l * kVolumeSide / kFine,
                                              d * kVolumeSide / kFine)]);
    m_scene.mode = VolumeScene::Mode::Composite;
    m_scene.opacity = 0.03;
    m_scene.depthCue = 0.0;
    for (const bool fromAbove : {false, true}) {
        if (fromAbove) m_scene.orbit.lookEnFace();
        const Vec3 places[] = {middle(1, 0, 2), middle(2, 3, 1)};
        HostVolume volume(spec, fine);
        m_canvas->clear();
        ASSERT_TRUE(m_canvas->takeNewest(volume));
        const std::uint32_t expected[] = {seen(places[0]), seen(places[1])};
        EXPECT_GT(expected[0], 5U);
        m_volume->offerAgain();
        m_canvas->clear();
        ASSERT_TRUE(m_canvas->takeNewest(*m_volume));
        EXPECT_NEAR(seen(places[0]), expected[0], 1.0);
        EXPECT_NEAR(seen(places[1]), expected[1], 1.0);
    }
}

TEST_F(DrawnVolume, InTheCompositeWhatIsOpaqueHidesWhatLiesBehind) {
    std::ranges::fill(m_values, 0.0F);
    m_values[voxel(3, 1, 1)] = 128.0F;
    m_values[voxel(1, 1, 1)] = 255.0F;
    HostVolume volume(smallCube(), m_values);
    ASSERT_TRUE(m_canvas->takeNewest(volume));
    m_scene.mode = VolumeScene::Mode::Composite;
    m_scene.opacity = 1.0;
    EXPECT_NEAR(seen(middle(0, 1, 1)), 128.0, 2.0);
    m_scene.opacity = 0.2;
    EXPECT_GT(seen(middle(0, 1, 1)), 135U) << "it shines through";
    m_scene.opacity = 1.0;
    m_scene.orbit.turnBy({0.5 * 3.14159265 * kCanvas, 0.0}, kWholeCanvas); // from behind
    EXPECT_NEAR(seen(middle(0, 1, 1)), 255.0, 2.0);
    m_scene.display.min = 254.0;
    m_scene.orbit.lookAtBscan();
    EXPECT_NEAR(seen(middle(0, 1, 1)), 255.0, 2.0) << "below the limits nothing hides";
}

TEST_F(DrawnVolume, SlicesShowWhatLiesInThem) {
    ASSERT_TRUE(m_canvas->takeNewest(*m_volume));
    m_scene.mode = VolumeScene::Mode::Slices;
    m_scene.slicesAt = middle(1, 2, 0);
    EXPECT_EQ(seen(middle(1, 0, 2)), 102U) << "the B-scan through elevation 1";
    m_scene.slicesAt = middle(3, 2, 0);
    EXPECT_EQ(seen(middle(3, 0, 2)), 204U);
    m_scene.slicesAt = middle(2, 2, 0);
    EXPECT_EQ(seen(middle(2, 0, 2)), 0U);
    m_scene.orbit.lookEnFace();
    m_scene.slicesAt = middle(0, 1, 1);
    EXPECT_EQ(seen(middle(2, 3, 1)), 255U);
}

TEST_F(DrawnVolume, BrightVoxelsAreWhereTheProjectionSays) {
    ASSERT_TRUE(m_canvas->takeNewest(*m_volume));
    m_scene.orbit.lookFromAbove();
    for (int turn = 0; turn < 5; ++turn) {
        m_scene.orbit.turnBy({31.0, 17.0 * turn - 30.0}, kWholeCanvas);
        EXPECT_EQ(seen(middle(2, 3, 1)), 255U) << turn;
    }
}

TEST_F(DrawnVolume, OnlyWhatHasChangedIsTaken) {
    ASSERT_TRUE(m_canvas->takeNewest(*m_volume));
    m_volume->setBscans(1, std::vector<float>(kVolumeSide * kVolumeSide, 153.0F));
    ASSERT_TRUE(m_canvas->takeNewest(*m_volume));
    EXPECT_EQ(seen(middle(0, 1, 1)), 153U);
    EXPECT_EQ(seen(middle(0, 0, 2)), 204U) << "B-scan 3 is as it was";
    const MemoryCounters before = memoryCounters();
    for (int i = 0; i < 10; ++i) {
        m_volume->setBscans(i % kVolumeSide, std::vector<float>(kVolumeSide * kVolumeSide, 10.0F));
        ASSERT_TRUE(m_canvas->takeNewest(*m_volume));
    }
    EXPECT_EQ(memoryCounters().allocations, before.allocations);
    EXPECT_EQ(m_volume->released, 12);
    ASSERT_TRUE(m_canvas->path());
    EXPECT_EQ(m_canvas->path()->badge, "upload: CPU backend");
}

TEST_F(DrawnVolume, IsShrunkToItsShareOfMemory) {
    m_canvas = std::make_unique<VolumeCanvas>(2 * 2 * 2 * sizeof(Half));
    ASSERT_TRUE(m_canvas->takeNewest(*m_volume));
    EXPECT_EQ(m_canvas->textureShape(), (VolumeShape{2, 2, 2}));
    EXPECT_EQ(seen(middle(0, 0, 2)), 204U) << "102 and 204: the maximum of eight voxels each";
    m_volume->setBscans(3, std::vector<float>(kVolumeSide * kVolumeSide, 80.0F));
    ASSERT_TRUE(m_canvas->takeNewest(*m_volume));
    EXPECT_EQ(seen(middle(0, 0, 0)), 80U) << "one of the two B-scans that became one";
}

TEST_F(DrawnVolume, ASlowCardDrawsFewerPixelsAndTheSamePicture) {
    testing_support::LayeredOct sample{.bscans = 32, .lines = 48, .bins = 40};
    HostVolume volume = HostVolume::of(sample);
    ASSERT_TRUE(m_canvas->takeNewest(volume));
    m_scene.display = {.min = 30.0, .max = 100.0};
    m_scene.orbit.lookFromAbove();
    m_canvas->draw(m_scene, kWholeCanvas,
                   {kCanvas, kCanvas}); // the first picture is always drawn carefully
    ASSERT_EQ(m_canvas->lastScale(), 0.5);
    const auto coarse = m_target->pixels();
    seen({});
    ASSERT_EQ(m_canvas->lastScale(), 1.0);
    double difference = 0.0;
    for (std::size_t i = 0; i < coarse.size(); ++i)
        difference += std::abs(double(coarse[i] & 0xffU) - double(m_pixels[i] & 0xffU));
    EXPECT_LT(difference / static_cast<double>(coarse.size()), 6.0);
    EXPECT_GT(difference, 0.0);
}

} // namespace
} // namespace echolux
