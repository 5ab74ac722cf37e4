// SPDX-License-Identifier: GPL-3.0-or-later
// Files that the real zea package wrote (vectors/make_zea_files.py): waves, clock, apertures,
// tracks, targets at their places, and images with theirs.
#include "gpu/core/sector.hpp"
#include "tests/dataset/damage_attempts.hpp"
#include "tests/dataset/damaged_files.hpp"
#include "tests/dataset/delay_and_sum.hpp"
#include "tests/dataset/native_samples.hpp"
#include "tests/dataset/sample_files.hpp"

#include "app/dataset/transmit/wave_name.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

std::filesystem::path zeaVector(const std::string& name) {
    return std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors" / name;
}

const nlohmann::json& truth() {
    static const auto json = nlohmann::json::parse(readFile(zeaVector("zea_files.json")));
    return json;
}

OpenOptions track(std::size_t index) { return {.track = index}; }

/// Transmits of `acquisition` against those of `expected` from `first` on. zea keeps float32.
void expectTransmits(const Acquisition& acquisition, const nlohmann::json& expected,
                     std::size_t first, std::size_t count) {
    ASSERT_EQ(acquisition.transmits.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
        const Transmit& transmit = acquisition.transmits[i];
        const auto& wanted = expected[first + i];
        EXPECT_EQ(nameOf(transmit.wave), wanted["wave"].get<std::string>());
        EXPECT_NEAR(transmit.firstSampleS, wanted["first_sample"].get<double>(), 1e-10);
        if (transmit.wave == Wave::Plane) {
            EXPECT_NEAR(transmit.angleRad, wanted["angle"].get<double>(), 1e-7);
        } else {
            EXPECT_NEAR(transmit.source.x, wanted["x"].get<double>(), 1e-8);
            EXPECT_NEAR(transmit.source.z, wanted["z"].get<double>(), 1e-8);
        }
    }
}

void expectTargets(Recording& recording, double lateral) {
    const Signals signals = loadSignals(recording);
    for (const auto& target : truth()["targets"]) {
        const Point at{target[0].get<double>(), 0.0, target[1].get<double>()};
        const Peak peak = brightest(signals, at, 1.2e-3, 1.2e-3, 5e-5);
        EXPECT_NEAR(peak.at.x, at.x, lateral) << recording.info().path;
        EXPECT_NEAR(peak.at.z, at.z, 6e-5) << recording.info().path;
    }
}

constexpr double kHalfWavelength = 0.5 * 1540.0 / 5e6;

TEST(ZeaFiles, WalkingApertures) {
    const auto recording = openRecording(zeaVector("zea_walking.hdf5"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.format, "zea HDF5");
    EXPECT_EQ(info.frame.describe(), "i16 [transmit 4][channel 16][sample 210]");
    EXPECT_EQ(info.frameCount, 2);
    EXPECT_NEAR(info.frameRateHz, 2500.0, 1e-2);
    EXPECT_EQ(info.frame.centreFrequencyHz, 5e6);
    EXPECT_EQ(info.frame.demodulationFrequencyHz, 0.0);
    EXPECT_THAT(info.warnings, IsEmpty());
    EXPECT_THAT(info.notes,
                AllOf(Contains(Pair("Description", "walking")), Contains(Pair("zea", "0.1.8")),
                      Contains(Pair("Lens", HasSubstr("0.5 mm thick, 1000 m/s")))));
    const Acquisition& acquisition = *info.frame.acquisition;
    EXPECT_EQ(acquisition.probe.name, "points_l24");
    EXPECT_NEAR(acquisition.probe.pitchM, 0.3e-3, 1e-9);
    EXPECT_NEAR(acquisition.probe.fractionalBandwidth, 0.6, 1e-7);
    expectTransmits(acquisition, truth()["walking"], 0, 4);
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t c = 0; c < 16; ++c)
            EXPECT_EQ(acquisition.receiveElements[16 * i + c],
                      truth()["walking"][i]["receive"][c].get<int>());
        EXPECT_EQ(std::ranges::count(acquisition.transmits[i].apodization, 1.0F), 12);
        EXPECT_EQ(acquisition.transmits[i].apodization[4 * i], 1.0F);
    }
    expectTargets(*recording, kHalfWavelength);
    const auto first = frameOf(*recording, 0);
    const auto second = frameOf(*recording, 1);
    EXPECT_NEAR(*std::ranges::max_element(second), 2.0 * *std::ranges::max_element(first), 1.0);
}

