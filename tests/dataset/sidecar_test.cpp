// SPDX-License-Identifier: GPL-3.0-or-later
// Sidecars: axis orders, geometry, clocks, look-up, and every contradiction with its numbers.
#include "app/dataset/sidecar.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr double kDeg = std::numbers::pi / 180.0;

/// A sidecar for headerless int16 whose parts a test can replace.
struct Parts {
    std::string top = "sound_speed = 1500\n";
    std::string data = "dtype = \"<i2\"\nshape = [2, 3, 4]\n"
                       "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    std::string probe = "pitch = 0.3e-3\n";
    std::string signal = "sampling_frequency = 20e6\ncentre_frequency = 5e6\n";
    std::string transmit = "angles_deg = [-10, 10]\n";
    std::string text() const {
        return top + "[data]\n" + data + "[probe]\n" + probe + "[signal]\n" + signal +
               "[transmit]\n" + transmit;
    }
};

class SidecarTest : public testing::Test {
protected:
    SidecarTest() { writeFile(m_path, bytesOfValues(countedUp<std::int16_t>(24))); }
    std::unique_ptr<Recording> open(const Parts& parts) {
        writeFile(m_folder / "data.raw.toml", parts.text());
        return openRecording(m_path);
    }
    std::string refusal(const Parts& parts) {
        writeFile(m_folder / "data.raw.toml", parts.text());
        return refusalOf(m_path);
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "data.raw";
};

TEST_F(SidecarTest, HeaderlessBinary) {
    const auto recording = open({});
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.format, "Headerless binary + sidecar");
    EXPECT_EQ(info.frame.describe(), "i16 [transmit 2][channel 3][sample 4]");
    EXPECT_DOUBLE_EQ(info.frame.samplingFrequencyHz(), 20e6);
    EXPECT_DOUBLE_EQ(info.frame.acquisition->soundSpeedMps, 1500.0);
    EXPECT_NEAR(info.frame.acquisition->probe.elements[0].x, -0.3e-3, 1e-15);
    EXPECT_NEAR(info.frame.acquisition->transmits[1].angleRad, 10 * kDeg, 1e-15);
    EXPECT_EQ(frameOf(*recording), countedUp<double>(24));
    EXPECT_TRUE(info.warnings.empty());
}

TEST_F(SidecarTest, FramesInFrontAreCountedAndReadOneByOne) {
    std::string bytes = "HEAD";
    for (int frame = 0; frame < 5; ++frame) {
        std::vector<std::int16_t> values = countedUp<std::int16_t>(24);
        for (auto& value : values) value = static_cast<std::int16_t>(value + 100 * frame);
        bytes += bytesOfValues(values);
    }
    writeFile(m_path, bytes + "END");
    Parts parts;
    parts.data = "dtype = \"<i2\"\nshape = [-1, 2, 3, 4]\noffset = 4\ntrailer = 3\n"
                 "axes = [\"frame\", \"transmit\", \"channel\", \"sample\"]\n";
    parts.signal += "frame_rate = 25\n";
    const auto recording = open(parts);
    EXPECT_EQ(recording->info().frameCount, 5);
    EXPECT_EQ(recording->info().frameRateHz, 25.0);
    for (const int frame : {4, 0, 2}) {
        const std::vector<double> values = frameOf(*recording, frame);
        EXPECT_EQ(values.front(), 100.0 * frame);
        EXPECT_EQ(values.back(), 100.0 * frame + 23);
    }
    std::vector<std::byte> buffer(recording->info().frame.bytes());
    EXPECT_THROW(recording->readFrame(5, buffer), Error);
    EXPECT_THROW(recording->readFrame(-1, buffer), Error);
}

