// SPDX-License-Identifier: GPL-3.0-or-later
// What `echolux export` writes opens again as what it was: signals with their waves and clocks,
// images with their places.
#include "app/dataset/container/npy_writer.hpp"
#include "app/dataset/recording/recording.hpp"
#include "gpu/core/sector.hpp"
#include "tests/commands/golden.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace echolux {
namespace {

/// Real samples of the first frame, or the real and imaginary parts in turn, as physical values.
std::vector<double> valuesOf(Recording& recording) {
    const FrameSpec& frame = recording.info().frame;
    std::vector<std::byte> bytes(frame.bytes());
    recording.readFrame(0, bytes);
    const auto of = [&](auto zero) {
        using T = decltype(zero);
        const std::span codes(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
        std::vector<double> values;
        for (const T code : codes)
            values.push_back((static_cast<double>(code) - frame.codeOffset) * frame.codeScale);
        return values;
    };
    switch (frame.dtype) {
    case DType::U8: return of(std::uint8_t{});
    case DType::U16: return of(std::uint16_t{});
    case DType::I16:
    case DType::ComplexI16: return of(std::int16_t{});
    default: return of(float{});
    }
}

double largest(const std::vector<double>& values) {
    double most = 0.0;
    for (const double value : values) most = std::max(most, std::abs(value));
    return most;
}

class RoundTrip : public testing::TestWithParam<const char*> {
protected:
    std::unique_ptr<Recording> exported(const std::string& recording,
                                        const std::vector<std::string>& more) {
        const std::string out = (m_folder / (std::string("out") + GetParam())).string();
        std::vector<std::string> words{"export", recording, "-o", out, "--backend", "cpu"};
        words.insert(words.end(), more.begin(), more.end());
        const auto run = test::runEcholux(words);
        EXPECT_EQ(run.status, 0) << run.err;
        return run.status == 0 ? openRecording(out) : nullptr;
    }

    test::TemporaryFolder m_folder;
};

using SignalRoundTrip = RoundTrip;

TEST_P(SignalRoundTrip, SamplesWavesAndClocksStay) {
    const auto original = openRecording(test::bundledCine());
    const auto copy =
        exported(test::bundledCine(), {"--output-of", "recording", "--frames", "1:2"});
    ASSERT_NE(copy, nullptr);
    const FrameSpec& was = original->info().frame;
    const FrameSpec& is = copy->info().frame;
    EXPECT_EQ(copy->info().frameCount, 2);
    ASSERT_EQ(is.axes.size(), was.axes.size());
    for (std::size_t i = 0; i < was.axes.size(); ++i) EXPECT_EQ(is.axes[i].size, was.axes[i].size);
    EXPECT_NEAR(is.samplingFrequencyHz(), was.samplingFrequencyHz(), 10.0);
    EXPECT_NEAR(is.centreFrequencyHz, was.centreFrequencyHz, 10.0);
    EXPECT_NEAR(is.acquisition->soundSpeedMps, was.acquisition->soundSpeedMps, 1e-3);
    ASSERT_EQ(is.acquisition->transmits.size(), was.acquisition->transmits.size());
    for (std::size_t i = 0; i < was.acquisition->transmits.size(); ++i) {
        EXPECT_EQ(is.acquisition->transmits[i].wave, was.acquisition->transmits[i].wave);
        EXPECT_NEAR(is.acquisition->transmits[i].angleRad, was.acquisition->transmits[i].angleRad,
                    1e-6);
        EXPECT_NEAR(is.acquisition->transmits[i].firstSampleS,
                    was.acquisition->transmits[i].firstSampleS, 1e-9);
    }
    for (std::size_t k = 0; k < was.acquisition->probe.elements.size(); ++k)
        EXPECT_NEAR(is.acquisition->probe.elements[k].x, was.acquisition->probe.elements[k].x,
                    1e-8);
    const std::vector<double> before = valuesOf(*original);
    const std::vector<double> after = valuesOf(*copy);
    ASSERT_EQ(after.size(), before.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i)
        worst = std::max(worst, std::abs(after[i] - before[i]));
    EXPECT_LT(worst, 1e-6 * largest(before));
}

INSTANTIATE_TEST_SUITE_P(Endings, SignalRoundTrip,
                         testing::Values(".npz", ".mat", ".hdf5", ".uff", ".echolux.h5"));

using ImageRoundTrip = RoundTrip;

TEST_P(ImageRoundTrip, ValuesAndPlacesStay) {
    const std::vector<std::string> grid{"--set",       "beamform.lateral_min=-8e-3",
                                        "--set",       "beamform.lateral_max=8e-3",
                                        "--set",       "beamform.depth_min=5e-3",
                                        "--set",       "beamform.depth_max=25e-3",
                                        "--set",       "beamform.pixel_lateral=4e-4",
                                        "--set",       "beamform.pixel_depth=2e-4",
                                        "--output-of", "envelope",
                                        "--frames",    "1"};
    const auto copy = exported(test::bundledCine(), grid);
    ASSERT_NE(copy, nullptr);
    const std::string plain = (m_folder / "plain.npy").string();
    std::vector<std::string> words{"export", test::bundledCine(), "-o", plain, "--backend", "cpu"};
    words.insert(words.end(), grid.begin(), grid.end());
    ASSERT_EQ(test::runEcholux(words).status, 0);
    const std::vector<float> before = test::npyValues(plain);
    const FrameSpec& frame = copy->info().frame;
    ASSERT_EQ(frame.axes.size(), 2U) << frame.describe();
    EXPECT_EQ(frame.axes[0].name, AxisName::Depth);
    EXPECT_EQ(frame.recordedForm, RecordedForm::Envelope);
    EXPECT_NEAR(frame.axes[0].origin, 5e-3, 1e-6);
    EXPECT_NEAR(frame.axes[0].spacing, 2e-4, 1e-8);
    EXPECT_NEAR(frame.axes[1].origin, -8e-3, 1e-6);
    EXPECT_NEAR(frame.axes[1].spacing, 4e-4, 1e-8);
    const std::vector<double> after = valuesOf(*copy);
    ASSERT_EQ(after.size(), before.size());
    const double most = largest(after);
    for (std::size_t i = 0; i < before.size(); ++i)
        ASSERT_NEAR(after[i], before[i], 1e-5 * most) << i;
    const auto picture = test::runEcholux({"render", copy->info().path.string(), "-o",
                                           (m_folder / "again.png").string(), "--backend", "cpu"});
    EXPECT_EQ(picture.status, 0) << picture.err;
}

INSTANTIATE_TEST_SUITE_P(Endings, ImageRoundTrip,
                         testing::Values(".npz", ".mat", ".hdf5", ".uff", ".nrrd", ".nii",
                                         ".nii.gz"));

class ReopenedImages : public testing::Test {
protected:
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    void write(const std::string& name, const std::string& recording,
               const std::vector<std::string>& more) const {
        std::vector<std::string> words{"export",  recording,   "-o", file(name),
                                       "--force", "--backend", "cpu"};
        words.insert(words.end(), more.begin(), more.end());
        const auto run = test::runEcholux(words);
        ASSERT_EQ(run.status, 0) << run.err;
    }
    /// The same as NumPy has it.
    std::vector<float> written(const std::string& recording,
                               const std::vector<std::string>& more) const {
        write("plain.npy", recording, more);
        return test::npyValues(file("plain.npy"));
    }
    static std::string bundled(const std::string& name) {
        return std::string(ECHOLUX_SOURCE_DIR) + "/testdata/" + name;
    }
    test::TemporaryFolder m_folder;
};

const std::vector<std::string> kCoarse{
    "--set", "beamform.pixel_lateral=4e-4", "--set", "beamform.pixel_depth=2e-4", "--frames", "1"};

TEST_F(ReopenedImages, UstbGetsTheAmplitudesOfTheDefaultPicture) {
    write("picture.uff", test::bundledCine(), kCoarse);
    const std::vector<float> levels = written(test::bundledCine(), kCoarse);
    const auto copy = openRecording(file("picture.uff"));
    EXPECT_EQ(copy->info().frame.recordedForm, RecordedForm::Envelope);
    const std::vector<double> amplitudes = valuesOf(*copy);
    ASSERT_EQ(amplitudes.size(), levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i)
        ASSERT_NEAR(20.0 * std::log10(amplitudes[i]), levels[i], 1e-4) << i;
}

TEST_F(ReopenedImages, GreysOfSixteenBitsKeepTheirDecibels) {
    const std::vector<float> levels = written(test::bundledCine(), kCoarse);
    const auto reopened = [&](const std::vector<std::string>& look) {
        std::vector<std::string> more = kCoarse;
        more.insert(more.end(), {"--depth", "16"});
        more.insert(more.end(), look.begin(), look.end());
        write("grey.tif", test::bundledCine(), more);
        return openRecording(file("grey.tif"));
    };
    for (const std::vector<std::string>& look :
         {std::vector<std::string>{}, {"--range=-50:-10"}, {"--invert"}}) {
        const auto copy = reopened(look);
        const FrameSpec& frame = copy->info().frame;
        const bool chosen = !look.empty() && look[0] != "--invert";
        const double least = chosen ? -50.0 : -60.0;
        const double most = chosen ? -10.0 : 0.0;
        EXPECT_EQ(frame.recordedForm, RecordedForm::Decibels);
        ASSERT_TRUE(frame.valueRange);
        EXPECT_EQ(frame.valueRange->min, least);
        EXPECT_EQ(frame.valueRange->max, most);
        EXPECT_EQ(frame.valueRange->unit, "dB");
        const std::vector<double> values = valuesOf(*copy);
        ASSERT_EQ(values.size(), levels.size());
        for (std::size_t i = 0; i < levels.size(); ++i)
            ASSERT_NEAR(values[i], std::clamp<double>(levels[i], least, most), 60.0 / 65535.0) << i;
    }
    const auto bent = reopened({"--gamma", "0.5"});
    EXPECT_EQ(bent->info().frame.recordedForm, RecordedForm::Picture)
        << "its codes are no levels any more";
}

TEST_F(ReopenedImages, AVolumeComesBackFromUstb) {
    const std::string recording = bundled("volume_echoes.h5");
    const std::vector<std::string> coarse{"--set",       "beamform.pixel_lateral=8e-4",
                                          "--set",       "beamform.pixel_depth=4e-4",
                                          "--set",       "beamform.pixel_elevation=9e-4",
                                          "--frames",    "1",
                                          "--output-of", "envelope"};
    write("volume.uff", recording, coarse);
    const std::vector<float> before = written(recording, coarse);
    const auto copy = openRecording(file("volume.uff"));
    const FrameSpec& frame = copy->info().frame;
    ASSERT_EQ(frame.axes.size(), 3U) << frame.describe();
    const std::vector<AxisName> names{AxisName::Elevation, AxisName::Depth, AxisName::Lateral};
    const std::vector<double> spacings{9e-4, 4e-4, 8e-4};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(frame.axes[i].name, names[i]);
        EXPECT_GT(frame.axes[i].size, 2);
        EXPECT_NEAR(frame.axes[i].spacing, spacings[i], 1e-8);
        EXPECT_EQ(frame.axes[i].unit, "m");
    }
    EXPECT_EQ(frame.recordedForm, RecordedForm::Envelope);
    const std::vector<double> after = valuesOf(*copy);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) ASSERT_EQ(after[i], before[i]) << i;
    const auto picture = test::runEcholux(
        {"render", file("volume.uff"), "-o", file("again.npy"), "--backend", "cpu"});
    EXPECT_EQ(picture.status, 0) << picture.err;
}