TEST(ZeaFiles, TracksAreChosenByNumber) {
    const auto path = zeaVector("zea_tracks.hdf5");
    const auto planes = openRecording(path);
    EXPECT_THAT(planes->info().tracks, ElementsAre("planewave", "diverging", "planewave: image"));
    EXPECT_EQ(planes->info().track, 0U);
    EXPECT_EQ(planes->info().frame.dtype, DType::I16);
    // Seven intervals of 0.1 ms from one frame to the next, those of the pushes counted.
    EXPECT_NEAR(planes->info().frameRateHz, 1e4 / 7.0, 1e-2);
    EXPECT_THAT(planes->info().notes, Contains(Pair("Without data", HasSubstr("push"))));
    expectTransmits(*planes->info().frame.acquisition, truth()["tracks"], 0, 2);
    expectTargets(*planes, kHalfWavelength);

    const auto diverging = openRecording(path, track(1));
    EXPECT_EQ(diverging->info().track, 1U);
    EXPECT_EQ(diverging->info().frame.dtype, DType::ComplexI16);
    EXPECT_EQ(diverging->info().frame.demodulationFrequencyHz, 5e6);
    expectTransmits(*diverging->info().frame.acquisition, truth()["tracks"], 2, 2);
    for (const Transmit& transmit : diverging->info().frame.acquisition->transmits)
        EXPECT_EQ(transmit.iqPhaseZeroS, transmit.firstSampleS);
    expectTargets(*diverging, kHalfWavelength);

    EXPECT_THAT(refusalOf(path, track(3)),
                AllOf(HasSubstr("track 4 was asked for"), HasSubstr("2 'diverging'"),
                      HasSubstr("3 'planewave: image'")));
}

/// Place of the brightest pixel near `target`, of a frame of reals.
Point brightestPixel(const FrameSpec& frame, const std::vector<double>& values,
                     const Point& target) {
    const Axis* depth = frame.find(AxisName::Depth);
    const Axis* lateral = frame.find(AxisName::Lateral);
    Point best;
    double most = -HUGE_VAL;
    for (std::int64_t d = 0; d < depth->size; ++d)
        for (std::int64_t l = 0; l < lateral->size; ++l) {
            const double along = depth->origin + depth->spacing * static_cast<double>(d);
            Point at{lateral->origin + lateral->spacing * static_cast<double>(l), 0.0, along};
            if (const Sector* sector = frame.sector.get()) {
                const double angle = sector->anglesRad[static_cast<std::size_t>(l)];
                const double r = sector->radiusM + along;
                at = {sector->apexXM + r * std::sin(angle), 0.0,
                      sector->apexZM + r * std::cos(angle)};
            }
            const double value = values[static_cast<std::size_t>(d * lateral->size + l)];
            if (std::hypot(at.x - target.x, at.z - target.z) > 1.5e-3 || value <= most) continue;
            best = at;
            most = value;
        }
    return best;
}

void expectBlobs(Recording& recording, std::vector<double> values, double step) {
    const FrameSpec& frame = recording.info().frame;
    if (isComplex(frame.dtype)) {
        for (std::size_t i = 0; i < values.size() / 2; ++i)
            values[i] = std::hypot(values[2 * i], values[2 * i + 1]);
        values.resize(values.size() / 2);
    }
    for (const auto& target : truth()["targets"]) {
        const Point at{target[0].get<double>(), 0.0, target[1].get<double>()};
        const Point found = brightestPixel(frame, values, at);
        EXPECT_NEAR(found.x, at.x, step);
        EXPECT_NEAR(found.z, at.z, step);
    }
}

