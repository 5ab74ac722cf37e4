// SPDX-License-Identifier: GPL-3.0-or-later
// Figures over a parameter: which there are, which is best, and images that cannot be made.
#include "app/dataset/recording/recording.hpp"
#include "app/session/checked_image.hpp"
#include "app/sweep/frame_imager.hpp"
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
    const SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, {});
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

} // namespace
} // namespace echolux
