// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels of drawn frames against the colour tables; refusal of frames that cannot be drawn.
#include "tests/support/fetched.hpp"
#include "tests/support/gl_context.hpp"
#include "tests/support/offscreen.hpp"
#include "tests/support/synthetic_frames.hpp"

#include "gpu/core/error.hpp"
#include "gpu/memory/buffer.hpp"
#include "render/view/frame_canvas.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux {
namespace {

using testing_support::HostSupplier;
using testing_support::imageSpec;
using testing_support::Offscreen;
using testing_support::valueAt;

constexpr int kSize = 64;
constexpr Rect kWhole{0.0, 0.0, kSize, kSize};

class Canvas : public testing_support::GlTest {
protected:
    void SetUp() override {
        GlTest::SetUp();
        if (!m_context) return;
        m_canvas = std::make_unique<FrameCanvas>();
        m_target = std::make_unique<Offscreen>(kSize, kSize);
    }
    void TearDown() override {
        m_target.reset();
        m_canvas.reset();
    }
    void take(std::int64_t rows, std::int64_t columns, std::vector<float> pixels) {
        m_supplier.offer(imageSpec(rows, columns, 1e-4), std::move(pixels));
        ASSERT_TRUE(m_canvas->takeNewest(m_supplier));
    }
    std::vector<std::uint32_t> draw(const DisplaySettings& settings, const Rect& image = kWhole,
                                    const Rect& clip = kWhole) {
        m_canvas->draw(image, clip, {kSize, kSize}, settings);
        return m_target->pixels();
    }

