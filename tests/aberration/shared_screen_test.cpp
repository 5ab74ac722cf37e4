// SPDX-License-Identifier: GPL-3.0-or-later
// A phantom recorded behind a screen of 60 ns that its file tells (shared/data/us): found without a
// word about where to look.
#include "app/aberration/beam_peak.hpp"
#include "app/aberration/channel_frames.hpp"
#include "app/dataset/container/container.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/snapshot.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace echolux::aberration {
namespace {

TEST(SharedScreen, IsFoundInTheWholeImage) {
    const std::filesystem::path path =
        std::string(ECHOLUX_SHARED_DATA) + "/data/us/gammex_with_phase_screen.npz";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is missing";
    const auto recording = openRecording(path);
    const auto arrays = openContainer(std::make_shared<const InputFile>(path));
    const std::vector<double> truth = readNumbers(path, *arrays->open("rx_delay_s"), "rx_delay_s");
    const FrameSpec& raw = recording->info().frame;
    const ChannelFrames channels =
        channelFrames(*recording, defaultPipeline(raw), Backend::Cpu, 0, 0);
    const FocusParams focus = wholeImage(channels.spec);
    const Spectra spectra = spectraOf(channels, focus);
    const Estimate found = estimate(spectra, {});
    ASSERT_TRUE(found.valid);
    std::vector<double> left = truth;
    for (std::size_t e = 0; e < left.size(); ++e) left[e] -= found.filter.delayS[e];
    const double before = rootMeanSquare(withoutPistonAndTilt(spectra.grid, truth));
    const double after = rootMeanSquare(withoutPistonAndTilt(spectra.grid, left));
    EXPECT_GT(before, 50e-9);
    EXPECT_LT(after, 15e-9);
    RecordProperty("residual_ns", std::to_string(1e9 * after));

    const BeamSums sums(channels.spec, reinterpret_cast<const Complex*>(channels.frames[0].data()),
                        focus);
    double uncorrected = 0.0;
    double corrected = 0.0;
    double withTruth = 0.0;
    for (const BrightPoint& point : sums.brightest(3, found.filter.delayS)) {
        uncorrected += sums.peakNear(point, {}).magnitude;
        corrected += sums.peakNear(point, found.filter.delayS).magnitude;
        withTruth += sums.peakNear(point, truth).magnitude;
    }
    EXPECT_GT(corrected, 1.2 * uncorrected);
    EXPECT_GT(corrected, 0.97 * withTruth);
}

} // namespace
} // namespace echolux::aberration