TEST_F(SidecarTest, EveryAxisOrderGivesTheSameFrame) {
    struct NamedAxis {
        std::string name;
        int size;
    };
    std::vector<NamedAxis> axes{{"channel", 3}, {"frame", 2}, {"sample", 4}, {"transmit", 2}};
    do {
        // Value = ((frame * 2 + transmit) * 3 + channel) * 4 + sample, wherever the axes lie.
        std::vector<std::int16_t> values(48);
        std::array<int, 4> index{};
        for (auto& value : values) {
            int at[4] = {};
            for (std::size_t i = 0; i < 4; ++i) {
                const std::string& name = axes[i].name;
                at[name == "frame"      ? 0
                   : name == "transmit" ? 1
                   : name == "channel"  ? 2
                                        : 3] = index[i];
            }
            value = static_cast<std::int16_t>(((at[0] * 2 + at[1]) * 3 + at[2]) * 4 + at[3]);
            for (int i = 3; i >= 0 && ++index[i] == axes[i].size; --i) index[i] = 0;
        }
        writeFile(m_path, bytesOfValues(values));
        Parts parts;
        std::string names;
        std::string shape;
        for (const NamedAxis& axis : axes) {
            names += (names.empty() ? "\"" : ", \"") + axis.name + "\"";
            shape += (shape.empty() ? "" : ", ") + std::to_string(axis.size);
        }
        parts.data = "dtype = \"int16\"\nshape = [" + shape + "]\naxes = [" + names + "]\n";
        const auto recording = open(parts);
        ASSERT_EQ(recording->info().frameCount, 2);
        std::vector<double> second = countedUp<double>(24);
        EXPECT_EQ(frameOf(*recording, 0), second) << names;
        for (double& value : second) value += 24;
        EXPECT_EQ(frameOf(*recording, 1), second) << names;
    } while (std::ranges::next_permutation(axes, {}, &NamedAxis::name).found);
}

TEST_F(SidecarTest, PairsAsAnAxisAndConjugated) {
    writeFile(m_path, bytesOfValues(std::vector<std::int16_t>{1, 2, -3, -32768}));
    Parts parts;
    parts.data = "dtype = \"<i2\"\nshape = [1, 2, 2]\nconjugate = true\n"
                 "axes = [\"channel\", \"sample\", \"iq\"]\n";
    parts.signal = "sampling_frequency = 5e6\ndemodulation_frequency = 4e6\n";
    parts.transmit = "";
    auto recording = open(parts);
    EXPECT_EQ(recording->info().frame.dtype, DType::ComplexI16);
    EXPECT_EQ(recording->info().frame.demodulationFrequencyHz, 4e6);
    EXPECT_EQ(recording->info().frame.centreFrequencyHz, 4e6);
    EXPECT_EQ(frameOf(*recording), (std::vector<double>{1, -2, -3, 32767}));

    parts.data = "dtype = \"<i2\"\nshape = [2, 1, 2]\naxes = [\"iq\", \"channel\", \"sample\"]\n";
    recording = open(parts);
    EXPECT_EQ(frameOf(*recording), (std::vector<double>{1, -3, 2, -32768}));

    parts.data = "dtype = \"<u2\"\nshape = [2, 1, 2]\ncode_offset = 1\n"
                 "axes = [\"iq\", \"channel\", \"sample\"]\n";
    recording = open(parts);
    EXPECT_EQ(recording->info().frame.dtype, DType::ComplexF32);
    EXPECT_EQ(recording->info().frame.codeOffset, 0.0) << "already taken off";
    EXPECT_EQ(frameOf(*recording), (std::vector<double>{0, 65532, 1, 32767}));
}

