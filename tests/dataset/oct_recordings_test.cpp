// SPDX-License-Identifier: GPL-3.0-or-later
// The public OCT recordings open as NumPy reads them (vectors/make_oct_recordings.py).
#include "app/dataset/frames/spectra_check.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace echolux::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAreArray;
using testing::Matcher;

class OctRecordings : public testing::Test {
protected:
    static std::filesystem::path file(const std::string& name) {
        return std::filesystem::path(ECHOLUX_SHARED_DATA) / "data/oct" / name;
    }
    void SetUp() override {
        if (!std::filesystem::exists(file("LP01_shift.raw")))
            GTEST_SKIP() << file("") << " is not here";
        const auto path = std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors";
        m_expected = nlohmann::json::parse(readFile(path / "oct_recordings.json"));
    }
    /// The values at the places that the script wrote down.
    template <class Values> std::vector<double> at(const Values& values, std::size_t first = 0) {
        std::vector<double> picked;
        for (const std::size_t place : m_expected["places"])
            picked.push_back(static_cast<double>(values.at(first + place)));
        return picked;
    }
    /// Of a line as the chain sees it: samples less background.
    static std::vector<double> fringeOf(Recording& recording) {
        std::vector<double> values = frameOf(recording);
        const auto& background = recording.info().frame.spectrometer->background;
        for (std::size_t i = 0; i < values.size(); ++i) values[i] -= background.at(i);
        return values;
    }
    static Matcher<const std::vector<double>&> are(const nlohmann::json& values, double tolerance) {
        std::vector<Matcher<double>> each;
        for (const double value : values) each.push_back(DoubleNear(value, tolerance));
        return ElementsAreArray(each);
    }
    nlohmann::json m_expected;
};

TEST_F(OctRecordings, RawBscansWithBackgroundAndChirp) {
    for (const std::string name : {"LP01_shift", "pdms_LP01", "bois_LP01"}) {
        SCOPED_TRACE(name);
        const auto recording = openRecording(file(name + ".raw"));
        const RecordingInfo& info = recording->info();
        EXPECT_EQ(info.frame.describe(), "u16 [lateral 1024][sample 1024]");
        EXPECT_EQ(info.frameCount, 1);
        EXPECT_TRUE(info.warnings.empty());
        for (const Axis& axis : info.frame.axes) {
            EXPECT_EQ(axis.unit, "");
            EXPECT_EQ(axis.spacing, 1.0);
        }
        const Spectrometer& facts = *info.frame.spectrometer;
        EXPECT_NEAR(facts.centreWavelengthM, 930e-9, 1e-15);
        EXPECT_EQ(info.frame.stack.bscansPerVolume, 1);
        const nlohmann::json& expected = m_expected[name];
        EXPECT_THAT(at(facts.background), are(expected["background"], 1e-3));
        EXPECT_THAT(at(facts.resampling), are(expected["resampling"], 1e-9));
        const std::vector<double> frame = frameOf(*recording);
        EXPECT_THAT(at(frame), are(expected["first_line"], 0.0));
        EXPECT_THAT(at(frame, 1023 * 1024), are(expected["last_line"], 0.0));
        EXPECT_EQ(std::accumulate(frame.begin(), frame.end(), 0.0), expected["sum"]);
        // The depth step of the header, 3.347 um, follows from the bandwidth.
        const double shortest = facts.centreWavelengthM - 0.5 * facts.bandwidthM;
        const double longest = facts.centreWavelengthM + 0.5 * facts.bandwidthM;
        EXPECT_NEAR(1023.0 / 1024.0 / (2.0 * (1.0 / shortest - 1.0 / longest)), 3.347e-6, 1e-11);
    }
}

TEST_F(OctRecordings, MirrorSpectraLessWhatEachArmGives) {
    for (const std::string name : {"mirror1", "mirror2"}) {
        SCOPED_TRACE(name);
        const auto recording = openRecording(file("mirror_LP01/" + name + ".txt"));
        EXPECT_EQ(recording->info().frame.describe(), "f32 [lateral 1][sample 1024]");
        const std::vector<double> fringe = fringeOf(*recording);
        EXPECT_THAT(at(fringe), are(m_expected[name]["fringe"], 0.1));
        double power = 0.0;
        for (const double value : fringe) power += value * value / 1024.0;
        EXPECT_NEAR(std::sqrt(power) / m_expected[name]["fringe_rms"].get<double>(), 1.0, 1e-6);
    }
}

