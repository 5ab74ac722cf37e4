// SPDX-License-Identifier: GPL-3.0-or-later
// Sidecars of spectra: axes, curves from lists, members and other files, and every contradiction.
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SpectraSidecarTest : public testing::Test {
protected:
    std::unique_ptr<Recording> open(const std::string& data, const std::string& spectrometer = {}) {
        write(data, spectrometer);
        return openRecording(m_path);
    }
    std::string refusal(const std::string& data, const std::string& spectrometer = {}) {
        write(data, spectrometer);
        return refusalOf(m_path);
    }
    void write(const std::string& data, const std::string& spectrometer) const {
        writeFile(m_path.string() + ".toml",
                  "[data]\n" + data + "\n[spectrometer]\n" + spectrometer + "\n");
    }
    void writeNpz(const std::string& shape, std::size_t count, bool fortran = false) {
        m_path = m_folder / "oct.npz";
        writeZip(m_path,
                 {{"raw.npy", npyBytes(npyDictionary("<u2", shape, fortran),
                                       bytesOfValues(countedUp<std::uint16_t>(count)))},
                  {"k.npy", npyBytes(npyDictionary("<f4", "(5,)"),
                                     bytesOfValues(std::vector<float>{0, 0.5, 1.5, 3, 4}))}},
                 true);
    }
    const std::string m_raw = "dtype = \"<u2\"\naxes = [\"bscan\", \"lateral\", \"sample\"]\n";
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "oct.bin";
};

TEST_F(SpectraSidecarTest, HeaderlessWithEveryFact) {
    writeFile(m_path, bytesOfValues(countedUp<std::uint16_t>(30)));
    const auto recording =
        open(m_raw + "shape = [-1, 3, 5]\ncode_offset = 2\ncode_scale = 0.5\nshift = 1\n"
                     "converter_range = [0, 4095]\n",
             "centre_wavelength = 930e-9\nbandwidth = 100e-9\nline_spacing = 4e-6\n"
             "refractive_index = 1.38\n"
             "bscan_spacing = 5e-6\nbscan_rate = 50\nbscans_per_volume = 2\n"
             "bscans_per_place = 2\n"
             "background = [1, 2, 3, 4, 5]\nchirp = [0, 2, 3, 3.5, 4]\n"
             "dispersion = [0, 0, 1, 0, 0]\n");
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "u16 [lateral 3][sample 5]");
    EXPECT_EQ(info.frameCount, 2);
    EXPECT_EQ(info.frameRateHz, 50.0);
    EXPECT_EQ(info.frame.codeOffset, 2.0);
    EXPECT_EQ(info.frame.codeScale, 0.25);
    EXPECT_EQ(info.frame.converterRange, (ConverterRange{0.0, 4095.0}));
    EXPECT_EQ(info.frame.axes[0].spacing, 4e-6);
    EXPECT_EQ(info.frame.axes[0].unit, "m");
    EXPECT_EQ(info.frame.axes[1].unit, "");
    const Spectrometer& facts = *info.frame.spectrometer;
    EXPECT_EQ(facts.centreWavelengthM, 930e-9);
    EXPECT_EQ(facts.bandwidthM, 100e-9);
    EXPECT_EQ(facts.refractiveIndex, 1.38);
    EXPECT_EQ(info.frame.stack, (VolumeStack{2, 5e-6, 2}));
    EXPECT_THAT(facts.background, ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(facts.resampling, ElementsAre(0, 0.5, 1, 2, 4)) << "the chirp's inverse";
    EXPECT_THAT(facts.dispersionRad, ElementsAre(0, 0, 1, 0, 0));
    EXPECT_EQ(frameOf(*recording, 1).front(), 15.0);
    EXPECT_THAT(info.warnings, IsEmpty());
}

