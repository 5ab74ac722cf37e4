// SPDX-License-Identifier: GPL-3.0-or-later
// zea files of all years, built here: flat ones, events, tracks; scans that contradict themselves;
// pictures of several kinds.
#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/guarded/open_here.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kSpeed = 1500.0;
constexpr std::size_t kElements = 8;
constexpr double kPitch = 0.3e-3;

double elementX(std::size_t k) { return (static_cast<double>(k) - 3.5) * kPitch; }

class ZeaLayouts : public testing::Test {
protected:
    /// A scan of two plane waves, 0 and 0.2 rad, at the root of `where`.
    void addScan(Hdf5Builder& file, const std::string& where, bool delays = true) {
        const std::string scan = where + "scan/";
        file.add<double>(scan + "sampling_frequency", {1}, {20e6});
        file.add<double>(scan + "center_frequency", {1}, {5e6});
        file.add<double>(scan + "sound_speed", {1}, {kSpeed});
        file.add<double>(scan + "initial_times", {2}, {3e-6, 4e-6});
        file.add<double>(scan + "polar_angles", {2}, {0.0, 0.2});
        if (!delays) return;
        std::vector<double> t0(2 * kElements, 0.0);
        for (std::size_t k = 0; k < kElements; ++k)
            t0[kElements + k] = static_cast<double>(k) * kPitch * std::sin(0.2) / kSpeed;
        file.add<double>(scan + "t0_delays", {2, kElements}, t0);
    }
    void addGeometry(Hdf5Builder& file, const std::string& where) {
        std::vector<double> places;
        for (std::size_t k = 0; k < kElements; ++k)
            places.insert(places.end(), {elementX(k), 0.0, 0.0});
        file.add<double>(where + "/probe_geometry", {kElements, 3}, places);
    }
    void addData(Hdf5Builder& file, const std::string& where, hsize_t frames = 2,
                 bool deflate = false) {
        file.add<float>(where + "data/raw_data", {frames, 2, 5, kElements, 1},
                        countedUp<float>(frames * 2 * 5 * kElements), deflate);
    }
    double lead() const { return 3.5 * kPitch * std::sin(0.2) / kSpeed; }

    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "zea.h5";
};

TEST_F(ZeaLayouts, FlatWithTheProbeInTheScan) {
    {
        Hdf5Builder file(m_path);
        addScan(file, "");
        addGeometry(file, "scan");
        addData(file, "", 3, true);
    }
    const auto recording = openRecording(m_path);
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "f32 [transmit 2][channel 8][sample 5]");
    EXPECT_EQ(info.frameCount, 3);
    EXPECT_THAT(info.tracks, ElementsAre("channel data"));
    EXPECT_THAT(info.warnings, IsEmpty());
    const auto& transmits = info.frame.acquisition->transmits;
    EXPECT_NEAR(transmits[0].firstSampleS, 3e-6, 1e-15);
    EXPECT_NEAR(transmits[1].firstSampleS, 4e-6 - lead(), 1e-15);
    EXPECT_NEAR(transmits[1].angleRad, 0.2, 1e-12);
    // [frame][transmit][sample][channel] in the file.
    const auto values = frameOf(*recording, 2);
    EXPECT_EQ(values[0], 2 * 80);
    EXPECT_EQ(values[1], 2 * 80 + 8);
    EXPECT_EQ(values[5], 2 * 80 + 1);
    EXPECT_EQ(values[40], 2 * 80 + 40);
}

TEST_F(ZeaLayouts, EventsAndTracksAreCountedByNumber) {
    for (const std::string& prefix : {std::string("event_"), std::string("tracks/track_")}) {
        {
            Hdf5Builder file(m_path);
            addGeometry(file, "probe");
            for (int i = 0; i < 11; ++i) {
                const std::string where = prefix + std::to_string(i) + "/";
                addScan(file, where);
                if (i != 3) addData(file, where, static_cast<hsize_t>(i) + 1);
            }
        }
        const auto recording = openRecording(m_path, {.track = 9});
        EXPECT_EQ(recording->info().tracks.size(), 10U) << "one only transmits";
        EXPECT_THAT(recording->info().tracks[9], testing::EndsWith("_10"));
        EXPECT_EQ(recording->info().frameCount, 11);
        EXPECT_THAT(refusalOf(m_path, {.track = 10}), HasSubstr("track 11 was asked for"));
    }
}

