// SPDX-License-Identifier: GPL-3.0-or-later
// Sidecars of spectra whose values fit neither the data nor each other: a sentence says what to
// correct; and sizes and wavelengths that follow from what they say.
#include "app/dataset/guarded/open_here.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

struct WrongSpectra {
    std::string data;
    std::string spectrometer;
    const char* says;
};

class SpectraContents : public testing::Test {
protected:
    std::unique_ptr<Recording> open(const std::string& data, const std::string& spectrometer = {}) {
        writeFile(m_path.string() + ".toml",
                  "[data]\n" + data + "\n[spectrometer]\n" + spectrometer + "\n");
        return openHere(m_path, {});
    }
    void expectRefused(const std::vector<WrongSpectra>& cases) {
        for (const WrongSpectra& each : cases) {
            SCOPED_TRACE(each.data + each.spectrometer);
            std::string said;
            try {
                open(each.data, each.spectrometer);
            } catch (const Error& error) {
                said = error.what();
            }
            EXPECT_THAT(said, AllOf(HasSubstr(m_path.filename().string()), HasSubstr(each.says)));
        }
    }
    /// 2 B-scans of 3 lines of 5 samples.
    void writeRaw() { writeFile(m_path, bytesOfValues(countedUp<std::uint16_t>(30))); }
    void writeArray(const std::string& descr, const std::string& shape, std::size_t bytes,
                    bool fortran = false) {
        m_path = m_folder / "oct.npz";
        writeZip(m_path,
                 {{"raw.npy", npyBytes(npyDictionary(descr, shape, fortran),
                                       bytesOfValues(countedUp<std::uint16_t>(bytes / 2)))},
                  {"k.npy", npyBytes(npyDictionary("<f8", "(5,)"),
                                     bytesOfValues(std::vector<double>{0, 1, 2, 3, 4}))}},
                 false);
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "oct.bin";
};

const std::string kBscanAxes = "axes = [\"bscan\", \"lateral\", \"sample\"]\n";
const std::string kVolumeAxes = "axes = [\"volume\", \"bscan\", \"lateral\", \"sample\"]\n";
const std::string kCodes = "dtype = \"<u2\"\n" + kBscanAxes + "shape = [2, 3, 5]\n";
const std::string kVolumes = "dtype = \"<u2\"\n" + kVolumeAxes;

TEST_F(SpectraContents, OfHeaderlessFilesMustFit) {
    writeRaw();
    writeFile(m_folder / "noise.bin", "\x01\x02\x03\xff\xfe");
    const std::string four = "[1, 2, 3, 4]\n";
    const std::string many = "wavelength_polynomial = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, "
                             "14, 15, 16, 17]\n";
    expectRefused({
        {kCodes + "code_scale = [1, 2]\n", "", "one number other than 0"},
        {kCodes + "code_scale = 0\n", "", "one number other than 0"},
        {kCodes + "converter_range = [1]\n", "", "highest code"},
        {kCodes + "converter_range = [2, 2]\n", "", "highest code"},
        {kCodes + "array = \"a\"\n", "", "has no names"},
        {"dtype = \"<u2\"\n" + kBscanAxes, "", "needs data.dtype and data.shape"},
        {"dtype = \"<u2\"\naxes = [\"none\", \"lateral\", \"sample\"]\nshape = [1, 6, 5]\n", "",
         "no axis named 'none'"},
        {"dtype = \"<u2\"\naxes = [\"lateral\", \"bscan\", \"sample\"]\nshape = [3, 2, 5]\n", "",
         "in the order volume"},
        {"dtype = \"<u2\"\n" + kBscanAxes + "shape = [6, 5]\n", "", "names 3 axes"},
        {"dtype = \"<u2\"\n" + kBscanAxes + "shape = [2, 3, -1]\n", "", "may leave only"},
        {"dtype = \"<u2\"\n" + kBscanAxes + "shape = [2, -1, 5]\n", "", "may leave only"},
        {kVolumes + "shape = [1, -1, 3, 5]\n", "", "may leave only"},
        {kVolumes + "shape = [1099511627776, 1099511627776, 3, 5]\n", "", "larger than any file"},
        {"dtype = \"<u2\"\n" + kBscanAxes + "shape = [3, 3, 5]\n", "", "names 3 B-scans"},
        {"dtype = \"<c8\"\n" + kBscanAxes + "shape = [1, 1, 5]\n", "", "spectra are real"},
        {kCodes, "background = " + four, "has 4 values"},
        {kCodes, "background = \"k\"\n", "has no names"},
        {kCodes, "background = { file = \"noise.bin\" }\n", "neither text nor"},
        {kCodes, "chirp = [0, 1, 1, 2, 3]\n", "not monotonic"},
        {kCodes, "wavelengths = [1, 2, 3, 4, 5]\n", "which is no light"},
        {kCodes, "wavelengths_nm = [1, 2, 3, 4, 5]\n", "which is no light"},
        {kCodes, "wavelengths_nm = [800, 810, 805, 820, 830]\n", "wavenumbers"},
        {kCodes, many, "17 coefficients"},
        {kCodes, "wavelength_polynomial = [\"a\", \"b\"]\n", "one list of coefficients"},
        {kCodes, "wavelength_polynomial = \"a\"\n", "has no names"},
    });
}

TEST_F(SpectraContents, OfArraysMustFit) {
    writeArray("<u2", "(2, 3, 5)", 60);
    const std::string named = "array = \"raw\"\n" + kBscanAxes;
    expectRefused({
        {named + "shape = [2, 3, 5]\n", "", "says its shape itself"},
        {named + "offset = 2\n", "", "says its shape itself"},
        {named + "trailer = 2\n", "", "says its shape itself"},
        {named + "background_lines = 1\n", "", "says its shape itself"},
        {named + "mirrored_bscans = \"odd\"\n", "", "says its shape itself"},
        {"array = [\"raw\", \"k\"]\n" + kBscanAxes, "", "is one name"},
        {"array = \"b\"\n" + kBscanAxes, "", "one of the arrays"},
        {kBscanAxes, "", "one of the arrays"},
        {"array = \"raw\"\naxes = [\"bscan\", \"sample\"]\n", "", "names 2 axes"},
        {named, "background = \"b\"\n", "needs one of the arrays"},
        {named, "background = { file = \"oct.npz\", from = \"b\" }\n", "needs one of the arrays"},
    });
    writeArray("<c8", "(2, 3, 5)", 240);
    expectRefused({{named, "", "spectra are real"}});
    writeArray("<u2", "(1, 2, 3, 5)", 60);
    const char* const kFirstTwo = "must be the first two axes";
    expectRefused({{"array = \"raw\"\naxes = [\"bscan\", \"volume\", \"lateral\", \"sample\"]\n",
                    "", kFirstTwo},
                   {"array = \"raw\"\naxes = [\"volume\", \"lateral\", \"bscan\", \"sample\"]\n",
                    "", kFirstTwo}});
    writeArray("<u2", "(1, 2, 3, 5)", 60, true);
    expectRefused({{"array = \"raw\"\n" + kVolumeAxes, "", kFirstTwo}});
}

TEST_F(SpectraContents, SizesFollowFromTheShape) {
    writeRaw();
    const auto stackOf = [&](const std::string& shape, const std::string& spectrometer = {}) {
        const auto recording = open(kVolumes + "shape = " + shape + "\n", spectrometer);
        EXPECT_EQ(recording->info().frameCount, 2);
        return recording->info().frame.stack.bscansPerVolume;
    };
    EXPECT_EQ(stackOf("[-1, 2, 3, 5]"), 2);
    EXPECT_EQ(stackOf("[1, 2, 3, 5]"), 2);
    EXPECT_EQ(stackOf("[-1, 2, 3, 5]", "bscans_per_volume = 1\n"), 1) << "what is said counts";
    writeArray("<u2", "(1, 2, 3, 5)", 60);
    const auto volumes = open("array = \"raw\"\n" + kVolumeAxes, "dispersion = \"k\"\n");
    EXPECT_EQ(volumes->info().frame.stack.bscansPerVolume, 2);
    EXPECT_EQ(frameOf(*volumes, 1).front(), 15.0);
    EXPECT_THAT(volumes->info().frame.spectrometer->dispersionRad, ElementsAre(0, 1, 2, 3, 4));
    const auto said = open("array = \"raw\"\n" + kVolumeAxes, "bscans_per_volume = 1\n");
    EXPECT_EQ(said->info().frame.stack.bscansPerVolume, 1);
}

TEST_F(SpectraContents, AxesWithoutNamesAndSingleLinesOpen) {
    writeArray("<u2", "(6, 5)", 60);
    const auto lines = open("array = \"raw\"\naxes = [\"bscan\", \"sample\"]\n");
    EXPECT_EQ(lines->info().frame.describe(), "u16 [lateral 1][sample 5]");
    EXPECT_EQ(lines->info().frameCount, 6);
    EXPECT_EQ(frameOf(*lines, 5).front(), 25.0);
    writeArray("<u2", "(2, 3, 5)", 60);
    const auto merged = open("array = \"raw\"\naxes = [\"volume\", \"bscan\", \"sample\"]\n");
    EXPECT_EQ(merged->info().frameCount, 6);
    EXPECT_EQ(frameOf(*merged, 4).front(), 20.0);
    writeArray("<u2", "(2, 1, 3, 5)", 60);
    const std::string named = "array = \"raw\"\naxes = [\"bscan\", \"none\", \"lateral\", "
                              "\"sample\"]\n";
    EXPECT_EQ(frameOf(*open(named), 1).front(), 15.0);
    EXPECT_EQ(frameOf(*open("array = \"raw\"\n" + kBscanAxes), 1).front(), 15.0)
        << "an axis of one entry needs no name";
}

TEST_F(SpectraContents, WavelengthsGiveCentreAndBandwidth) {
    writeRaw();
    const auto facts = [&](const std::string& spectrometer) {
        return *open(kCodes, spectrometer)->info().frame.spectrometer;
    };
    const std::string nm = "wavelengths_nm = [800, 810, 820, 830, 840]\n";
    EXPECT_NEAR(facts(nm).centreWavelengthM, 820e-9, 1e-15);
    EXPECT_NEAR(facts(nm).bandwidthM, 40e-9, 1e-15);
    const Spectrometer stated = facts(nm + "centre_wavelength = 821e-9\nbandwidth = 30e-9\n");
    EXPECT_EQ(stated.centreWavelengthM, 821e-9);
    EXPECT_EQ(stated.bandwidthM, 30e-9);
    EXPECT_NEAR(facts("wavelength_polynomial_nm = [800, 10]\n").centreWavelengthM, 820e-9, 1e-15);
    EXPECT_NEAR(facts("wavelengths = [8e-7, 8.1e-7, 8.2e-7, 8.3e-7, 8.4e-7]\n").bandwidthM, 40e-9,
                1e-15);
}

} // namespace
} // namespace echolux::test
