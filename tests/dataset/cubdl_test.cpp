// SPDX-License-Identifier: GPL-3.0-or-later
// CUBDL: files as each institution wrote them, with echoes of targets in closed form, on the clock
// that the evaluation code gives them.
#include "tests/dataset/altered_hdf5.hpp"
#include "tests/dataset/delay_and_sum.hpp"
#include "tests/dataset/uff_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr SumOptions kAllChannels{.fNumber = 0.01, .soundSpeedMps = 0.0};
constexpr double kDegrees = std::numbers::pi / 180.0;
constexpr std::size_t kChannels = 16;
constexpr std::size_t kLength = 600; ///< 30 us
const std::vector<double> kTurns{-16.0 * kDegrees, 0.0, 16.0 * kDegrees};

std::vector<double> places(std::size_t count, double pitch) {
    std::vector<double> x(count);
    for (std::size_t k = 0; k < count; ++k)
        x[k] = (static_cast<double>(k) - 0.5 * (static_cast<double>(count) - 1.0)) * pitch;
    return x;
}

/// x, then zeros for y and z.
std::vector<double> rowsOf(std::vector<double> x) {
    x.resize(3 * x.size(), 0.0);
    return x;
}

/// The time from sample 0 until the wave crosses the origin: "time zero" of the evaluation code.
using TimeZero = std::function<double(double angle)>;

struct Sent {
    double speed;
    double pitch = 3e-4;
    TimeZero timeZero;
    std::size_t channels = kChannels;
};

/// When the outermost element fires, before the wave crosses the origin.
double edgeLead(const Sent& sent, double angle) {
    const double edge = 0.5 * static_cast<double>(sent.channels - 1) * sent.pitch;
    return edge * std::abs(std::sin(angle)) / sent.speed;
}

/// [transmit][channel][sample]
std::vector<double> echoes(const Sent& sent) {
    std::vector<double> data;
    for (const double angle : kTurns)
        for (const double x : places(sent.channels, sent.pitch))
            for (std::size_t n = 0; n < kLength; ++n)
                data.push_back(uffEcho(0.0, n, false, [&](const UffTarget& t) {
                                   return sent.timeZero(angle) +
                                          (t.x * std::sin(angle) + t.z * std::cos(angle) +
                                           std::hypot(t.x - x, t.z)) /
                                              sent.speed;
                               }).real());
    return data;
}

void expectTargetsAt(Recording& recording, std::size_t channels = kChannels) {
    const Signals signals = loadSignals(recording);
    const auto lines = static_cast<double>(kTurns.size() * channels);
    for (const UffTarget& target : kUffTargets) {
        const Point at{target.x, 0.0, target.z};
        const Peak peak = brightest(signals, at, 4e-4, 3e-4, 5e-5, kAllChannels);
        EXPECT_NEAR(peak.at.x, at.x, 1.5e-4);
        EXPECT_NEAR(peak.at.z, at.z, 5e-5);
        EXPECT_NEAR(std::abs(pixel(signals, at, kAllChannels)) / lines, target.amplitude,
                    0.05 * target.amplitude);
    }
}

class Cubdl : public testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const Sent& sent,
                                const std::function<void(const Hdf5Editor&)>& add) {
        const auto path = m_folder / name;
        std::filesystem::remove(path);
        const Hdf5Editor file(path);
        file.numbers("channel_data", {kTurns.size(), sent.channels, kLength}, echoes(sent));
        file.numbers("modulation_frequency", {1}, {kUffCarrier});
        file.numbers("sampling_frequency", {1}, {kUffSampling});
        file.numbers("sound_speed", {1}, {1540.0});
        add(file);
        return path;
    }

    std::filesystem::path mayo(const std::string& name, double speed) {
        Sent sent{.speed = speed, .timeZero = {}};
        sent.timeZero = [&sent](double angle) { return edgeLead(sent, angle); };
        return write(name, sent, [](const Hdf5Editor& file) {
            file.numbers("angles", {kTurns.size()}, kTurns);
        });
    }

    /// INSERM and Oslo: (2, transmits), times of each.
    std::filesystem::path withRows(const std::string& name, const Sent& sent, double start,
                                   const std::vector<double>& directions = kTurns) {
        return write(name, sent, [&](const Hdf5Editor& file) {
            std::vector<double> rows = directions;
            rows.resize(2 * rows.size(), 0.0);
            file.numbers("transmit_direction", {2, directions.size()}, rows);
            file.numbers("start_time", {1, directions.size()},
                         std::vector<double>(directions.size(), start));
            std::vector<double> x = places(sent.channels, sent.pitch);
            for (double& each : x) each += 1e-3; // taken off again
            file.numbers("element_positions", {3, sent.channels}, rowsOf(x));
        });
    }

    std::filesystem::path eindhoven(const std::string& name, double speed) {
        Sent sent{.speed = speed, .timeZero = {}};
        sent.timeZero = [&sent](double angle) { return edgeLead(sent, angle) + 10 / kUffCarrier; };
        return write(name, sent, [&](const Hdf5Editor& file) {
            std::vector<double> columns;
            for (const double angle : kTurns) columns.insert(columns.end(), {angle, 0.0});
            file.numbers("transmit_direction", {kTurns.size(), 2}, columns);
            file.numbers("start_time", {1, kTurns.size()}, {7.0, 7.0, 7.0}); // not heeded
            file.numbers("element_positions", {3, kChannels}, rowsOf(places(kChannels, 3e-4)));
        });
    }

    TemporaryFolder m_folder;
};

