// SPDX-License-Identifier: GPL-3.0-or-later
// Figures over a parameter: which there are, which is best, and images that cannot be made.
#include "app/dataset/recording/recording.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/uncompressed.hpp"
#include "app/sweep/frame_imager.hpp"
#include "app/sweep/same_echoes.hpp"
#include "app/sweep/swept.hpp"
#include "gpu/core/error.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace echolux {
namespace {

using measure::Kind;
using measure::MeasuredImage;
using measure::Measurement;
using testing::HasSubstr;

/// Four pixels whose mean amplitude is `level`, below one row that is brighter.
MeasuredImage flat(float level) {
    return {.lateral = {0.0, 1.0, 2},
            .depth = {0.0, 1.0, 3},
            .values = {9.0F, 9.0F, level, level, level, level}};
}

const std::vector<Measurement> kBelow{
    {.name = "below", .kind = Kind::Rectangle, .places = {{-0.5, 0.5}, {1.5, 2.5}}}};

std::vector<Swept> over(const std::vector<float>& levels) {
    std::vector<Swept> all;
    for (const float level : levels)
        all.push_back(sweptAt(std::to_string(all.size()), kBelow, [&] {
            if (level < 0.0F) throw Error("No such value.");
            return flat(level);
        }));
    return all;
}

TEST(Swept, FiguresAreThoseOfAnyValueThatHasThem) {
    const auto all = over({-1.0F, 2.0F});
    EXPECT_EQ(all[0].problem, "No such value.");
    const auto figures = figuresOf(all);
    ASSERT_FALSE(figures.empty());
    EXPECT_EQ(figures.front().name, "below.area");
    EXPECT_EQ(figures.front().title, "below.area (mm2)");
    EXPECT_EQ(figures.front().label, "below: Area");
    EXPECT_TRUE(std::isnan(figureOf(all[0], "below.mean")));
    EXPECT_EQ(figureOf(all[1], "below.mean"), 2.0);
}

TEST(Swept, TheBestIsTheFirstLowestOrHighest) {
    const auto all = over({3.0F, 1.0F, -1.0F, 1.0F, 5.0F});
    EXPECT_EQ(bestOf(all, "below.mean", Best::Lowest), &all[1]);
    EXPECT_EQ(bestOf(all, "below.mean", Best::Highest), &all[4]);
    EXPECT_EQ(bestOf(all, "below.width", Best::Highest), nullptr);
    EXPECT_EQ(bestOf(over({-1.0F}), "below.mean", Best::Lowest), nullptr);
}

struct Cine {
    std::unique_ptr<Recording> recording =
        openRecording(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5");
    SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, {});
    std::vector<std::byte> raw = std::vector<std::byte>(recording->info().frame.bytes());
    Cine() { recording->readFrame(0, raw); }
};

TEST(FrameImager, ImagesDoNotDependOnWhatWasImagedBefore) {
    const Cine cine;
    FrameImager imager({}, *cine.snapshot, {});
    const auto image = [&](const SnapshotPtr& snapshot) {
        return imager.image(snapshot, cine.raw, 0).values;
    };
    const auto first = image(cine.snapshot);
    const SnapshotPtr slow = withValue(*cine.snapshot, "beamform", "speed_of_sound", 1480.0);
    EXPECT_NE(image(slow), first);
    EXPECT_EQ(image(cine.snapshot), first);
}

/// OCT has lines in depth, ultrasound rows of lines; both are brought into one order.
TEST(FrameImager, PhasorsHaveTheAmplitudesOfTheImage) {
    for (const char* name : {"retina_cine.echolux.h5", "phantom_cine.echolux.h5"}) {
        const auto recording = openRecording(std::string(ECHOLUX_SOURCE_DIR "/testdata/") + name);
        const SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, {});
        std::vector<std::byte> raw(recording->info().frame.bytes());
        recording->readFrame(0, raw);
        FrameImager imager({}, *snapshot, {}, true);
        const MeasuredImage image = imager.image(snapshot, raw, 0);
        ASSERT_EQ(image.phasors.size(), image.values.size()) << name;
        const auto peak =
            static_cast<std::size_t>(std::ranges::max_element(image.values) - image.values.begin());
        const double shift = image.values[peak] - 20.0 * std::log10(std::abs(image.phasors[peak]));
        for (std::size_t n = 0; n < image.values.size(); n += 97) {
            if (image.values[n] < image.values[peak] - 50.0F) continue;
            EXPECT_NEAR(20.0 * std::log10(std::abs(image.phasors[n])) + shift, image.values[n],
                        0.01)
                << name << ' ' << n;
        }
        FrameImager plain({}, *snapshot, {});
        EXPECT_TRUE(plain.image(snapshot, raw, 0).phasors.empty());
    }
}