    HostSupplier m_supplier;
    std::unique_ptr<FrameCanvas> m_canvas;
    std::unique_ptr<Offscreen> m_target;
};

std::uint32_t at(const std::vector<std::uint32_t>& pixels, int column, int row) {
    return pixels[static_cast<std::size_t>(row * kSize + column)];
}

/// Velocities 0, 0, 1 and -1 in the quarters of the picture, over -40 dB at the left and 0 dB at
/// the right.
class BlendedCanvas : public Canvas {
protected:
    void SetUp() override {
        Canvas::SetUp();
        if (!m_context) return;
        m_supplier.putBeneath(imageSpec(1, 2, 1e-4), {-30.0F, 0.0F});
        FrameSpec velocities = imageSpec(2, 2, 1e-4);
        velocities.valueRange = ValueRange{-1.0, 1.0, "cm/s", ""};
        m_supplier.offer(velocities, {0.0F, 0.0F, 1.0F, -1.0F});
        ASSERT_TRUE(m_canvas->takeNewest(m_supplier));
        m_canvas->setColourMap(colourMap("red-blue"));
    }
    std::vector<std::uint32_t> blended(const BlendSettings& blend, const Rect& lower = kWhole) {
        DisplaySettings upper;
        upper.min = -1.0;
        upper.max = 1.0;
        upper.smooth = false;
        DisplaySettings grey;
        grey.smooth = false;
        m_canvas->draw(kWhole, kWhole, {kSize, kSize}, upper, {lower, grey, blend});
        return m_target->pixels();
    }
    static constexpr int kNear = kSize / 4;
    static constexpr int kFar = 3 * kSize / 4;
    const std::uint32_t m_middle = colourMap("gray").colour[128]; // -30 dB of -60 to 0
    const std::uint32_t m_white = colourMap("gray").colour[255];
    const std::uint32_t m_towards = colourMap("red-blue").colour[255];
    const std::uint32_t m_away = colourMap("red-blue").colour[0];
};

TEST_F(BlendedCanvas, VelocitiesCoverTheImageWhereThereIsFlow) {
    EXPECT_EQ(m_supplier.released, 1);
    ASSERT_NE(m_canvas->beneath(), nullptr);
    EXPECT_EQ(m_canvas->readBackBeneath(), (std::vector<float>{-30.0F, 0.0F}));
    const auto pixels = blended({});
    EXPECT_EQ(at(pixels, kNear, kNear), m_middle);
    EXPECT_EQ(at(pixels, kFar, kNear), m_white);
    EXPECT_EQ(at(pixels, kNear, kFar), m_towards);
    EXPECT_EQ(at(pixels, kFar, kFar), m_away);
}

TEST_F(BlendedCanvas, OpacityMixesAndPriorityKeepsBrightPlaces) {
    const auto half = blended({0.5, 1.0});
    for (const int shift : {0, 8, 16}) {
        const auto channel = [shift](std::uint32_t colour) {
            return static_cast<double>((colour >> static_cast<unsigned>(shift)) & 0xffU);
        };
        EXPECT_NEAR(channel(at(half, kNear, kFar)), 0.5 * (channel(m_towards) + channel(m_middle)),
                    1.0);
    }
    const auto dark = blended({1.0, 0.7});
    EXPECT_EQ(at(dark, kNear, kFar), m_towards) << "-30 dB is half as bright as can be";
    EXPECT_EQ(at(dark, kFar, kFar), m_white) << "0 dB is brighter than the priority";
}

TEST_F(BlendedCanvas, TheImageBeneathHasAPlaceOfItsOwn) {
    // It covers the left half: its right column is from a quarter of the width on.
    const auto pixels = blended({1.0, 0.7}, {0.0, 0.0, kSize / 2.0, kSize});
    EXPECT_EQ(at(pixels, kSize / 8, kFar), m_towards);
    EXPECT_EQ(at(pixels, 3 * kSize / 8, kFar), m_white);
    EXPECT_EQ(at(pixels, kSize / 8, kNear), m_middle);
}

TEST_F(BlendedCanvas, PowerCoversTheImageAboveItsDarkestColour) {
    m_canvas->setColourMap(colourMap("hot"));
    m_supplier.offer(imageSpec(1, 2, 1e-4), {-1.0F, 0.5F}); // dB, of -1 to 1
    ASSERT_TRUE(m_canvas->takeNewest(m_supplier));
    const auto pixels = blended({});
    EXPECT_EQ(at(pixels, kNear, kNear), m_middle);
    EXPECT_EQ(at(pixels, kFar, kNear), colourMap("hot").colour[191]);
}

TEST_F(BlendedCanvas, AFrameWithoutAnImageBeneathIsDrawnAlone) {
    HostSupplier plain;
    plain.offer(imageSpec(1, 1, 1e-4), {0.0F});
    ASSERT_TRUE(m_canvas->takeNewest(plain));
    EXPECT_EQ(m_canvas->beneath(), nullptr);
    EXPECT_EQ(at(blended({}), kNear, kNear), colourMap("red-blue").colour[128]);
}

TEST_F(Canvas, EveryEntryOfEveryMapIsReached) {
    // One row of 64 values on exact entries, four times to cover all 256.
    for (const ColourMap& map : colourMaps()) {
        m_canvas->setColourMap(map);
        for (int quarter = 0; quarter < 4; ++quarter) {
            std::vector<float> values(kSize);
            for (int i = 0; i < kSize; ++i) {
                values[static_cast<std::size_t>(i)] = static_cast<float>(quarter * kSize + i);
            }
            take(1, kSize, values);
            const DisplaySettings settings{.min = 0.0, .max = 255.0, .smooth = false};
            const auto pixels = draw(settings);
            auto inverted = settings;
            inverted.inverted = true;
            const auto flipped = draw(inverted);
            for (int i = 0; i < kSize; ++i) {
                const auto entry = static_cast<std::size_t>(quarter * kSize + i);
                EXPECT_EQ(at(pixels, i, 10), map.colour[entry]) << map.name << " " << entry;
                EXPECT_EQ(at(flipped, i, 10), map.colour[255 - entry]) << map.name << " " << entry;
            }
        }
    }
}

TEST_F(Canvas, ValuesBeyondTheRangeTakeItsEnds) {
    const float inf = std::numeric_limits<float>::infinity();
    take(2, 2, {-1000.0F, 7.0F, -inf, inf});
    const ColourMap& map = colourMap("viridis");
    m_canvas->setColourMap(map);
    const auto pixels = draw({.min = -60.0, .max = 0.0, .smooth = false});
    EXPECT_EQ(at(pixels, 5, 5), map.colour.front());
    EXPECT_EQ(at(pixels, 60, 5), map.colour.back());
    EXPECT_EQ(at(pixels, 5, 60), map.colour.front());
    EXPECT_EQ(at(pixels, 60, 60), map.colour.back());
}

TEST_F(Canvas, NotANumberHasItsColourAndSpoilsNoNeighbour) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    take(1, 2, {nan, 0.0F});
    for (const bool smooth : {false, true}) {
        const auto pixels = draw({.min = -60.0, .max = 0.0, .smooth = smooth});
        EXPECT_EQ(at(pixels, 0, 0), kNotANumberColour);
        EXPECT_EQ(at(pixels, kSize / 2 - 1, 0), kNotANumberColour);
        EXPECT_EQ(at(pixels, kSize / 2, 0), 0xffffffU);
        EXPECT_EQ(at(pixels, kSize - 1, 0), 0xffffffU);
    }
}