TEST_F(SidecarTest, ClocksAndOffsets) {
    Parts parts;
    parts.signal += "first_sample = [1e-6, 2e-6]\noffset_samples = 10\n";
    auto at = open(parts)->info().frame.acquisition->transmits;
    EXPECT_NEAR(at[0].firstSampleS, 1e-6 - 10 / 20e6, 1e-15);
    EXPECT_NEAR(at[1].firstSampleS, 2e-6 - 10 / 20e6, 1e-15);

    // First firing to the origin: half the aperture times the sine, over the speed of sound.
    parts.signal += "clock = \"first_element_fires\"\n";
    const double lead = 0.3e-3 * std::sin(10 * kDeg) / 1500;
    at = open(parts)->info().frame.acquisition->transmits;
    EXPECT_NEAR(at[0].firstSampleS, 1e-6 - 10 / 20e6 - lead, 1e-15);

    parts.transmit = "wave = \"diverging\"\nsources = [[0, 0, -5e-3], [1e-3, 0, -5e-3]]\n";
    at = open(parts)->info().frame.acquisition->transmits;
    EXPECT_EQ(at[1].wave, Wave::Diverging);
    EXPECT_NEAR(at[0].firstSampleS, 1e-6 - 10 / 20e6, 1e-15) << "the middle element fires first";
    const double side = (std::hypot(0.7e-3, 5e-3) - std::hypot(1e-3, 5e-3)) / 1500;
    EXPECT_NEAR(at[1].firstSampleS, 2e-6 - 10 / 20e6 + side, 1e-15);

    parts.transmit = "wave = \"focused\"\nsources = [[0, 0, 20e-3], [0, 0, 30e-3]]\n";
    at = open(parts)->info().frame.acquisition->transmits;
    const double edge = (std::hypot(0.3e-3, 20e-3) - 20e-3) / 1500;
    EXPECT_NEAR(at[0].firstSampleS, 1e-6 - 10 / 20e6 - edge, 1e-15) << "the edges fire first";

    parts.transmit = "wave = \"element\"\nelements = [2, 0]\n";
    at = open(parts)->info().frame.acquisition->transmits;
    EXPECT_NEAR(at[0].source.x, 0.3e-3, 1e-15);
    EXPECT_NEAR(at[1].source.x, -0.3e-3, 1e-15);
}

TEST_F(SidecarTest, PhaseOfTheMixer) {
    writeFile(m_path, bytesOfValues(countedUp<std::int16_t>(24)));
    Parts parts;
    parts.data = "dtype = \"<i2\"\nshape = [2, 3, 2, 2]\n"
                 "axes = [\"transmit\", \"channel\", \"sample\", \"iq\"]\n";
    parts.signal = "sampling_frequency = 5e6\ndemodulation_frequency = 5e6\nfirst_sample = 3e-6\n"
                   "clock = \"first_element_fires\"\n";
    const double lead = 0.3e-3 * std::sin(10 * kDeg) / 1500;
    const auto phaseZero = [&](const std::string& choice) {
        Parts with = parts;
        with.signal += choice;
        return open(with)->info().frame.acquisition->transmits[0].iqPhaseZeroS;
    };
    EXPECT_EQ(phaseZero(""), 0.0);
    EXPECT_NEAR(phaseZero("iq_phase_zero = \"first_sample\"\n"), 3e-6 - lead, 1e-15);
    EXPECT_NEAR(phaseZero("iq_phase_zero = \"file_clock\"\n"), -lead, 1e-15);
}

TEST_F(SidecarTest, Geometry) {
    Parts parts;
    parts.probe = "elements = [[-1e-3, 0, 0], [0, 0, 0], [2e-3, 0, 1e-3]]\n";
    auto elements = open(parts)->info().frame.acquisition->probe.elements;
    EXPECT_EQ(elements[2].x, 2e-3);
    EXPECT_EQ(elements[2].z, 1e-3);
    parts.probe = "x = [-1e-3, 0, 1e-3]\nz = [1e-3, 0, 1e-3]\nname = \"probe\"\n";
    elements = open(parts)->info().frame.acquisition->probe.elements;
    EXPECT_EQ(elements[0].x, -1e-3);
    EXPECT_EQ(elements[0].z, 1e-3);
    parts.probe = "pitch = 0.3e-3\nradius = 60e-3\n";
    elements = open(parts)->info().frame.acquisition->probe.elements;
    EXPECT_NEAR(elements[0].z, 0.0, 1e-15) << "the edge lies at z = 0";
    EXPECT_NEAR(elements[1].z, 60e-3 - std::sqrt(60e-3 * 60e-3 - std::pow(elements[0].x, 2)),
                1e-12);
    EXPECT_NEAR(std::hypot(elements[1].x - elements[0].x, elements[1].z - elements[0].z), 0.3e-3,
                1e-12);
}