/// testdata/volume_echoes.h5 was simulated with a reflector at (0, 0, 20) mm.
TEST(FrameImager, AVolumeHasItsReflectorInSpace) {
    const auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/volume_echoes.h5");
    SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, {});
    snapshot = withValue(*snapshot, "beamform", "depth_min", 18e-3);
    snapshot = withValue(*snapshot, "beamform", "depth_max", 22e-3);
    std::vector<std::byte> raw(recording->info().frame.bytes());
    recording->readFrame(0, raw);
    FrameImager imager({}, *snapshot, {});
    const MeasuredImage volume = imager.image(snapshot, raw, 0);
    ASSERT_TRUE(volume.isVolume());
    const auto measured = measure::measureAll(
        volume, {{.name = "point", .places = {{0.4, 19.7, 0.4}}, .search = 1.5}});
    const auto value = [&](const char* id) {
        for (const measure::Figure& figure : measured[0].figures)
            if (figure.id == id) return figure.value;
        return std::nan("");
    };
    EXPECT_NEAR(value("lateral"), 0.0, 0.02);
    EXPECT_NEAR(value("elevation"), 0.0, 0.02);
    EXPECT_NEAR(value("depth"), 20.0, 0.05);
    EXPECT_NEAR(value("elevation_width"), value("lateral_width"), 0.05) << "a square array";
}

TEST(FrameImager, OtherFramesAndUnknownViewsAreRefused) {
    const Cine cine;
    FrameImager imager({}, *cine.snapshot, {});
    EXPECT_THAT(testing_support::refusal([&] {
                    imager.image(cine.snapshot, std::span(cine.raw).first(cine.raw.size() / 2), 0);
                }),
                HasSubstr("frames together"));
    EXPECT_THAT(testing_support::refusal([&] { FrameImager({}, *cine.snapshot, "nobody"); }),
                HasSubstr("'nobody'"));
}

TEST(BestValue, AFlatCurveIsNotOffered) {
    const auto all = over({2.0F, 3.0F, 1.0F});
    EXPECT_EQ(bestValueOf(all, "below.area", Best::Highest).at, all.data());
    EXPECT_THAT(bestValueOf(all, "below.area", Best::Highest).doubt, HasSubstr("does not depend"));
    EXPECT_EQ(bestValueOf(all, "below.nothing", Best::Highest).at, nullptr);
}

TEST(BestValue, AnEndOfTheValuesIsNotOffered) {
    EXPECT_EQ(bestValueOf(over({2.0F, 3.0F, 1.0F}), "below.mean", Best::Highest).doubt, "");
    const auto all = over({-1.0F, 2.0F, 3.0F, 1.0F, -1.0F});
    EXPECT_EQ(bestValueOf(all, "below.mean", Best::Lowest).at, &all[3]);
    EXPECT_THAT(bestValueOf(all, "below.mean", Best::Lowest).doubt, HasSubstr("at an end"));
}

TEST(BestValue, AmongWordsNoneLiesAtAnEnd) {
    auto all = over({3.0F, 1.0F, 5.0F});
    const char* const methods[] = {"sum", "sign_coherence", "multiply"};
    for (std::size_t n = 0; n < all.size(); ++n) all[n].value = methods[n];
    const auto [best, doubt] = bestValueOf(all, "below.mean", Best::Highest);
    EXPECT_EQ(best, &all[2]);
    EXPECT_EQ(doubt, "");
}

TEST(BestValue, APeakAtTheEdgeOfItsShapeIsNotOffered) {
    auto all = over({2.0F, 3.0F, 1.0F});
    all[1].measured[0].note = "Its peak lies at the edge.";
    EXPECT_EQ(bestValueOf(all, "below.mean", Best::Highest).doubt, "Its peak lies at the edge.");
}

/// From the lowest to the highest of ten values the parabola falls by at most 1.
std::vector<float> parabola(double peak) {
    std::vector<float> levels;
    for (int n = 0; n < 10; ++n)
        levels.push_back(static_cast<float>(5.0 - std::pow((n - peak) / 9.0, 2.0)));
    return levels;
}

