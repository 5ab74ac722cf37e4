// SPDX-License-Identifier: GPL-3.0-or-later
// Calibration files come back as they were written, as NumPy and OCTproZ write them, and fit the
// recordings that they are given for.
#include "app/dataset/calibration/calibration.hpp"
#include "tests/dataset/damaged_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pointwise;

Calibration sample(int samples = 40) {
    Calibration c;
    c.title = "our \"second\" device";
    for (int i = 0; i < samples; ++i) {
        const double x = i / (samples - 1.0);
        c.resampling.push_back((samples - 1) * (0.87 * x + 0.13 * x * x));
        c.dispersionRad.push_back(-31.0 / 7.0 * x * x);
        c.background.push_back(1000.1F + 0.3F * static_cast<float>(i));
    }
    c.centreWavelengthM = 1310e-9;
    c.bandwidthM = 110.5e-9;
    return c;
}

std::string refusal(const std::filesystem::path& path) {
    try {
        loadCalibration(path);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(CalibrationFile, KeepsEveryValue) {
    const TemporaryFolder folder;
    for (const std::string name : {"a.toml", "a.npz"}) {
        SCOPED_TRACE(name);
        const Calibration c = sample();
        saveCalibration(folder / name, c);
        const Calibration d = loadCalibration(folder / name);
        EXPECT_EQ(d.title, name == "a.toml" ? c.title : std::string());
        EXPECT_EQ(d.resampling, c.resampling);
        EXPECT_EQ(d.dispersionRad, c.dispersionRad);
        EXPECT_EQ(d.background, c.background);
        EXPECT_EQ(d.centreWavelengthM, c.centreWavelengthM);
        EXPECT_EQ(d.bandwidthM, c.bandwidthM);
        EXPECT_FALSE(d.dispersionTerms);
        for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
            EXPECT_NE(entry.path().extension(), ".partial");

        const Calibration terms{.dispersionTerms = {{-120.25, 3e-20, 1234.0625}}};
        saveCalibration(folder / name, terms);
        EXPECT_EQ(loadCalibration(folder / name).dispersionTerms, terms.dispersionTerms);
    }
    for (const std::string name : {"a.npy", "a.csv"}) {
        SCOPED_TRACE(name);
        saveCalibration(folder / name, sample());
        const Calibration d = loadCalibration(folder / name);
        EXPECT_EQ(d.resampling, sample().resampling);
        EXPECT_THAT(d.dispersionRad, IsEmpty());
    }
}

TEST(CalibrationFile, TextOfOtherPrograms) {
    const TemporaryFolder folder;
    const auto load = [&](const std::string& text) {
        writeFile(folder / "c.csv", text);
        return loadCalibration(folder / "c.csv").resampling;
    };
    EXPECT_THAT(load("Sample Number;Sample Value\n0;0\n1;0.8\n2;1.7\n3;3\n"),
                ElementsAre(0, 0.8, 1.7, 3));
    EXPECT_THAT(load("\xEF\xBB\xBFNummer;Wert\r\n0;0,0\r\n1;0,8\r\n2;1,7\r\n3;3,0\r\n"),
                ElementsAre(0, 0.8, 1.7, 3));
    EXPECT_THAT(load("# k\n0\n.8\n+1.7\n3e0"), ElementsAre(0, 0.8, 1.7, 3));
    EXPECT_THAT(load("1, 0\n2, 0.8\n3, 1.7\n4, 3\n"), ElementsAre(0, 0.8, 1.7, 3));
    EXPECT_THAT(load("0\t3\n1\t2.5\n2 1.5\n3   0\n"), ElementsAre(3, 2.5, 1.5, 0));
}

TEST(CalibrationFile, NumpyNames) {
    const TemporaryFolder folder;
    const std::vector<double> curve{0, 0.9, 2.1, 3};
    const std::vector<double> phase{0, -1, 2, 5};
    writeZip(folder / "c.npz",
             {{"klinear.npy", npyBytes(npyDictionary("<f8", "(4,)"), bytesOfValues(curve))},
              {"dispersion.npy", npyBytes(npyDictionary("<f8", "(4,)"), bytesOfValues(phase))},
              {"mirror1.npy", npyBytes(npyDictionary("<f8", "(4,)"), bytesOfValues(phase))}},
             true);
    const Calibration c = loadCalibration(folder / "c.npz");
    EXPECT_EQ(c.resampling, curve);
    EXPECT_EQ(c.dispersionRad, phase);
}

TEST(CalibrationFile, BadOnesAreRefused) {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& text) {
        writeFile(folder / "c.toml", text);
        return refusal(folder / "c.toml");
    };
    const std::string head = "echolux_calibration = 1\n";
    EXPECT_EQ(refused(head + "resampling = [0, 0.9, 2.1, 3.0]\n"), "");
    // A phase, say: a curve of positions runs along the line.
    EXPECT_THAT(
        refused(head + "resampling = [0, 0.1, 0.3, 0.6, 1.1, 1.9]\n"),
        AllOf(HasSubstr("0 to 1.9"), HasSubstr("6 samples"), HasSubstr("'dispersion_rad'")));
    EXPECT_EQ(refused(head + "dispersion_terms = [-1000, 2000, 4000]\n"), "");
    EXPECT_THAT(refused(head + "dispersion_terms = [400, 2001, 0]\n"),
                AllOf(HasSubstr("c2 of 2001 rad"), HasSubstr("to 2000")));
    EXPECT_THAT(refused(""), HasSubstr("0 bytes"));
    EXPECT_THAT(refused(head), HasSubstr("without a curve"));
    EXPECT_THAT(refused("echolux_calibration = 2\nresampling = [0, 1, 2, 3]\n"),
                AllOf(HasSubstr("version 2"), HasSubstr("up to 1")));
    EXPECT_THAT(refused("echolux_calibration = \"x\"\n"), HasSubstr("no number"));
    EXPECT_THAT(refused(head + "resampling = [0, 1"), HasSubstr("not valid TOML"));
    EXPECT_THAT(refused(head + "resampling = 3\n"), HasSubstr("must be a list"));
    EXPECT_THAT(refused(head + "resampling = [\"a\"]\n"), HasSubstr("must hold numbers"));
    EXPECT_THAT(refused(head + "bandwith = 3\n"), HasSubstr("'bandwith' is no known key"));
    EXPECT_THAT(
        refused(head + "resampling = [0, 2, 1, 3]\n"),
        AllOf(HasSubstr("values 1 and 2"), HasSubstr("are 2 and 1"), HasSubstr("not monotonic")));
    EXPECT_THAT(refused(head + "resampling = [0, 1, 1, 3]\n"), HasSubstr("not monotonic"));
    EXPECT_THAT(refused(head + "resampling = [0, 1, nan, 3]\n"),
                AllOf(HasSubstr("value 2"), HasSubstr("resampling curve"), HasSubstr("finite")));
    EXPECT_THAT(refused(head + "resampling = [0, 1, 2, 9]\n"), HasSubstr("outside the 4 samples"));
    EXPECT_THAT(refused(head + "resampling = [0, 1]\n"), HasSubstr("only 2 values"));
    const std::string slow =
        "0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, "
        "1.6, 1.7, 1.8";
    EXPECT_EQ(refused(head + "resampling = [" + slow + ", 17.8]\n"), "");
    EXPECT_THAT(
        refused(head + "resampling = [" + slow + ", 17.9]\n"),
        AllOf(HasSubstr("values 18 and 19"), HasSubstr("1.8 and 17.9"), HasSubstr("16 samples")));
    EXPECT_THAT(refused(head + "dispersion_rad = [0, 1, inf, 3]\n"), HasSubstr("no finite number"));
    EXPECT_THAT(refused(head + "dispersion_terms = [0, 1]\n"), HasSubstr("c1, c2 and c3"));
    EXPECT_THAT(refused(head + "dispersion_terms = [0, 1, nan]\n"), HasSubstr("term c3 of nan"));
    EXPECT_THAT(refused(head + "background = [0, 0, 0, 0]\n"), HasSubstr("is 0 at every sample"));
    EXPECT_THAT(refused(head + "centre_wavelength = 930\n"), HasSubstr("930 m is no wavelength"));
    EXPECT_THAT(refused("a;b\n"), HasSubstr("text without numbers"));
    EXPECT_THAT(refused("0;1\n1;x\n"), AllOf(HasSubstr("line 2"), HasSubstr("'x'")));
    EXPECT_THAT(refused("0;1\n1;2;3\n"), HasSubstr("line 2 has 3 columns"));
    EXPECT_THAT(refused("0;1\n5;2\n"), HasSubstr("must count its rows"));
    EXPECT_THAT(refused("0;1;3\n1;2;3\n"), HasSubstr("are no curve"));
    EXPECT_THAT(refused(std::string("\0\1\2\3", 4)), HasSubstr("no calibration"));
    writeFile(folder / "c.npy", npyBytes(npyDictionary("<f8", "(2, 2)"),
                                         bytesOfValues(std::vector<double>{0, 1, 2, 3})));
    EXPECT_THAT(refusal(folder / "c.npy"), HasSubstr("needs one axis"));
    writeZip(folder / "c.npz",
             {{"other.npy", npyBytes(npyDictionary("<f8", "(1,)"), std::string(8, '\0'))}}, false);
    EXPECT_THAT(refusal(folder / "c.npz"), HasSubstr("'other'"));
    writeZip(folder / "c.npz",
             {{"resampling.npy", npyBytes(npyDictionary("<f8", "(4,)"),
                                          bytesOfValues(std::vector<double>{0, 1, 2, 3}))},
              {"dispersion_terms.npy",
               npyBytes(npyDictionary("<f8", "(2,)"), bytesOfValues(std::vector<double>{40, 3}))}},
             false);
    EXPECT_THAT(refusal(folder / "c.npz"), HasSubstr("c1, c2 and c3"));
    EXPECT_THAT(refusal(folder / "missing.toml"), HasSubstr("no such file"));
}

TEST(CalibrationFile, DamageIsRefusedOrReadButNeverCrashes) {
    const TemporaryFolder folder;
    for (const std::string name : {"a.toml", "a.npz", "a.npy", "a.csv"}) {
        SCOPED_TRACE(name);
        saveCalibration(folder / name, sample());
        const std::string whole = readFile(folder / name);
        std::vector<std::string> variants = flips(whole, 300, 7);
        std::ranges::move(cuts(whole), std::back_inserter(variants));
        int refused = 0;
        for (const std::string& variant : variants) {
            writeFile(folder / name, variant);
            refused += refusal(folder / name).empty() ? 0 : 1; // another exception fails the test
        }
        EXPECT_GT(refused, 20);
    }
}

TEST(CalibrationFile, WritesOnlyWhatItCan) {
    const TemporaryFolder folder;
    EXPECT_THROW(saveCalibration(folder / "a.txt", sample()), Error);
    EXPECT_THROW(saveCalibration(folder / "a.toml", {}), Error);
    EXPECT_THROW(saveCalibration(folder / "a.csv", {.dispersionRad = {1, 2, 3, 4}}), Error);
    EXPECT_THROW(saveCalibration(folder / "no/a.toml", sample()), Error);
    EXPECT_THROW(saveCalibration(folder / "no/a.npz", sample()), Error);
}

TEST(AppliedCalibration, TakesTheRecordingsPlace) {
    Spectrometer facts;
    facts.bandwidthM = 50e-9;
    facts.background.assign(40, 3.0F);
    Calibration c = sample();
    c.background.clear();
    c.bandwidthM = 0.0;
    const AppliedCalibration result = applied(c, facts, 40, "c.toml");
    EXPECT_EQ(result.facts.resampling, c.resampling);
    EXPECT_EQ(result.facts.dispersionRad, c.dispersionRad);
    EXPECT_EQ(result.facts.background, facts.background);
    EXPECT_EQ(result.facts.centreWavelengthM, 1310e-9);
    EXPECT_EQ(result.facts.bandwidthM, 50e-9);
    EXPECT_THAT(result.warnings, IsEmpty());
}

TEST(AppliedCalibration, TermsAreThePolynomialOfTheHalvedIndex) {
    const Calibration c{.dispersionTerms = {{8.0, -16.0, 32.0}}};
    const AppliedCalibration result = applied(c, {}, 5, "c.toml");
    // x = 0, -1/8, -1/4, -3/8, -1/2
    const std::vector<double> expected{0.0, 0.1640625, 0.875, 2.6015625, 6.0};
    EXPECT_THAT(result.facts.dispersionRad, Pointwise(DoubleEq(), expected));
}

TEST(AppliedCalibration, AnotherLengthIsStretchedAndSaid) {
    const Calibration c{.resampling = {0, 0.5, 2}, .dispersionRad = {0, 1, 3}};
    const AppliedCalibration result = applied(c, {}, 5, "c.toml");
    EXPECT_THAT(result.facts.resampling, ElementsAre(0, 0.5, 1, 2.5, 4));
    EXPECT_THAT(result.facts.dispersionRad, ElementsAre(0, 0.5, 1, 2, 3));
    EXPECT_THAT(result.warnings,
                ElementsAre(HasSubstr("resampling curve of 3 values"), HasSubstr("stretched")));
}

TEST(AppliedCalibration, WhatDoesNotFitIsRefused) {
    const auto refused = [](const Calibration& c) -> std::string {
        try {
            applied(c, {}, 40, "c.toml");
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    Calibration c = sample();
    c.background.pop_back();
    EXPECT_THAT(refused(c),
                AllOf(HasSubstr("background"), HasSubstr("39 values"), HasSubstr("40 samples")));
    c = sample();
    c.resampling[3] = c.resampling[2];
    EXPECT_THAT(refused(c), HasSubstr("not monotonic"));
}

TEST(AppliedCalibration, OpensWithARecording) {
    const TemporaryFolder folder;
    writeSample(folder / "a.h5", spectraSpec(DType::U16, 3, 40), 2);
    saveCalibration(folder / "c.toml", sample());
    const auto recording = openRecording(folder / "a.h5", {.calibration = folder / "c.toml"});
    EXPECT_EQ(recording->info().frame.spectrometer->resampling, sample().resampling);
    EXPECT_EQ(recording->info().frame.stack.bscansPerVolume, 3);
    EXPECT_EQ(recording->info().notes.back().first, "Calibration");
    writeSample(folder / "us.h5", sampleSpec(DType::I16, 1, 2, 30), 1);
    EXPECT_THAT(refusalOf(folder / "us.h5", {.calibration = folder / "c.toml"}),
                HasSubstr("channel data"));
}

} // namespace
} // namespace echolux::test
