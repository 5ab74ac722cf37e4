// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings in which nothing is sent, through the command line: simulated, told, described, and
// exported to every format that has a word for them.
#include "app/dataset/recording/recording.hpp"
#include "tests/commands/golden.hpp"
#include "tests/commands/simulated.hpp"
#include "tests/support/command_line.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OneWayFile : public SimulateTest, public testing::WithParamInterface<const char*> {
protected:
    void SetUp() override {
        const auto made =
            runEcholux({"simulate", "one-way", "-o", m_file, "--elements", "32", "--phantom",
                        "points", "--frames", "2", "--depth", "15", "--start-depth", "3"});
        ASSERT_EQ(made.status, 0) << made.err;
    }
    CommandResult exported(const std::string& to) const {
        return runEcholux(
            {"export", m_file, "-o", to, "--output-of", "recording", "--backend", "cpu"});
    }

    std::string m_file = file("light.echolux.h5");
};

TEST_F(OneWayFile, IsSimulatedAndTold) {
    const auto recording = openRecording(m_file);
    const FrameSpec& frame = recording->info().frame;
    ASSERT_EQ(frame.acquisition->transmits.size(), 1U);
    EXPECT_EQ(frame.acquisition->transmits[0].wave, Wave::None);
    const double c = frame.acquisition->soundSpeedMps;
    const double last =
        frame.acquisition->transmits[0].firstSampleS +
        static_cast<double>(frame.sizeOf(AxisName::Sample)) / frame.samplingFrequencyHz();
    // To the farthest corner of the region, once.
    EXPECT_GT(c * last, 15e-3);
    EXPECT_LT(c * last, 22e-3);
    const auto text = runEcholux({"info", m_file});
    EXPECT_THAT(text.out, HasSubstr("1 x nothing sent (sound travels one way)"));
    const auto facts = nlohmann::json::parse(runEcholux({"info", "--json", m_file}).out);
    const std::string words = facts.dump();
    EXPECT_THAT(words, AllOf(HasSubstr("\"wave\":\"none\""), Not(HasSubstr("source_m"))));
}

using OneWayExport = OneWayFile;

TEST_P(OneWayExport, StaysOneWayInExports) {
    const std::string out = file(std::string("out") + GetParam());
    const auto result = exported(out);
    ASSERT_EQ(result.status, 0) << result.err;
    const auto was = openRecording(m_file);
    const auto is = openRecording(out);
    const Transmit& before = was->info().frame.acquisition->transmits.at(0);
    ASSERT_EQ(is->info().frame.acquisition->transmits.size(), 1U);
    const Transmit& after = is->info().frame.acquisition->transmits[0];
    EXPECT_EQ(after.wave, Wave::None);
    EXPECT_NEAR(after.firstSampleS, before.firstSampleS, 1e-9);
    EXPECT_EQ(is->info().frameCount, 2);
    const auto picture = runEcholux({"render", out, "-o", file("again.png"), "--backend", "cpu",
                                     "--pipeline", "rf", "--set", "beamform.pixel_depth=1e-4"});
    EXPECT_EQ(picture.status, 0) << picture.err;
}

INSTANTIATE_TEST_SUITE_P(Endings, OneWayExport,
                         testing::Values(".npz", ".mat", ".uff", ".echolux.h5"));

TEST_F(OneWayFile, ZeaHasNoWordForIt) {
    const auto result = exported(file("out.hdf5"));
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, AllOf(HasSubstr("zea has no word"), HasSubstr(".uff")));
    EXPECT_FALSE(std::filesystem::exists(file("out.hdf5")));
}