TEST(BestValue, AParabolaIsOfferedWhereItsPeakIsInTheMiddle) {
    for (const double peak : {2.3, 3.0, 4.5, 6.0, 6.7})
        EXPECT_EQ(bestValueOf(over(parabola(peak)), "below.mean", Best::Highest).doubt, "") << peak;
    for (const double peak : {0.0, 0.6, 8.4, 9.0})
        EXPECT_THAT(bestValueOf(over(parabola(peak)), "below.mean", Best::Highest).doubt,
                    HasSubstr("at an end"))
            << peak;
}

TEST(BestValue, APlateauIsNotOffered) {
    const auto all = over({1.0F, 2.9F, 2.95F, 2.99F, 3.0F, 2.98F, 2.93F, 1.0F});
    const BestValue best = bestValueOf(all, "below.mean", Best::Highest);
    EXPECT_EQ(best.at, &all[4]);
    EXPECT_THAT(best.doubt, HasSubstr("From 1 to 6 the figure is nearly as good"));
}

TEST(BestValue, OneOfTwoPeaksIsNotOffered) {
    const auto all = over({1.0F, 2.0F, 4.0F, 2.0F, 1.0F, 2.0F, 3.5F, 2.0F});
    EXPECT_THAT(bestValueOf(all, "below.mean", Best::Highest).doubt,
                HasSubstr("Near 6 the figure has another peak"));
}

/// Wires of the bundled phantom, boxes round some, tissue, and both; made at 1540 m/s.
const std::vector<Measurement> kOfPhantom{
    {.name = "wire", .places = {{-7.0, 18.0}}},
    {.name = "edge 6", .places = {{-7.0, 6.0}}},
    {.name = "edge 12", .places = {{-7.0, 12.0}}},
    {.name = "edge 24", .places = {{-7.0, 24.0}}},
    {.name = "edge 30", .places = {{-7.0, 30.0}}},
    {.name = "middle", .places = {{-1.0, 30.0}}},
    {.name = "right", .places = {{2.0, 30.0}}},
    {.name = "box", .kind = Kind::Rectangle, .places = {{-8.5, 16.5}, {-5.5, 19.5}}},
    {.name = "wires", .kind = Kind::Rectangle, .places = {{-9.0, 28.0}, {4.0, 32.0}}},
    {.name = "tissue", .kind = Kind::Rectangle, .places = {{0.0, 24.0}, {9.0, 32.0}}},
    {.name = "all", .kind = Kind::Rectangle, .places = {{-9.0, 8.0}, {9.0, 33.0}}}};

/// The bundled phantom at each speed of sound.
std::vector<Swept> overSpeeds(double first, double last, double step) {
    const Cine cine;
    FrameImager imager({}, *cine.snapshot, {});
    std::vector<Swept> all;
    for (double speed = first; speed <= last; speed += step)
        all.push_back(sweptAt(std::to_string(std::lround(speed)), kOfPhantom, [&] {
            const SameEchoes same =
                onSameEchoes(*cine.snapshot, withValue(*cine.snapshot, "beamform", "speed_of_sound",
                                                       ParamValue(speed)));
            return same.inReference(imager.image(same.snapshot, cine.raw, 0));
        }));
    return all;
}

TEST(SameEchoes, ShapesStayOnTheirEchoes) {
    const auto all = overSpeeds(1400.0, 1680.0, 140.0); // 1400, 1540, 1680 m/s
    for (const Swept& each : all) {
        ASSERT_EQ(each.problem, "");
        EXPECT_NEAR(figureOf(each, "wire.depth"), 18.0, 0.15) << each.value;
        for (const char* region : {"box.pixels", "wires.pixels", "all.pixels"})
            EXPECT_EQ(figureOf(each, region), figureOf(all[1], region)) << each.value;
    }
}

TEST(SameEchoes, AnOffsetInTimeMovesThemToo) {
    const Cine cine;
    constexpr double kLater = 1e-6; // s
    FrameImager imager({}, *cine.snapshot, {});
    const SameEchoes same = onSameEchoes(
        *cine.snapshot, withValue(*cine.snapshot, "beamform", "t0_offset", ParamValue(kLater)));
    EXPECT_EQ(same.scale, 1.0);
    EXPECT_NEAR(same.shiftMm, 0.77, 1e-9); // 1540 m/s * 1 us / 2
    const Swept swept = sweptAt("1", kOfPhantom, [&] {
        return same.inReference(imager.image(same.snapshot, cine.raw, 0));
    });
    EXPECT_NEAR(figureOf(swept, "wire.depth"), 18.0, 0.15);
}