TEST_F(Canvas, NoDataLeavesTheBackground) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    FrameSpec spec = imageSpec(1, 2, 1e-4);
    spec.hasGaps = true;
    m_supplier.offer(spec, {nan, -60.0F});
    ASSERT_TRUE(m_canvas->takeNewest(m_supplier));
    for (const bool smooth : {false, true}) {
        const auto pixels = draw({.min = -60.0, .max = 0.0, .inverted = true, .smooth = smooth});
        EXPECT_EQ(at(pixels, 0, 0), 0U);
        EXPECT_EQ(at(pixels, kSize / 2 - 1, 0), 0U);
        EXPECT_EQ(at(pixels, kSize / 2, 0), 0xffffffU);
    }
    m_canvas->setColourMap(colourMap("red-blue"));
    const auto coloured = draw({.min = -60.0, .max = 60.0});
    EXPECT_EQ(at(coloured, 0, 0), 0U);
    EXPECT_EQ(at(coloured, kSize - 1, 0), colourMap("red-blue").colour[0]);
}

/// 9 and -9 of a cycle of 20 are 2 apart, through 10. Halfway between both lies +-10, not 0.
TEST_F(Canvas, ValuesOnACircleAreMixedOnIt) {
    FrameSpec spec = imageSpec(1, 2, 1e-4);
    spec.valueKind = ValueKind::Cyclic;
    spec.cycle = 20.0;
    m_supplier.offer(spec, {9.0F, -9.0F});
    ASSERT_TRUE(m_canvas->takeNewest(m_supplier));
    const auto pixels = draw({.min = -10.0, .max = 10.0});
    for (int p = 0; p < kSize; ++p) {
        // Sample centres at 1/4 and 3/4 of the width; on the circle from 9 to 11.
        const double part = std::clamp(2.0 * (p + 0.5) / kSize - 0.5, 0.0, 1.0);
        const double angle = std::atan2((1.0 - 2.0 * part) * std::sin(0.9 * std::numbers::pi),
                                        std::cos(0.9 * std::numbers::pi));
        const double value = angle * 10.0 / std::numbers::pi;
        EXPECT_NEAR(at(pixels, p, 0) & 0xffU, 255.0 * (value + 10.0) / 20.0, 1.5) << p;
    }
}

/// Halfway between 0 and -60 dB lies half the amplitude, -6 dB.
TEST_F(Canvas, LevelsAreMixedByTheirAmplitudes) {
    FrameSpec spec = imageSpec(1, 2, 1e-4);
    spec.valueKind = ValueKind::Level;
    m_supplier.offer(spec, {0.0F, -60.0F});
    ASSERT_TRUE(m_canvas->takeNewest(m_supplier));
    const auto pixels = draw({.min = -60.0, .max = 0.0});
    for (const int p : {20, 31, 32, 40, 43}) {
        const double part = 2.0 * (p + 0.5) / kSize - 0.5;
        const double db = 20.0 * std::log10(1.0 - part + part * 1e-3);
        EXPECT_NEAR(at(pixels, p, 0) & 0xffU, 255.0 * (db + 60.0) / 60.0, 1.5) << p;
    }
}