TEST_F(Cubdl, MayoFiresItsFirstElementAtSampleZero) {
    const auto recording = openRecording(mayo("MYO001.hdf5", 1580.0));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.format, "CUBDL HDF5 (Mayo Clinic)");
    EXPECT_EQ(info.frame.describe(), "f32 [transmit 3][channel 16][sample 600]");
    EXPECT_EQ(info.frame.centreFrequencyHz, kUffCarrier);
    EXPECT_EQ(info.frame.acquisition->soundSpeedMps, 1580.0);
    EXPECT_EQ(info.frame.acquisition->probe.name, "L11-4v");
    EXPECT_THAT(info.warnings, IsEmpty());
    expectTargetsAt(*recording);
    EXPECT_EQ(
        openRecording(mayo("myo006_copy.hdf5", 1581.0))->info().frame.acquisition->soundSpeedMps,
        1581.0);
}

TEST_F(Cubdl, TsinghuaPutsTransmitsBehindOneAnother) {
    constexpr std::size_t kWideChannels = 128;
    Sent sent{.speed = 1540.0, .timeZero = {}, .channels = kWideChannels};
    sent.timeZero = [&sent](double angle) { return edgeLead(sent, angle); };
    const std::vector<double> data = echoes(sent);
    const std::size_t turns = kTurns.size();
    std::vector<double> rows(data.size());
    for (std::size_t t = 0; t < turns; ++t)
        for (std::size_t c = 0; c < kWideChannels; ++c)
            for (std::size_t n = 0; n < kLength; ++n)
                rows[(c * turns + t) * kLength + n] = data[(t * kWideChannels + c) * kLength + n];
    for (const bool flat : {true, false}) {
        const auto path = write("TSH002.hdf5", sent, [&](const Hdf5Editor& file) {
            file.numbers("angles", {turns}, kTurns);
            const std::vector<hsize_t> shape =
                flat ? std::vector<hsize_t>{kWideChannels, turns * kLength}
                     : std::vector<hsize_t>{kWideChannels, turns, kLength};
            file.numbers("channel_data", shape, rows);
        });
        const auto recording = openRecording(path);
        EXPECT_EQ(recording->info().frame.describe(), "f32 [transmit 3][channel 128][sample 600]");
        expectTargetsAt(*recording, kWideChannels);
    }
}

TEST_F(Cubdl, FlorenceSaysWhenInDegrees) {
    const Sent sent{.speed = 1523.0, .pitch = 0.245e-3, .timeZero = [](double) { return -2e-6; }};
    for (const char* name : {"UFL004.hdf5", "renamed.hdf5"}) {
        const auto path = write(name, sent, [&](const Hdf5Editor& file) {
            std::vector<double> angles;
            for (const double angle : kTurns) angles.push_back(angle / kDegrees);
            file.numbers("angles", {kTurns.size()}, angles);
            file.remove("sampling_frequency");
            file.numbers("channel_data_sampling_frequency", {1}, {kUffSampling});
            file.numbers("channel_data_t0", {1}, {2e-6});
            file.numbers("sound_speed", {1}, {1523.0});
        });
        const auto recording = openRecording(path);
        EXPECT_EQ(recording->info().format, "CUBDL HDF5 (University of Florence)");
        EXPECT_EQ(recording->info().warnings.empty(), std::string(name) == "UFL004.hdf5");
        expectTargetsAt(*recording);
    }
}

TEST_F(Cubdl, EindhovenBeginsTenPeriodsEarlier) {
    expectTargetsAt(*openRecording(eindhoven("EUT006.hdf5", 1479.0)));
    const auto recording = openRecording(eindhoven("renamed.hdf5", 1540.0));
    expectTargetsAt(*recording);
    EXPECT_THAT(recording->info().warnings, testing::ElementsAre(HasSubstr("EUT001.hdf5")));
}

