// SPDX-License-Identifier: GPL-3.0-or-later
// IPASC files made here, whose sounds follow from the ways of sound alone: lines of detectors along
// any axis, rings, wavelengths, and files of other writers.
#include "tests/dataset/altered_hdf5.hpp"
#include "tests/dataset/delay_and_sum.hpp"
#include "tests/dataset/sample_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

using Vector = std::array<double, 3>;

constexpr double kWaterSpeed = 1490.0;
constexpr double kLightSampling = 40e6;
constexpr double kSoundHz = 3e6;
constexpr int kSoundLength = 1100;

double away(const Vector& a, const Vector& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// What a test may change before the file is written.
struct LightFile {
    std::vector<Vector> places;
    std::vector<Vector> faces; ///< empty: not in the file
    Vector absorber{};
    std::vector<double> fieldOfView = {};
    std::vector<double> wavelengths{800e-9};
    int frames = 1;
    bool oldNames = false;      ///< "detection_element_7", which sort wrongly as texts
    std::vector<hsize_t> shape; ///< empty: all four axes
    std::vector<double> speeds{kWaterSpeed};
    std::vector<double> sampling{kLightSampling};
    std::string dimensionality = "time";

    /// 48 detectors along an axis, which look along another one.
    static LightFile line(std::size_t along, std::size_t depth, double way) {
        LightFile file;
        for (int k = 0; k < 48; ++k) {
            Vector place{};
            place[along] = 0.3e-3 * (k - 23.5);
            file.places.push_back(place);
            Vector face{};
            face[depth] = 0.5 * way; // of any length
            file.faces.push_back(face);
        }
        file.absorber[along] = 3e-3;
        file.absorber[depth] = way * 20e-3;
        return file;
    }
    /// 60 detectors round the origin in the plane of two axes, which look inwards.
    static LightFile ring(std::size_t a, std::size_t b, double radius) {
        LightFile file;
        for (int k = 0; k < 60; ++k) {
            const double turn = 2.0 * std::numbers::pi * k / 60.0;
            Vector place{};
            place[a] = radius * std::cos(turn);
            place[b] = radius * std::sin(turn);
            file.places.push_back(place);
            file.faces.push_back({-place[0], -place[1], -place[2]});
        }
        file.absorber[a] = 2e-3;
        file.absorber[b] = -3e-3;
        return file;
    }

    /// [detector][sample][wavelength][frame]; wavelength w is w + 1 times as loud, a frame f is f
    /// codes higher.
    std::vector<std::int16_t> samples() const {
        std::vector<std::int16_t> all;
        for (const Vector& place : places) {
            for (int n = 0; n < kSoundLength; ++n) {
                const double t = n / kLightSampling - away(place, absorber) / kWaterSpeed;
                const double sound = std::exp(-std::pow(t / 0.2e-6, 2)) *
                                     std::cos(2.0 * std::numbers::pi * kSoundHz * t);
                for (std::size_t w = 0; w < wavelengths.size(); ++w)
                    for (int f = 0; f < frames; ++f)
                        all.push_back(static_cast<std::int16_t>(
                            std::lround(4000.0 * static_cast<double>(w + 1) * sound) + f));
            }
        }
        return all;
    }
    void write(const std::filesystem::path& path) const {
        Hdf5Builder file(path);
        std::vector<hsize_t> axes = shape;
        if (axes.empty())
            axes = {places.size(), kSoundLength, wavelengths.size(), static_cast<hsize_t>(frames)};
        file.add<std::int16_t>("binary_time_series_data", axes, samples());
        const auto list = [&](const std::string& where, const std::vector<double>& values) {
            if (!values.empty()) file.add<double>(where, {values.size()}, values);
        };
        list("meta_data/ad_sampling_rate", sampling);
        list("meta_data/speed_of_sound", speeds);
        list("meta_data/acquisition_wavelengths", wavelengths);
        text(file.id(), "meta_data/dimensionality", dimensionality);
        list("meta_data_device/general/field_of_view", fieldOfView);
        for (std::size_t k = 0; k < places.size(); ++k) {
            const std::string at =
                "meta_data_device/detectors/" +
                (oldNames ? fmt::format("detection_element_{}", k) : fmt::format("{:010}", k)) +
                "/";
            list(at + "detector_position", {places[k].begin(), places[k].end()});
            if (!faces.empty())
                list(at + "detector_orientation", {faces[k].begin(), faces[k].end()});
            list(at + "detector_geometry", {0.2e-3, 5e-3, 0.0});
            file.add<double>(at + "frequency_response", {2, 5},
                             {0.0, 2e6, 3e6, 4e6, 9e6, 0.0, 0.6, 1.0, 0.6, 0.1});
        }
    }

private:
    static void text(hid_t file, const std::string& where, const std::string& value) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, value.size());
        const hid_t space = H5Screate(H5S_SCALAR);
        const hid_t made =
            H5Dcreate2(file, where.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data());
        H5Dclose(made);
        H5Sclose(space);
        H5Tclose(type);
    }
};