TEST_F(OctRecordings, MirrorWithItsCalibration) {
    const auto recording = openRecording(file("cscan_calibration_example_LP01.npz"));
    const nlohmann::json& expected = m_expected["calibrated"];
    EXPECT_THAT(at(fringeOf(*recording)), are(expected["fringe"], 1e-6));
    const Spectrometer& facts = *recording->info().frame.spectrometer;
    EXPECT_THAT(at(facts.resampling), are(expected["resampling"], 1e-12));
    EXPECT_THAT(at(facts.dispersionRad), are(expected["dispersion"], 1e-12));
}

TEST_F(OctRecordings, VolumeWithTheCalibrationBesideIt) {
    const auto recording = openRecording(file("cscan_50x100x1024_uint16.npy"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "u16 [lateral 100][sample 1024]");
    EXPECT_EQ(info.frameCount, 50);
    const Spectrometer& facts = *info.frame.spectrometer;
    EXPECT_EQ(info.frame.stack.bscansPerVolume, 50);
    EXPECT_THAT(at(facts.resampling), are(m_expected["calibrated"]["resampling"], 1e-12));
    std::vector<double> negated = facts.dispersionRad;
    for (double& phase : negated) phase = -phase;
    EXPECT_THAT(at(negated), are(m_expected["calibrated"]["dispersion"], 1e-12));
    const std::vector<int> bscans{0, 1, 25, 49};
    for (std::size_t i = 0; i < bscans.size(); ++i) {
        const std::vector<double> frame = frameOf(*recording, bscans[i]);
        EXPECT_EQ(std::accumulate(frame.begin(), frame.end(), 0.0), m_expected["cscan"]["sums"][i]);
    }
    EXPECT_THAT(at(frameOf(*recording, 49), 99 * 1024), are(m_expected["cscan"]["line"], 0.0));
}

TEST_F(OctRecordings, CutAndChangedRawBscans) {
    const TemporaryFolder folder;
    const std::string whole = readFile(file("pdms_LP01.raw"));
    const auto refused = [&](const std::string& bytes) {
        writeFile(folder / "a.raw", bytes);
        return refusalOf(folder / "a.raw");
    };
    using testing::HasSubstr;
    EXPECT_EQ(refused(whole), "");
    EXPECT_THAT(refused(whole.substr(0, whole.size() - 1)),
                testing::AllOf(HasSubstr(" 1 fewer"), HasSubstr("cut off")));
    EXPECT_THAT(refused(whole + "x"), HasSubstr("1 more"));
    EXPECT_THAT(refused(whole.substr(0, 100)), HasSubstr("header of 552 bytes"));
    std::string changed = whole;
    changed[36] = 0;
    changed[37] = 0;
    EXPECT_THAT(refused(changed), HasSubstr("1024 A-scans of 0 samples"));
    changed = whole;
    changed[84] = 26; // one background line more
    EXPECT_THAT(refused(changed), HasSubstr("2048 fewer"));
    changed = whole;
    const std::size_t chirp = whole.size() - 4096;
    changed.replace(chirp + 400, 4, whole, chirp + 404, 4);
    EXPECT_THAT(refused(changed), HasSubstr(": not monotonic"));
    changed.replace(chirp + 400, 4, std::string("\0\0\xC0\x7F", 4));
    EXPECT_THAT(refused(changed), testing::AllOf(HasSubstr("value 100"), HasSubstr("finite")));
    // A background without light opens, with a warning, and is left out.
    changed = whole;
    changed.replace(552, 25 * 2048, std::string(25 * 2048, '\0'));
    writeFile(folder / "a.raw", changed);
    const auto recording = openRecording(folder / "a.raw");
    EXPECT_TRUE(recording->info().frame.spectrometer->background.empty());
    EXPECT_THAT(recording->info().warnings, testing::ElementsAre(HasSubstr("background is 0")));
    for (const auto& [name, text] : recording->info().notes) EXPECT_NE(name, kBackgroundNote);
}

} // namespace
} // namespace echolux::test