/// USTB: what was mixed down by f has the phase of its echo less that of 2 d / c at d, its depth or
/// range: exp(-2 pi j f 2 d / c).
TEST_F(ReopenedImages, BeamformedIqHasNoCarrier) {
    const std::vector<std::string> beamformed{"--set",       "beamform.pixel_depth=1e-4",
                                              "--set",       "beamform.speed_of_sound=1500",
                                              "--output-of", "beamform",
                                              "--frames",    "1"};
    for (const std::string& recording : {test::bundledCine(), bundled("sector.h5")}) {
        SCOPED_TRACE(recording);
        write("beamformed.uff", recording, beamformed);
        const std::vector<float> carried = written(recording, beamformed);
        const auto copy = openRecording(file("beamformed.uff"));
        const FrameSpec& frame = copy->info().frame;
        const double frequency = frame.demodulationFrequencyHz;
        EXPECT_NEAR(frequency, openRecording(recording)->info().frame.centreFrequencyHz, 1.0);
        const std::vector<double> values = valuesOf(*copy);
        ASSERT_EQ(values.size(), carried.size());
        // The file's own places count from the apex of a curved array.
        const auto depth = nlohmann::json::parse(std::ifstream(file("plain.json"))).at("axes")[0];
        const double nearest = depth.at("origin");
        const double step = depth.at("spacing");
        const auto lines = static_cast<std::size_t>(frame.axes[1].size);
        const double most = largest(values);
        for (std::size_t i = 0; i < values.size() / 2; ++i) {
            const double d = nearest + static_cast<double>(i / lines) * step;
            const double turn = -4.0 * std::numbers::pi * frequency * d / 1500.0;
            const std::complex<double> wanted =
                std::complex<double>(carried[2 * i], carried[2 * i + 1]) * std::polar(1.0, turn);
            ASSERT_NEAR(values[2 * i], wanted.real(), 2e-3 * most) << i;
            ASSERT_NEAR(values[2 * i + 1], wanted.imag(), 2e-3 * most) << i;
        }
        // Down a line the carrier turns by four radians and more per row of 0.1 mm; what is left is
        // the echoes' own bandwidth.
        double along = 0.0;
        double whole = 0.0;
        for (std::size_t i = 0; i + lines < values.size() / 2; ++i) {
            const std::complex<double> here(values[2 * i], values[2 * i + 1]);
            const std::complex<double> next(values[2 * (i + lines)], values[2 * (i + lines) + 1]);
            along += (std::conj(here) * next).real();
            whole += std::abs(here) * std::abs(next);
        }
        EXPECT_GT(along, 0.6 * whole);
    }
}

