// SPDX-License-Identifier: GPL-3.0-or-later
// The screen that a recording was made behind: kept by Echolux recordings, pointed to by sidecars,
// refused where it does not fit.
#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/native_format.hpp"
#include "tests/dataset/sidecar_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class AberrationInNative : public testing::Test {
protected:
    void write(const AberrationTruth* truth, int channels = 3) {
        Provenance provenance = sampleProvenance();
        if (truth != nullptr)
            provenance.aberration = std::make_shared<const AberrationTruth>(*truth);
        const FrameSpec spec = sampleSpec(DType::I16, 2, channels, 30);
        NativeWriter writer(m_path, spec, 25.0, provenance, {.overwrite = true});
        writer.append(sampleFrame(spec, 0));
        writer.close();
    }
    /// Writes other delays over those of the file.
    void replace(const char* name, const std::vector<double>& values) {
        const Hdf5Handle file(H5Fopen(m_path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
        const Hdf5Handle group(H5Gopen2(file.get(), native::kAberration, H5P_DEFAULT));
        H5Ldelete(group.get(), name, H5P_DEFAULT);
        if (!values.empty())
            hdf5::writeTable(group.get(), name, std::vector<hsize_t>{values.size()}, values);
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "a.echolux.h5";
    AberrationTruth m_truth{{-41e-9, 12.5e-9, 28.5e-9}, {1.0, 0.7, 0.0}};
};

TEST_F(AberrationInNative, ReadsWhatWasWritten) {
    write(&m_truth);
    const auto both = openNative(m_path);
    ASSERT_NE(both->info().aberration, nullptr);
    EXPECT_EQ(*both->info().aberration, m_truth);
    expectFrames(*both);
    m_truth.amplitude.clear();
    write(&m_truth);
    EXPECT_EQ(*openNative(m_path)->info().aberration, m_truth);
    write(nullptr);
    EXPECT_EQ(openNative(m_path)->info().aberration, nullptr);
}

TEST_F(AberrationInNative, KeepsTheVersionThatOlderProgramsRead) {
    write(&m_truth);
    const Hdf5Handle file(H5Fopen(m_path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    EXPECT_EQ(hdf5::readInteger(file.get(), native::kVersionName), native::kEchoVersion);
}

TEST_F(AberrationInNative, RefusesWhatDoesNotFit) {
    const auto refused = [&](const AberrationTruth& truth) -> std::string {
        try {
            write(&truth);
        } catch (const Error& error) {
            return error.what();
        }
        return "written";
    };
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(refused({{1e-9, 2e-9}, {}}), AllOf(HasSubstr("2 delays"), HasSubstr("3 elements")));
    EXPECT_THAT(refused({{1e-9, 2e-9, 0}, {1.0}}), HasSubstr("1 amplitudes"));
    EXPECT_THAT(refused({{1e-9, kNan, 0}, {}}), HasSubstr("no numbers"));
    EXPECT_THAT(refused({{50.0, 20.0, 0}, {}}), HasSubstr("longer than 1 ms"));
    EXPECT_THAT(refused({{0, 0, 0}, {1, -1, 1}}), HasSubstr("negative"));
    EXPECT_FALSE(std::filesystem::exists(m_path)) << "nothing is left behind";

    const auto opened = [&](const char* name, const std::vector<double>& values) {
        write(&m_truth);
        replace(name, values);
        const std::string sentence = refusalOf(m_path);
        EXPECT_EQ(std::ranges::count(sentence, '\n'), 0);
        return sentence;
    };
    EXPECT_THAT(opened("delay_s", {}), HasSubstr("'delay_s' is missing"));
    EXPECT_THAT(opened("delay_s", {1e-9, 2e-9}), AllOf(HasSubstr("'delay_s'"), HasSubstr("wrong")));
    EXPECT_THAT(opened("delay_s", {1e-9, kNan, 0.0}), HasSubstr("no numbers"));
    EXPECT_THAT(opened("amplitude", {1.0}), HasSubstr("'amplitude'"));
    EXPECT_THAT(opened("amplitude", {1.0, kNan, 1.0}), HasSubstr("damaged"));
}

TEST_F(AberrationInNative, OpensOrRefusesWithAnyByteChanged) {
    const Hdf5MayLeak tolerated;
    write(&m_truth);
    const int refused = openDamaged(m_path, 5, [&](Recording& recording) {
        if (const auto& truth = recording.info().aberration) {
            EXPECT_EQ(contradictionIn(*truth, 3), std::nullopt);
        }
    });
    EXPECT_LT(refused, 250);
}

TEST_F(SidecarTest, PointsToTheScreenOfAFile) {
    Parts parts;
    EXPECT_EQ(open(parts)->info().aberration, nullptr);
    parts.probe += "[aberration]\ndelay = [10e-9, -20e-9, 10e-9]\namplitude = [1, 0.5, 1.5]\n";
    const auto truth = open(parts)->info().aberration;
    ASSERT_NE(truth, nullptr);
    EXPECT_THAT(truth->delayS, ElementsAre(10e-9, -20e-9, 10e-9));
    EXPECT_THAT(truth->amplitude, ElementsAre(1.0, 0.5, 1.5));

    writeZip(m_folder / "data.npz",
             {{"rf.npy", npyBytes(npyDictionary("<i2", "(3, 4)"),
                                  bytesOfValues(countedUp<std::int16_t>(12)))},
              {"late.npy", npyBytes(npyDictionary("<f8", "(3,)"),
                                    bytesOfValues(std::vector<double>{30.0, -10.0, -20.0}))}},
             true);
    writeFile(m_folder / "data.npz.toml",
              "sound_speed = 1540\nprobe.pitch = 0.3e-3\n"
              "data = { array = \"rf\", axes = [\"channel\", \"sample\"] }\n"
              "signal = { sampling_frequency = 20e6, centre_frequency = 5e6 }\n"
              "aberration.delay = { from = \"late\", scale = 1e-9 }\n");
    const auto named = openRecording(m_folder / "data.npz")->info().aberration;
    ASSERT_NE(named, nullptr);
    EXPECT_NEAR(named->delayS[0], 30e-9, 1e-20);
    EXPECT_NEAR(named->delayS[2], -20e-9, 1e-20);
    EXPECT_TRUE(named->amplitude.empty());
}

TEST_F(SidecarTest, RefusesScreensThatDoNotFit) {
    const auto with = [&](const std::string& aberration) {
        Parts parts;
        parts.probe += "[aberration]\n" + aberration;
        const std::string sentence = refusal(parts);
        EXPECT_EQ(std::ranges::count(sentence, '\n'), 0);
        return sentence;
    };
    EXPECT_THAT(with("delay = [1e-9, 2e-9]\n"),
                AllOf(HasSubstr("2 delays"), HasSubstr("3 elements")));
    EXPECT_THAT(with("delay = [1e-9, nan, 0]\n"), HasSubstr("finite"));
    EXPECT_THAT(with("delay = [50, 20, 30]\n"), HasSubstr("longer than 1 ms"));
    EXPECT_THAT(with("delay = \"rx\"\n"), HasSubstr("headerless binary has no names"));
    EXPECT_THAT(with("amplitude = [1, 1, 1]\n"), HasSubstr("'aberration.delay' is missing"));
    EXPECT_THAT(with("delays = [1e-9, 2e-9, 3e-9]\n"), HasSubstr("is no known key"));
}

/// A wave of period L sampled finely: its correlation is a cosine, which is 1/e at acos(1/e) L /
/// 2pi.
TEST(AberrationFigures, SayHowStrongAndHowWide) {
    std::vector<Point> elements;
    AberrationTruth truth;
    constexpr double kPeriod = 8e-3;
    for (int i = 0; i < 4000; ++i) {
        const double x = 0.1e-3 * i;
        elements.push_back({x, 0.0, 0.0});
        truth.delayS.push_back(5e-9 + 40e-9 * std::sin(2.0 * std::numbers::pi * x / kPeriod));
        truth.amplitude.push_back(i % 2 == 0 ? 2.0 : 0.5);
    }
    const AberrationFigures figures = figuresOf(truth, elements);
    EXPECT_NEAR(figures.delayRmsS, 40e-9 / std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(figures.leastDelayS, -35e-9, 1e-12);
    EXPECT_NEAR(figures.greatestDelayS, 45e-9, 1e-12);
    EXPECT_NEAR(figures.gainRmsDb, 20.0 * std::log10(2.0), 1e-9);
    EXPECT_NEAR(figures.lengthXM, std::acos(std::exp(-1.0)) * kPeriod / (2.0 * std::numbers::pi),
                0.02e-3);
    EXPECT_EQ(figures.lengthYM, 0.0);
    EXPECT_EQ(figuresOf({{1e-9, 1e-9}, {}}, {{0, 0, 0}, {1e-3, 0, 0}}).lengthXM, 0.0);
}

/// The screen of the real recording: 60 ns rms and no mean, as its provenance says.
TEST(AberrationTruth, OfTheGammexPhantom) {
    const std::filesystem::path file = ECHOLUX_SHARED_DATA "/data/us/gammex_with_phase_screen.npz";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not here";
    const auto recording = openRecording(file);
    const auto& truth = recording->info().aberration;
    ASSERT_NE(truth, nullptr);
    const auto figures = figuresOf(*truth, recording->info().frame.acquisition->probe.elements);
    EXPECT_NEAR(figures.delayRmsS, 60e-9, 1e-15);
    EXPECT_NEAR(truth->delayS.front(), -19.0e-9, 0.05e-9);
    EXPECT_TRUE(truth->amplitude.empty());
    EXPECT_NEAR(figures.lengthXM, 2.904e-3, 0.002e-3) << "as NumPy finds it";
}

} // namespace
} // namespace echolux::test
