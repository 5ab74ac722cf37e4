// SPDX-License-Identifier: GPL-3.0-or-later
// MFMC 2.0 files made here, whose echoes follow from the ways of sound alone.
#include "tests/dataset/altered_hdf5.hpp"
#include "tests/dataset/crafted_hdf5.hpp"
#include "tests/dataset/delay_and_sum.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr double kSteelSpeed = 5900.0;
constexpr double kTraceSampling = 50e6;
constexpr double kPulseHz = 5e6;
constexpr double kTraceStart = 2e-6;
constexpr int kMatrixElements = 12;
constexpr int kTraceLength = 500;

struct SteelPoint {
    double x;
    double z;
    double amplitude;
};
constexpr std::array kPoints{SteelPoint{-3e-3, 12e-3, 1.0}, SteelPoint{2e-3, 18e-3, 0.8},
                             SteelPoint{4e-3, 24e-3, 0.6}};

double placeOfElement(int k) { return 1e-3 * (k - 0.5 * (kMatrixElements - 1)); }

/// Sample n of the pairEcho from element `tx` to element `rx`.
std::int16_t pairEcho(int tx, int rx, int n) {
    double sum = 0.0;
    for (const SteelPoint& target : kPoints) {
        const double way = std::hypot(target.x - placeOfElement(tx), target.z) +
                           std::hypot(target.x - placeOfElement(rx), target.z);
        const double t = kTraceStart + n / kTraceSampling - way / kSteelSpeed;
        sum += target.amplitude * std::exp(-std::pow(t / 0.15e-6, 2)) *
               std::cos(2.0 * std::numbers::pi * kPulseHz * t);
    }
    return static_cast<std::int16_t>(std::lround(8000.0 * sum));
}

/// What a test may change before the file is written.
struct MfmcFile {
    std::vector<std::pair<int, int>> pairs; ///< elements from 0
    int frames = 1;
    std::vector<double> velocities{3200.0, kSteelSpeed};
    int wrongElement = 0;                             ///< in place of the number of element 1
    int elementsOfFirstLaw = 1;                       ///< how many elements law 1 has
    double delayOfFirstLaw = 0.0;                     ///< s
    std::function<void(hid_t)> change = [](hid_t) {}; ///< to what is written

    static MfmcFile full() {
        MfmcFile file;
        for (int tx = 0; tx < kMatrixElements; ++tx)
            for (int rx = 0; rx < kMatrixElements; ++rx) file.pairs.emplace_back(tx, rx);
        return file;
    }
    static MfmcFile half() {
        MfmcFile file;
        for (int tx = 0; tx < kMatrixElements; ++tx)
            for (int rx = tx; rx < kMatrixElements; ++rx) file.pairs.emplace_back(tx, rx);
        return file;
    }
    void write(const std::filesystem::path& path) const {
        hdf5_crafts::tree("mfmc", "", [this](hid_t file) {
            fill(file);
            change(file);
        }).write(path);
    }