TEST_F(SpectraSidecarTest, FallingChirp) {
    writeFile(m_path, bytesOfValues(countedUp<std::uint16_t>(15)));
    const auto recording = open(m_raw + "shape = [1, 3, 5]\n", "chirp = [4, 3.5, 3, 2, 0]\n");
    EXPECT_THAT(recording->info().frame.spectrometer->resampling, ElementsAre(0, 2, 3, 3.5, 4));
}

TEST_F(SpectraSidecarTest, AxesInAnyOrderAndVolumes) {
    writeNpz("(2, 3, 4, 5)", 120);
    {
        const auto recording =
            open("array = \"raw\"\naxes = [\"volume\", \"bscan\", \"lateral\", \"sample\"]\n",
                 "resampling = \"k\"\n");
        EXPECT_EQ(recording->info().frame.describe(), "u16 [lateral 4][sample 5]");
        EXPECT_EQ(recording->info().frameCount, 6);
        EXPECT_EQ(recording->info().frame.stack.bscansPerVolume, 3);
        EXPECT_THAT(recording->info().frame.spectrometer->resampling,
                    ElementsAre(0, 0.5, 1.5, 3, 4));
        EXPECT_EQ(frameOf(*recording, 4).front(), 80.0);
        EXPECT_EQ(frameOf(*recording, 5).back(), 119.0);
        EXPECT_EQ(frameOf(*recording, 0).front(), 0.0);
    }
    writeNpz("(5, 4, 3)", 60);
    {
        const auto recording =
            open("array = \"raw\"\naxes = [\"sample\", \"lateral\", \"bscan\"]\n");
        EXPECT_EQ(recording->info().frame.describe(), "u16 [lateral 4][sample 5]");
        EXPECT_EQ(recording->info().frameCount, 3);
        // [sample s][lateral l][bscan b] is 12 s + 3 l + b
        EXPECT_EQ(frameOf(*recording, 1).at(2 * 5 + 3), 12 * 3 + 3 * 2 + 1);
    }
    writeNpz("(2, 5)", 10);
    {
        const auto recording = open("array = \"raw\"\naxes = [\"bscan\", \"sample\"]\n");
        EXPECT_EQ(recording->info().frame.describe(), "u16 [lateral 1][sample 5]");
        EXPECT_EQ(frameOf(*recording, 1).front(), 5.0);
    }
    m_path = m_folder / "v.npy"; // sliced, not loaded
    writeFile(m_path, npyBytes(npyDictionary("<u2", "(2, 3, 4, 5)"),
                               bytesOfValues(countedUp<std::uint16_t>(120))));
    const auto recording = open("axes = [\"volume\", \"bscan\", \"lateral\", \"sample\"]\n");
    for (const int b : {5, 0, 2, 3}) EXPECT_EQ(frameOf(*recording, b).front(), 20.0 * b);
}

TEST_F(SpectraSidecarTest, TextAndSumsOfOtherFiles) {
    m_path = m_folder / "mirror.txt";
    writeFile(m_path, "10\n20\n30\n41.5\n");
    writeFile(m_folder / "ref.txt", "1\n2\n3\n4\n");
    writeFile(m_folder / "dark.csv", "0.5\n0.25\n0\n1\n");
    const auto recording =
        open("axes = [\"sample\"]\n",
             "background = [{ file = \"ref.txt\", scale = 2 }, { file = \"dark.csv\", scale = "
             "-1 }]\n");
    EXPECT_EQ(recording->info().format, "Text + sidecar");
    EXPECT_EQ(recording->info().frame.describe(), "f32 [lateral 1][sample 4]");
    EXPECT_THAT(frameOf(*recording), ElementsAre(10, 20, 30, 41.5));
    EXPECT_THAT(recording->info().frame.spectrometer->background, ElementsAre(1.5, 3.75, 6, 7));
    const std::string axes = "axes = [\"sample\"]\n";
    EXPECT_THAT(refusal(axes, "background = { file = \"missing.txt\" }\n"),
                HasSubstr("no such file"));
    writeFile(m_folder / "short.txt", "1\n2\n");
    EXPECT_THAT(refusal(axes, "background = { file = \"short.txt\" }\n"),
                AllOf(HasSubstr("spectrometer.background has 2 values"), HasSubstr("4 samples")));
    EXPECT_THAT(refusal(axes, "background = { file = \"ref.txt\", from = \"x\" }\n"),
                HasSubstr("text of 4 rows"));
    writeFile(m_folder / "binary", std::string("\0\1\2\3", 4));
    EXPECT_THAT(refusal(axes, "background = { file = \"binary\" }\n"), HasSubstr("neither text"));
    EXPECT_THAT(refusal(axes, "background = \"x\"\n"), HasSubstr("needs one of the arrays"));
}