TEST(ZeaFiles, ImagesInPlaceOfASector) {
    const auto path = zeaVector("zea_images.hdf5");
    const std::vector<RecordedForm> forms{RecordedForm::Beamformed, RecordedForm::Envelope,
                                          RecordedForm::Decibels};
    for (std::size_t i = 0; i < forms.size(); ++i) {
        const auto recording = openRecording(path, track(i));
        const RecordingInfo& info = recording->info();
        EXPECT_THAT(info.tracks, ElementsAre("beamformed data", "envelope", "image"));
        EXPECT_EQ(info.frame.recordedForm, forms[i]);
        EXPECT_THAT(info.warnings, IsEmpty());
        ASSERT_NE(info.frame.sector, nullptr);
        EXPECT_NEAR(info.frame.sector->apexZM, -2e-3, 1e-6);
        EXPECT_NEAR(info.frame.sector->apexXM, 0.0, 1e-6);
        EXPECT_NEAR(info.frame.sector->radiusM, 2e-3, 1e-6) << "up to the flat array, z = 0";
        EXPECT_NEAR(info.frame.find(AxisName::Depth)->origin, 2e-3, 1e-6);
        EXPECT_NEAR(info.frame.sector->anglesRad.front(), -0.5, 1e-6);
        EXPECT_NEAR(info.frame.find(AxisName::Depth)->spacing, 0.25e-3, 1e-8);
        EXPECT_EQ(info.frame.find(AxisName::Lateral)->unit, "rad");
        expectBlobs(*recording, frameOf(*recording), 0.3e-3);
    }
    EXPECT_EQ(openRecording(path)->info().frame.dtype, DType::ComplexF32);
    const auto shown = openRecording(path, track(2))->info().frame.valueRange;
    ASSERT_TRUE(shown.has_value());
    EXPECT_EQ(shown->min, -60.0);
    EXPECT_EQ(shown->unit, "dB");
}

TEST(ZeaFiles, ImagesOnARectangle) {
    const auto recording = openRecording(zeaVector("zea_tracks.hdf5"), track(2));
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "f32 [depth 21][lateral 21]");
    EXPECT_EQ(frame.sector, nullptr);
    EXPECT_NEAR(frame.find(AxisName::Depth)->origin, 6e-3, 1e-8);
    EXPECT_NEAR(frame.find(AxisName::Lateral)->spacing, 0.4e-3, 1e-8);
    EXPECT_EQ(frame.find(AxisName::Lateral)->unit, "m");
    expectBlobs(*recording, frameOf(*recording), 0.21e-3);
}

/// Where the first chunk of `dataset` lies in the file.
std::size_t chunkAddress(const std::filesystem::path& path, const char* dataset) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t data = H5Dopen2(file, dataset, H5P_DEFAULT);
    const std::array<hsize_t, 5> offset{};
    unsigned mask = 0;
    haddr_t address = 0;
    hsize_t size = 0;
    H5Dget_chunk_info_by_coord(data, offset.data(), &mask, &address, &size);
    H5Dclose(data);
    H5Fclose(file);
    return address;
}

TEST(ZeaFiles, ChunksWhoseHeadersLieAreRefusedAtOnce) {
    TemporaryFolder folder;
    const auto path = folder / "lies.hdf5";
    const std::string whole = readFile(zeaVector("zea_walking.hdf5"));
    const std::size_t chunk =
        chunkAddress(zeaVector("zea_walking.hdf5"), "tracks/track_0/data/raw_data");
    ASSERT_EQ(whole[chunk], 2) << "version of the format";
    for (const std::size_t at : {4, 8, 12, 16}) { // plain size, block, stored size, first block
        std::string bytes = whole;
        bytes[chunk + at + 2] = static_cast<char>(bytes[chunk + at + 2] + 1);
        writeFile(path, bytes);
        EXPECT_THAT(refusalOf(path),
                    AllOf(HasSubstr("raw_data' cannot be read"), HasSubstr("damaged")))
            << at;
    }
}

TEST(ZeaFiles, DamageIsRefusedOrHarmless) {
    const ReadsThroughAProcess apart; // HDF5 itself fails on some of them
    TemporaryFolder folder;
    const auto path = folder / "damaged.hdf5";
    const std::string whole = readFile(zeaVector("zea_walking.hdf5"));
    std::vector<std::string> variants = cuts(whole);
    for (std::string& each : flips(whole, 150, 11)) variants.push_back(std::move(each));
    std::size_t refused = 0;
    for (const std::string& bytes : variants) {
        writeFile(path, bytes);
        try {
            const auto recording = openRecording(path);
            frameOf(*recording, recording->info().frameCount - 1);
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("damaged.hdf5"));
            ++refused;
        }
    }
    EXPECT_GT(refused, variants.size() / 4);
}

} // namespace
} // namespace echolux::test
