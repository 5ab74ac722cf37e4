// SPDX-License-Identifier: GPL-3.0-or-later
// OCTproZ recordings: sizes, curves and their signs, flips, and descriptions that do not fit.
#include "tests/dataset/sample_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

/// A description whose parts a test can replace; frames of 4 lines of 8 samples count up.
struct Meta {
    std::string sizes = "bit_depth=12\nwidth=8\nheight=4\ndepth=3\nbuffers_per_volume=2\n";
    std::string processing = {};
    std::string text() const {
        return "[General]\ntimestamp=20240101_000000000\n\n[processing]\n" + processing +
               "\n[Virtual%20OCT%20System]\n" + sizes;
    }
};

class Octproz : public testing::Test {
protected:
    std::unique_ptr<Recording> open(const Meta& meta) {
        write(meta);
        return openRecording(m_raw);
    }
    std::string refusal(const Meta& meta) {
        write(meta);
        return refusalOf(m_raw);
    }
    void write(const Meta& meta) const {
        writeFile(m_raw, bytesOfValues(countedUp<std::uint16_t>(m_samples)));
        writeFile(m_folder / "scan_meta.txt", meta.text());
    }
    std::size_t m_samples = 6 * 32;
    TemporaryFolder m_folder;
    std::filesystem::path m_raw = m_folder / "scan_raw.raw";
};

TEST_F(Octproz, SizesAndVolumes) {
    const auto recording = open({});
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.format, "OCTproZ raw");
    EXPECT_EQ(info.frame.describe(), "u16 [lateral 4][sample 8]");
    EXPECT_EQ(info.frameCount, 6);
    EXPECT_EQ(info.frame.stack.bscansPerVolume, 6);
    EXPECT_THAT(info.frame.spectrometer->resampling, IsEmpty());
    EXPECT_THAT(info.frame.spectrometer->dispersionRad, IsEmpty());
    EXPECT_EQ(info.frame.codeScale, 1.0);
    EXPECT_THAT(info.warnings, IsEmpty());
    EXPECT_THAT(info.notes, Contains(Pair("Recorded", "20240101_000000000")));
    EXPECT_EQ(frameOf(*recording, 5).front(), 160.0);
}

TEST_F(Octproz, KnowsASinusoidalScan) {
    const auto off = open({.processing = "sinusoidal_scan_correction=false\n"});
    EXPECT_FALSE(off->info().frame.spectrometer->sinusoidalScan);
    const auto on = open({.processing = "sinusoidal_scan_correction=true\n"});
    EXPECT_TRUE(on->info().frame.spectrometer->sinusoidalScan);
    EXPECT_THAT(on->info().warnings, IsEmpty());
    EXPECT_THAT(on->info().notes,
                Contains(Pair("Processed with", HasSubstr("scan correction on"))));
}

TEST_F(Octproz, SaysHowAFixedPatternThatWasRemovedIsRemovedHere) {
    const auto told = Contains(Pair("To see it as it was shown", HasSubstr("fixed_pattern on")));
    EXPECT_THAT(open({.processing = "fixed_pattern_removal=true\n"})->info().notes, told);
    EXPECT_THAT(open({.processing = "fixed_pattern_removal=false\n"})->info().notes, Not(told));
}

TEST_F(Octproz, CurvesOfPolynomials) {
    const auto recording = open({.processing = "resampling=true\nresampling_c0=0.5\n"
                                               "resampling_c1=5\nresampling_c2=1\n"
                                               "resampling_c3=0.25\n"
                                               "dispersion_compensation=true\n"
                                               "dispersion_compensation_d0=1\n"
                                               "dispersion_compensation_d2=-4.9\n"});
    const Spectrometer& facts = *recording->info().frame.spectrometer;
    EXPECT_DOUBLE_EQ(facts.resampling.at(0), 0.5);
    EXPECT_DOUBLE_EQ(facts.resampling.at(7), 6.75);
    const double x = 3.0 / 7.0;
    EXPECT_DOUBLE_EQ(facts.resampling.at(3), 0.5 + 5 * x + x * x + 0.25 * x * x * x);
    // OCTproZ multiplies by exp(-j theta), we by exp(+j phi).
    EXPECT_DOUBLE_EQ(facts.dispersionRad.at(0), -1.0);
    EXPECT_DOUBLE_EQ(facts.dispersionRad.at(7), 3.9);
}