TEST_F(SpectraSidecarTest, WhatContradictsItselfIsRefused) {
    writeFile(m_path, bytesOfValues(countedUp<std::uint16_t>(30)));
    const std::string shape = "shape = [-1, 3, 5]\n";
    ASSERT_EQ(refusal(m_raw + shape), "");
    EXPECT_THAT(refusal(m_raw + "shape = [-1, 4, 5]\n"), HasSubstr("too few for one more"));
    EXPECT_THAT(refusal(m_raw + "shape = [3, 3, 5]\n"),
                AllOf(HasSubstr("3 B-scans"), HasSubstr("holds 2")));
    EXPECT_THAT(refusal(m_raw + "shape = [3, 5]\n"), HasSubstr("names 3 axes"));
    EXPECT_THAT(refusal(m_raw + "shape = [2, -1, 5]\n"), HasSubstr("open with -1"));
    EXPECT_THAT(refusal(m_raw), HasSubstr("needs data.dtype and data.shape"));
    EXPECT_THAT(refusal("dtype = \"<u2\"\naxes = [\"sample\", \"lateral\"]\nshape = [5, 6]\n"),
                HasSubstr("in the order volume, bscan"));
    EXPECT_THAT(refusal("dtype = \"<u2\"\naxes = [\"channel\", \"sample\"]\nshape = [6, 5]\n"),
                HasSubstr("cannot hold 'channel'"));
    EXPECT_THAT(refusal("dtype = \"<u2\"\naxes = [\"sample\", \"sample\"]\nshape = [6, 5]\n"),
                HasSubstr("twice"));
    EXPECT_THAT(refusal("dtype = \"<u2\"\naxes = [\"bscan\"]\nshape = [30]\n"),
                HasSubstr("'sample'"));
    EXPECT_THAT(refusal("dtype = \"<c8\"\naxes = [\"sample\"]\nshape = [5]\n"),
                HasSubstr("complex"));
    EXPECT_THAT(refusal("dtype = \"packed12\"\naxes = [\"lateral\", \"sample\"]\nshape = [8, 5]\n"),
                HasSubstr("even number of samples"));
    EXPECT_THAT(refusal(m_raw + shape + "shift = 16\n"), HasSubstr("0 to 15 bits"));
    EXPECT_THAT(refusal(m_raw + shape, "chirp = [0, 1, 1, 3, 4]\n"), HasSubstr("not monotonic"));
    EXPECT_THAT(refusal(m_raw + shape, "resampling = [0, 1, 1, 3, 4]\n"),
                HasSubstr("not monotonic"));
    EXPECT_THAT(refusal(m_raw + shape, "resampling = [0, 1, 2, 3, 7]\n"), HasSubstr("outside"));
    EXPECT_THAT(refusal(m_raw + shape, "resampling = [0, 1, 2]\n"), HasSubstr("has 3 values"));
    EXPECT_THAT(refusal(m_raw + shape, "resampling = [0, 1, 2, 3, 4]\nchirp = [0, 1, 2, 3, 4]\n"),
                HasSubstr("both given"));
    EXPECT_THAT(refusal(m_raw + shape, "dispersion = [0, 1, nan, 3, 4]\n"),
                HasSubstr("finite number"));
    EXPECT_THAT(refusal(m_raw + shape, "background = { from = \"x\" }\n"), HasSubstr("no names"));
    EXPECT_THAT(refusal(m_raw + shape, "background = { scale = 2 }\n"), HasSubstr("needs file"));
    EXPECT_THAT(refusal(m_raw + shape, "background = true\n"), HasSubstr("must be a list"));
    EXPECT_THAT(refusal(m_raw + shape, "bandwidth = -1\n"), HasSubstr("must not be negative"));
    EXPECT_THAT(refusal(m_raw + shape, "centre_wavelength = 1e-6\nbandwidth = 2e-6\n"),
                HasSubstr("make no sense"));
    EXPECT_THAT(refusal(m_raw + shape, "wavelength = 1e-6\n"), HasSubstr("no known key"));
    EXPECT_THAT(refusal(m_raw + shape + "[probe]\npitch = 1\n"), HasSubstr("'probe'"));
    EXPECT_THAT(refusal("dtype = \"<u2\"\naxes = [\"lateral\", \"sample\"]\nshape = [15, 2]\n"),
                HasSubstr("4 to"));
    // What is merely useless is left out, with a warning.
    const auto recording = open(m_raw + shape, "background = [3, 3, 3, 3, 3]\n");
    EXPECT_THAT(recording->info().frame.spectrometer->background, IsEmpty());
    EXPECT_THAT(recording->info().warnings, ElementsAre(HasSubstr("3 at every sample")));
    writeNpz("(2, 5)", 10);
    EXPECT_THAT(refusal("array = \"raw\"\naxes = [\"lateral\", \"sample\"]\nshape = [2, 5]\n"),
                HasSubstr("says its shape itself"));
    EXPECT_THAT(refusal("array = \"x\"\naxes = [\"lateral\", \"sample\"]\n"),
                HasSubstr("must name one"));
    EXPECT_THAT(refusal("array = \"raw\"\naxes = [\"sample\"]\n"), HasSubstr("names 1 axes"));
}