/// Nine focused transmits of a linear array, line by line: steered from starts of their own, or
/// from one start to angles that rise unevenly.
struct FocusedLines {
    std::vector<double> startsM;
    std::vector<double> anglesRad;
};

FocusedLines focusedLines(bool steered) {
    FocusedLines lines;
    for (int i = 0; i < 9; ++i) {
        lines.startsM.push_back(steered ? (i - 4) * 0.6e-3 + 0.01e-3 * i * i : 0.0);
        lines.anglesRad.push_back(steered ? 0.2 + 0.01 * i : 0.06 * (i - 4) + 0.004 * (i % 3));
    }
    return lines;
}

/// Samples of a ramp as .npy, and what they are beside it.
std::string recordingOf(const FocusedLines& lines, const std::filesystem::path& folder) {
    constexpr std::int64_t kElements = 16;
    constexpr std::int64_t kSamples = 400;
    FrameSpec spec;
    spec.axes = {{AxisName::Transmit, std::ssize(lines.anglesRad), 1.0, 0.0, ""},
                 {AxisName::Channel, kElements, 1.0, 0.0, ""},
                 {AxisName::Sample, kSamples, 1.0, 0.0, ""}};
    std::vector<float> samples(static_cast<std::size_t>(spec.count()));
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = static_cast<float>(std::sin(1.57 * static_cast<double>(i)) +
                                        static_cast<double>(i % 97) * 1e-3);
    const std::filesystem::path path = folder / "lines.npy";
    writeNpy(path, spec, std::as_bytes(std::span(samples)));
    std::ofstream sidecar(path.string() + ".toml");
    sidecar << "sound_speed = 1540\ndata = { axes = [\"transmit\", \"channel\", \"sample\"] }\n"
               "probe = { pitch = 3e-4, count = 16 }\n"
               "signal = { sampling_frequency = 20e6, centre_frequency = 5e6 }\n"
               "[transmit]\nwave = \"focused\"\n";
    std::string sources;
    std::string origins;
    for (std::size_t i = 0; i < lines.anglesRad.size(); ++i) {
        const double x = lines.startsM[i];
        sources += fmt::format("[{}, 0, {}], ", x + 0.03 * std::sin(lines.anglesRad[i]),
                               0.03 * std::cos(lines.anglesRad[i]));
        origins += fmt::format("[{}, 0, 0], ", x);
    }
    sidecar << "sources = [" << sources << "]\norigins = [" << origins << "]\n";
    return path.string();
}