TEST_F(ZeaLayouts, DelaysAreTheTruthOfTheWave) {
    {
        Hdf5Builder file(m_path);
        addScan(file, "", false);
        addGeometry(file, "scan");
        addData(file, "");
        // Both are said to be plane; the second focuses on (0, 4 mm).
        std::vector<double> delays(2 * kElements, 0.0);
        const double far = std::hypot(elementX(0), 4e-3);
        for (std::size_t k = 0; k < kElements; ++k)
            delays[kElements + k] = (far - std::hypot(elementX(k), 4e-3)) / kSpeed;
        for (double& delay : delays) delay *= 3.0; // more than a quarter period apart
        file.add<double>("scan/t0_delays", {2, kElements}, delays);
    }
    const auto recording = openRecording(m_path);
    const auto& transmits = recording->info().frame.acquisition->transmits;
    EXPECT_EQ(transmits[0].wave, Wave::Plane);
    EXPECT_EQ(transmits[1].wave, Wave::Focused);
    EXPECT_NEAR(transmits[1].source.x, 0.0, 1e-6);
    EXPECT_THAT(recording->info().warnings,
                Contains(AllOf(HasSubstr("transmit 2 "), HasSubstr("t0_delays"))));
}

TEST_F(ZeaLayouts, FocusInWavelengthsAndFrequenciesThatDiffer) {
    {
        Hdf5Builder file(m_path);
        addScan(file, "", false);
        addGeometry(file, "scan");
        addData(file, "");
        file.add<double>("scan/focus_distances", {2}, {20.0, 40.0});
        file.add<double>("scan/demodulation_frequency", {2}, {5e6, 4e6});
    }
    const auto recording = openRecording(m_path);
    const auto& transmits = recording->info().frame.acquisition->transmits;
    EXPECT_EQ(transmits[0].wave, Wave::Focused);
    EXPECT_NEAR(transmits[0].source.z, 20.0 * kSpeed / 5e6, 1e-12);
    EXPECT_NEAR(transmits[1].source.x, 40.0 * kSpeed / 5e6 * std::sin(0.2), 1e-12);
    EXPECT_THAT(recording->info().warnings,
                AllOf(Contains(HasSubstr("wavelengths")), Contains(HasSubstr("demodulation")),
                      Contains(HasSubstr("t0_delays' is missing"))));
    const double edge = std::hypot(elementX(0), 20.0 * kSpeed / 5e6);
    EXPECT_NEAR(transmits[0].firstSampleS, 3e-6 - (edge - 20.0 * kSpeed / 5e6) / kSpeed, 1e-15);
}

TEST_F(ZeaLayouts, SingleElementsAndSilentOnes) {
    {
        Hdf5Builder file(m_path);
        addScan(file, "");
        addGeometry(file, "scan");
        addData(file, "");
        std::vector<double> weights(2 * kElements, 0.0);
        weights[2] = 1.0;
        for (std::size_t k = 0; k < kElements; ++k) weights[kElements + k] = 0.5;
        file.add<double>("scan/tx_apodizations", {2, kElements}, weights);
    }
    const auto recording = openRecording(m_path);
    const auto& transmits = recording->info().frame.acquisition->transmits;
    EXPECT_EQ(transmits[0].wave, Wave::Element);
    EXPECT_NEAR(transmits[0].source.x, elementX(2), 1e-15);
    EXPECT_NEAR(transmits[0].firstSampleS, 3e-6, 1e-15);
    EXPECT_EQ(transmits[1].apodization, std::vector<float>(kElements, 0.5F));
}

TEST_F(ZeaLayouts, PlaneWavesOutOfThePlane) {
    {
        Hdf5Builder file(m_path);
        addScan(file, "", false);
        addGeometry(file, "scan");
        addData(file, "");
        file.add<double>("scan/azimuth_angles", {2}, {0.0, 0.5});
    }
    const auto recording = openRecording(m_path);
    const Acquisition& acquisition = *recording->info().frame.acquisition;
    const Point u = direction(acquisition.transmits[1], acquisition.steering);
    EXPECT_NEAR(u.x, std::sin(0.2) * std::cos(0.5), 1e-12);
    EXPECT_NEAR(u.y, std::sin(0.2) * std::sin(0.5), 1e-12);
    EXPECT_NEAR(u.z, std::cos(0.2), 1e-12);
}