TEST_F(Cubdl, InsermSpreadsItsAnglesEvenly) {
    Sent sent{.speed = 1469.0, .timeZero = {}};
    sent.timeZero = [&sent](double angle) { return edgeLead(sent, angle) - 1e-6; };
    const auto recording = openRecording(withRows("INS019.hdf5", sent, 1e-6, {9.0, 9.0, 9.0}));
    EXPECT_EQ(recording->info().format, "CUBDL HDF5 (INSERM)");
    expectTargetsAt(*recording);
}

TEST_F(Cubdl, OsloSaysWhenTheWaveCrossesTheOrigin) {
    const Sent sent{.speed = 1540.0, .timeZero = [](double) { return -3e-6; }};
    expectTargetsAt(*openRecording(withRows("OSL007.hdf5", sent, 3e-6)));
    EXPECT_THAT(
        refusalOf(withRows("OSL001.hdf5", sent, 3e-6)),
        AllOf(HasSubstr("waves"), HasSubstr("clock"), HasSubstr("University of Oslo, OSL001")));
    EXPECT_THAT(refusalOf(withRows("unknown.hdf5", sent, 3e-6)),
                AllOf(HasSubstr("which institution"), HasSubstr("OSL007.hdf5")));
}

TEST_F(Cubdl, HopkinsDescribesItsPlaneWaves) {
    const Sent sent{.speed = 1540.0, .timeZero = [](double) { return -2e-6; }};
    for (const char* name : {"JHU024.hdf5", "renamed.hdf5"}) {
        const auto path = write(name, sent, [&](const Hdf5Editor& file) {
            file.numbers("angles", {kTurns.size()}, kTurns);
            file.numbers("time_zero", {kTurns.size()}, {2e-6, 2e-6, 2e-6});
            file.numbers("element_positions", {kChannels}, places(kChannels, 3e-4));
        });
        const auto recording = openRecording(path);
        EXPECT_THAT(recording->info().warnings, IsEmpty());
        expectTargetsAt(*recording);
    }
}

/// A target on one of several beams, whose path counts from where the beam begins.
struct BeamSent {
    Point origin;
    double angle = 0.0;
    double range = 11e-3;
    double timeZero = 0.0;

    Point target() const {
        return {origin.x + range * std::sin(angle), 0.0, origin.z + range * std::cos(angle)};
    }
};

class CubdlBeam : public testing::Test {
protected:
    /// Beam 1 of `beams` has the echo.
    std::filesystem::path write(const std::string& name, const BeamSent& sent, std::size_t beams,
                                const std::function<void(const Hdf5Editor&)>& add) {
        const auto path = m_folder / name;
        const Hdf5Editor file(path);
        const Point target = sent.target();
        std::vector<double> data(beams * kChannels * kLength, 0.0);
        const std::vector<double> x = places(kChannels, 3e-4);
        for (std::size_t c = 0; c < kChannels; ++c)
            for (std::size_t n = 0; n < kLength; ++n) {
                const double arrival =
                    sent.timeZero +
                    (sent.range + std::hypot(target.x - x[c], target.z)) / kUffSpeed;
                const double t = static_cast<double>(n) / kUffSampling - arrival;
                data[(kChannels + c) * kLength + n] =
                    std::exp(-0.5 * t * t / (1.2e-7 * 1.2e-7)) *
                    std::cos(2.0 * std::numbers::pi * kUffCarrier * t);
            }
        file.numbers("channel_data", {beams, kChannels, kLength}, data);
        file.numbers("modulation_frequency", {1}, {kUffCarrier});
        file.numbers("sampling_frequency", {1}, {kUffSampling});
        file.numbers("sound_speed", {1}, {kUffSpeed});
        file.numbers("transmit_focus", {1, 1}, {20e-3});
        add(file);
        return path;
    }

    static void expectTargetAt(const std::filesystem::path& path, const Point& target) {
        const auto recording = openRecording(path);
        const Transmit& beam = recording->info().frame.acquisition->transmits[1];
        EXPECT_EQ(beam.wave, Wave::Focused);
        const Signals signals = loadSignals(*recording);
        const Peak peak = brightest(signals, target, 3e-4, 3e-4, 5e-5, kAllChannels);
        EXPECT_NEAR(peak.at.x, target.x, 1.5e-4);
        EXPECT_NEAR(peak.at.z, target.z, 5e-5);
        EXPECT_NEAR(peak.value, static_cast<double>(kChannels), 1.0);
    }

    static void addBeams(const Hdf5Editor& file, const std::vector<double>& origins,
                         const std::vector<double>& angles, const std::vector<double>& starts) {
        std::vector<double> rows = angles;
        rows.resize(2 * angles.size(), 0.0);
        file.numbers("transmit_direction", {2, angles.size()}, rows);
        file.numbers("transmit_origin", {3, origins.size()}, rowsOf(origins));
        file.numbers("start_time", {1, starts.size()}, starts);
        file.numbers("element_positions", {3, kChannels}, rowsOf(places(kChannels, 3e-4)));
    }

