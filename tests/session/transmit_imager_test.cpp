// SPDX-License-Identifier: GPL-3.0-or-later
// Images of single transmits: those that `beamform` makes, whatever the mask, the grid and the
// number of them that are asked for; and sentences where there are none.
#include "app/session/transmit_imager.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/sub_chain.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/offline/offline.hpp"
#include "gpu/core/complex.hpp"
#include "tests/support/active_stage.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

using ::testing::HasSubstr;

struct Recorded {
    explicit Recorded(const char* file)
        : recording(openRecording(std::string(ECHOLUX_SOURCE_DIR "/testdata/") + file)),
          bytes(recording->info().frame.bytes()) {
        recording->readFrame(0, bytes);
    }
    const FrameSpec& raw() const { return recording->info().frame; }
    SnapshotPtr planned(const char* pipeline) const {
        return instantiate(shippedPipeline(pipeline), raw());
    }
    SnapshotPtr usual() const { return imagingSnapshot(raw(), std::nullopt); }
    TransmitImages images(const TransmitChain& chain, std::vector<std::int64_t> transmits) const {
        TransmitImager imager;
        imager.prepare(chain, transmits);
        imager.take(bytes.data());
        return imager.image();
    }
    std::string whyNot(const Snapshot& snapshot) const {
        return testing_support::refusal([&] { transmitChain(snapshot); });
    }
    std::unique_ptr<Recording> recording;
    std::vector<std::byte> bytes;
};

double highest(const std::vector<float>& values) { return *std::ranges::max_element(values); }

/// In parts of the highest value.
double largestError(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size()) return HUGE_VAL;
    double error = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        error = std::max(error, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    return error / highest(b);
}

SnapshotPtr withCoarseGrid(SnapshotPtr snapshot) {
    snapshot = withValue(*snapshot, "beamform", "pixel_lateral", 0.7e-3);
    return withValue(*snapshot, "beamform", "pixel_depth", 0.45e-3);
}

TEST(TransmitImager, ImagesAreThoseOfTheBeamformer) {
    const Recorded cine("phantom_cine.echolux.h5");
    const SnapshotPtr coarse = withCoarseGrid(cine.planned("low_resolution"));
    const TransmitImages made = cine.images(transmitChain(*coarse), {0, 2});
    ASSERT_EQ(made.images.size(), 2U);
    for (const TransmitImage& image : made.images) {
        const HostFrameData whole = processFrame(
            *cine.recording, withValue(*coarse, "one_transmit", "transmit", image.transmit + 1),
            Backend::Cpu, 0, "envelope_one");
        EXPECT_EQ(made.depth, *whole.spec.find(AxisName::Depth));
        EXPECT_EQ(made.lateral, *whole.spec.find(AxisName::Lateral));
        const auto* pixels = reinterpret_cast<const float*>(whole.bytes.data());
        EXPECT_LT(largestError(image.magnitude, {pixels, pixels + whole.spec.count()}), 1e-4);
    }
    EXPECT_GT(largestError(made.images[0].magnitude, made.images[1].magnitude), 0.05);
}

TEST(TransmitImager, GridsAreCoarseAndOfTheSameExtent) {
    const Recorded cine("phantom_cine.echolux.h5");
    const SnapshotPtr usual = cine.usual();
    const TransmitImages made = cine.images(transmitChain(*usual), {1});
    EXPECT_NEAR(static_cast<double>(made.lateral.size), TransmitImager::kColumns, 1.0);
    EXPECT_NEAR(static_cast<double>(made.depth.size), TransmitImager::kRows, 1.0);
    const Axis& own = *usual->output().find(AxisName::Depth);
    EXPECT_EQ(made.depth.origin, own.origin);
    EXPECT_NEAR(static_cast<double>(made.depth.size - 1) * made.depth.spacing,
                static_cast<double>(own.size - 1) * own.spacing, made.depth.spacing);
}

TEST(TransmitImager, TheMaskDoesNotCount) {
    const Recorded cine("phantom_cine.echolux.h5");
    const SnapshotPtr all = cine.usual();
    const SnapshotPtr some =
        withValue(*all, "beamform", "transmits", std::vector<double>{0.0, 1.0, 0.0});
    EXPECT_EQ(transmitChain(*all).key, transmitChain(*some).key);
    EXPECT_GT(highest(cine.images(transmitChain(*some), {0}).images[0].magnitude), 0.0);
    const SnapshotPtr slower = withValue(*all, "beamform", "speed_of_sound", 1480.0);
    EXPECT_NE(transmitChain(*all).key, transmitChain(*slower).key);
}