TEST_F(ZeaLayouts, Refusals) {
    const auto refused = [&](const auto& add, bool geometry = true, bool scan = true) {
        {
            Hdf5Builder file(m_path);
            if (scan) addScan(file, "tracks/track_0/");
            if (geometry) addGeometry(file, "probe");
            add(file);
        }
        return refusalOf(m_path);
    };
    const std::string at = "tracks/track_0/";
    const auto data = [&](Hdf5Builder& file) { addData(file, at); };
    const auto shaped = [&](const std::vector<hsize_t>& shape) {
        return [&, shape](Hdf5Builder& file) {
            std::size_t count = 1;
            for (const hsize_t extent : shape) count *= extent;
            file.add<float>(at + "data/raw_data", shape, std::vector<float>(count, 1.0F));
        };
    };
    const auto also = [&](const std::string& name, const std::vector<hsize_t>& shape,
                          const std::vector<double>& values) {
        return [&, name, shape, values](Hdf5Builder& file) {
            addData(file, at);
            file.add<double>(at + "scan/" + name, shape, values);
        };
    };
    EXPECT_THAT(refused([](Hdf5Builder&) {}), HasSubstr("neither channel data"));
    EXPECT_THAT(refused(data, false), HasSubstr("where its elements are"));
    EXPECT_THAT(refused(data, true, false), HasSubstr("has no 'tracks/track_0/scan'"));
    EXPECT_THAT(refused(shaped({2, 2, 5, 8, 3})), HasSubstr("1 (RF) or 2 (IQ)"));
    EXPECT_THAT(refused(shaped({2, 2, 5, 8})), HasSubstr("1 (RF) or 2 (IQ)"));
    EXPECT_THAT(refused(shaped({2, 3, 5, 8, 1})),
                AllOf(HasSubstr("2 entries"), HasSubstr("3 transmits")));
    EXPECT_THAT(
        refused(shaped({2, 2, 5, 4, 1})),
        AllOf(HasSubstr("4 channels"), HasSubstr("8 elements"), HasSubstr("rx_aperture_indices")));
    EXPECT_THAT(refused(also("rx_aperture_indices", {2, 8}, std::vector<double>(16, 8.0))),
                HasSubstr("0 to 7"));
    EXPECT_THAT(refused(also("rx_aperture_indices", {2, 8}, std::vector<double>(16, -1.0))),
                HasSubstr("0 to 7"));
    EXPECT_THAT(refused(also("tx_apodizations", {2, 7}, std::vector<double>(14, 1.0))),
                AllOf(HasSubstr("2 x 7"), HasSubstr("8 elements")));
    EXPECT_THAT(refused(also("tx_apodizations", {2, 8}, std::vector<double>(16, 0.0))),
                AllOf(HasSubstr("no element fires"), HasSubstr("transmit 1")));
    std::vector<double> coded(16, 1.0);
    coded[9] = -1.0;
    EXPECT_THAT(refused(also("tx_apodizations", {2, 8}, coded)), HasSubstr("opposite signs"));
    EXPECT_THAT(refused(also("azimuth_angles", {2}, {0.0, std::nan("")})), HasSubstr("angle"));
    EXPECT_THAT(refused(also("demodulation_frequency", {1}, {-5e6})), HasSubstr("negative"));
}

TEST_F(ZeaLayouts, GreyPicturesAndOldImagesWithoutPlaces) {
    {
        Hdf5Builder file(m_path);
        file.add<std::int16_t>("data/image", {2, 3, 4}, countedUp<std::int16_t>(24));
        file.add<float>("data/envelope_data", {2, 3, 4, 1}, countedUp<float>(24), true);
    }
    const auto envelope = openRecording(m_path);
    EXPECT_EQ(envelope->info().frame.recordedForm, RecordedForm::Envelope);
    EXPECT_EQ(envelope->info().frame.describe(), "f32 [depth 3][lateral 4]");
    EXPECT_EQ(frameOf(*envelope, 1)[5], 17.0);
    EXPECT_THAT(envelope->info().warnings, Contains(HasSubstr("without a scale")));
    const auto image = openRecording(m_path, {.track = 1});
    EXPECT_EQ(image->info().frame.recordedForm, RecordedForm::Picture);
    EXPECT_EQ(image->info().frame.valueRange->max, 255.0);
}

