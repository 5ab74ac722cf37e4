// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra that give no image are warned of when they are opened, whatever type they are stored in.
#include "tests/dataset/sample_files.hpp"

#include "app/dataset/recording/sample_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kLines = 3;
constexpr std::int64_t kCheckedSamples = 6;

std::optional<std::string> warningOf(DType type, const std::string& bytes,
                                     std::int64_t lines = kLines) {
    RecordingInfo info;
    info.path = "folder/oct.raw";
    info.frame.dtype = type;
    info.frame.axes = {{AxisName::Lateral, lines, 1.0, 0.0, ""},
                       {AxisName::Sample, kCheckedSamples, 1.0, 0.0, ""}};
    info.frame.spectrometer = std::make_shared<Spectrometer>();
    return frameWarning(info, 4, std::as_bytes(std::span(bytes)));
}

/// Sample n of line l is values(l, n).
template <class T, class Values> std::string frame(const Values& values) {
    std::vector<T> samples;
    for (int l = 0; l < kLines; ++l)
        for (int n = 0; n < kCheckedSamples; ++n) samples.push_back(static_cast<T>(values(l, n)));
    return bytesOfValues(samples);
}

template <class T> void expectWarnings(DType type) {
    SCOPED_TRACE(nameOf(type));
    const auto flat = [](double value) { return [value](int, int) { return value; }; };
    EXPECT_THAT(warningOf(type, frame<T>(flat(0))).value_or(""),
                AllOf(HasSubstr("oct.raw"), HasSubstr("frame 5"), HasSubstr("is 0 throughout")));
    EXPECT_THAT(warningOf(type, frame<T>(flat(17))).value_or(""), HasSubstr("is 17 throughout"));
    EXPECT_THAT(warningOf(type, frame<T>([](int l, int) { return l + 5; })).value_or(""),
                HasSubstr("is 5 throughout"));
    EXPECT_THAT(warningOf(type, frame<T>([](int, int n) { return n; })).value_or(""),
                AllOf(HasSubstr("all 3 spectra"), HasSubstr("frame 5")));
    EXPECT_EQ(warningOf(type, frame<T>([](int l, int n) { return n + (l == 2 && n == 5); })),
              std::nullopt)
        << "one sample differs";
}

TEST(SampleCheck, ConstantSpectraAreToldOfInEverySampleType) {
    expectWarnings<std::uint8_t>(DType::U8);
    expectWarnings<std::int16_t>(DType::I16);
    expectWarnings<std::uint16_t>(DType::U16);
    expectWarnings<float>(DType::F32);
    const auto packed = [](const char* threeBytes) {
        std::string bytes;
        for (int pair = 0; pair < kLines * kCheckedSamples / 2; ++pair) bytes.append(threeBytes, 3);
        return bytes;
    };
    EXPECT_THAT(warningOf(DType::Packed12, packed("\x11\x10\x01")).value_or(""),
                HasSubstr("is 17 throughout"));
    EXPECT_THAT(warningOf(DType::Packed12, packed("\x11\x20\x01")).value_or(""),
                HasSubstr("are the same"));
}

TEST(SampleCheck, OneLineIsNoRepetition) {
    EXPECT_EQ(warningOf(DType::U8, "\1\2\3\4\5\6", 1), std::nullopt);
    EXPECT_THAT(warningOf(DType::U8, "\1\1\1\1\1\1", 1).value_or(""), HasSubstr("1 throughout"));
}

TEST(SampleCheck, ChannelDataMayBeConstant) {
    RecordingInfo info;
    info.frame.dtype = DType::I16;
    info.frame.axes = {{AxisName::Channel, 2, 1.0, 0.0, ""}, {AxisName::Sample, 4, 1.0, 0.0, ""}};
    const std::string silence(16, '\0');
    EXPECT_EQ(frameWarning(info, 0, std::as_bytes(std::span(silence))), std::nullopt);
}

class OpenedSpectra : public testing::Test {
protected:
    /// Samples of `dtype` as B-scans of 3 lines of 6.
    std::unique_ptr<Recording> open(const std::string& dtype, const std::string& bytes,
                                    const std::string& more = {}) {
        writeFile(m_path.string() + ".toml", "[data]\ndtype = \"" + dtype +
                                                 "\"\nshape = [-1, 3, 6]\n"
                                                 "axes = [\"bscan\", \"lateral\", \"sample\"]\n" +
                                                 more + "[spectrometer]\n");
        writeFile(m_path, bytes);
        return openRecording(m_path);
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "oct.bin";
};

TEST_F(OpenedSpectra, AreToldOfWhereTheFirstFrameIsConstant) {
    std::vector<std::uint16_t> codes(2 * kLines * kCheckedSamples, 9);
    const auto dark = open("<u2", bytesOfValues(codes));
    EXPECT_THAT(dark->info().warnings, ElementsAre(HasSubstr("no spectrum of frame 1")));
    EXPECT_FALSE(dark->info().firstFrameSound);
    for (std::size_t i = 0; i < codes.size() / 2; ++i) codes[i] = static_cast<std::uint16_t>(i * i);
    const auto lit = open("<u2", bytesOfValues(codes));
    EXPECT_THAT(lit->info().warnings, IsEmpty()) << "the second frame is told of when it is played";
    EXPECT_TRUE(lit->info().firstFrameSound);
}

TEST_F(OpenedSpectra, KnowWhetherTheyAreCodes) {
    const auto ramp = [](double step) { return [step](int l, int n) { return step * (l + n); }; };
    const auto codes = [](const std::unique_ptr<Recording>& recording) {
        return recording->info().frame.spectrometer->countsCodes;
    };
    EXPECT_TRUE(codes(open("|u1", frame<std::uint8_t>(ramp(30)))));
    const std::string words = frame<std::uint16_t>(ramp(4000));
    EXPECT_TRUE(codes(open("<u2", words, "shift = 4\n")));
    EXPECT_FALSE(codes(open("<u2", words, "code_scale = 1.61e-4\n"))) << "volts";
    const std::string floats = frame<float>(ramp(0.01));
    EXPECT_FALSE(codes(open("<f4", floats)));
    EXPECT_TRUE(codes(open("<f4", floats, "converter_range = [0, 4095]\n")));
}

} // namespace
} // namespace echolux::test