using LineRoundTrip = RoundTrip;

TEST_P(LineRoundTrip, EveryLineKeepsItsStartAndAngle) {
    for (const bool steered : {true, false}) {
        SCOPED_TRACE(steered ? "steered" : "uneven fan");
        const FocusedLines lines = focusedLines(steered);
        const std::vector<std::string> envelope{"--output-of", "envelope", "--set",
                                                "beamform.lines_per_transmit=1", "--force"};
        const auto copy = exported(recordingOf(lines, m_folder / ""), envelope);
        ASSERT_NE(copy, nullptr);
        const FrameSpec& frame = copy->info().frame;
        ASSERT_NE(frame.sector, nullptr);
        ASSERT_EQ(frame.sector->lines(), lines.anglesRad.size());
        const double first = frame.find(AxisName::Depth)->origin;
        for (std::size_t i = 0; i < lines.anglesRad.size(); ++i) {
            const double a = lines.anglesRad[i];
            EXPECT_NEAR(frame.sector->anglesRad[i], a, 2e-5);
            // Wherever the file counts the range from, its first sample is 1 mm along the line.
            const Point p = frame.sector->at(i, first);
            EXPECT_NEAR(p.x, lines.startsM[i] + 1e-3 * std::sin(a), 1e-6);
            EXPECT_NEAR(p.z, 1e-3 * std::cos(a), 1e-6);
        }
        const auto picture =
            test::runEcholux({"render", copy->info().path.string(), "-o",
                              (m_folder / "again.png").string(), "--backend", "cpu", "--force"});
        EXPECT_EQ(picture.status, 0) << picture.err;
    }
}

