// SPDX-License-Identifier: GPL-3.0-or-later
// echolux calibrate, through the command line: what it writes, that the stages take it, and what it
// refuses.
#include "app/dataset/calibration/calibration.hpp"
#include "app/dataset/recording/recording.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CalibrateCommand : public testing::Test {
protected:
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    /// A mirror at `depthUm` whose recording knows its background alone.
    std::string mirror(const std::string& name, const std::string& depthUm,
                       const std::string& samples = "512") const {
        const CommandResult result =
            runEcholux({"simulate", "oct", "-o", file(name), "--sample", "mirror", "--mirror-depth",
                        depthUm, "--samples", samples, "--lines", "16", "--frames", "1",
                        "--calibration", "background", "--dispersion", "60,-40"});
        EXPECT_EQ(result.status, 0) << result.err;
        return file(name);
    }
    /// Of the simulated spectrometer.
    std::vector<double> trueResampling() const {
        const CommandResult result =
            runEcholux({"simulate", "oct", "-o", file("truth.h5"), "--samples", "512", "--lines",
                        "2", "--frames", "1"});
        EXPECT_EQ(result.status, 0) << result.err;
        return openRecording(file("truth.h5"))->info().frame.spectrometer->resampling;
    }
    static std::string cine() {
        return std::string(ECHOLUX_SOURCE_DIR) + "/testdata/retina_cine.echolux.h5";
    }
    TemporaryFolder m_folder;
};

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

TEST_F(CalibrateCommand, TwoMirrorsGiveTheTruth) {
    const CommandResult result =
        runEcholux({"calibrate", "k", "--mirror", mirror("a.h5", "110"), "--mirror2",
                    mirror("b.h5", "-90"), "-o", file("k.toml")});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("from linear"));
    const Calibration found = loadCalibration(file("k.toml"));
    ASSERT_EQ(found.resampling.size(), 512U);
    EXPECT_EQ(found.dispersionRad.size(), 512U);
    EXPECT_LT(largestDifference(found.resampling, trueResampling()), 0.5);
    // A recording takes it over.
    const auto calibrated = openRecording(file("a.h5"), {.calibration = file("k.toml")});
    EXPECT_EQ(calibrated->info().frame.spectrometer->resampling.size(), 512U);
}

TEST_F(CalibrateCommand, OneMirrorSaysThatItsCurveHoldsTheDispersion) {
    const CommandResult one =
        runEcholux({"calibrate", "k", "--mirror", mirror("a.h5", "110"), "-o", file("k.toml")});
    ASSERT_EQ(one.status, 0) << one.err;
    EXPECT_THAT(one.out, AllOf(HasSubstr("One mirror"), HasSubstr("dispersion")));
    EXPECT_GT(largestDifference(loadCalibration(file("k.toml")).resampling, trueResampling()), 2.0);
    const CommandResult both = runEcholux({"calibrate", "k", "--mirror", file("a.h5"), "--mirror2",
                                           mirror("b.h5", "-90"), "-o", file("k2.toml")});
    ASSERT_EQ(both.status, 0) << both.err;
    EXPECT_THAT(both.out, Not(HasSubstr("One mirror")));
}

TEST_F(CalibrateCommand, DispersionOfTheBundledCineIsFound) {
    const CommandResult result =
        runEcholux({"calibrate", "dispersion", cine(), "--frames", "2", "--region", "20:220,10:190",
                    "--backend", "cpu", "-o", file("d.toml")});
    ASSERT_EQ(result.status, 0) << result.err;
    const Calibration found = loadCalibration(file("d.toml"));
    ASSERT_TRUE(found.dispersionTerms.has_value());
    EXPECT_NEAR((*found.dispersionTerms)[0] / 400.0, 1.0, 0.05);
    EXPECT_NEAR((*found.dispersionTerms)[1] / 320.0, 1.0, 0.05);
    EXPECT_EQ(found.resampling.size(), 512U) << "what the recording knew goes along";
    EXPECT_THAT(result.out, HasSubstr("contrast"));
}

TEST_F(CalibrateCommand, ABackgroundIsTheMeanOfTheLines) {
    const std::string recorded = file("r.h5");
    ASSERT_EQ(runEcholux({"simulate", "oct", "-o", recorded, "--samples", "256", "--lines", "10",
                          "--frames", "4", "--type", "u16"})
                  .status,
              0);
    const auto recording = openRecording(recorded);
    const FrameSpec& spec = recording->info().frame;
    ASSERT_EQ(spec.dtype, DType::U16);
    std::vector<double> mean(256, 0.0);
    std::vector<std::uint16_t> codes(static_cast<std::size_t>(spec.count()));
    constexpr int kLines = 15; // of frame 2 and half of frame 3
    for (int line = 0; line < kLines; ++line) {
        if (line % 10 == 0)
            recording->readFrame(1 + line / 10, std::as_writable_bytes(std::span(codes)));
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += codes[static_cast<std::size_t>(line % 10) * mean.size() + i] /
                       static_cast<double>(kLines);
    }
    const CommandResult result = runEcholux({"calibrate", "background", recorded, "--frame", "2",
                                             "--lines", "15", "-o", file("b.toml")});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("Mean of 15 A-scans"));
    const Calibration found = loadCalibration(file("b.toml"));
    ASSERT_EQ(found.background.size(), mean.size());
    for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(found.background[i], mean[i], 1e-2);
    EXPECT_EQ(found.resampling, recording->info().frame.spectrometer->resampling);
    const auto calibrated = openRecording(recorded, {.calibration = file("b.toml")});
    EXPECT_EQ(calibrated->info().frame.spectrometer->background, found.background);

    const CommandResult all =
        runEcholux({"calibrate", "background", recorded, "-o", file("c.npz")});
    ASSERT_EQ(all.status, 0) << all.err;
    EXPECT_THAT(all.out, HasSubstr("Mean of 40 A-scans"));
}