/// Speeds of what is imaged again would be half as large.
TEST_F(OneWayFile, BeamformedPairsAreNoUffFile) {
    const auto refused =
        runEcholux({"export", m_file, "-o", file("lines.uff"), "--output-of", "beamform",
                    "--backend", "cpu", "--set", "beamform.pixel_depth=1e-4"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("one way"));
}

/// A sidecar places 64 elements on a ring; a point sounds inside.
TEST(OneWayRing, IsImagedInside) {
    const TemporaryFolder folder;
    constexpr double kRadius = 12e-3;
    constexpr double kX = 3e-3;
    constexpr double kZ = 15e-3;
    const std::string raw = (folder / "ring.raw").string();
    std::string x;
    std::string z;
    std::string normals;
    std::vector<std::int16_t> samples;
    for (int e = 0; e < 64; ++e) {
        const double turn = 2.0 * std::numbers::pi * e / 64.0;
        const double ex = kRadius * std::sin(turn);
        const double ez = kRadius - kRadius * std::cos(turn);
        x += fmt::format("{:.9f}, ", ex);
        z += fmt::format("{:.9f}, ", ez);
        normals += fmt::format("[{:.9f}, 0, {:.9f}], ", -std::sin(turn), std::cos(turn));
        for (int n = 0; n < 700; ++n) {
            const double t = n / 40e6 - std::hypot(ex - kX, ez - kZ) / 1500.0;
            const double pulse =
                std::exp(-std::pow(t / 0.15e-6, 2)) * std::cos(2.0 * std::numbers::pi * 4e6 * t);
            samples.push_back(static_cast<std::int16_t>(std::lround(8000.0 * pulse)));
        }
    }
    std::ofstream(raw, std::ios::binary)
        .write(reinterpret_cast<const char*>(samples.data()),
               static_cast<std::streamsize>(samples.size() * sizeof(std::int16_t)));
    std::ofstream(raw + ".toml")
        << "sound_speed = 1500\ntransmit.wave = \"none\"\n"
        << "signal = { sampling_frequency = 40e6, centre_frequency = 4e6 }\n"
        << "[data]\ndtype = \"<i2\"\nshape = [64, 700]\naxes = [\"channel\", \"sample\"]\n"
        << "[probe]\nx = [" << x << "]\nz = [" << z << "]\nnormals = [" << normals << "]\n";
    for (const char* output : {"envelope", "log_compression"}) {
        const std::string npy = (folder / "image.npy").string();
        const auto result = runEcholux({"export", raw, "-o", npy, "--pipeline", "rf", "--output-of",
                                        output, "--backend", "cpu", "--force"});
        ASSERT_EQ(result.status, 0) << result.err;
        std::ifstream description((folder / "image.json").string());
        const auto axes = nlohmann::json::parse(description)["axes"];
        const auto values = npyValues(npy);
        const auto brightest = std::ranges::max_element(values) - values.begin();
        const std::int64_t columns = axes[1]["size"];
        const auto placeOf = [&](std::size_t axis, std::int64_t index) {
            return axes[axis]["origin"].get<double>() +
                   axes[axis]["spacing"].get<double>() * static_cast<double>(index);
        };
        EXPECT_NEAR(placeOf(1, brightest % columns), kX, 0.1 * 1500.0 / 4e6) << output;
        EXPECT_NEAR(placeOf(0, brightest / columns), kZ, 0.1 * 1500.0 / 4e6) << output;
        EXPECT_NEAR(placeOf(0, axes[0]["size"]), 2.0 * kRadius, 0.2e-3) << output;
    }
}

/// Five disks by k-Wave, written by pacfish. Their energy lies where they are.
TEST(OneWayDisks, LieWhereTheyWereSimulated) {
    const auto shared = std::filesystem::path(ECHOLUX_SHARED_DATA) /
                        "formats/references/photoacoustics/line_array_ipasc.hdf5";
    if (!std::filesystem::exists(shared)) GTEST_SKIP() << shared << " is not here";
    const TemporaryFolder folder;
    const auto result =
        runEcholux({"export", shared.string(), "-o", (folder / "disks.npy").string(), "--pipeline",
                    "rf", "--output-of", "envelope", "--backend", "cpu"});
    ASSERT_EQ(result.status, 0) << result.err;
    std::ifstream description((folder / "disks.json").string());
    const auto axes = nlohmann::json::parse(description)["axes"];
    const std::vector<float> values = npyValues(folder / "disks.npy");
    const std::size_t columns = axes[1]["size"];
    const auto placeOf = [&](std::size_t axis, std::size_t index) {
        return axes[axis]["origin"].get<double>() +
               axes[axis]["spacing"].get<double>() * static_cast<double>(index);
    };
    using Place = std::pair<double, double>; // lateral, depth
    for (const auto& [x, z] :
         {Place{-6e-3, 5e-3}, {0.0, 8e-3}, {5e-3, 12e-3}, {-3e-3, 15e-3}, {8e-3, 18e-3}}) {
        double energy = 0.0;
        double sideways = 0.0;
        double downwards = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double dx = placeOf(1, i % columns) - x;
            const double dz = placeOf(0, i / columns) - z;
            if (std::abs(dx) > 1e-3 || std::abs(dz) > 1.2e-3) continue;
            const double power = static_cast<double>(values[i]) * values[i];
            energy += power;
            sideways += power * dx;
            downwards += power * dz;
        }
        EXPECT_NEAR(sideways / energy, 0.0, 60e-6) << z;
        EXPECT_NEAR(downwards / energy, 0.0, 60e-6) << z;
    }
}

TEST_F(OneWayFile, ASidecarIsWrittenAndReadAgain) {
    const std::string raw = file("signals.raw");
    std::ofstream(raw, std::ios::binary) << std::string(std::size_t{2} * 3 * 8 * 200, '\1');
    const auto described = runEcholux({"sidecar",
                                       raw,
                                       "--yes",
                                       "--kind",
                                       "channel",
                                       "--dtype",
                                       "<i2",
                                       "--axes=frame,channel,sample",
                                       "--shape=-1,8,200",
                                       "--fs",
                                       "40",
                                       "--fc",
                                       "5",
                                       "--pitch",
                                       "0.3",
                                       "--t0",
                                       "0",
                                       "--speed-of-sound",
                                       "1480",
                                       "--wave",
                                       "none"});
    ASSERT_EQ(described.status, 0) << described.err;
    std::ifstream kept(raw + ".toml");
    const std::string text{std::istreambuf_iterator<char>(kept), {}};
    EXPECT_THAT(text, AllOf(HasSubstr("wave = \"none\""), Not(HasSubstr("angles"))));
    EXPECT_EQ(openRecording(raw)->info().frame.acquisition->transmits.at(0).wave, Wave::None);
}

} // namespace
} // namespace echolux::test
