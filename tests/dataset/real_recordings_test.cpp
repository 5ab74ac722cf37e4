// SPDX-License-Identifier: GPL-3.0-or-later
// Real recordings open with correct geometry, and their targets appear where they are.
#include "app/dataset/container/hdf5_file.hpp"
#include "tests/dataset/delay_and_sum.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux::test {
namespace {

using testing::HasSubstr;

constexpr double kDeg = std::numbers::pi / 180.0;
constexpr double kMm = 1e-3;

class RealRecordings : public testing::Test {
protected:
    static std::filesystem::path file(const char* name) {
        return std::filesystem::path(ECHOLUX_SHARED_DATA) / "data/us" / name;
    }
    void SetUp() override {
        if (!std::filesystem::exists(file("gammex_plane_waves.mat")))
            GTEST_SKIP() << file("") << " is not here";
    }
};

TEST_F(RealRecordings, GammexPlaneWaves) {
    const auto recording = openRecording(file("gammex_plane_waves.mat"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "u8 [transmit 7][channel 128][sample 2688]");
    EXPECT_EQ(info.frameCount, 1);
    EXPECT_NEAR(info.frame.codeOffset, 127.5, 1.0) << "offset binary";
    EXPECT_NEAR(info.frame.centreFrequencyHz, 5e6, 1.0);
    const Acquisition& acquisition = *info.frame.acquisition;
    for (int i = 0; i < 7; ++i) {
        const double angle = (-1.5 + 0.5 * i) * kDeg;
        EXPECT_NEAR(acquisition.transmits[i].angleRad, angle, 1e-6);
        EXPECT_NEAR(acquisition.transmits[i].firstSampleS,
                    -63.5 * 0.298 * kMm * std::abs(std::sin(angle)) / 1540.0, 1e-9);
    }
    EXPECT_NEAR(acquisition.probe.elements.front().x, -63.5 * 0.298 * kMm, 1e-9);

    // The phantom's wires stand below each other, 2 cm apart (to 3 %: its speed of sound is
    // nominal).
    const Signals signals = loadSignals(*recording);
    const Peak first = brightest(signals, {1.7 * kMm, 0, 22.5 * kMm}, 1.5 * kMm, 1.5 * kMm, 5e-5);
    for (int k = 1; k < 4; ++k) {
        const Point expected{first.at.x, 0, first.at.z + k * 20 * kMm};
        const Peak peak = brightest(signals, expected, 1.5 * kMm, 2.5 * kMm, 1e-4);
        EXPECT_NEAR(peak.at.x, expected.x, 0.4 * kMm);
        EXPECT_NEAR(peak.at.z, expected.z, k * 0.6 * kMm);
    }
}

TEST_F(RealRecordings, RotatingDiskIsTwoCentimetresWide) {
    const auto recording = openRecording(file("rotating_disk.mat"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frameCount, 32);
    EXPECT_EQ(info.frameRateHz, 10000.0);
    EXPECT_EQ(info.frame.describe(), "f32 [transmit 1][channel 128][sample 334]");
    EXPECT_NEAR(info.frame.acquisition->transmits[0].firstSampleS, 9.95e-6, 1e-9);
    EXPECT_EQ(info.frame.acquisition->soundSpeedMps, 1480.0);
    EXPECT_THAT(info.notes, testing::Contains(testing::Pair("Sampling", HasSubstr("band-pass"))));

    const Signals signals = loadSignals(*recording, 31);
    const auto energyAt = [&](double left, double right, double top, double bottom) {
        double energy = 0;
        int count = 0;
        for (double z = top; z <= bottom; z += 0.25 * kMm)
            for (double x = left; x <= right; x += 0.5 * kMm, ++count)
                energy += std::norm(pixel(signals, {x, 0, z}));
        return energy / count;
    };
    const double centreX = -0.9 * kMm;
    const double inside = energyAt(-5 * kMm, 5 * kMm, 17 * kMm, 27 * kMm);
    const auto edge = [&](double side, double r) {
        const double x = centreX + side * r;
        return energyAt(x - 0.5 * kMm, x + 0.5 * kMm, 21 * kMm, 24 * kMm);
    };
    for (const double side : {-1.0, 1.0}) {
        EXPECT_GT(edge(side, 9 * kMm), 0.2 * inside) << side;
        EXPECT_LT(edge(side, 11.5 * kMm), 0.05 * inside) << side;
    }
    EXPECT_GT(energyAt(-2 * kMm, 1 * kMm, 13 * kMm, 14 * kMm), 0.2 * inside) << "its upper edge";
    EXPECT_LT(energyAt(-2 * kMm, 1 * kMm, 9 * kMm, 11 * kMm), 0.05 * inside) << "above it";
}

TEST_F(RealRecordings, FieldTwoTargetsWithinHalfAWavelength) {
    const auto path = file("field2_three_angles.hdf5");
    const auto recording = openRecording(path);
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "i16 [transmit 3][channel 192][sample 2313]");
    const Acquisition& acquisition = *frame.acquisition;
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(acquisition.transmits[i].angleRad, (i - 1) * 12 * kDeg, 1e-9);
        EXPECT_NEAR(acquisition.transmits[i].firstSampleS, -3.6625e-6, 1e-9);
    }
    EXPECT_NEAR(acquisition.probe.elements.back().x, 95.5 * 0.23 * kMm, 1e-9);
    EXPECT_NEAR(frame.centreFrequencyHz, 5.2083e6, 1.0);

    const double halfWavelength = 0.5 * 1540.0 / frame.centreFrequencyHz;
    const Signals signals = loadSignals(*recording);
    const auto tree = Hdf5File::openReadOnly(path);
    const auto source = tree->open("sim_params/scatters_data");
    const auto truth = readNumbers(path, *source, "scatters_data");
    const std::size_t count = truth.size() / 3;
    int compared = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Point target{truth[i], 0, truth[2 * count + i]};
        // The clear ones: all within view, and nothing else within 1.4 mm.
        if (std::abs(target.x) > 15 * kMm || target.z > 44 * kMm) continue;
        double nearest = 1;
        for (std::size_t k = 0; k < count; ++k)
            if (k != i)
                nearest = std::min(
                    nearest, std::hypot(truth[k] - target.x, truth[2 * count + k] - target.z));
        if (nearest < 1.4 * kMm) continue;
        // NOTE: the echo's envelope is flat for 1 us, so its middle is measured, not its maximum.
        EXPECT_NEAR(energyDepth(signals, target, 1.2 * kMm, 2e-5), target.z, halfWavelength);
        EXPECT_NEAR(brightest(signals, target, 1 * kMm, 0.6 * kMm, 4e-5).at.x, target.x,
                    halfWavelength);
        ++compared;
    }
    EXPECT_GE(compared, 3);
}

