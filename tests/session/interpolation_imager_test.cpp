// SPDX-License-Identifier: GPL-3.0-or-later
// Images with each interpolation: those that the pipeline makes with this interpolation.
#include "app/session/interpolation_imager.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/offline/offline.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

namespace echolux {
namespace {

using ::testing::HasSubstr;

struct Cine {
    std::unique_ptr<Recording> recording =
        openRecording(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5");
    std::vector<std::byte> bytes = [this] {
        std::vector<std::byte> frame(recording->info().frame.bytes());
        recording->readFrame(2, frame);
        return frame;
    }();
    /// On a coarse grid.
    SnapshotPtr usual =
        withValue(*withValue(*imagingSnapshot(recording->info().frame, std::nullopt), "beamform",
                             "pixel_lateral", 0.5e-3),
                  "beamform", "pixel_depth", 0.2e-3);
};

std::vector<float> amplitudesOf(const HostFrameData& frame) {
    const auto* pixels = reinterpret_cast<const float*>(frame.bytes.data());
    return {pixels, pixels + frame.spec.count()};
}

TEST(InterpolationImager, ImagesAreThoseOfThePipeline) {
    Cine cine;
    const AmplitudeChain chain = amplitudeChain(*cine.usual);
    InterpolationImager imager(Backend::Cpu, 0);
    imager.prepare(chain);
    imager.take(cine.bytes.data());
    const std::vector<BeamformReading> readings{{DelayInterpolation::Nearest},
                                                {DelayInterpolation::Lagrange, 6},
                                                {DelayInterpolation::Sinc, 7}};
    const InterpolatedImages made = imager.images(readings, {});
    ASSERT_EQ(made.images.size(), 3U);
    SnapshotPtr lagrange = withValue(*cine.usual, "beamform", "interpolation", "lagrange");
    lagrange = withValue(*lagrange, "beamform", "lagrange_order", std::int64_t{5});
    EXPECT_EQ(
        made.images[1].amplitudes,
        amplitudesOf(processFrame(*cine.recording, lagrange, Backend::Cpu, 2, chain.amplitudes)));
    SnapshotPtr sinc = withValue(*cine.usual, "beamform", "interpolation", "sinc");
    sinc = withValue(*sinc, "beamform", "sinc_taps", std::int64_t{7});
    EXPECT_EQ(made.images[2].amplitudes,
              amplitudesOf(processFrame(*cine.recording, sinc, Backend::Cpu, 2, chain.amplitudes)));
    EXPECT_NE(made.images[0].amplitudes, made.images[1].amplitudes);
    EXPECT_EQ(made.spec.count(), std::ssize(made.images[0].amplitudes));
    for (const InterpolatedImage& image : made.images) EXPECT_GT(image.beamformMs, 0.0);
}

TEST(InterpolationImager, EndsWhenItIsStopped) {
    Cine cine;
    InterpolationImager imager(Backend::Cpu, 0);
    imager.prepare(amplitudeChain(*cine.usual));
    imager.take(cine.bytes.data());
    std::stop_source stop;
    stop.request_stop();
    const std::vector<BeamformReading> one{{DelayInterpolation::Nearest}};
    EXPECT_TRUE(imager.images(one, stop.get_token()).images.empty());
}

TEST(InterpolationImager, SaysWhyThereIsNothingToCompare) {
    const auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5");
    const SnapshotPtr light = imagingSnapshot(recording->info().frame, std::nullopt);
    EXPECT_THAT(testing_support::refusal([&] { amplitudeChain(*light); }),
                HasSubstr("ultrasound channel data"));
    Cine cine;
    PipelineConfig raw = toConfig(*cine.usual);
    raw.stages.resize(2); // before the beamformer
    raw.views.clear();
    const SnapshotPtr unimaged = instantiate(raw, cine.recording->info().frame);
    EXPECT_THAT(testing_support::refusal([&] { amplitudeChain(*unimaged); }),
                HasSubstr("no stage Beamform"));
}

} // namespace
} // namespace echolux