    static void text(hid_t file, const std::string& where, const std::string& name,
                     const std::string& value) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, value.size());
        attribute(file, where, name, type, type, 0, value.c_str());
        H5Tclose(type);
    }
    static void reals(hid_t file, const std::string& where, const std::string& name,
                      const std::vector<double>& values) {
        attribute(file, where, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(),
                  values.data());
    }
    static void attribute(hid_t file, const std::string& where, const std::string& name,
                          hid_t stored, hid_t given, hsize_t count, const void* values) {
        const hid_t space =
            count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr);
        const hid_t made = H5Acreate_by_name(file, where.c_str(), name.c_str(), stored, space,
                                             H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(made, given, values);
        H5Aclose(made);
        H5Sclose(space);
    }
    static void table(hid_t file, const std::string& where, hid_t stored, hid_t given,
                      const std::vector<hsize_t>& shape, const void* values) {
        const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
        const hid_t made =
            H5Dcreate2(file, where.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(made, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        H5Dclose(made);
        H5Sclose(space);
    }
    static void group(hid_t file, const std::string& where) {
        H5Gclose(H5Gcreate2(file, where.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }

private:
    void fill(hid_t file) const {
        text(file, "/", "TYPE", "MFMC");
        text(file, "/", "VERSION", "2.0.0");
        group(file, "PROBE<1>");
        reals(file, "PROBE<1>", "CENTRE_FREQUENCY", {kPulseHz});
        std::vector<double> places;
        std::vector<double> halves;
        for (int k = 0; k < kMatrixElements; ++k) {
            places.insert(places.end(), {placeOfElement(k), 0.0, 0.0});
            halves.insert(halves.end(), {0.45e-3, 0.0, 0.0});
        }
        const std::vector<hsize_t> shape{kMatrixElements, 3};
        table(file, "PROBE<1>/ELEMENT_POSITION", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, shape,
              places.data());
        table(file, "PROBE<1>/ELEMENT_MINOR", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, shape,
              halves.data());
        const std::string sequence = "SEQUENCE<1>";
        group(file, sequence);
        reals(file, sequence, "TIME_STEP", {1.0 / kTraceSampling});
        reals(file, sequence, "START_TIME", {kTraceStart});
        if (!velocities.empty()) reals(file, sequence, "SPECIMEN_VELOCITY", velocities);
        hdf5_crafts::references(file, sequence + "/PROBE_LIST", {"/PROBE<1>"});
        for (int k = 0; k < kMatrixElements; ++k) {
            const std::string law = lawOf(k);
            group(file, law);
            std::vector<int> numbers(k == 0 ? static_cast<std::size_t>(elementsOfFirstLaw) : 1,
                                     k == 0 && wrongElement != 0 ? wrongElement : k + 1);
            table(file, law + "/ELEMENT", H5T_STD_I32LE, H5T_NATIVE_INT, {numbers.size()},
                  numbers.data());
            if (k == 0 && delayOfFirstLaw != 0.0)
                table(file, law + "/DELAY", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {1},
                      &delayOfFirstLaw);
        }
        std::vector<std::string> transmit;
        std::vector<std::string> receive;
        for (const auto& [tx, rx] : pairs) {
            transmit.push_back(lawOf(tx));
            receive.push_back(lawOf(rx));
        }
        hdf5_crafts::references(file, sequence + "/TRANSMIT_LAW", transmit);
        hdf5_crafts::references(file, sequence + "/RECEIVE_LAW", receive);
        std::vector<std::int16_t> samples;
        for (int frame = 0; frame < frames; ++frame)
            for (const auto& [tx, rx] : pairs)
                for (int n = 0; n < kTraceLength; ++n)
                    samples.push_back(static_cast<std::int16_t>(pairEcho(tx, rx, n) + frame));
        table(file, sequence + "/MFMC_DATA", H5T_STD_I16LE, H5T_NATIVE_INT16,
              {static_cast<hsize_t>(frames), pairs.size(), kTraceLength}, samples.data());
    }
    static std::string lawOf(int element) {
        return "/SEQUENCE<1>/LAW<" + std::to_string(element + 1) + ">";
    }
};

void expectPoints(Recording& recording) {
    const Signals signals = loadSignals(recording);
    for (const SteelPoint& target : kPoints) {
        const Peak peak = brightest(signals, {target.x, 0.0, target.z}, 0.6e-3, 0.6e-3, 0.03e-3,
                                    {.fNumber = 0.1});
        constexpr double kTenthOfWave = 0.1 * kSteelSpeed / kPulseHz;
        EXPECT_NEAR(peak.at.x, target.x, kTenthOfWave);
        EXPECT_NEAR(peak.at.z, target.z, kTenthOfWave);
    }
}

class Mfmc : public testing::Test {
protected:
    std::unique_ptr<Recording> open(const MfmcFile& file) {
        file.write(m_path);
        return openRecording(m_path);
    }
    std::string refusal(const MfmcFile& file) {
        file.write(m_path);
        return refusalOf(m_path);
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "a.mfmc";
};

TEST_F(Mfmc, FullMatrices) {
    MfmcFile file = MfmcFile::full();
    std::ranges::reverse(file.pairs); // in any order
    file.frames = 2;
    const auto recording = open(file);
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.format, "MFMC 2.0.0");
    EXPECT_EQ(info.frame.describe(), "i16 [transmit 12][channel 12][sample 500]");
    EXPECT_EQ(info.frameCount, 2);
    EXPECT_NEAR(info.frame.samplingFrequencyHz(), kTraceSampling, 1e-3);
    EXPECT_EQ(info.frame.centreFrequencyHz, kPulseHz);
    EXPECT_THAT(info.warnings, IsEmpty());
    EXPECT_THAT(info.notes, Contains(Pair("Capture", "full matrix, 12 x 12")));
    const Acquisition& acquisition = *info.frame.acquisition;
    EXPECT_EQ(acquisition.soundSpeedMps, kSteelSpeed);
    EXPECT_NEAR(acquisition.probe.pitchM, 1e-3, 1e-15);
    EXPECT_NEAR(acquisition.probe.elementWidthM, 0.9e-3, 1e-15);
    EXPECT_EQ(acquisition.transmits[3].wave, Wave::Element);
    EXPECT_NEAR(acquisition.transmits[3].source.x, placeOfElement(3), 1e-15);
    EXPECT_EQ(acquisition.transmits[3].firstSampleS, kTraceStart);
    for (const int frame : {1, 0}) {
        const std::vector<double> samples = frameOf(*recording, frame);
        for (const auto& [tx, rx, n] : {std::tuple{0, 11, 300}, {7, 2, 187}, {11, 11, 499}})
            EXPECT_EQ(
                samples[static_cast<std::size_t>((tx * kMatrixElements + rx) * kTraceLength + n)],
                pairEcho(tx, rx, n) + frame);
    }
    expectPoints(*recording);
}

TEST_F(Mfmc, HalfMatricesAreFilledIn) {
    const auto recording = open(MfmcFile::half());
    EXPECT_THAT(recording->info().notes,
                AllOf(Contains(Pair("Capture", HasSubstr("half matrix, 78 of 12 x 12"))),
                      Contains(Pair("Reciprocity", HasSubstr("66 of 144")))));
    const std::vector<double> samples = frameOf(*recording);
    EXPECT_EQ(samples[(7 * kMatrixElements + 2) * kTraceLength + 187], pairEcho(2, 7, 187));
    expectPoints(*recording);
}

TEST_F(Mfmc, AnUnknownSpeedIsSaid) {
    MfmcFile file = MfmcFile::full();
    file.velocities.clear();
    EXPECT_THAT(open(file)->info().warnings, Contains(HasSubstr("SPECIMEN_VELOCITY")));
}

TEST_F(Mfmc, Refusals) {
    MfmcFile file = MfmcFile::full();
    file.elementsOfFirstLaw = 2;
    EXPECT_THAT(refusal(file), AllOf(HasSubstr("LAW<1>"), HasSubstr("has 2 elements")));
    file = MfmcFile::full();
    file.delayOfFirstLaw = 1e-6;
    EXPECT_THAT(refusal(file), HasSubstr("has a delay"));
    file = MfmcFile::full();
    file.wrongElement = 13;
    EXPECT_THAT(refusal(file), AllOf(HasSubstr("element 13"), HasSubstr("1 to 12")));
    file = MfmcFile::full();
    file.pairs[5] = file.pairs[4];
    EXPECT_THAT(refusal(file), HasSubstr("stored twice"));
}

TEST_F(Mfmc, PartsThatAreMissingOrDisagreeAreNamed) {
    const std::string sequence = "SEQUENCE<1>/";
    const auto without = [&](const std::string& name) {
        MfmcFile file = MfmcFile::half();
        file.change = [=](hid_t id) { H5Ldelete(id, name.c_str(), H5P_DEFAULT); };
        return refusal(file);
    };
    const auto with = [&](const std::string& name, const std::vector<std::string>& targets) {
        MfmcFile file = MfmcFile::half();
        file.change = [=](hid_t id) {
            H5Ldelete(id, name.c_str(), H5P_DEFAULT);
            hdf5_crafts::references(id, name, targets);
        };
        return refusal(file);
    };
    EXPECT_THAT(without(sequence + "MFMC_DATA"), HasSubstr("no sequence with MFMC_DATA"));
    EXPECT_THAT(without("PROBE<1>/ELEMENT_POSITION"), HasSubstr("ELEMENT_POSITION' is missing"));
    EXPECT_THAT(without(sequence + "LAW<1>"), HasSubstr("is missing; copy the file again"));
    EXPECT_THAT(without(sequence + "LAW<2>/ELEMENT"),
                AllOf(HasSubstr("LAW<2>"), HasSubstr("has 0 elements")));
    EXPECT_THAT(with(sequence + "PROBE_LIST", {"/PROBE<1>", "/PROBE<1>"}),
                HasSubstr("names 2 probes"));
    EXPECT_THAT(with(sequence + "RECEIVE_LAW", {"/SEQUENCE<1>/LAW<1>"}),
                AllOf(HasSubstr("names 1 laws"), HasSubstr("has 78 pairs")));
    MfmcFile file = MfmcFile::half();
    file.change = [](hid_t id) { H5Adelete_by_name(id, "SEQUENCE<1>", "TIME_STEP", H5P_DEFAULT); };
    EXPECT_THAT(refusal(file), HasSubstr("TIME_STEP"));
}

TEST_F(Mfmc, WhatIsNotSaidIsNotMadeUp) {
    MfmcFile file = MfmcFile::half();
    file.velocities = {kSteelSpeed}; // no shear waves
    file.change = [](hid_t id) {
        H5Ldelete(id, "PROBE<1>/ELEMENT_MINOR", H5P_DEFAULT);
        H5Adelete_by_name(id, "/", "VERSION", H5P_DEFAULT);
        H5Adelete_by_name(id, "PROBE<1>", "CENTRE_FREQUENCY", H5P_DEFAULT);
        H5Adelete_by_name(id, "SEQUENCE<1>", "START_TIME", H5P_DEFAULT);
        const std::vector<double> zeros(6);
        for (const char* each : {"LAW<1>/DELAY", "PROBE_POSITION", "MFMC_DATA_IM"})
            MfmcFile::table(id, "SEQUENCE<1>/" + std::string(each), H5T_IEEE_F64LE,
                            H5T_NATIVE_DOUBLE, {2, 3}, zeros.data());
    };
    const auto recording = open(file);
    const RecordingInfo& info = recording->info();
    const Acquisition& acquisition = *info.frame.acquisition;
    EXPECT_EQ(info.format, "MFMC of an unknown version");
    EXPECT_EQ(acquisition.soundSpeedMps, kSteelSpeed);
    EXPECT_EQ(acquisition.probe.elementWidthM, 0.0);
    EXPECT_EQ(acquisition.probe.centreFrequencyHz, 0.0);
    EXPECT_EQ(acquisition.transmits[0].firstSampleS, 0.0);
    EXPECT_THAT(info.notes, testing::Not(Contains(Pair("Shear waves", testing::_))));
    EXPECT_THAT(info.warnings, AllOf(Contains(HasSubstr("stood at 2 places")),
                                     Contains(HasSubstr("MFMC_DATA_IM"))));
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    for (const double impossible : {0.0, -1.0, kNone}) {
        file.velocities = {3200.0, impossible};
        EXPECT_THAT(open(file)->info().warnings, Contains(HasSubstr("SPECIMEN_VELOCITY")));
    }
}

TEST_F(Mfmc, AForeignWritersFile) {
    const auto path =
        std::filesystem::path(ECHOLUX_SHARED_DATA) / "formats/cases/12_ndt_mfmc/fmc12.mfmc";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
    const auto recording = openRecording(path);
    EXPECT_THAT(recording->info().warnings, IsEmpty());
    expectPoints(*recording);
}

TEST_F(Mfmc, AlteredFilesOpenOrSayWhy) {
    MfmcFile file = MfmcFile::half();
    file.pairs.resize(12);
    file.write(m_path);
    EXPECT_GT(AlteredHdf5(m_path).alterEach(), 10);
}

} // namespace
} // namespace echolux::test