TEST_F(Canvas, FirstSampleIsTopLeftAndRowsGoDown) {
    take(2, 2, {0.0F, 85.0F, 170.0F, 255.0F});
    const auto pixels = draw({.min = 0.0, .max = 255.0, .smooth = false});
    EXPECT_EQ(at(pixels, 0, 0), 0x000000U);
    EXPECT_EQ(at(pixels, kSize - 1, 0), 0x555555U);
    EXPECT_EQ(at(pixels, 0, kSize - 1), 0xaaaaaaU);
    EXPECT_EQ(at(pixels, kSize - 1, kSize - 1), 0xffffffU);
}

TEST_F(Canvas, LinesOfOctAreDrawnAsColumns) {
    FrameSpec spec;
    spec.axes = {{AxisName::Lateral, 2, 1e-5, 0.0, "m"}, {AxisName::Depth, 3, 1e-6, 0.0, "m"}};
    const std::vector<float> lines{0.0F, 51.0F, 102.0F, 153.0F, 204.0F, 255.0F};
    m_supplier.offer(spec, lines);
    ASSERT_TRUE(m_canvas->takeNewest(m_supplier));
    EXPECT_EQ(m_canvas->width(), 2);
    EXPECT_EQ(m_canvas->height(), 3);
    const auto pixels = draw({.min = 0.0, .max = 255.0, .smooth = false});
    for (int column = 0; column < 2; ++column) {
        for (int row = 0; row < 3; ++row) {
            const int gray = 51 * (3 * column + row);
            EXPECT_EQ(valueAt(*m_canvas, column, row), static_cast<float>(gray));
            EXPECT_EQ(at(pixels, column * 32 + 16, row * 21 + 10) & 0xffU,
                      static_cast<std::uint32_t>(gray))
                << column << " " << row;
        }
    }
    EXPECT_EQ(m_canvas->readBack(), lines) << "in the frame's own order";
    const float nan = std::numeric_limits<float>::quiet_NaN();
    m_supplier.offer(spec, {0.0F, 0.0F, nan, 0.0F, 0.0F, 0.0F});
    ASSERT_TRUE(m_canvas->takeNewest(m_supplier));
    const auto marked = draw({.min = 0.0, .max = 255.0});
    EXPECT_EQ(at(marked, 1, kSize - 1), kNotANumberColour) << "deepest sample of the first line";
    EXPECT_EQ(at(marked, kSize - 1, 1), 0U);
}

TEST_F(Canvas, LinearFilterBlendsNearestDoesNot) {
    take(1, 2, {0.0F, 255.0F});
    const auto nearest = draw({.min = 0.0, .max = 255.0, .smooth = false});
    EXPECT_EQ(at(nearest, kSize / 2 - 1, 0), 0x000000U);
    EXPECT_EQ(at(nearest, kSize / 2, 0), 0xffffffU);
    const auto linear = draw({.min = 0.0, .max = 255.0, .smooth = true});
    // Sample centres at 1/4 and 3/4 of the width: pixel p holds 255 (2 (p + 0.5) / 64 - 0.5).
    for (const int p : {20, 31, 32, 43}) {
        const double expected = 255.0 * (2.0 * (p + 0.5) / kSize - 0.5);
        EXPECT_NEAR(at(linear, p, 0) & 0xffU, expected, 1.5) << p;
    }
}

TEST_F(Canvas, GammaBendsTheScale) {
    take(1, 1, {64.0F});
    const auto pixels = draw({.min = 0.0, .max = 256.0, .gamma = 2.0, .smooth = false});
    EXPECT_EQ(at(pixels, 9, 9), 0x101010U); // 255 * (1/4)^2 = 15.9
}