    TemporaryFolder m_folder;
};

TEST_F(CubdlBeam, OsloParallel) {
    const BeamSent sent{.origin = {1e-3, 0.0, 0.0}, .timeZero = -1e-6};
    expectTargetAt(write("OSL008.hdf5", sent, 4,
                         [](const Hdf5Editor& file) {
                             addBeams(file, {0.0, 1e-3, 2e-3, 3e-3}, {0.3, 0.3, 0.3, 0.3},
                                      {3e-6, 2e-6, 1e-6, 2e-6});
                         }),
                   sent.target());
}

TEST_F(CubdlBeam, OsloSteered) {
    const BeamSent sent{.origin = {}, .angle = 0.3, .timeZero = -2e-6};
    expectTargetAt(write("OSL012.hdf5", sent, 4,
                         [](const Hdf5Editor& file) {
                             addBeams(file, {9.0, 9.0, 9.0, 9.0}, {0.0, 0.3, 0.0, 0.0},
                                      {3e-6, 2e-6, 1e-6, 2e-6});
                         }),
                   sent.target());
}

TEST_F(CubdlBeam, HopkinsHalfSteps) {
    const BeamSent sent{.origin = {-7.5e-5, 0.0, 0.0}};
    expectTargetAt(write("JHU001.hdf5", sent, 4,
                         [](const Hdf5Editor& file) { file.numbers("pitch", {1}, {3e-4}); }),
                   sent.target());
}

TEST_F(CubdlBeam, HopkinsHalfOrigins) {
    const BeamSent sent{.origin = {1e-3, 0.0, 0.0}, .angle = 0.1, .timeZero = 2e-6};
    const auto path = write("JHU020.hdf5", sent, 4, [](const Hdf5Editor& file) {
        addBeams(file, {0.0, 2e-3, 0.0, 0.0}, {0.0, 0.1, 0.0, 0.0}, {3e-6, 2e-6, 1e-6, 2e-6});
    });
    expectTargetAt(path, sent.target());
    Hdf5Editor(path).numbers("transmit_focus", {1, 1}, {20.0});
    EXPECT_THAT(refusalOf(path), HasSubstr("'transmit_focus' is 20 m"));
}

TEST_F(Cubdl, WhatDoesNotFitIsRefused) {
    const auto refused = [&](auto change) {
        const auto path = mayo("MYO001.hdf5", 1580.0);
        change(Hdf5Editor(path));
        return refusalOf(path);
    };
    EXPECT_THAT(refused([](const Hdf5Editor& file) { file.remove("angles"); }),
                AllOf(HasSubstr("'angles' is missing"), HasSubstr("Mayo Clinic")));
    EXPECT_THAT(refused([](const Hdf5Editor& file) {
                    file.numbers("angles", {2}, {0, 0.1});
                }),
                AllOf(HasSubstr("2 entries"), HasSubstr("data 3")));
    EXPECT_THAT(
        refused([](const Hdf5Editor& file) { file.numbers("sampling_frequency", {1}, {NAN}); }),
        HasSubstr("'sampling_frequency' is nan"));
    EXPECT_THAT(refused([](const Hdf5Editor& file) {
                    file.numbers("channel_data", {2, 3}, {1, 2, 3, 4, 5, 6});
                }),
                HasSubstr("transmit, element and sample"));
    const auto path = mayo("MYO001.hdf5", 1580.0);
    std::filesystem::rename(path, m_folder / "TSH001.hdf5");
    Hdf5Editor(m_folder / "TSH001.hdf5").numbers("channel_data", {2, 8}, countedUp<double>(16));
    EXPECT_THAT(refusalOf(m_folder / "TSH001.hdf5"), HasSubstr("no equal parts"));
    std::filesystem::rename(mayo("MYO001.hdf5", 1580.0), m_folder / "other.hdf5");
    EXPECT_THAT(refusalOf(m_folder / "other.hdf5"), HasSubstr("other.hdf5.toml"));
}

TEST_F(Cubdl, AFileThatSaysAnotherSpeedOfSoundIsNoted) {
    const auto recording = openRecording(mayo("MYO002.hdf5", 1583.0));
    EXPECT_THAT(
        recording->info().notes,
        testing::Contains(testing::Pair("Speed in the file", "1540 m/s; CUBDL found 1583 m/s")));
}

TEST_F(Cubdl, AlteredFilesOpenOrSayWhy) {
    Sent sent{.speed = 1540.0, .timeZero = {}};
    sent.timeZero = [](double) { return 3e-6; };
    EXPECT_GT(AlteredHdf5(withRows("OSL007.hdf5", sent, 3e-6)).alterEach(), 10);
}

} // namespace
} // namespace echolux::test
