// SPDX-License-Identifier: GPL-3.0-or-later
// Sidecars: how the array lies in the file, by name and order of its axes.
#include "tests/dataset/sidecar_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux::test {
namespace {

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

TEST_F(SidecarTest, TheConvertersRange) {
    EXPECT_FALSE(open({})->info().frame.converterRange);
    Parts parts;
    parts.data += "converter_range = [-2048, 2047]\n";
    EXPECT_EQ(open(parts)->info().frame.converterRange, (ConverterRange{-2048.0, 2047.0}));
    for (const char* wrong : {"[2047, -2048]", "12", "[0, 1, 2]"}) {
        Parts bad;
        bad.data += std::string("converter_range = ") + wrong + "\n";
        EXPECT_THAT(refusal(bad), testing::HasSubstr("data.converter_range")) << wrong;
    }
}

TEST_F(SidecarTest, FloatsThatAreNoNumbers) {
    Parts parts;
    parts.data = "dtype = \"<f4\"\nshape = [2, 2, 3, 4]\n"
                 "axes = [\"frame\", \"transmit\", \"channel\", \"sample\"]\n";
    std::vector<float> values(48, 1.0F);
    values[30] = std::nanf("");
    writeFile(m_path, bytesOfValues(values));
    EXPECT_THAT(open(parts)->info().warnings, testing::IsEmpty()); // the second frame
    values[7] = std::nanf("");
    writeFile(m_path, bytesOfValues(values));
    EXPECT_THAT(open(parts)->info().warnings,
                testing::ElementsAre(testing::AllOf(testing::HasSubstr("1 of 24 values"),
                                                    testing::HasSubstr("frame 1"))));
    EXPECT_FALSE(open(parts)->info().firstFrameSound);
    std::fill_n(values.begin(), 23, std::nanf(""));
    values[23] = -INFINITY;
    writeFile(m_path, bytesOfValues(values));
    EXPECT_THAT(refusal(parts), testing::AllOf(testing::HasSubstr("data.raw"),
                                               testing::HasSubstr("no finite number")));
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

} // namespace
} // namespace echolux::test
