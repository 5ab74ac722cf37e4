// SPDX-License-Identifier: GPL-3.0-or-later
// Particles of flow: their way in a uniform field against velocity times time, the mask, and when
// they stand still.
#include "tests/support/gl_context.hpp"
#include "tests/support/offscreen.hpp"
#include "tests/support/synthetic_frames.hpp"

#include "render/view/frame_canvas.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace echolux {
namespace {

using testing_support::HostSupplier;
using testing_support::imageSpec;
using testing_support::Offscreen;

constexpr int kPictureSide = 256;
constexpr int kFieldSide = 64; // pixels of the field, across and down
constexpr double kFieldSpacingM = 1e-4;
constexpr double kPixelsPerM = kPictureSide / (kFieldSide * kFieldSpacingM);
constexpr double kFrameIntervalS = 1e-3;
constexpr Rect kPicture{0.0, 0.0, kPictureSide, kPictureSide};

class FlowParticlesTest : public testing_support::GlTest {
protected:
    void SetUp() override {
        GlTest::SetUp();
        if (!m_context) return;
        m_canvas = std::make_unique<FrameCanvas>();
        m_target = std::make_unique<Offscreen>(kPictureSide, kPictureSide);
    }
    void TearDown() override {
        m_target.reset();
        m_canvas.reset();
    }
    static FrameSpec speeds(const char* unit = "cm/s") {
        FrameSpec spec = imageSpec(kFieldSide, kFieldSide, kFieldSpacingM);
        spec.valueRange = ValueRange{0.0, 100.0, unit, ""};
        spec.frameIntervalS = kFrameIntervalS;
        return spec;
    }
    /// The same velocity, in the spec's unit, in the columns of the field from `first` to `last`.
    void take(std::int64_t frame, double toTheRight, double towardsProbe, int first = 0,
              int last = kFieldSide, const FrameSpec& spec = speeds()) {
        constexpr std::size_t kCount = std::size_t{kFieldSide} * kFieldSide;
        std::vector<float> motion(2 * kCount, 0.0F);
        for (int row = 0; row < kFieldSide; ++row) {
            for (int column = first; column < last; ++column) {
                const auto at = static_cast<std::size_t>(row * kFieldSide + column);
                motion[at] = static_cast<float>(toTheRight);
                motion[kCount + at] = static_cast<float>(towardsProbe);
            }
        }
        m_supplier.putMotion(frame, std::move(motion));
        m_supplier.offer(spec, std::vector<float>(kCount, 0.0F)); // the darkest colour
        ASSERT_TRUE(m_canvas->takeNewest(m_supplier));
    }
    /// Brightness of each pixel; only particles are bright.
    std::vector<double> draw() const {
        DisplaySettings settings;
        settings.min = 0.0;
        settings.max = 100.0;
        m_canvas->draw(kPicture, kPicture, {kPictureSide, kPictureSide}, settings);
        std::vector<double> light;
        for (const std::uint32_t pixel : m_target->pixels())
            light.push_back(static_cast<double>(pixel & 0xffU));
        return light;
    }
    static Vec2 centreOf(const std::vector<double>& light) {
        Vec2 sum{};
        double all = 0.0;
        for (int row = 0; row < kPictureSide; ++row) {
            for (int column = 0; column < kPictureSide; ++column) {
                const double each = light[static_cast<std::size_t>(row * kPictureSide + column)];
                sum.x += each * column;
                sum.y += each * row;
                all += each;
            }
        }
        EXPECT_GT(all, 0.0) << "no particle was drawn";
        return {sum.x / all, sum.y / all};
    }