TEST_F(SidecarTest, Hdf5DatasetsPerFrameAndTransmit) {
    const auto path = m_folder / "data.h5";
    {
        Hdf5Builder file(path);
        for (int frame = 1; frame <= 2; ++frame)
            for (int shot = 1; shot <= 2; ++shot) {
                std::vector<std::int16_t> values = countedUp<std::int16_t>(12);
                for (auto& value : values)
                    value = static_cast<std::int16_t>(value + 100 * frame + 50 * (shot - 1));
                file.add("rf/frame_" + std::to_string(frame) + "/shot_" + std::to_string(shot),
                         {3, 4}, values, shot == 2);
            }
        file.add<double>("fs", {1, 1}, {20e6});
        file.add<double>("shift", {1}, {3e-6});
        file.add<float>("angles", {2}, {-0.1F, 0.1F});
        file.add<double>("geometry", {3, 3}, {-1e-3, 0, 1e-3, 0, 0, 0, 1e-4, 0, 1e-4});
    }
    const std::string text = "sound_speed = 1540\n"
                             "[data]\narray = \"rf/frame_{frame}/shot_{transmit}\"\n"
                             "first_index = 1\naxes = [\"channel\", \"sample\"]\n"
                             "[probe]\nelements = \"geometry\"\n"
                             "[signal]\nsampling_frequency = \"fs\"\ncentre_frequency = 5e6\n"
                             "first_sample = { from = \"shift\", scale = -1 }\n"
                             "[transmit]\nangles = \"angles\"\n";
    writeFile(m_folder / "data.toml", text);
    const auto recording = openRecording(path);
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frameCount, 2);
    EXPECT_EQ(info.frame.describe(), "i16 [transmit 2][channel 3][sample 4]");
    EXPECT_NEAR(info.frame.acquisition->transmits[0].firstSampleS, -3e-6, 1e-15);
    EXPECT_NEAR(info.frame.acquisition->transmits[1].angleRad, 0.1, 1e-7);
    EXPECT_EQ(frameOf(*recording, 1)[0], 200.0);
    EXPECT_EQ(frameOf(*recording, 1)[13], 251.0);

    std::string wrong = text;
    wrong.replace(wrong.find("first_index = 1"), 15, "first_index = 3");
    writeFile(m_folder / "data.toml", wrong);
    EXPECT_THAT(refusalOf(path), AllOf(HasSubstr("frame_3"), HasSubstr("'rf/frame_1/shot_1'")));
}

TEST_F(SidecarTest, Hdf5FramesAreSlicedAtAnyAxis) {
    const auto path = m_folder / "slices.h5";
    {
        Hdf5Builder file(path);
        file.add<float>("rf", {5, 3, 4}, countedUp<float>(60), true);
        file.add<float>("last", {3, 4, 5}, countedUp<float>(60));
    }
    Parts parts;
    parts.transmit = "";
    parts.data = "array = \"rf\"\naxes = [\"frame\", \"channel\", \"sample\"]\n";
    writeFile(m_folder / "slices.toml", parts.text());
    auto recording = openRecording(path);
    EXPECT_EQ(recording->info().frameCount, 5);
    EXPECT_EQ(frameOf(*recording, 3)[2], 3 * 12 + 2);
    parts.data = "array = \"last\"\naxes = [\"channel\", \"sample\", \"frame\"]\n";
    writeFile(m_folder / "slices.toml", parts.text());
    recording = openRecording(path);
    EXPECT_EQ(frameOf(*recording, 3)[2], 2 * 5 + 3);
}

TEST_F(SidecarTest, RealAndImaginaryDatasets) {
    const auto path = m_folder / "iq.h5";
    {
        Hdf5Builder file(path);
        file.add<float>("data/real", {2, 3, 4}, countedUp<float>(24));
        file.add<float>("data/imag", {2, 3, 4}, std::vector<float>(24, -7.0F));
    }
    Parts parts;
    parts.data = "array = [\"data/real\", \"data/imag\"]\n"
                 "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    parts.signal = "sampling_frequency = 5e6\ndemodulation_frequency = 5e6\n";
    writeFile(m_folder / "iq.toml", parts.text());
    const auto recording = openRecording(path);
    EXPECT_EQ(recording->info().frame.dtype, DType::ComplexF32);
    const auto values = frameOf(*recording);
    EXPECT_EQ(values[10], 5.0);
    EXPECT_EQ(values[11], -7.0);
}