TEST_F(ZeaLayouts, VolumesOfBeamformedData) {
    {
        Hdf5Builder file(m_path);
        file.add<float>("tracks/track_0/data/beamformed_data/values", {1, 3, 4, 2, 1},
                        countedUp<float>(24));
        std::vector<float> places;
        for (int z = 0; z < 3; ++z)
            for (int x = 0; x < 4; ++x)
                for (int y = 0; y < 2; ++y)
                    places.insert(places.end(),
                                  {static_cast<float>(x) * 1e-3F, static_cast<float>(y) * 2e-3F,
                                   static_cast<float>(z) * 3e-3F + 5e-3F});
        file.add<float>("tracks/track_0/data/beamformed_data/coordinates", {3, 4, 2, 3}, places);
    }
    const auto recording = openRecording(m_path);
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "f32 [elevation 2][depth 3][lateral 4]");
    EXPECT_NEAR(frame.find(AxisName::Elevation)->spacing, 2e-3, 1e-9);
    EXPECT_NEAR(frame.find(AxisName::Depth)->origin, 5e-3, 1e-9);
    EXPECT_NEAR(frame.find(AxisName::Lateral)->spacing, 1e-3, 1e-9);
    EXPECT_EQ(frameOf(*recording)[12], 1.0) << "[depth 0][lateral 0] of the second plane";
}

TEST_F(ZeaLayouts, PlacesThatMakeNoGridOrDoNotFit) {
    const auto write = [&](const std::vector<hsize_t>& shape, float off) {
        Hdf5Builder file(m_path);
        file.add<float>("tracks/track_0/data/image/values", {1, 2, 3}, {-1, -2, -3, -4, -5, -6});
        std::size_t count = 1;
        for (const hsize_t extent : shape) count *= extent;
        std::vector<float> places(count, 0.0F);
        for (std::size_t i = 0; i + 2 < count; i += 3) {
            places[i] = static_cast<float>(i / 3 % 3) * 1e-3F;
            places[i + 2] = static_cast<float>(i / 9 % 2) * 1e-3F;
        }
        places[3] += off;
        file.add<float>("tracks/track_0/data/image/coordinates", shape, places);
    };
    write({2, 3, 3}, 0.0F);
    EXPECT_EQ(openRecording(m_path)->info().frame.find(AxisName::Depth)->unit, "m");
    write({1, 2, 3, 3}, 0.0F);
    EXPECT_EQ(openRecording(m_path)->info().frame.find(AxisName::Depth)->unit, "m");
    write({2, 3, 3}, 0.4e-3F);
    EXPECT_THAT(openRecording(m_path)->info().warnings, Contains(HasSubstr("without a scale")));
    write({2, 2, 3}, 0.0F);
    EXPECT_THAT(refusalOf(m_path), HasSubstr("does not fit"));
}

/// Images [3][2][3] of one track with further tables of their map.
class ZeaMaps : public ZeaLayouts {
protected:
    using Tables = std::vector<std::pair<std::string, std::vector<double>>>;
    RecordingInfo infoOf(const std::vector<float>& values, const Tables& tables,
                         const std::vector<hsize_t>& shape = {3, 2, 3}) {
        std::filesystem::remove(m_path);
        {
            Hdf5Builder file(m_path);
            file.add<float>(m_map + "values", shape, values);
            for (const auto& [name, numbers] : tables)
                file.add<double>(m_map + name, {numbers.size()}, numbers);
        }
        return openHere(m_path, {})->info();
    }
    const std::string m_map = "tracks/track_0/data/image/";
    const std::vector<float> m_counted = countedUp<float>(18);
};