    HostSupplier m_supplier;
    std::unique_ptr<FrameCanvas> m_canvas;
    std::unique_ptr<Offscreen> m_target;
};

TEST_F(FlowParticlesTest, AParticleMovesByVelocityTimesTime) {
    m_canvas->setParticles({1, 0.5});
    // m/s to the right and towards the probe, which is upwards.
    for (const Vec2 velocity : {Vec2{0.5, 0.0}, Vec2{-0.5, 0.0}, Vec2{0.0, 0.5}, Vec2{0.3, -0.4}}) {
        std::int64_t frame = 0;
        take(frame, 100.0 * velocity.x, 100.0 * velocity.y);
        const Vec2 before = centreOf(draw());
        frame += 2;
        take(frame, 100.0 * velocity.x, 100.0 * velocity.y);
        const Vec2 after = centreOf(draw());
        const double pixels = 2 * kFrameIntervalS * 0.5 * kPixelsPerM; // of 1 m/s
        EXPECT_NEAR(after.x - before.x, velocity.x * pixels, 0.5);
        EXPECT_NEAR(after.y - before.y, -velocity.y * pixels, 0.5);
        m_canvas = std::make_unique<FrameCanvas>();
        m_canvas->setParticles({1, 0.5});
    }
}

TEST_F(FlowParticlesTest, NoParticleIsDrawnBesideTheFlow) {
    m_canvas->setParticles({ParticleSettings::kMost, 1.0});
    constexpr int kFirst = 20;
    constexpr int kLast = 30;
    constexpr int kTimes = kPictureSide / kFieldSide;
    for (std::int64_t frame = 0; frame < 20; ++frame) {
        take(frame, 50.0, 20.0, kFirst, kLast);
        const std::vector<double> light = draw();
        double within = 0.0;
        for (std::size_t i = 0; i < light.size(); ++i) {
            const int column = static_cast<int>(i % kPictureSide);
            const bool flows = column >= kFirst * kTimes && column < kLast * kTimes;
            if (flows) within += light[i];
            ASSERT_TRUE(flows || light[i] == 0.0)
                << "frame " << frame << ", column " << column << ", row " << i / kPictureSide;
        }
        EXPECT_GT(within / (kPictureSide * (kLast - kFirst) * kTimes), 40.0)
            << "hardly any particle";
    }
}

TEST_F(FlowParticlesTest, ParticlesStandStillWhileTheFrameIsTheSame) {
    m_canvas->setParticles({200, 1.0});
    take(5, 50.0, 20.0);
    const std::vector<double> before = draw();
    EXPECT_EQ(draw(), before);
    take(5, 50.0, 20.0); // as after an edit
    EXPECT_EQ(draw(), before);
    take(6, 50.0, 20.0);
    EXPECT_NE(draw(), before);
}

TEST_F(FlowParticlesTest, TheSameFramesGiveTheSamePicture) {
    std::vector<std::vector<double>> pictures;
    for (int turn = 0; turn < 2; ++turn) {
        m_canvas = std::make_unique<FrameCanvas>();
        m_canvas->setParticles({500, 1.0});
        for (std::int64_t frame = 0; frame < 50; ++frame) take(frame, 40.0, -10.0, 10, 50);
        pictures.push_back(draw());
    }
    EXPECT_EQ(pictures[0], pictures[1]);
}

TEST_F(FlowParticlesTest, WhereTheRecordingBeginsAgainTheyMoveAsBefore) {
    m_canvas->setParticles({1, 1.0});
    take(0, 50.0, 0.0);
    take(1, 50.0, 0.0);
    const double before = centreOf(draw()).x;
    take(0, 50.0, 0.0);
    EXPECT_NEAR(centreOf(draw()).x - before, 0.5 * kFrameIntervalS * kPixelsPerM, 0.5);
}

TEST_F(FlowParticlesTest, NoneAreDrawnWhereTheyCannotFollowOrNoneAreWanted) {
    m_canvas->setParticles({500, 1.0});
    take(0, 50.0, 20.0, 0, kFieldSide,
         speeds("rad")); // radians per frame: the frame rate is unknown
    EXPECT_THAT(draw(), testing::Each(0.0));
    take(1, 50.0, 20.0);
    EXPECT_THAT(draw(), testing::Contains(testing::Gt(0.0)));
    m_canvas->setParticles({0, 1.0});
    EXPECT_THAT(draw(), testing::Each(0.0));
}

} // namespace
} // namespace echolux