TEST_F(CalibrateCommand, RefusesInOneSentence) {
    const std::string good = mirror("a.h5", "110");
    const auto refusal = [&](const std::vector<std::string>& arguments) {
        std::vector<std::string> all{"calibrate"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        all.insert(all.end(), {"-o", file("x.toml")});
        const CommandResult result = runEcholux(all);
        EXPECT_EQ(result.status, 2);
        EXPECT_FALSE(std::filesystem::exists(file("x.toml")));
        return result.err;
    };
    const std::string phantom =
        std::string(ECHOLUX_SOURCE_DIR) + "/testdata/phantom_cine.echolux.h5";
    EXPECT_THAT(refusal({"k", "--mirror", phantom}), HasSubstr("no OCT spectra"));
    EXPECT_THAT(refusal({"dispersion", phantom}), HasSubstr("no OCT spectra"));
    EXPECT_THAT(refusal({"k", "--mirror", cine()}), HasSubstr("fringe"));
    EXPECT_THAT(refusal({"k", "--mirror", good, "--mirror2", mirror("c.h5", "-90", "256")}),
                HasSubstr("512 and 256"));
    EXPECT_THAT(refusal({"k", "--mirror", good, "--order", "40"}), HasSubstr("order"));
    EXPECT_THAT(refusal({"k", "--mirror", good, "--frame", "2"}), HasSubstr("frame 2"));
    EXPECT_THAT(refusal({"dispersion", cine(), "--region", "10:999"}), HasSubstr("depth bins"));
    EXPECT_THAT(refusal({"dispersion", cine(), "--region", "ten"}), HasSubstr("--region"));
    EXPECT_THAT(refusal({"dispersion", cine(), "--metric", "beauty"}), HasSubstr("'beauty'"));
    EXPECT_THAT(refusal({"dispersion", cine(), "--frames", "99"}), HasSubstr("choose fewer"));
    EXPECT_THAT(refusal({"background", phantom}), HasSubstr("no OCT spectra"));
    EXPECT_THAT(refusal({"background", cine(), "--lines", "999999"}), HasSubstr("--lines"));
    EXPECT_THAT(refusal({"background", cine(), "--frame", "99"}), HasSubstr("from frame 99"));
}

TEST_F(CalibrateCommand, ChecksTheOutputBeforeTheSearch) {
    const auto refusal = [&](const std::string& what, const std::string& output) {
        // No recording of that name: what is said of it comes after the output.
        const std::string missing = file("missing.h5");
        const CommandResult result =
            what == "k" ? runEcholux({"calibrate", "k", "--mirror", missing, "-o", output})
                        : runEcholux({"calibrate", what, missing, "-o", output});
        EXPECT_EQ(result.status, 2);
        return result.err;
    };
    for (const std::string what : {"k", "dispersion", "background"}) {
        EXPECT_THAT(refusal(what, file("x.txt")), HasSubstr(".toml, .npz, .npy or .csv"));
        EXPECT_THAT(refusal(what, file("no/x.toml")), HasSubstr("check the folder"));
    }
    EXPECT_THAT(refusal("dispersion", file("x.csv")), HasSubstr("no dispersion"));
    EXPECT_THAT(refusal("background", file("x.csv")), HasSubstr("no background"));
    EXPECT_THAT(refusal("k", file("x.csv")), HasSubstr("missing.h5"));
    EXPECT_FALSE(std::filesystem::exists(file("x.csv")));
}

TEST_F(CalibrateCommand, RefusesTheSameMirrorTwice) {
    const std::string a = mirror("a.h5", "110");
    const auto refusal = [&](const std::string& second) {
        const CommandResult result = runEcholux(
            {"calibrate", "k", "--mirror", a, "--mirror2", second, "-o", file("x.toml")});
        EXPECT_EQ(result.status, 2);
        return result.err;
    };
    EXPECT_THAT(refusal(a), HasSubstr("Both mirrors are 'a.h5'"));
    std::filesystem::copy(a, file("b.h5"));
    EXPECT_THAT(refusal(file("b.h5")), HasSubstr("are the same"));
}

} // namespace
} // namespace echolux::test