TEST_F(Octproz, ShiftAndFlip) {
    const auto recording = open({.processing = "bitshift=true\nflip_bscans=true\n"});
    EXPECT_EQ(recording->info().frame.codeScale, 1.0 / 16.0);
    EXPECT_EQ(recording->info().frame.converterRange, (ConverterRange{0.0, 4095.0 * 16.0}));
    const std::vector<double> even = frameOf(*recording, 2);
    EXPECT_EQ(even.front(), 2 * 32 + 24.0) << "the last line comes first, its samples in order";
    EXPECT_EQ(even.back(), 2 * 32 + 7.0);
    EXPECT_EQ(frameOf(*recording, 3).front(), 3 * 32.0);
}

TEST_F(Octproz, CurveFileIsStretchedOrLeftOut) {
    const std::string custom = "resampling=true\ncustom_resampling=true\n"
                               "custom_resampling_filepath=C:/elsewhere/curve.csv\n";
    writeFile(m_folder / "curve.csv", "Sample Number;Sample Value\n0;0\n1;1.5\n2;2.6\n3;3\n");
    {
        const auto recording = open({.processing = custom});
        EXPECT_THAT(recording->info().warnings,
                    ElementsAre(AllOf(HasSubstr("4 values"), HasSubstr("stretched"),
                                      HasSubstr("8 samples"))));
        EXPECT_NEAR(recording->info().frame.spectrometer->resampling.at(7), 7.0, 1e-12);
    }
    writeFile(m_folder / "curve.csv", "0;0\n1;1.5\n2;1.4\n3;3\n");
    {
        const auto recording = open({.processing = custom});
        EXPECT_THAT(recording->info().frame.spectrometer->resampling, IsEmpty());
        EXPECT_THAT(recording->info().warnings, Contains(HasSubstr("not monotonic")));
    }
    std::filesystem::remove(m_folder / "curve.csv");
    EXPECT_THAT(open({.processing = custom})->info().warnings,
                ElementsAre(AllOf(HasSubstr("left out"), HasSubstr("no such file"))));
}

// The stage k_linearize refuses such a curve, and its chain with it.
TEST_F(Octproz, CurveWithALongStepIsLeftOut) {
    m_samples = 3 * 32;
    std::string curve;
    for (int m = 0; m < 31; ++m) curve += fmt::format("{};{}\n", m, 0.25 * m);
    writeFile(m_folder / "curve.csv", curve + "31;24\n");
    const auto recording =
        open({.sizes = "bit_depth=12\nwidth=32\nheight=1\ndepth=3\nbuffers_per_volume=1\n",
              .processing = "resampling=true\ncustom_resampling=true\n"
                            "custom_resampling_filepath=curve.csv\n"});
    EXPECT_THAT(recording->info().frame.spectrometer->resampling, IsEmpty());
    EXPECT_THAT(
        recording->info().warnings,
        ElementsAre(AllOf(HasSubstr("more than 16 samples apart"), HasSubstr("it is left out"))));
}

TEST_F(Octproz, SizesThatDoNotFit) {
    EXPECT_THAT(refusal({.sizes = "bit_depth=12\nwidth=7\nheight=4\ndepth=1\n"}),
                HasSubstr("too few for one more"));
    EXPECT_THAT(refusal({.sizes = "bit_depth=12\nwidth=1024\nheight=512\ndepth=1\n"}),
                HasSubstr("more than the file has"));
    EXPECT_THAT(refusal({.sizes = "bit_depth=12\nwidth=0\nheight=4\ndepth=1\n"}),
                HasSubstr("'width' is 0"));
    EXPECT_THAT(refusal({.sizes = "bit_depth=12\nwidth=8.5\nheight=4\ndepth=1\n"}),
                HasSubstr("'width' is 8.5"));
    EXPECT_THAT(refusal({.sizes = "bit_depth=12\nwidth=x\nheight=4\ndepth=1\n"}),
                HasSubstr("no number"));
    EXPECT_THAT(refusal({.sizes = "bit_depth=12\nwidth=8\ndepth=1\n"}), HasSubstr("'height'"));
    EXPECT_THAT(refusal({.sizes = "width=8\nheight=4\ndepth=1\n"}), HasSubstr("'bit_depth'"));
    EXPECT_THAT(refusal({.sizes = "bit_depth=99\nwidth=8\nheight=4\ndepth=1\n"}),
                HasSubstr("'bit_depth' is 99"));
    m_samples = 5 * 32; // one B-scan of the second buffer is missing
    EXPECT_THAT(open({})->info().warnings, ElementsAre(HasSubstr("no whole number of buffers")));
    EXPECT_THAT(refusalOf(m_folder / "scan_meta.txt"), HasSubstr("raw file beside it"));
}

