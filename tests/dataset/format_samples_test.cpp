// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of every format with known truth: times within 1 ns, echoes where they must be to a
// fraction of a sample, targets at their places, and every damaged sample refused.
#include "tests/dataset/delay_and_sum.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::filesystem::path formats() { return std::filesystem::path(ECHOLUX_SHARED_DATA) / "formats"; }

class FormatSamples : public testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(formats() / "truth.json"))
            GTEST_SKIP() << (formats() / "truth.json") << " is not here";
        m_truth = nlohmann::json::parse(readFile(formats() / "truth.json"));
    }
    /// A copy, so that a sidecar can stand beside it.
    std::filesystem::path sample(const std::string& name) {
        const auto path = m_folder / name;
        std::filesystem::copy_file(formats() / "samples" / name, path,
                                   std::filesystem::copy_options::overwrite_existing);
        return path;
    }
    double angle(std::size_t i) const { return m_truth["scene"]["angles_rad"][i]; }

    void expectTimes(const Recording& recording, const std::string& name) const {
        const auto& expected = m_truth["files"][name]["t0_common"];
        const auto& transmits = recording.info().frame.acquisition->transmits;
        ASSERT_EQ(transmits.size(), expected.size());
        for (std::size_t i = 0; i < transmits.size(); ++i)
            EXPECT_NEAR(transmits[i].firstSampleS, expected[i].get<double>(), 1e-9) << name;
    }
    void expectElements(const Recording& recording) const {
        const auto& elements = recording.info().frame.acquisition->probe.elements;
        const auto& expected = m_truth["scene"]["element_x"];
        ASSERT_EQ(elements.size(), expected.size());
        for (std::size_t k = 0; k < elements.size(); ++k)
            EXPECT_NEAR(elements[k].x, expected[k].get<double>(), 1e-9);
    }
    /// Echoes at the samples that the scene gives; `firstTransmit` is that of the file's first.
    void expectEchoes(Recording& recording, std::size_t firstTransmit = 0) const {
        const Signals signals = loadSignals(recording);
        const FrameSpec& spec = recording.info().frame;
        const auto channels = static_cast<std::size_t>(spec.sizeOf(AxisName::Channel));
        const auto transmits = static_cast<std::size_t>(spec.sizeOf(AxisName::Transmit));
        const double sceneT0 = m_truth["scene"]["t0_common"];
        int compared = 0;
        for (const auto& check : m_truth["check_samples"]) {
            const std::size_t tx = check["tx"];
            if (tx < firstTransmit || tx >= firstTransmit + transmits) continue;
            const std::size_t row =
                (tx - firstTransmit) * channels + check["element"].get<std::size_t>();
            const double t0 = spec.acquisition->transmits[tx - firstTransmit].firstSampleS;
            const double expected =
                check["sample"].get<double>() + (sceneT0 - t0) * spec.samplingFrequencyHz();
            EXPECT_NEAR(envelopePeak(signals.traces[row], expected), expected, 0.3) << check;
            ++compared;
        }
        EXPECT_GT(compared, 5);
    }
    void expectTargets(Recording& recording, double tolerance = 0.1e-3) const {
        const Signals signals = loadSignals(recording);
        for (const auto& target : m_truth["scene"]["targets"]) {
            const Point expected{target["x"], 0.0, target["z"]};
            const Peak peak = brightest(signals, expected, 0.6e-3, 0.6e-3, 0.04e-3);
            EXPECT_NEAR(peak.at.x, expected.x, tolerance) << recording.info().path;
            EXPECT_NEAR(peak.at.z, expected.z, tolerance) << recording.info().path;
        }
    }
    /// Echoes of all lines in step: a wrong phase of IQ data costs most of the sum.
    void expectAmplitudes(Recording& recording) const {
        const Signals signals = loadSignals(recording);
        for (const auto& target : m_truth["scene"]["targets"]) {
            const Point at{target["x"], 0.0, target["z"]};
            const double sum = std::abs(pixel(signals, at, {.fNumber = 0.01}));
            const double expected = target["amplitude"];
            EXPECT_NEAR(sum / static_cast<double>(signals.traces.size()), expected, 0.05 * expected)
                << recording.info().path;
        }
    }
    static double envelopePeak(const Trace& trace, double around) {
        const auto magnitude = [&](long n) {
            return n < 0 || n >= static_cast<long>(trace.size())
                       ? 0.0
                       : std::abs(trace[static_cast<std::size_t>(n)]);
        };
        long best = std::lround(around) - 4;
        for (long n = best; n <= std::lround(around) + 4; ++n)
            if (magnitude(n) > magnitude(best)) best = n;
        const double before = magnitude(best - 1);
        const double at = magnitude(best);
        const double after = magnitude(best + 1);
        return static_cast<double>(best) + 0.5 * (before - after) / (before - 2 * at + after);
    }

    TemporaryFolder m_folder;
    nlohmann::json m_truth;
};

