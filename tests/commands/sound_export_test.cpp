// SPDX-License-Identifier: GPL-3.0-or-later
// echolux export -o FILE.wav: echoes that turn at one frequency, against closed forms, and the
// bundled vessel.
#include "tests/support/command_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

namespace echolux {
namespace {

using testing::HasSubstr;

constexpr double kPulsesPerS = 4000.0;
constexpr double kSoundHz = 48000.0;
constexpr int kPulses = 2000;
constexpr double kTurn = 2.0 * std::numbers::pi;

template <class T> T at(const std::string& bytes, std::size_t place) {
    T value{};
    std::memcpy(&value, bytes.data() + place, sizeof(T));
    return value;
}

struct Wave {
    std::vector<double> left, right;
};
/// Canonical WAV of 16 bit: head of 44 bytes.
Wave waveIn(const std::string& bytes) {
    Wave wave;
    EXPECT_EQ(bytes.substr(0, 4), "RIFF");
    EXPECT_EQ(bytes.substr(8, 8), "WAVEfmt ");
    EXPECT_EQ(at<std::uint32_t>(bytes, 4), bytes.size() - 8);
    EXPECT_EQ(at<std::uint16_t>(bytes, 20), 1) << "integers";
    EXPECT_EQ(at<std::uint16_t>(bytes, 22), 2) << "channels";
    EXPECT_EQ(at<std::uint32_t>(bytes, 24), 48000U);
    EXPECT_EQ(at<std::uint32_t>(bytes, 28), 48000U * 4);
    EXPECT_EQ(at<std::uint16_t>(bytes, 34), 16) << "bits";
    EXPECT_EQ(at<std::uint32_t>(bytes, 40), bytes.size() - 44);
    for (std::size_t place = 44; place + 4 <= bytes.size(); place += 4) {
        wave.left.push_back(at<std::int16_t>(bytes, place));
        wave.right.push_back(at<std::int16_t>(bytes, place + 2));
    }
    return wave;
}

double rms(const std::vector<double>& values) {
    double sum = 0.0;
    const std::size_t edge = values.size() / 4;
    for (std::size_t i = edge; i < values.size() - edge; ++i) sum += values[i] * values[i];
    return std::sqrt(sum / static_cast<double>(values.size() - 2 * edge));
}

class SoundExport : public testing::Test {
protected:
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    std::string bytes(const std::string& name) const {
        std::ifstream stream(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    /// IQ images of 5 x 3 pixels, all alike: still tissue, and an echo that turns.
    void writeEchoes(double dopplerHz) const {
        std::ofstream data(file("echoes.bin"), std::ios::binary);
        for (int n = 0; n < kPulses; ++n) {
            const std::complex<double> echo =
                20.0 + std::polar(1.0, kTurn * dopplerHz / kPulsesPerS * n);
            const std::complex<float> value(echo);
            for (int pixel = 0; pixel < 15; ++pixel)
                data.write(reinterpret_cast<const char*>(&value), sizeof value);
        }
        std::ofstream(file("echoes.bin.toml"))
            << "image = { form = \"beamformed\", depth_step = 1e-4, lateral_step = 1e-3, "
               "centre_frequency = 5e6, demodulation_frequency = 5e6, frame_rate = 4000 }\n"
               "[data]\ndtype = \"<f4\"\nshape = [-1, 5, 3, 2]\n"
               "axes = [\"frame\", \"depth\", \"lateral\", \"iq\"]\n";
        std::ofstream(file("gate.toml")) << "version = 3\n[[stage]]\ntype = \"to_float\"\n"
                                            "[[stage]]\ntype = \"spectral_doppler\"\n"
                                            "set = { wall_filter = 0.02 }\n";
    }
    test::CommandResult run(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments{"export", "--backend", "cpu"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::runEcholux(arguments);
    }
    Wave heard(double dopplerHz, const std::vector<std::string>& more = {}) const {
        writeEchoes(dopplerHz);
        std::vector<std::string> arguments{file("echoes.bin"), "--pipeline",
                                           file("gate.toml"),  "-o",
                                           file("sound.wav"),  "--force"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        return waveIn(bytes("sound.wav"));
    }
    test::TemporaryFolder m_folder;
};

TEST_F(SoundExport, FlowTowardsTheProbeIsLeftAndAwayRightAtItsFrequency) {
    for (const double hz : {700.0, -1300.0}) {
        const Wave wave = heard(hz);
        ASSERT_EQ(wave.left.size(), static_cast<std::size_t>(kPulses * kSoundHz / kPulsesPerS));
        const auto& loud = hz > 0.0 ? wave.left : wave.right;
        const auto& still = hz > 0.0 ? wave.right : wave.left;
        EXPECT_GT(20.0 * std::log10(rms(loud) / (rms(still) + 1e-9)), 50.0) << hz;
        // Periods by the rising zero crossings.
        double first = -1.0;
        double last = 0.0;
        int periods = -1;
        for (std::size_t k = 6000; k + 1 < 18000; ++k) {
            if (loud[k] >= 0.0 || loud[k + 1] < 0.0) continue;
            last = static_cast<double>(k) + loud[k] / (loud[k] - loud[k + 1]);
            if (first < 0.0) first = last;
            ++periods;
        }
        EXPECT_NEAR(periods * kSoundHz / (last - first), std::abs(hz), 0.5) << hz;
        EXPECT_NEAR(std::max(std::ranges::max(loud), -std::ranges::min(loud)), 0.9 * 32767.0, 1.0);
    }
}

TEST_F(SoundExport, InvertExchangesTheChannels) {
    const Wave wave = heard(700.0, {"--set", "spectral_doppler.invert=true"});
    EXPECT_GT(rms(wave.right), 300.0 * rms(wave.left));
}

TEST_F(SoundExport, AnEnsembleIsAsManyPulses) {
    const Wave single = heard(700.0);
    std::ifstream lone(file("gate.toml"));
    const std::string pipeline((std::istreambuf_iterator<char>(lone)), {});
    std::ofstream(file("eight.toml")) << pipeline << "[recording]\nensemble = 8\n";
    const auto result =
        run({file("echoes.bin"), "--pipeline", file("eight.toml"), "-o", file("eight.wav")});
    ASSERT_EQ(result.status, 0) << result.err;
    const Wave eight = waveIn(bytes("eight.wav"));
    ASSERT_EQ(eight.left.size(), single.left.size());
    for (std::size_t k = 0; k < eight.left.size(); k += 7)
        ASSERT_NEAR(eight.left[k], single.left[k], 1.0) << k;
}

/// Its blood flows downwards, away from the probe. 48 pulses are shorter than the kernel that parts
/// the directions, so they are parted less well.
TEST_F(SoundExport, TheBundledVesselFlowsAway) {
    const auto result = run({ECHOLUX_SOURCE_DIR "/testdata/vessel_flow.echolux.h5", "--pipeline",
                             "spectral_doppler", "-o", file("vessel.wav"), "--set",
                             "beamform.depth_min=17e-3", "--set", "beamform.depth_max=19e-3"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("Left is flow towards the probe"));
    const Wave wave = waveIn(bytes("vessel.wav"));
    EXPECT_EQ(wave.left.size(), 576U) << "48 pulses at 4 kHz";
    EXPECT_GT(rms(wave.right), 3.0 * rms(wave.left));
}

TEST_F(SoundExport, WithoutAGateOrATimeItIsRefused) {
    const auto none = run({ECHOLUX_SOURCE_DIR "/testdata/vessel_flow.echolux.h5", "--pipeline",
                           "m_mode", "-o", file("none.wav")});
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.err, HasSubstr("--pipeline spectral_doppler"));
    writeEchoes(500.0);
    std::ifstream timed(file("echoes.bin.toml"));
    std::string sidecar((std::istreambuf_iterator<char>(timed)), {});
    const std::string rate = ", frame_rate = 4000";
    sidecar.erase(sidecar.find(rate), rate.size());
    std::ofstream(file("echoes.bin.toml")) << sidecar;
    const auto untimed =
        run({file("echoes.bin"), "--pipeline", file("gate.toml"), "-o", file("none.wav")});
    EXPECT_EQ(untimed.status, 2);
    EXPECT_THAT(untimed.err, HasSubstr("frame_rate"));
    EXPECT_FALSE(std::filesystem::exists(file("none.wav")));
}

} // namespace
} // namespace echolux