class Ipasc : public testing::Test {
protected:
    std::unique_ptr<Recording> open(const LightFile& file, const OpenOptions& options = {}) {
        file.write(m_path);
        return openRecording(m_path, options);
    }
    std::string refusal(const LightFile& file) {
        file.write(m_path);
        return refusalOf(m_path);
    }
    static void expectPoint(Recording& recording, const Point& point, double fNumber = 0.7) {
        const Peak peak =
            brightest(loadSignals(recording), point, 0.6e-3, 0.6e-3, 0.02e-3, {.fNumber = fNumber});
        constexpr double kTenthOfWave = 0.1 * kWaterSpeed / kSoundHz;
        EXPECT_NEAR(peak.at.x, point.x, kTenthOfWave);
        EXPECT_NEAR(peak.at.z, point.z, kTenthOfWave);
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "light.hdf5";
};

TEST_F(Ipasc, ALineIsImagedWithoutASidecar) {
    LightFile file = LightFile::line(0, 2, 1.0);
    file.frames = 2;
    const auto recording = open(file);
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.format, "IPASC photoacoustic time series");
    EXPECT_EQ(info.frame.describe(), "i16 [transmit 1][channel 48][sample 1100]");
    EXPECT_EQ(info.frameCount, 2);
    EXPECT_NEAR(info.frame.samplingFrequencyHz(), kLightSampling, 1e-3);
    EXPECT_NEAR(info.frame.centreFrequencyHz, 3e6, 1e-6);
    EXPECT_THAT(info.warnings, IsEmpty());
    EXPECT_THAT(info.notes,
                AllOf(Contains(Pair("Light", "800 nm")),
                      Contains(Pair("Coordinates", "lateral is x1 of the file, depth is x3"))));
    const Acquisition& acquisition = *info.frame.acquisition;
    EXPECT_EQ(acquisition.soundSpeedMps, kWaterSpeed);
    EXPECT_EQ(acquisition.transmits.at(0).wave, Wave::None);
    EXPECT_EQ(acquisition.transmits.at(0).firstSampleS, 0.0);
    EXPECT_NEAR(acquisition.probe.pitchM, 0.3e-3, 1e-12);
    EXPECT_NEAR(acquisition.probe.elementWidthM, 0.2e-3, 1e-12);
    EXPECT_NEAR(acquisition.probe.elementHeightM, 5e-3, 1e-12);
    EXPECT_NEAR(acquisition.probe.fractionalBandwidth, 2.0 / 3.0, 1e-9);
    EXPECT_THAT(acquisition.probe.normals, IsEmpty());
    EXPECT_EQ(frameOf(*recording, 1)[1000], frameOf(*recording, 0)[1000] + 1);
    expectPoint(*recording, {3e-3, 0.0, 20e-3});
}

TEST_F(Ipasc, DetectorsAreCountedByTheirNumbers) {
    LightFile file = LightFile::line(0, 2, 1.0);
    file.oldNames = true;
    const auto recording = open(file);
    EXPECT_NEAR(recording->info().frame.acquisition->probe.elements[10].x, -13.5 * 0.3e-3, 1e-12);
    expectPoint(*recording, {3e-3, 0.0, 20e-3});
}

TEST_F(Ipasc, LinesAlongAnyAxisLookWhereTheirDetectorsFace) {
    expectPoint(*open(LightFile::line(1, 2, 1.0)), {3e-3, 0.0, 20e-3});
    expectPoint(*open(LightFile::line(0, 1, 1.0)), {3e-3, 0.0, 20e-3});
    const auto upwards = open(LightFile::line(0, 2, -1.0));
    expectPoint(*upwards, {3e-3, 0.0, 20e-3});
    EXPECT_THAT(upwards->info().notes,
                Contains(Pair("Coordinates", "lateral is x1 of the file, depth is -x3")));
}