TEST_F(ZeaMaps, ExtentsAndTimesOfOlderFiles) {
    const RecordingInfo info =
        infoOf(m_counted, {{"extent", {-1e-3, 1e-3, 7e-3, 5e-3}}, {"timestamps", {0.0, 0.1, 0.2}}});
    const FrameSpec& frame = info.frame;
    EXPECT_NEAR(frame.find(AxisName::Depth)->origin, 5e-3, 1e-12);
    EXPECT_NEAR(frame.find(AxisName::Depth)->spacing, 2e-3, 1e-12);
    EXPECT_NEAR(frame.find(AxisName::Lateral)->origin, -1e-3, 1e-12);
    EXPECT_NEAR(frame.find(AxisName::Lateral)->spacing, 1e-3, 1e-12);
    EXPECT_NEAR(info.frameRateHz, 10.0, 1e-9);
    for (const std::vector<double>& wrong : std::vector<std::vector<double>>{
             {1e-3, -1e-3, 5e-3, 7e-3}, {-1e-3, 1e-3, 5e-3, 5e-3}, {-1e-3, 1e-3, 5e-3}})
        EXPECT_NE(infoOf(m_counted, {{"extent", wrong}}).frame.find(AxisName::Depth)->unit, "m");
    for (const std::vector<double>& wrong :
         std::vector<std::vector<double>>{{0.0}, {0.2, 0.1, 0.0}, {0.0, 0.1, INFINITY}})
        EXPECT_EQ(infoOf(m_counted, {{"timestamps", wrong}}).frameRateHz, 0.0);
}

TEST_F(ZeaMaps, StatedRangesCountWhereTheyHoldValues) {
    const auto range = [&](double low, double high) {
        return *infoOf(m_counted, {{"min", {low}}, {"max", {high}}}).frame.valueRange;
    };
    EXPECT_EQ(range(1.0, 4.0).min, 1.0) << "the first frame goes from 0 to 5";
    EXPECT_EQ(range(1.0, 4.0).max, 4.0);
    for (const auto& [low, high] : {std::pair{6.0, 9.0}, {-3.0, -1.0}}) {
        const RecordingInfo info = infoOf(m_counted, {{"min", {low}}, {"max", {high}}});
        EXPECT_EQ(info.frame.valueRange->max, 5.0);
        EXPECT_THAT(info.warnings, Contains(HasSubstr("but they go from 0 to 5")));
    }
    EXPECT_EQ(range(4.0, 1.0).max, 5.0) << "turned round, it is none";
    EXPECT_EQ(infoOf(m_counted, {{"min", {1.0}}}).frame.valueRange->max, 5.0);
    EXPECT_EQ(infoOf(std::vector<float>(18, 7.0F), {}).frame.valueRange->max, 255.0)
        << "one value spans no range";
    std::vector<float> gaps(18, -3.0F);
    gaps[1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(infoOf(gaps, {}).frame.recordedForm, RecordedForm::Decibels);
}

TEST_F(ZeaMaps, OtherAxesAreRefused) {
    for (const std::vector<hsize_t>& shape :
         std::vector<std::vector<hsize_t>>{{18}, {6, 3}, {1, 3, 2, 3, 1}}) {
        try {
            infoOf(m_counted, {}, shape);
            ADD_FAILURE() << shape.size() << " axes";
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("frames x depths x laterals"));
        }
    }
}

TEST_F(ZeaLayouts, FlatFilesCarryWhatIsNotUsed) {
    {
        Hdf5Builder file(m_path);
        addScan(file, "");
        addGeometry(file, "probe");
        addData(file, "", 3);
        file.add<double>("scan/n_ax", {1}, {5});
        file.add<double>("scan/my_gain", {2}, {1.0, 2.0});
        file.add<double>("scan/time_to_next_transmit", {3, 2}, std::vector<double>(6, 1e-4));
        file.add<double>("metrics/sharpness", {3}, {1.0, 2.0, 3.0});
        file.add<double>("metrics/overall", {1}, {1.0});
    }
    const CarriedFacts facts = carriedFactsHere(openHere(m_path, {})->info());
    EXPECT_EQ(facts.family, "zea");
    EXPECT_EQ(facts.find("scan/sampling_frequency"), nullptr) << "it is used";
    ASSERT_NE(facts.find("scan/my_gain"), nullptr);
    EXPECT_FALSE(facts.find("scan/my_gain")->perFrame);
    ASSERT_NE(facts.find("metrics/sharpness"), nullptr);
    EXPECT_TRUE(facts.find("metrics/sharpness")->perFrame);
    ASSERT_NE(facts.find("metrics/overall"), nullptr);
    EXPECT_FALSE(facts.find("metrics/overall")->perFrame);
}

} // namespace
} // namespace echolux::test