TEST_F(Octproz, DepthOfBits) {
    writeFile(m_raw, bytesOfValues(countedUp<std::uint8_t>(96)));
    writeFile(m_folder / "scan_meta.txt",
              Meta{.sizes = "bit_depth=8\nwidth=8\nheight=4\ndepth=3\n"}.text());
    EXPECT_EQ(openRecording(m_raw)->info().frame.describe(), "u8 [lateral 4][sample 8]");
    writeFile(m_folder / "scan_meta.txt",
              Meta{.sizes = "bit_depth=32\nwidth=8\nheight=3\ndepth=1\n"}.text());
    EXPECT_EQ(openRecording(m_raw)->info().frame.describe(), "f32 [lateral 3][sample 8]");
}

TEST_F(Octproz, SeventeenToTwentyFourBitsTakeThreeBytes) {
    for (const int bits : {17, 20, 24}) {
        SCOPED_TRACE(bits);
        writeFile(m_raw, bytesOfValues(countedUp<std::uint8_t>(96)));
        writeFile(
            m_folder / "scan_meta.txt",
            Meta{.sizes = fmt::format("bit_depth={}\nwidth=8\nheight=2\ndepth=2\n", bits)}.text());
        const auto recording = openRecording(m_raw);
        EXPECT_EQ(recording->info().frame.describe(), "f32 [lateral 2][sample 8]");
        EXPECT_EQ(recording->info().frameCount, 2);
        EXPECT_TRUE(recording->info().frame.spectrometer->countsCodes);
        EXPECT_EQ(frameOf(*recording).at(1), 3 + 256.0 * 4 + 65536.0 * 5);
        EXPECT_EQ(frameOf(*recording, 1).at(0), 48 + 256.0 * 49 + 65536.0 * 50);
    }
}

class OctprozSample : public testing::Test {
protected:
    static std::filesystem::path file(const std::string& name) {
        return std::filesystem::path(ECHOLUX_SHARED_DATA) / "formats/samples" / name;
    }
    void SetUp() override {
        if (!std::filesystem::exists(file("octproz_sample_raw.raw")))
            GTEST_SKIP() << file("") << " is not here";
    }
};

/// |X| at depth bin `z` of a line: less the lines' mean, resampled linearly, transformed.
double magnitude(const std::vector<double>& fringe, const std::vector<double>& curve, double z) {
    const std::size_t n = fringe.size();
    std::complex<double> sum;
    for (std::size_t m = 0; m < n; ++m) {
        const auto left = std::min(static_cast<std::size_t>(curve[m]), n - 2);
        const double part = curve[m] - static_cast<double>(left);
        const double value = fringe[left] + part * (fringe[left + 1] - fringe[left]);
        const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(m) /
                                                   static_cast<double>(n));
        sum += window * value *
               std::polar(1.0, 2 * std::numbers::pi * z * static_cast<double>(m) /
                                   static_cast<double>(n));
    }
    return std::abs(sum);
}

double brightestBin(const std::vector<double>& fringe, const std::vector<double>& curve,
                    double around) {
    double best = 0.0;
    double where = 0.0;
    for (double z = around - 4; z <= around + 4; z += 0.05)
        if (const double m = magnitude(fringe, curve, z); m > best) {
            best = m;
            where = z;
        }
    return where;
}

TEST_F(OctprozSample, ReflectorsLieWhereTheTruthSays) {
    const auto recording = openRecording(file("octproz_sample_raw.raw"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "u16 [lateral 32][sample 512]");
    EXPECT_EQ(info.frameCount, 1);
    EXPECT_THAT(info.warnings, IsEmpty());
    const std::vector<double>& curve = info.frame.spectrometer->resampling;
    ASSERT_EQ(curve.size(), 512U);
    const std::vector<double> frame = frameOf(*recording);
    for (const std::size_t line : {0U, 13U, 31U}) {
        std::vector<double> fringe(512);
        double mean = 0.0;
        for (std::size_t i = 0; i < 512; ++i) mean += frame[line * 512 + i] / 512.0;
        for (std::size_t i = 0; i < 512; ++i) fringe[i] = frame[line * 512 + i] - mean;
        EXPECT_NEAR(brightestBin(fringe, curve, 60.0), 60.0, 0.1);
        EXPECT_NEAR(brightestBin(fringe, curve, 100.0 + static_cast<double>(line)),
                    100.0 + static_cast<double>(line), 0.1);
    }
}

TEST_F(OctprozSample, WrongSizeIsRefused) {
    EXPECT_THAT(refusalOf(file("invalid/octproz_wrong_size.raw"),
                          {.sidecar = file("octproz_sample_meta.txt")}),
                HasSubstr("correct the sizes"));
    EXPECT_THAT(refusalOf(file("invalid/octproz_wrong_size.raw")), HasSubstr("'echolux sidecar'"));
}

} // namespace
} // namespace echolux::test
