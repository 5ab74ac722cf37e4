// SPDX-License-Identifier: GPL-3.0-or-later
// The speed of sound of simulated speckle, with every wave and array, and of agar phantoms whose
// speed was measured.
#include "app/dataset/recording/recording.hpp"
#include "tests/calibration/simulated_speckle.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>

namespace echolux {
namespace {

using sound_speed::Estimate;
using testing_support::elementAt;
using testing_support::estimateOf;
using testing_support::planeWave;
using testing_support::Sent;
using testing_support::specklesOf;
using testing_support::specOf;

class SimulatedSpeed : public testing::TestWithParam<Sent> {};

TEST_P(SimulatedSpeed, IsFound) {
    const FrameSpec spec = specOf(GetParam());
    const Estimate found = estimateOf(spec, specklesOf(GetParam(), spec));
    EXPECT_TRUE(found.isSure()) << found.doubt;
    EXPECT_NEAR(found.speedMps, GetParam().trueMps, GetParam().withinMps);
    EXPECT_LT(found.errorMps, 5.0);
}

std::vector<Sent> cases() {
    std::vector<Transmit> elements;
    // A narrow array sees few places.
    const Sent small{.name = "elements",
                     .trueMps = 1500.0,
                     .waves = {},
                     .elements = 64,
                     .depthM = 25e-3,
                     .scatterers = 1500,
                     .withinMps = 3.0};
    for (std::int64_t e = 0; e < small.elements; ++e)
        elements.push_back({.wave = Wave::Element, .source = elementAt(small, e)});
    Sent single = small;
    single.waves = elements;
    return {{.name = "plane", .trueMps = 1480.0, .waves = {planeWave(0.0)}},
            {.name = "steered", .trueMps = 1600.0, .waves = {planeWave(-0.2)}},
            {.name = "diverging",
             .trueMps = 1570.0,
             .waves = {{.wave = Wave::Diverging, .source = {0.0, 0.0, -30e-3}}}},
            {.name = "curved", .trueMps = 1500.0, .waves = {planeWave(0.0)}, .bendM = 60e-3},
            single};
}

INSTANTIATE_TEST_SUITE_P(Waves, SimulatedSpeed, testing::ValuesIn(cases()),
                         [](const auto& c) { return c.param.name; });

/// See the README beside the data. The clock of the first element and the speed that the delays
/// were set for are the sidecar's.
TEST(SoundSpeed, OfAgarPhantomsIsWithinFiveMetresPerSecond) {
    const auto folder = std::filesystem::path(ECHOLUX_SHARED_DATA) / "data/sound";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no phantoms here";
    const test::TemporaryFolder temporary;
    const auto sidecar = temporary / "agar.toml";
    std::ofstream(sidecar) << R"(sound_speed = 1540
probe.pitch = 0.3048e-3
signal = { sampling_frequency = 40e6, centre_frequency = 5e6, first_sample = 4.1e-6, clock = "first_element_fires" }
transmit = { wave = "plane", angles_deg = [-12] }
[data]
array = "rf_data"
axes = ["sample", "channel"]
)";
    const std::pair<int, double> phantoms[] = {
        {1, 1508.31}, {3, 1539.40},  {4, 1550.75},  {6, 1575.37},  {7, 1587.67},
        {8, 1598.96}, {10, 1622.92}, {11, 1641.18}, {13, 1664.53}, {14, 1670.35}};
    for (const auto& [number, trueMps] : phantoms) {
        const auto file = folder / ("agar_" + std::to_string(number) + ".mat");
        const auto recording = openRecording(file, {.sidecar = sidecar});
        const FrameSpec& raw = recording->info().frame;
        std::vector<std::byte> frame(raw.bytes());
        recording->readFrame(0, frame);
        const Estimate found = SoundSpeedEstimator(Backend::Cpu, raw, {}).estimate(frame);
        EXPECT_TRUE(found.isSure()) << number << ": " << found.doubt;
        EXPECT_NEAR(found.speedMps, trueMps, 5.0) << number;
    }
}

} // namespace
} // namespace echolux