TEST(TransmitImager, SummedRfIsImagedAsAnalyticSignals) {
    const Recorded cine("phantom_cine.echolux.h5");
    const auto of = [&](const char* pipeline) {
        return cine.images(transmitChain(*withCoarseGrid(cine.planned(pipeline))), {1});
    };
    const TransmitImages summed = of("rf_sum");
    EXPECT_LT(largestError(summed.images[0].magnitude, of("rf").images[0].magnitude), 1e-4);
}

TEST(TransmitImager, OneImagerServesOtherTransmitsAndChains) {
    const Recorded cine("phantom_cine.echolux.h5");
    const TransmitChain chain = transmitChain(*withCoarseGrid(cine.planned("rf")));
    TransmitImager imager;
    const auto made = [&](std::vector<std::int64_t> transmits) {
        imager.prepare(chain, transmits);
        imager.take(cine.bytes.data());
        return imager.image();
    };
    const TransmitImages all = made({0, 1, 2});
    const TransmitImages last = made({2});
    ASSERT_EQ(last.images.size(), 1U);
    EXPECT_EQ(last.images[0].transmit, 2);
    EXPECT_EQ(last.images[0].magnitude, all.images[2].magnitude);
    const TransmitImages first = made({0}); // of the same layout
    EXPECT_EQ(first.images[0].magnitude, all.images[0].magnitude);
}

TEST(TransmitImager, BeamsBecomePicturesInSpace) {
    const Recorded sector("sector.h5");
    const SnapshotPtr fan =
        withValue(*sector.usual(), "beamform", "transmit_aperture", std::string("everywhere"));
    const TransmitImages made = sector.images(transmitChain(*fan), {20, 40});
    EXPECT_EQ(made.lateral.unit, "m");
    EXPECT_LT(made.lateral.origin, -0.01);
    const std::vector<float>& picture = made.images[1].magnitude;
    ASSERT_EQ(std::ssize(picture), made.depth.size * made.lateral.size);
    EXPECT_EQ(picture.front(), 0.0F) << "beside the sector";
    const auto middle = static_cast<std::size_t>((made.depth.size + 1) * made.lateral.size / 2);
    EXPECT_GT(picture[middle], 0.0F);
}

TEST(TransmitImager, OfVolumesTheShownSlice) {
    const Recorded echoes("volume_echoes.h5");
    const SnapshotPtr usual =
        withValue(*withCoarseGrid(echoes.usual()), "beamform", "pixel_elevation", 1.5e-3);
    const StageState& beamform = *testing_support::activeStage(*usual, "beamform");
    ASSERT_NE(beamform.plan.outputs[0].find(AxisName::Elevation), nullptr);
    PipelineConfig whole = chainTo(*usual, testing_support::activeStage(*usual, "beamform"));
    whole.views = {{"", "", {"transmits", beamform.id}}};
    Runner runner(Backend::Cpu, 1);
    runner.apply(instantiate(whole, echoes.raw()));
    const int slot = runner.enqueue({.raw = echoes.bytes.data()});
    const ConstTensorView volumes = runner.viewOutput(slot, 0);
    ASSERT_TRUE(isComplex(volumes.spec->dtype));
    constexpr std::int64_t kSlice = 7;
    const TransmitImages made = echoes.images(transmitChain(*usual, kSlice), {0});
    const std::int64_t pixels = made.depth.size * made.lateral.size;
    ASSERT_EQ(volumes.spec->sizeOf(AxisName::Lateral), made.lateral.size) << "as coarse already";
    ASSERT_EQ(volumes.spec->sizeOf(AxisName::Depth), made.depth.size);
    std::vector<float> slice;
    for (std::int64_t i = 0; i < pixels; ++i)
        slice.push_back(std::sqrt(norm(volumes.as<Complex>()[kSlice * pixels + i])));
    EXPECT_LT(largestError(made.images[0].magnitude, slice), 1e-3);
    EXPECT_NE(transmitChain(*usual, kSlice).key, transmitChain(*usual, 8).key);
}

TEST(TransmitImager, SaysWhyThereAreNone) {
    const Recorded cine("phantom_cine.echolux.h5");
    EXPECT_THAT(cine.whyNot(*cine.planned("hilbert_lab")), HasSubstr("no stage Beamform"));
    EXPECT_THAT(cine.whyNot(*cine.planned("ensemble_mean")), HasSubstr("ensembles"));
    const Recorded retina("retina_cine.echolux.h5");
    EXPECT_THAT(retina.whyNot(*retina.usual()), HasSubstr("Spectra of light"));
    const Recorded sector("sector.h5");
    EXPECT_THAT(sector.whyNot(*sector.usual()), HasSubstr("lines of its own"));
}

} // namespace
} // namespace echolux
