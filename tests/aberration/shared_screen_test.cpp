// SPDX-License-Identifier: GPL-3.0-or-later
// A phantom recorded behind a screen of 60 ns that its file tells (shared/data/us): found without a
// word about where to look.
#include "app/aberration/beam_peak.hpp"
#include "app/aberration/channel_frames.hpp"
#include "app/dataset/container/container.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/snapshot.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace echolux::aberration {
namespace {

class SharedScreen : public testing::Test {
protected:
    void SetUp() override {
        const std::filesystem::path path =
            std::string(ECHOLUX_SHARED_DATA) + "/data/us/gammex_with_phase_screen.npz";
        if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is missing";
        const auto recording = openRecording(path);
        const auto arrays = openContainer(std::make_shared<const InputFile>(path));
        truth = readNumbers(path, *arrays->open("rx_delay_s"), "rx_delay_s");
        channels =
            channelFrames(*recording, defaultPipeline(recording->info().frame), Backend::Cpu, 0, 0);
    }
    /// Of the truth's delays, without piston and tilt. [s]
    double leftOf(const ElementGrid& grid, const std::vector<double>& found) const {
        std::vector<double> left = truth;
        for (std::size_t e = 0; e < found.size(); ++e) left[e] -= found[e];
        return rootMeanSquare(withoutPistonAndTilt(grid, left));
    }
    std::vector<double> truth;
    ChannelFrames channels;
};

TEST_F(SharedScreen, IsFoundInTheWholeImage) {
    const FocusParams focus = wholeImage(channels.spec);
    const Spectra spectra = spectraOf(channels, focus);
    const Estimate found = estimate(spectra, {});
    ASSERT_TRUE(found.valid);
    EXPECT_GT(leftOf(spectra.grid, {}), 50e-9);
    EXPECT_LT(leftOf(spectra.grid, found.filter.delayS), 10e-9);

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

/// 60 ns before. The region at 85 mm lies at the depth of wires beside it.
TEST_F(SharedScreen, IsHalvedBySpeckleAlone) {
    std::vector<std::array<double, 2>> regions{{12e-3, 85e-3}};
    for (const double x : {-12e-3, -4e-3, 12e-3})
        for (const double z : {45e-3, 55e-3, 65e-3, 75e-3}) regions.push_back({x, z});
    for (const auto& [x, z] : regions) {
        FocusParams focus = wholeImage(channels.spec);
        focus.lateralM = x;
        focus.depthM = z;
        focus.widthM = focus.heightM = 8e-3;
        focus.points = pointsFor(focus);
        const Spectra spectra = spectraOf(channels, focus);
        const Estimate found = estimate(spectra, {});
        EXPECT_TRUE(found.valid);
        EXPECT_LT(leftOf(spectra.grid, found.filter.delayS), 25e-9)
            << 1e3 * x << " mm, " << 1e3 * z << " mm";
    }
}

} // namespace
} // namespace echolux::aberration