TEST_F(SidecarTest, LookUpOrder) {
    Parts parts;
    parts.top = "title = \"beside\"\nsound_speed = 1500\n";
    writeFile(m_folder / "data.toml", parts.text());
    EXPECT_THAT(openRecording(m_path)->info().notes,
                testing::Contains(testing::Pair("Title", "beside")));
    parts.top = "title = \"full name\"\nsound_speed = 1500\n";
    EXPECT_THAT(open(parts)->info().notes, testing::Contains(testing::Pair("Title", "full name")));
    parts.top = "title = \"given\"\nsound_speed = 1500\n";
    const auto given = m_folder / "elsewhere.txt";
    writeFile(given, parts.text());
    EXPECT_THAT(openRecording(m_path, {.sidecar = given})->info().notes,
                testing::Contains(testing::Pair("Title", "given")));
    EXPECT_THAT(refusalOf(m_path, {.sidecar = m_folder / "missing.toml"}),
                HasSubstr("missing.toml"));
    EXPECT_THAT(refusalOf(m_path, {.sidecar = m_folder / ""}), HasSubstr("folder"));
}

TEST_F(SidecarTest, TheExampleOfTheReadmeOpens) {
    const std::string readme =
        readFile(std::filesystem::path(ECHOLUX_SOURCE_DIR) / "app/dataset/README.md");
    const std::string fence = "```toml\n";
    const std::size_t begin = readme.find(fence) + fence.size();
    writeFile(m_folder / "cine.toml", readme.substr(begin, readme.find("```", begin) - begin));
    writeFile(m_folder / "cine.raw", std::string(512 + 2 * 11 * 128 * 2048 * 2, '\1'));
    const auto recording = openRecording(m_folder / "cine.raw");
    EXPECT_EQ(recording->info().frameCount, 2);
    EXPECT_EQ(recording->info().frame.describe(), "i16 [transmit 11][channel 128][sample 2048]");
    EXPECT_EQ(recording->info().frameRateHz, 50.0);
    EXPECT_EQ(frameOf(*recording, 1)[0], 257.0);
}

TEST_F(SidecarTest, AnotherTomlWithTheSameStemIsLeftAlone) {
    const auto path = m_folder / "other.npy";
    writeFile(path, npyBytes(npyDictionary("<i2", "(2, 3, 4)"),
                             bytesOfValues(countedUp<std::int16_t>(24))));
    writeFile(m_folder / "other.toml", "[pipeline]\nname = \"mine\"\n");
    EXPECT_THAT(refusalOf(path), HasSubstr("other.npy.toml"));
}

TEST_F(SidecarTest, ContradictionsNameBothNumbers) {
    const auto with = [](auto change) {
        Parts parts;
        change(parts);
        return parts;
    };
    const std::string raw = "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    EXPECT_THAT(
        refusal(with([&](Parts& p) { p.data = "dtype = \"<i2\"\nshape = [2, 3, 5]\n" + raw; })),
        AllOf(HasSubstr("60 bytes"), HasSubstr("has 48")));
    EXPECT_THAT(refusal(with([&](Parts& p) {
                    p.data = "dtype = \"<i2\"\nshape = [2, 3, 4]\noffset = 100\n" + raw;
                })),
                AllOf(HasSubstr("48 bytes"), HasSubstr("has 0")));
    EXPECT_THAT(
        refusal(with([&](Parts& p) { p.data = "dtype = \"<i2\"\nshape = [-1, 5, 4]\n" + raw; })),
        AllOf(HasSubstr("48 bytes"), HasSubstr("40 bytes")));
    EXPECT_THAT(
        refusal(with([&](Parts& p) { p.data = "dtype = \"<i2\"\nshape = [6, 4]\n" + raw; })),
        AllOf(HasSubstr("3 axes"), HasSubstr("2 axes")));
    EXPECT_THAT(refusal(with([&](Parts& p) {
                    p.data =
                        "dtype = \"<i2\"\nshape = [4000000000, 4000000000, 4000000000]\n" + raw;
                })),
                HasSubstr("larger than any file"));
    EXPECT_THAT(refusal(with([](Parts& p) { p.transmit = "angles_deg = [-10, 0, 10]\n"; })),
                AllOf(HasSubstr("3 entries"), HasSubstr("2 transmits")));
    EXPECT_THAT(refusal(with([](Parts& p) { p.transmit = ""; })), HasSubstr("2 transmits"));
    EXPECT_THAT(refusal(with([](Parts& p) { p.transmit = "angles = [-10, 10]\n"; })),
                HasSubstr("rad"));
    EXPECT_THAT(refusal(with([](Parts& p) { p.probe = "x = [0, 1e-3]\n"; })),
                AllOf(HasSubstr("2 entries"), HasSubstr("3 channels")));
    EXPECT_THAT(refusal(with([](Parts& p) { p.probe = "elements = [[0, 0, 0]]\n"; })),
                AllOf(HasSubstr("3 numbers"), HasSubstr("need 9")));
    EXPECT_THAT(refusal(with([](Parts& p) { p.signal += "first_sample = [0, 0, 0]\n"; })),
                HasSubstr("3 entries"));
    EXPECT_THAT(refusal(with([](Parts& p) { p.signal += "demodulation_frequency = 5e6\n"; })),
                HasSubstr("samples are real"));
    EXPECT_THAT(refusal(with([](Parts& p) { p.data += "conjugate = true\n"; })),
                HasSubstr("samples are real"));
    EXPECT_THAT(
        refusal(with([](Parts& p) { p.transmit = "wave = \"element\"\nelements = [0, 3]\n"; })),
        AllOf(HasSubstr("element 3"), HasSubstr("0 to 2")));
    EXPECT_THAT(refusal(with([](Parts& p) { p.signal = "sampling_frequency = \"fs\"\n"; })),
                HasSubstr("headerless"));
    EXPECT_THAT(refusal(with([](Parts& p) { p.signal = "sampling_frequency = -1\n"; })),
                HasSubstr("greater than 0"));
}