TEST_F(FormatSamples, MustPlaneWaves) {
    const auto recording = openRecording(sample("must_pw_rf.mat"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "i16 [transmit 5][channel 64][sample 380]");
    EXPECT_EQ(info.frame.centreFrequencyHz, 5e6);
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_NEAR(info.frame.acquisition->transmits[i].angleRad, angle(i), 1e-6);
    expectTimes(*recording, "must_pw_rf.mat");
    expectElements(*recording);
    expectEchoes(*recording);
    expectTargets(*recording);
}

/// Files of PyMUST. Its elements have directivity, so that points aside lose the far end of their
/// aperture; `lateral` is a fifth of the width of a point.
void expectPoints(const std::filesystem::path& path, double lateral,
                  const std::vector<Point>& points) {
    const auto recording = openRecording(path);
    const Signals signals = loadSignals(*recording);
    for (const Point& at : points) {
        const Peak peak = brightest(signals, at, 1.5e-3, 1e-3, 1e-4);
        EXPECT_NEAR(peak.at.x, at.x, lateral);
        EXPECT_NEAR(peak.at.z, at.z, 2e-4);
    }
}

TEST_F(FormatSamples, MustCurvedArrays) {
    const auto plane = sample("must_curved_plane.mat");
    const auto transmits = openRecording(plane)->info().frame.acquisition->transmits;
    EXPECT_EQ(transmits[0].wave, Wave::Plane);
    EXPECT_NEAR(transmits[0].angleRad, std::numbers::pi / 18.0, 1e-7);
    expectPoints(plane, 2e-4, {{20e-3, 0, 60e-3}, {0, 0, 50e-3}, {30e-3, 0, 80e-3}});
    const auto diverging = sample("must_curved_diverging.mat");
    const auto sources = openRecording(diverging)->info().frame.acquisition->transmits;
    EXPECT_LT(length(minus(sources[0].source, {-20e-3, 0, -60e-3})), 1e-6);
    EXPECT_LT(length(minus(sources[1].source, {0, 0, -55e-3})), 1e-6);
    expectPoints(diverging, 2e-4,
                 {{0, 0, 40e-3}, {-30e-3, 0, 55e-3}, {25e-3, 0, 70e-3}, {-8e-3, 0, 85e-3}});
}

TEST_F(FormatSamples, MustMatrixArray) {
    const auto path = sample("must_matrix_plane.mat");
    const auto transmits = openRecording(path)->info().frame.acquisition->transmits;
    ASSERT_EQ(transmits.size(), 5U);
    EXPECT_NEAR(transmits[4].elevationRad, -8.0 * std::numbers::pi / 180.0, 1e-6);
    expectPoints(
        path, 7e-4,
        {{0, 0, 20e-3}, {4e-3, -3e-3, 25e-3}, {-3e-3, 5e-3, 30e-3}, {-5e-3, -4e-3, 36e-3}});
}

TEST_F(FormatSamples, MustBandPassSampled) {
    const auto recording = openRecording(sample("must_bandpass.mat"));
    EXPECT_EQ(recording->info().frameCount, 3);
    EXPECT_NEAR(recording->info().frame.samplingFrequencyHz(), 20e6 / 3, 1.0);
    expectTimes(*recording, "must_bandpass.mat");
    expectElements(*recording);
    expectTargets(*recording, 0.16e-3); // the pulse is 0.6 mm long
    std::vector<double> first = frameOf(*recording, 0);
    EXPECT_EQ(first, frameOf(*recording, 2));
}

TEST_F(FormatSamples, BristolFullAndHalfMatrix) {
    for (const char* name : {"bristol_fmc_v5.mat", "bristol_hmc_v73.mat"}) {
        const auto recording = openRecording(sample(name));
        const FrameSpec& frame = recording->info().frame;
        EXPECT_EQ(frame.describe(), "f32 [transmit 64][channel 64][sample 400]");
        EXPECT_EQ(frame.acquisition->soundSpeedMps, 1540.0);
        EXPECT_NEAR(frame.samplingFrequencyHz(), 20e6, 1.0);
        for (const Transmit& transmit : frame.acquisition->transmits)
            EXPECT_NEAR(transmit.firstSampleS, m_truth["files"][name]["t0"].get<double>(), 1e-9);
        expectElements(*recording);
        expectTargets(*recording);
        EXPECT_TRUE(frame.acquisition->receiveWeights.empty());
    }
    const auto full = frameOf(*openRecording(sample("bristol_fmc_v5.mat")));
    const auto half = frameOf(*openRecording(sample("bristol_hmc_v73.mat")));
    EXPECT_THAT(half, testing::Pointwise(testing::FloatNear(1e-6F), full));
}

TEST_F(FormatSamples, VerasonicsPlaneWaves) {
    for (const char* name : {"verasonics_v5.mat", "verasonics_v73.mat"}) {
        if (!std::filesystem::exists(formats() / "samples" / name)) continue;
        const auto recording = openRecording(sample(name));
        const RecordingInfo& info = recording->info();
        EXPECT_EQ(info.frame.describe(), "i16 [transmit 5][channel 64][sample 512]") << name;
        EXPECT_THAT(info.warnings, testing::IsEmpty());
        for (std::size_t i = 0; i < 5; ++i)
            EXPECT_NEAR(info.frame.acquisition->transmits[i].angleRad, angle(i), 1e-6);
        expectTimes(*recording, name);
        expectElements(*recording);
        expectEchoes(*recording);
        expectTargets(*recording);
    }
}

const std::string kTransmits = "angles_deg = [-12, -6, 0, 6, 12]\n";

std::string describe(const std::string& data, const std::string& transmit) {
    return "sound_speed = 1540\n[data]\n" + data +
           "[probe]\npitch = 0.25e-3\n"
           "[signal]\nsampling_frequency = 20e6\ncentre_frequency = 5e6\nfirst_sample = 10e-6\n"
           "[transmit]\n" +
           transmit;
}

TEST_F(FormatSamples, NumPyArrays) {
    writeFile(m_folder / "rf_c_order.npy.toml",
              describe("axes = [\"transmit\", \"channel\", \"sample\"]\n", kTransmits));
    const auto all = openRecording(sample("rf_c_order.npy"));
    expectTimes(*all, "rf_c_order.npy");
    expectEchoes(*all);
    expectTargets(*all);
    for (const char* name : {"rf_fortran.npy", "rf_v2.npy", "rf_bigendian.npy"}) {
        const auto path = sample(name);
        writeFile(path.string() + ".toml", describe("axes = [\"channel\", \"sample\"]\n", ""));
        const auto one = openRecording(path);
        expectTimes(*one, name);
        expectEchoes(*one, 2);
        EXPECT_EQ(one->info().frame.dtype, DType::I16);
    }
    for (const char* name : {"rf_stored.npz", "rf_deflate.npz"}) {
        const auto path = sample(name);
        const auto alone = openRecording(path);
        EXPECT_THAT(alone->info().warnings, testing::IsEmpty());
        expectTimes(*alone, name);
        expectElements(*alone);
        expectEchoes(*alone);
        EXPECT_EQ(frameOf(*alone), frameOf(*all));
        writeFile(path.string() + ".toml",
                  "sound_speed = \"c\"\n[data]\narray = \"rf\"\n"
                  "axes = [\"transmit\", \"channel\", \"sample\"]\n[probe]\npitch = \"pitch\"\n"
                  "[signal]\nsampling_frequency = \"fs\"\ncentre_frequency = \"f0\"\n"
                  "first_sample = \"t0\"\n[transmit]\nangles = \"angles\"\n");
        const auto archive = openRecording(path);
        expectTimes(*archive, name);
        expectElements(*archive);
        EXPECT_EQ(frameOf(*archive), frameOf(*all));
    }
}

TEST_F(FormatSamples, UffAndPicmus) {
    for (const char* name :
         {"ustb_rf.uff", "uff_taskforce_v03.uff", "picmus_rf.hdf5", "picmus_iq.hdf5"}) {
        const auto recording = openRecording(sample(name));
        const RecordingInfo& info = recording->info();
        EXPECT_EQ(info.frame.acquisition->soundSpeedMps, 1540.0);
        for (std::size_t i = 0; i < 5; ++i)
            EXPECT_NEAR(info.frame.acquisition->transmits[i].angleRad, angle(i), 1e-6);
        expectTimes(*recording, name);
        expectElements(*recording);
        if (info.frame.centreFrequencyHz == 0.0) continue; // the task force's says none
        expectEchoes(*recording);
        expectTargets(*recording);
        expectAmplitudes(*recording);
    }
}

TEST_F(FormatSamples, ZeaByItself) {
    std::vector<double> rf;
    for (const char* name :
         {"zea_rf_gzip.hdf5", "zea_rf_blosc_int16.hdf5", "zea_flat_iq_legacy.hdf5"}) {
        const auto recording = openRecording(formats() / "samples" / name);
        const RecordingInfo& info = recording->info();
        const bool iq = isComplex(info.frame.dtype);
        EXPECT_EQ(info.frame.centreFrequencyHz, 5e6);
        EXPECT_EQ(info.frame.demodulationFrequencyHz, iq ? 5e6 : 0.0);
        EXPECT_EQ(info.frame.sizeOf(AxisName::Sample), 340);
        for (std::size_t i = 0; i < 5; ++i) {
            const Transmit& transmit = info.frame.acquisition->transmits[i];
            EXPECT_NEAR(transmit.angleRad, angle(i), 1e-7) << name;
            EXPECT_NEAR(transmit.firstSampleS, m_truth["scene"]["t0_common"].get<double>(), 1e-9);
            if (iq) {
                EXPECT_EQ(transmit.iqPhaseZeroS, transmit.firstSampleS);
            }
        }
        EXPECT_TRUE(info.warnings.empty()) << name << ": " << info.warnings.front();
        expectElements(*recording);
        expectEchoes(*recording);
        expectTargets(*recording);
        if (iq) continue;
        // int16 are the float32 samples, 8000 times as large.
        auto values = frameOf(*recording);
        if (rf.empty())
            rf = std::move(values);
        else
            for (std::size_t i = 0; i < rf.size(); ++i) ASSERT_NEAR(values[i], rf[i] * 8000, 1.0);
    }
}

TEST_F(FormatSamples, EveryInvalidSampleIsRefusedInOneSentence) {
    const std::map<std::string, std::string> expected{
        {"empty.hdf5", "0 bytes"},
        {"lfs_pointer.hdf5", "git lfs pull"},
        {"mat_v4.mat", "level 4"},
        {"truncated.mat", "cut off"},
        {"truncated.npy", "217590"},
        {"header_len_lies.npy", "65535"},
        {"object.npy", "Python objects"},
        {"universal_file_format.uff", "vibration"},
        {"truncated_zea.hdf5", "cut off"},
        {"truncated.oct", "ZIP directory"},
        {"uff_version_9.uff", "v9.0.0"},
        {"picmus_phantom_without_data.hdf5", "phantom"},
        {"zea_no_geometry.hdf5", "where its elements are"},
        {"zea_shape_mismatch.hdf5", "4 entries"},
        {"zea_unknown_filter.hdf5", "32026 (Blosc2)"},
    };
    int seen = 0;
    for (const auto& entry : std::filesystem::directory_iterator(formats() / "samples/invalid")) {
        const std::string sentence = refusalOf(entry.path());
        const std::string name = entry.path().filename().string();
        EXPECT_THAT(sentence, AllOf(HasSubstr(name), testing::EndsWith("."))) << name;
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << name;
        const auto words = expected.find(name);
        EXPECT_THAT(sentence, HasSubstr(words == expected.end() ? "" : words->second));
        ++seen;
    }
    EXPECT_GE(seen, static_cast<int>(expected.size()));
}

} // namespace
} // namespace echolux::test