TEST_F(Canvas, DrawsInItsPlaceOnBlack) {
    take(1, 1, {1.0F});
    const DisplaySettings settings{.min = 0.0, .max = 1.0};
    const auto pixels = draw(settings, {8.0, 16.0, 40.0, 24.0}, {12.0, 0.0, 64.0, 64.0});
    for (int row = 0; row < kSize; ++row) {
        for (int column = 0; column < kSize; ++column) {
            const bool inside = column >= 12 && column < 40 && row >= 16 && row < 24;
            ASSERT_EQ(at(pixels, column, row), inside ? 0xffffffU : 0U) << column << " " << row;
        }
    }
}

TEST_F(Canvas, ReadsBackWhatItTook) {
    const std::vector<float> values{-1.5F, 2.0F, 3.25F, -4.0F, 5.0F, 6.0F};
    take(2, 3, values);
    EXPECT_EQ(m_canvas->readBack(), values);
    EXPECT_EQ(valueAt(*m_canvas, 2, 0), 3.25F);
    EXPECT_EQ(valueAt(*m_canvas, 0, 1), -4.0F);
    EXPECT_EQ(m_canvas->width(), 3);
    EXPECT_EQ(m_canvas->height(), 2);
    ASSERT_TRUE(m_canvas->path());
    EXPECT_FALSE(m_canvas->path()->interop);
    EXPECT_EQ(m_canvas->path()->badge, "upload: CPU backend");
}

TEST_F(Canvas, SteadyStateAllocatesNothingAndReleasesEachFrame) {
    take(32, 48, std::vector<float>(32 * 48, 0.5F));
    const MemoryCounters before = memoryCounters();
    for (int i = 0; i < 20; ++i) {
        m_supplier.offerAgain();
        ASSERT_TRUE(m_canvas->takeNewest(m_supplier));
        EXPECT_FALSE(m_canvas->takeNewest(m_supplier)) << "a frame is taken once";
    }
    EXPECT_EQ(memoryCounters().allocations, before.allocations);
    EXPECT_EQ(m_supplier.released, 21);
}

TEST_F(Canvas, SizesMayChangeFromFrameToFrame) {
    for (const std::int64_t columns : {7, 1, 33}) {
        std::vector<float> values(static_cast<std::size_t>(5 * columns));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
        take(5, columns, values);
        EXPECT_EQ(m_canvas->readBack(), values);
    }
}

TEST_F(Canvas, RefusesWhatIsNoImageAndGivesItBack) {
    FrameSpec spec = imageSpec(2, 2, 1e-4);
    spec.dtype = DType::ComplexF32;
    m_supplier.offer(spec, std::vector<float>(8));
    EXPECT_THROW(m_canvas->takeNewest(m_supplier), Error);
    EXPECT_EQ(m_supplier.released, 1);

    m_supplier.offer(imageSpec(1, 1 << 20, 1e-4), std::vector<float>(1 << 20));
    try {
        m_canvas->takeNewest(m_supplier);
        FAIL() << "a row of a million pixels fits no texture";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("1048576 x 1"));
    }
    EXPECT_EQ(m_supplier.released, 2);
}

TEST_F(Canvas, RestoresAFrameInAnotherContext) {
    take(2, 2, {1.0F, 2.0F, 3.0F, 4.0F});
    const auto kept = m_canvas->readBack();
    const FrameSpec spec = m_canvas->spec();
    m_target.reset();
    m_canvas.reset();
    m_context.reset();
    std::string reason;
    m_context = testing_support::GlContext::tryCreate(reason);
    ASSERT_TRUE(m_context) << reason;
    m_canvas = std::make_unique<FrameCanvas>();
    m_canvas->restore(spec, kept);
    EXPECT_EQ(m_canvas->readBack(), kept);
}

} // namespace
} // namespace echolux