TEST_F(SidecarTest, DamagedSidecars) {
    const auto refused = [&](const std::string& text) {
        writeFile(m_folder / "data.raw.toml", text);
        return refusalOf(m_path);
    };
    EXPECT_THAT(refused("sound_speed = = 3\n"), AllOf(HasSubstr("line 1"), HasSubstr("TOML")));
    EXPECT_THAT(refused("\xff\xfe\n"), HasSubstr("TOML"));
    EXPECT_THAT(refused(""), HasSubstr("data.axes"));
    EXPECT_THAT(refused("data = 3\n"), HasSubstr("must be a table"));
    EXPECT_THAT(refused("speed = 1\n" + Parts().text()),
                AllOf(HasSubstr("'speed'"), HasSubstr("sound_speed")));
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = Parts().text();
        text.replace(text.find(from), from.size(), to);
        return refused(text);
    };
    EXPECT_THAT(changed("\"sample\"", "\"time\""), HasSubstr("'time'"));
    EXPECT_THAT(changed("\"sample\"", "\"channel\""), HasSubstr("named twice"));
    EXPECT_THAT(changed("\"channel\"", "\"frame\""), HasSubstr("'channel'"));
    EXPECT_THAT(changed("\"<i2\"", "\"i3\""), HasSubstr("data.dtype"));
    EXPECT_THAT(changed("dtype = \"<i2\"", ""), HasSubstr("dtype"));
    EXPECT_THAT(changed("[2, 3, 4]", "[2, 3, 0]"), HasSubstr("data.shape"));
    EXPECT_THAT(changed("0.3e-3", "\"wide\""), HasSubstr("'wide'"));
    EXPECT_THAT(changed("0.3e-3", "0"), HasSubstr("probe.pitch"));
    EXPECT_THAT(changed("0.3e-3", "nan"), HasSubstr("finite"));
    EXPECT_THAT(changed("20e6", "inf"), HasSubstr("finite"));
    EXPECT_THAT(changed("20e6", "true"), HasSubstr("must be a number"));
    EXPECT_THAT(changed("1500", "{ from = 3 }"), HasSubstr("sound_speed"));
    EXPECT_THAT(changed("angles_deg = [-10, 10]", "wave = \"spiral\""),
                AllOf(HasSubstr("spiral"), HasSubstr("diverging")));
    EXPECT_THAT(changed("angles_deg = [-10, 10]", "wave = \"diverging\""), HasSubstr("sources"));
    EXPECT_THAT(changed("pitch = 0.3e-3", "name = \"?\""), HasSubstr("exactly one"));
}

} // namespace
} // namespace echolux::test