INSTANTIATE_TEST_SUITE_P(Endings, LineRoundTrip,
                         testing::Values(".npz", ".mat", ".hdf5", ".uff", ".nrrd"));

TEST(LinesAsJson, NameEveryLine) {
    const test::TemporaryFolder folder;
    for (const bool steered : {true, false}) {
        const FocusedLines lines = focusedLines(steered);
        const std::filesystem::path out = folder / "beams.npy";
        const auto run = test::runEcholux(
            {"export", recordingOf(lines, folder / ""), "-o", out.string(), "--output-of",
             "envelope", "--backend", "cpu", "--set", "beamform.lines_per_transmit=1", "--force"});
        ASSERT_EQ(run.status, 0) << run.err;
        std::ifstream beside(folder / "beams.json");
        const auto described = nlohmann::json::parse(beside);
        const auto& lateral = described["axes"][1];
        EXPECT_EQ(lateral["unit"], steered ? "m" : "rad");
        EXPECT_FALSE(lateral.contains("spacing")) << "the steps are not even";
        for (std::size_t i = 0; i < lines.anglesRad.size(); ++i) {
            EXPECT_NEAR(described["lines"]["x_m"][i].get<double>(), lines.startsM[i], 1e-9);
            EXPECT_NEAR(described["lines"]["angle_rad"][i].get<double>(), lines.anglesRad[i], 1e-9);
            EXPECT_NEAR(lateral["places"][i].get<double>(),
                        steered ? lines.startsM[i] : lines.anglesRad[i], 1e-9);
        }
    }
}

} // namespace
} // namespace echolux