TEST_F(Ipasc, TheFieldOfViewSaysWhereLinesLookThatDoNotFace) {
    LightFile file = LightFile::line(2, 0, -1.0);
    file.faces.clear();
    file.fieldOfView = {-40e-3, 0.0, 0.0, 0.0, -10e-3, 30e-3};
    const auto recording = open(file);
    EXPECT_THAT(recording->info().notes,
                Contains(Pair("Coordinates", "lateral is x3 of the file, depth is -x1")));
    expectPoint(*recording, {3e-3, 0.0, 20e-3});
}

TEST_F(Ipasc, RingsStandOnDepthZeroAndLookInwards) {
    constexpr double kRadius = 15e-3;
    for (const bool faces : {true, false}) {
        SCOPED_TRACE(faces);
        LightFile file = LightFile::ring(0, 2, kRadius);
        if (!faces) file.faces.clear();
        const auto recording = open(file);
        EXPECT_THAT(
            recording->info().notes,
            Contains(Pair("Coordinates", "lateral is x1 of the file, depth is x3 + 15 mm")));
        const Probe& probe = recording->info().frame.acquisition->probe;
        ASSERT_EQ(probe.normals.size(), 60U);
        for (std::size_t e = 0; e < 60; ++e) {
            EXPECT_NEAR(probe.normals[e].x, -probe.elements[e].x / kRadius, 1e-9);
            EXPECT_NEAR(probe.normals[e].z, 1.0 - probe.elements[e].z / kRadius, 1e-9);
            EXPECT_EQ(probe.elements[e].y, 0.0);
        }
        expectPoint(*recording, {2e-3, 0.0, kRadius - 3e-3}, 0.01);
    }
    expectPoint(*open(LightFile::ring(0, 1, kRadius)), {2e-3, 0.0, kRadius - 3e-3}, 0.01);
}

TEST_F(Ipasc, WavelengthsAreTracks) {
    LightFile file = LightFile::line(0, 2, 1.0);
    file.wavelengths = {700e-9, 800.0, 850e-9}; // some write nm
    file.frames = 2;
    const auto first = open(file);
    EXPECT_THAT(first->info().tracks, ElementsAre("700 nm", "800 nm", "850 nm"));
    const auto third = openRecording(m_path, {.track = 2});
    EXPECT_THAT(third->info().notes, Contains(Pair("Light", "850 nm")));
    EXPECT_EQ(third->info().frameCount, 2);
    const std::vector<double> quiet = frameOf(*first, 1);
    const std::vector<double> loud = frameOf(*third, 1);
    for (std::size_t i = 0; i < quiet.size(); ++i)
        ASSERT_NEAR(loud[i] - 1.0, 3.0 * (quiet[i] - 1.0), 2.0) << i;
    expectPoint(*third, {3e-3, 0.0, 20e-3});
}

TEST_F(Ipasc, OlderFilesLackAxes) {
    LightFile file = LightFile::line(0, 2, 1.0);
    file.frames = 2;
    file.shape = {48, kSoundLength, 2};
    EXPECT_EQ(open(file)->info().frameCount, 2);
    file.frames = 1;
    file.shape = {48, kSoundLength};
    expectPoint(*open(file), {3e-3, 0.0, 20e-3});
    file.wavelengths = {700e-9, 800e-9};
    file.shape = {48, kSoundLength, 2};
    EXPECT_THAT(open(file)->info().tracks, ElementsAre("700 nm", "800 nm"));
}

TEST_F(Ipasc, AnUnknownSpeedIsSaid) {
    LightFile file = LightFile::line(0, 2, 1.0);
    file.speeds.clear();
    EXPECT_THAT(open(file)->info().warnings, Contains(HasSubstr("1540 m/s is assumed")));
    file.speeds = {1400.0, 1500.0};
    const auto recording = open(file);
    EXPECT_EQ(recording->info().frame.acquisition->soundSpeedMps, 1450.0);
    EXPECT_THAT(recording->info().warnings, Contains(HasSubstr("a map of the speed")));
}