/// The phantom was simulated at 1540 m/s.
TEST(SameEchoes, TheSharpestPhantomIsThatOfItsSpeedOfSound) {
    const auto all = overSpeeds(1500.0, 1580.0, 10.0);
    for (const char* figure :
         {"wires.sharpness_entropy", "wires.sharpness_fourth_power", "tissue.sharpness_entropy",
          "tissue.sharpness_fourth_power", "all.sharpness_fourth_power"}) {
        const BestValue best = bestValueOf(all, figure, Best::Highest);
        ASSERT_NE(best.at, nullptr) << figure;
        EXPECT_NEAR(std::stod(best.at->value), 1540.0, 10.0) << figure;
        EXPECT_EQ(best.doubt, "") << figure;
    }
    const BestValue area = bestValueOf(all, "box.area", Best::Lowest);
    EXPECT_THAT(area.doubt, HasSubstr("does not depend"));
}

/// The wire at the edge is heard by half of the aperture, which a wrong speed of sound shifts more
/// than it blurs. Over all depths entropy follows how much power lies where.
TEST(SameEchoes, FiguresThatDoNotTellTheSpeedOfSoundAreDoubted) {
    const auto all = overSpeeds(1400.0, 1700.0, 20.0);
    for (const char* figure : {"box.sharpness_entropy", "box.sharpness_fourth_power"})
        EXPECT_THAT(bestValueOf(all, figure, Best::Highest).doubt, HasSubstr("nearly as good"))
            << figure;
    EXPECT_THAT(bestValueOf(all, "all.sharpness_entropy", Best::Highest).doubt,
                HasSubstr("another peak"));
    for (const char* figure : {"wires.sharpness_entropy", "wires.sharpness_fourth_power",
                               "tissue.sharpness_entropy", "tissue.sharpness_fourth_power"}) {
        const BestValue best = bestValueOf(all, figure, Best::Highest);
        EXPECT_EQ(best.at->value, "1540") << figure;
        EXPECT_EQ(best.doubt, "") << figure;
    }
}

/// Fewer elements hear a wire at the array's edge, or near the array, than one in its middle, so
/// that its width hardly depends on the speed of sound and speckle beside it decides.
TEST(SameEchoes, OnlyWidthsThatTellTheSpeedOfSoundAreOffered) {
    const auto all = overSpeeds(1440.0, 1640.0, 10.0);
    for (const char* figure :
         {"wire.lateral_width", "edge 6.lateral_width", "edge 12.lateral_width",
          "edge 24.lateral_width", "edge 30.lateral_width"})
        EXPECT_THAT(bestValueOf(all, figure, Best::Lowest).doubt, HasSubstr("nearly as good"))
            << figure;
    for (const char* figure : {"middle.lateral_width", "right.lateral_width"}) {
        const BestValue best = bestValueOf(all, figure, Best::Lowest);
        EXPECT_NEAR(std::stod(best.at->value), 1540.0, 20.0) << figure;
        EXPECT_EQ(best.doubt, "") << figure;
    }
}

/// testdata/sector.h5: focused beams of a curved array.
TEST(FrameImager, ASectorHasItsSamplesInBeamSpace) {
    const auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/sector.h5");
    const SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, {});
    std::vector<std::byte> raw(recording->info().frame.bytes());
    recording->readFrame(0, raw);
    FrameImager imager({}, *snapshot, {});
    const MeasuredImage image = imager.image(snapshot, raw, 0);
    ASSERT_NE(image.lines, nullptr);
    const auto behind = linesBehind(*snapshot, 0);
    ASSERT_TRUE(behind);
    EXPECT_EQ(image.lines->depth.size, behind->spec.sizeOf(AxisName::Depth));
    EXPECT_EQ(image.lines->lateral.size, behind->spec.sizeOf(AxisName::Lateral));
    EXPECT_EQ(std::ranges::max(image.lines->values), 0.0F);
    const double displayed = snapshot->output().valueRange->min;
    EXPECT_LT(std::ranges::min(image.lines->values), displayed - 10.0) << "beyond the shown range";
    // The picture shows the same levels at the same places.
    double apart = 0.0;
    int count = 0;
    for (std::int64_t row = 100; row < image.lines->depth.size; row += 37)
        for (std::int64_t line = 1; line + 1 < image.lines->lateral.size; line += 5) {
            const measure::Place place = image.lines->placeOf(row, line);
            const double level = image.lines->value(row, line);
            if (!image.contains(place) || level < displayed + 20.0) continue;
            apart += std::abs(image.valueAt(place) - level);
            ++count;
        }
    ASSERT_GT(count, 100);
    EXPECT_LT(apart / count, 1.0);
}

} // namespace
} // namespace echolux