TEST_F(SpectraSidecarTest, WavelengthsOfASpectrometer) {
    writeFile(m_path, bytesOfValues(countedUp<std::uint16_t>(10)));
    const std::string data = m_raw + "shape = [1, 2, 5]\n";
    // 800, 820, 850, 890, 940 nm
    for (const char* given : {"wavelength_polynomial_nm = [800, 15, 5]\n",
                              "wavelengths_nm = [800, 820, 850, 890, 940]\n",
                              "wavelength_polynomial = [800e-9, 15e-9, 5e-9]\n"}) {
        const auto facts = open(data, given)->info().frame.spectrometer;
        EXPECT_NEAR(facts->bandwidthM, 140e-9, 1e-15);
        EXPECT_NEAR(facts->centreWavelengthM, 870e-9, 1e-15);
        ASSERT_EQ(facts->resampling.size(), 5U);
        EXPECT_EQ(facts->resampling.front(), 0.0);
        EXPECT_EQ(facts->resampling.back(), 4.0);
        // Half way in wavenumber: 1 / 864.4 nm, between 850 and 890 nm.
        const double half = 0.5 * (1.0 / 800 + 1.0 / 940);
        EXPECT_NEAR(facts->resampling[2], 2 + (1.0 / 850 - half) / (1.0 / 850 - 1.0 / 890), 1e-9);
    }
    EXPECT_THAT(refusal(data, "wavelength_polynomial = [800, 15, 5]\n"), HasSubstr("no light"));
    EXPECT_THAT(refusal(data, "wavelength_polynomial_nm = [800, 30, -10]\n"),
                HasSubstr("wavenumbers"));
    EXPECT_THAT(refusal(data, "wavelengths_nm = [800, 900]\n"), HasSubstr("5 samples"));
    EXPECT_THAT(refusal(data, "wavelengths_nm = [1, 2, 3, 4, 5]\nchirp = [0, 1, 2, 3, 4]\n"),
                HasSubstr("keep one"));
}

} // namespace
} // namespace echolux::test