TEST_F(Ipasc, Refusals) {
    const auto changed = [&](const std::function<void(LightFile&)>& change) {
        LightFile file = LightFile::line(0, 2, 1.0);
        change(file);
        return refusal(file);
    };
    EXPECT_THAT(changed([](LightFile& f) { f.sampling.clear(); }), HasSubstr("ad_sampling_rate"));
    EXPECT_THAT(changed([](LightFile& f) { f.dimensionality = "space"; }), HasSubstr("images"));
    EXPECT_THAT(changed([](LightFile& f) {
                    f.shape = {24, kSoundLength, 2, 1};
                }),
                AllOf(HasSubstr("48 detectors"), HasSubstr("24 channels")));
    EXPECT_THAT(changed([](LightFile& f) { f.places[7][1] = std::nan(""); }),
                HasSubstr("0000000007/detector_position"));
    EXPECT_THAT(changed([](LightFile& f) { f.shape = {48 * kSoundLength}; }),
                HasSubstr("[detector][sample][wavelength][frame]"));
}

std::filesystem::path sharedFile(const char* name) {
    return std::filesystem::path(ECHOLUX_SHARED_DATA) / "formats" / name;
}

/// One absorber at (3, 20) mm, with no sidecar and with one.
TEST_F(Ipasc, AForeignWritersFile) {
    const auto shared = sharedFile("cases/14_photoacoustic_ipasc/pa_line.hdf5");
    if (!std::filesystem::exists(shared)) GTEST_SKIP() << shared << " is not here";
    std::filesystem::copy_file(shared, m_path);
    const auto point = [](Recording& recording) {
        return brightest(loadSignals(recording), {3e-3, 0.0, 20e-3}, 2e-3, 2e-3, 0.05e-3,
                         {.fNumber = 1.0})
            .at;
    };
    const auto described = [&] {
        writeFile(m_folder / "light.hdf5.toml",
                  "sound_speed = \"meta_data/speed_of_sound\"\n"
                  "signal = { sampling_frequency = \"meta_data/ad_sampling_rate\", "
                  "centre_frequency = 3e6 }\n"
                  "probe = { pitch = 0.3e-3 }\ntransmit = { wave = \"none\" }\n"
                  "[data]\narray = \"binary_time_series_data\"\n"
                  "axes = [\"channel\", \"sample\", \"frame\", \"none\"]\n");
        return openRecording(m_path);
    };
    constexpr double kTenth = 0.1 * 1500.0 / 3e6;
    const auto plain = openRecording(m_path);
    EXPECT_EQ(plain->info().frame.acquisition->transmits.at(0).wave, Wave::None);
    EXPECT_NEAR(point(*plain).x, 3e-3, kTenth);
    EXPECT_NEAR(point(*plain).z, 20e-3, kTenth);
    const auto sidecar = described();
    EXPECT_EQ(sidecar->info().format, "HDF5 + sidecar");
    EXPECT_EQ(sidecar->info().frame.acquisition->transmits.at(0).wave, Wave::None);
    EXPECT_NEAR(point(*sidecar).x, 3e-3, kTenth);
    EXPECT_NEAR(point(*sidecar).z, 20e-3, kTenth);
}

/// Written by pacfish from a simulation by k-Wave: disks of which two are alone and bright.
TEST_F(Ipasc, AFileOfPacfish) {
    const auto shared = sharedFile("references/photoacoustics/line_array_ipasc.hdf5");
    if (!std::filesystem::exists(shared)) GTEST_SKIP() << shared << " is not here";
    std::filesystem::copy_file(shared, m_path);
    const auto recording = openRecording(m_path);
    EXPECT_EQ(recording->info().frame.describe(), "f32 [transmit 1][channel 64][sample 768]");
    EXPECT_NEAR(recording->info().frame.acquisition->probe.pitchM, 0.4e-3, 1e-9);
    EXPECT_EQ(recording->info().frame.acquisition->probe.name, "echolux-test-line-128");
}

TEST_F(Ipasc, AlteredFilesOpenOrSayWhy) {
    LightFile file = LightFile::line(0, 2, 1.0);
    file.wavelengths = {700e-9, 800e-9};
    file.places.resize(4);
    file.faces.resize(4);
    file.write(m_path);
    EXPECT_GT(AlteredHdf5(m_path).alterEach(), 10);
}

} // namespace
} // namespace echolux::test