TEST_F(RealRecordings, FieldTwoTargetsBesideTheAxisShowTheSignOfTheAngles) {
    const auto recording = openRecording(file("field2_three_angles.hdf5"));
    const Signals signals = loadSignals(*recording);
    // A row of scatterers 1.1827 mm apart; the rows above and below are 1.4 mm and more away.
    for (const int k : {-11, -8, 8, 11}) {
        const Point target{(0.05914 + k * 1.182728) * kMm, 0, 17.7410 * kMm};
        EXPECT_NEAR(energyDepth(signals, target, 0.7 * kMm, 2e-5), target.z, 0.148 * kMm) << k;
        const Peak peak = brightest(signals, target, 0.5 * kMm, 0.6 * kMm, 4e-5);
        EXPECT_NEAR(peak.at.x, target.x, 0.148 * kMm) << k;
    }
}

TEST_F(RealRecordings, PhantomCineOfIq) {
    const auto recording = openRecording(file("phantom_cine_iq.npz"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frameCount, 29);
    EXPECT_EQ(info.frame.describe(), "complex_i16 [transmit 1][channel 128][sample 512]");
    EXPECT_NEAR(info.frame.demodulationFrequencyHz, 7.813e6, 1.0);
    EXPECT_NEAR(info.frame.acquisition->transmits[0].firstSampleS, -14.14423409 / 7.813e6, 1e-9);
    EXPECT_EQ(info.frame.acquisition->transmits[0].iqPhaseZeroS, 0.0);
    EXPECT_NE(frameOf(*recording, 0), frameOf(*recording, 28));

    Signals signals = loadSignals(*recording);
    const Point wire{1.7 * kMm, 0, 18.7 * kMm};
    const Peak peak = brightest(signals, wire, 1 * kMm, 1 * kMm, 5e-5);
    for (Trace& trace : signals.traces)
        for (auto& sample : trace) sample = std::conj(sample);
    EXPECT_GT(peak.value, 2 * brightest(signals, wire, 1 * kMm, 1 * kMm, 5e-5).value)
        << "the conjugate of what the file holds is the one that focuses";
}

TEST_F(RealRecordings, GammexBehindAPhaseScreen) {
    const auto recording = openRecording(file("gammex_with_phase_screen.npz"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "i16 [transmit 7][channel 128][sample 2688]");
    EXPECT_EQ(info.frame.codeScale, 1.0 / 64);
    const auto original = openRecording(file("gammex_plane_waves.mat"));
    for (std::size_t i = 0; i < 7; ++i)
        EXPECT_NEAR(info.frame.acquisition->transmits[i].firstSampleS,
                    original->info().frame.acquisition->transmits[i].firstSampleS, 1e-9);
    const Signals signals = loadSignals(*recording);
    const Peak peak = brightest(signals, {1.7 * kMm, 0, 22.6 * kMm}, 1.5 * kMm, 1.5 * kMm, 1e-4);
    EXPECT_NEAR(peak.at.z, 22.6 * kMm, 0.5 * kMm);
}

TEST_F(RealRecordings, NotchInAluminium) {
    const auto recording = openRecording(file("contact_notch_aluminium.mat"));
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "f32 [transmit 64][channel 64][sample 750]");
    EXPECT_EQ(frame.acquisition->soundSpeedMps, 6300.0);
    EXPECT_NEAR(frame.samplingFrequencyHz(), 25e6, 1.0);
    EXPECT_NEAR(frame.acquisition->probe.pitchM, 0.3 * kMm, 1e-9);
    EXPECT_NEAR(frame.acquisition->probe.elementWidthM, 0.2 * kMm, 1e-9);
    EXPECT_TRUE(frame.acquisition->receiveWeights.empty());
    const Signals signals = loadSignals(*recording);
    const Peak notch = brightest(signals, {5 * kMm, 0, 22 * kMm}, 6 * kMm, 6 * kMm, 2e-4);
    EXPECT_NEAR(notch.at.x, 7 * kMm, 1 * kMm);
    EXPECT_NEAR(notch.at.z, 20 * kMm, 1 * kMm);
    const Peak wall = brightest(signals, {0, 0, 40 * kMm}, 1 * kMm, 5 * kMm, 2e-4);
    EXPECT_NEAR(wall.at.z, 40 * kMm, 1.3 * kMm); // one wavelength
}

TEST_F(RealRecordings, HalfMatrixWithALateStart) {
    const auto recording = openRecording(file("fmc_half_matrix.mat"));
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "f32 [transmit 64][channel 64][sample 300]");
    EXPECT_NEAR(frame.acquisition->transmits[9].firstSampleS, 5e-6, 1e-9);
    EXPECT_NEAR(frame.acquisition->transmits[9].source.x, frame.acquisition->probe.elements[9].x,
                1e-12);
    EXPECT_NEAR(frame.acquisition->probe.pitchM, 0.63 * kMm, 1e-9);
}

TEST_F(RealRecordings, ScreenshotsAreRefused) {
    EXPECT_THAT(refusalOf(file("carotid.jpeg")), HasSubstr("it is a picture"));
}

} // namespace
} // namespace echolux::test
