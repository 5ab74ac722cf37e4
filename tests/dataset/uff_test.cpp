// SPDX-License-Identifier: GPL-3.0-or-later
// UFF of USTB (files of pyuff_ustb) and of the task force: the common clock, the phase of the
// down-mixer, objects, tracks and images, and what is refused.
#include "gpu/core/sector.hpp"
#include "tests/dataset/delay_and_sum.hpp"
#include "tests/dataset/uff_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr SumOptions kAllChannels{.fNumber = 0.01, .soundSpeedMps = 0.0};

/// All echoes in step: places within half a wavelength, amplitudes within 5 %.
void expectUffTargets(Recording& recording) {
    const Signals signals = loadSignals(recording);
    const auto lines = static_cast<double>(signals.traces.size());
    for (const UffTarget& target : kUffTargets) {
        const Point at{target.x, 0.0, target.z};
        const Peak peak = brightest(signals, at, 4e-4, 3e-4, 5e-5, kAllChannels);
        EXPECT_NEAR(peak.at.x, at.x, 1.5e-4) << recording.info().path;
        EXPECT_NEAR(peak.at.z, at.z, 5e-5) << recording.info().path;
        EXPECT_NEAR(std::abs(pixel(signals, at, kAllChannels)) / lines, target.amplitude,
                    0.05 * target.amplitude)
            << recording.info().path;
    }
}

TEST(Uff, IqWithDelaysOfItsOwn) {
    const auto recording = openRecording(uffVector("uff_iq_delays.uff"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.format, "USTB UFF");
    EXPECT_EQ(info.frame.describe(), "complex_f32 [transmit 3][channel 16][sample 220]");
    EXPECT_EQ(info.frame.demodulationFrequencyHz, 5e6);
    EXPECT_EQ(info.frameRateHz, 1000.0);
    EXPECT_TRUE(info.warnings.empty());
    const std::array delays{3.5e-7, -2e-7, 1e-7};
    const std::array angles{-0.2, 0.0, 0.2};
    const Acquisition& acquisition = *info.frame.acquisition;
    for (std::size_t i = 0; i < delays.size(); ++i) {
        EXPECT_EQ(acquisition.transmits[i].wave, Wave::Plane);
        EXPECT_NEAR(acquisition.transmits[i].angleRad, angles[i], 1e-7);
        EXPECT_NEAR(acquisition.transmits[i].firstSampleS, 9e-6 + delays[i], 1e-12);
        EXPECT_NEAR(acquisition.transmits[i].iqPhaseZeroS, delays[i], 1e-12);
    }
    EXPECT_EQ(acquisition.probe.elements.size(), 16U);
    EXPECT_NEAR(acquisition.probe.elements[0].x, -7.5 * 3e-4, 1e-9);
    EXPECT_NEAR(acquisition.probe.elementWidthM, 2.7e-4, 1e-9);
    EXPECT_NEAR(acquisition.probe.fractionalBandwidth, 0.6, 1e-6);
    expectUffTargets(*recording);
}

TEST(Uff, ElementsOfACurvedArrayFireOneByOne) {
    const auto recording = openRecording(uffVector("uff_curved_elements.uff"));
    const Acquisition& acquisition = *recording->info().frame.acquisition;
    const auto& elements = acquisition.probe.elements;
    ASSERT_EQ(acquisition.transmits.size(), 3U);
    const std::array fired{0U, 7U, 15U};
    for (std::size_t i = 0; i < fired.size(); ++i) {
        EXPECT_EQ(acquisition.transmits[i].wave, Wave::Element);
        EXPECT_EQ(acquisition.transmits[i].source, elements[fired[i]]);
    }
    // USTB's clock ends at the origin where the element lies more than 1 mm behind it.
    const auto& edge = elements.front();
    EXPECT_LT(edge.z, -0.5e-3);
    EXPECT_NEAR(acquisition.transmits[0].firstSampleS,
                9e-6 - (edge.z < -1e-3 ? -1.0 : 1.0) * std::hypot(edge.x, edge.z) / 1540.0, 1e-11);
    ASSERT_EQ(acquisition.probe.normals.size(), elements.size());
    EXPECT_LT(acquisition.probe.normals.front().x, -0.5);
    expectUffTargets(*recording);
}

TEST(Uff, ChannelDataAndImagesAreTracks) {
    const auto path = uffVector("uff_sector_and_lines.uff");
    const auto echoes = openRecording(path);
    EXPECT_THAT(echoes->info().tracks, ElementsAre("channel_data", "a_data", "b_data"));
    EXPECT_EQ(echoes->info().track, 0U);
    EXPECT_EQ(echoes->info().frame.acquisition->transmits[0].wave, Wave::Diverging);
    EXPECT_NEAR(echoes->info().frame.acquisition->transmits[0].source.z, -6e-3, 1e-8);
    EXPECT_THAT(refusalOf(path, {.track = 3}),
                AllOf(HasSubstr("track 4"), HasSubstr("3 'b_data'")));
}

/// The pixel nearest to each target is the brightest round it, as bright as the target.
void expectBlobs(Recording& recording, auto place) {
    const FrameSpec& frame = recording.info().frame;
    const std::vector<std::complex<double>> pixels = readSamples(recording, 0);
    const auto lines = static_cast<std::size_t>(frame.sizeOf(AxisName::Lateral));
    for (const UffTarget& target : kUffTargets) {
        double nearest = INFINITY;
        double value = 0.0;
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            const Point at = place(static_cast<double>(i / lines), i % lines);
            const double away = std::hypot(at.x - target.x, at.z - target.z);
            if (away >= nearest) continue;
            nearest = away;
            value = std::abs(pixels[i]);
        }
        const double expected =
            target.amplitude * std::exp(-0.5 * nearest * nearest / (4e-4 * 4e-4));
        EXPECT_LT(nearest, 2.6e-4);
        EXPECT_NEAR(value, expected, 0.02);
    }
}

TEST(Uff, ImagesOnALinearScan) {
    const auto recording = openRecording(uffVector("uff_sector_and_lines.uff"), {.track = 1});
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "complex_f32 [depth 57][lateral 17]");
    EXPECT_EQ(frame.recordedForm, RecordedForm::Beamformed);
    const Axis& depth = *frame.find(AxisName::Depth);
    const Axis& lateral = *frame.find(AxisName::Lateral);
    EXPECT_NEAR(depth.origin, 7e-3, 1e-8);
    EXPECT_NEAR(depth.spacing, 0.125e-3, 1e-8);
    EXPECT_NEAR(lateral.origin, -4e-3, 1e-8);
    EXPECT_NEAR(lateral.spacing, 0.5e-3, 1e-8);
    EXPECT_EQ(lateral.unit, "m");
    expectBlobs(*recording, [&](double row, std::size_t line) {
        return Point{lateral.origin + static_cast<double>(line) * lateral.spacing, 0.0,
                     depth.origin + row * depth.spacing};
    });
}

TEST(Uff, ImagesOnASectorScan) {
    const auto recording = openRecording(uffVector("uff_sector_and_lines.uff"), {.track = 2});
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "complex_f32 [depth 57][lateral 25]");
    ASSERT_NE(frame.sector, nullptr);
    EXPECT_NEAR(frame.sector->apexZM, -10e-3, 1e-8);
    EXPECT_EQ(frame.sector->radiusM, 0.0);
    EXPECT_NEAR(frame.sector->anglesRad.front(), -0.24, 1e-7);
    const Axis& depth = *frame.find(AxisName::Depth);
    expectBlobs(*recording, [&](double row, std::size_t line) {
        const double range = depth.origin + row * depth.spacing;
        const double angle = frame.sector->anglesRad[line];
        return Point{range * std::sin(angle), 0.0, -10e-3 + range * std::cos(angle)};
    });
}

class ChangedUff : public testing::Test {
protected:
    template <class Change> std::filesystem::path changed(const std::string& name, Change change) {
        const auto path = uffCopy(m_folder, name);
        change(Hdf5Editor(path));
        return path;
    }
    template <class Change> std::string refusal(const std::string& name, Change change) {
        return refusalOf(changed(name, change));
    }
    TemporaryFolder m_folder;
};
const std::string kIq = "uff_iq_delays.uff";
const std::string kWave1 = "recorded/sequence/sequence_0001/";

TEST_F(ChangedUff, AsMatlabWritesIt) {
    const auto recording = openRecording(changed(kIq, [](const Hdf5Editor& file) {
        file.textAttribute("/", "version", "v1.2.0");
        file.numbers("recorded/initial_time", {1, 1}, {9e-6});
        file.remove("recorded/sound_speed");
        file.remove(kWave1 + "delay");
        file.remove(kWave1 + "wavefront"); // the infinite distance says it
        file.numbers("recorded/name", {3, 1}, {'a', 'b', 'c'});
    }));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.format, "USTB UFF (v1.2.0)");
    EXPECT_THAT(info.notes, testing::Contains(testing::Pair("Name", "abc")));
    EXPECT_THAT(info.warnings, ElementsAre(HasSubstr("1540 m/s is assumed")));
    EXPECT_EQ(info.frame.acquisition->transmits[0].wave, Wave::Plane);
    EXPECT_NEAR(info.frame.acquisition->transmits[0].firstSampleS, 9e-6, 1e-12);
}

TEST_F(ChangedUff, GeometryListedByElement) {
    std::vector<double> geometry;
    for (const double x : uffElements())
        for (const double value : {x, 0.0, 0.0, 0.1, 0.0, 2e-4, 5e-3}) geometry.push_back(value);
    const auto recording = openRecording(changed(kIq, [&](const Hdf5Editor& file) {
        file.numbers("recorded/probe/geometry", {16, 7}, geometry);
    }));
    const Probe& probe = recording->info().frame.acquisition->probe;
    EXPECT_NEAR(probe.elements[3].x, uffElements()[3], 1e-9);
    EXPECT_NEAR(probe.normals[3].x, std::sin(0.1), 1e-6);
}

TEST_F(ChangedUff, GeometryFromTheProbesOwnNumbers) {
    const auto recording = openRecording(
        changed(kIq, [&](const Hdf5Editor& file) { file.remove("recorded/probe/geometry"); }));
    expectUffTargets(*recording);
}

TEST_F(ChangedUff, SourcesOnALineAreFociOfBeamsSideBySide) {
    const auto recording = openRecording(changed(kIq, [](const Hdf5Editor& file) {
        for (int i = 1; i <= 3; ++i) {
            const double x = (i - 2) * 1e-3;
            const std::string wave = "recorded/sequence/sequence_000" + std::to_string(i) + "/";
            file.number(wave + "wavefront", 1);
            file.number(wave + "source/distance", std::hypot(x, 15e-3));
            file.number(wave + "source/azimuth", std::atan2(x, 15e-3));
        }
    }));
    for (const Transmit& transmit : recording->info().frame.acquisition->transmits) {
        EXPECT_EQ(transmit.wave, Wave::Focused);
        EXPECT_NEAR(transmit.source.z, 15e-3, 1e-8);
        EXPECT_EQ(transmit.origin, (Point{transmit.source.x, 0.0, 0.0}));
    }
}

TEST_F(ChangedUff, AperturesThatWalk) {
    const auto recording = openRecording(changed(kIq, [](const Hdf5Editor& file) {
        file.number(kWave1 + "wavefront", 1);
        file.number(kWave1 + "source/distance", std::hypot(1e-3, 15e-3));
        file.number(kWave1 + "source/azimuth", std::atan2(1e-3, 15e-3));
        file.number(kWave1 + "apodization/window", 1);
        file.numbers(kWave1 + "apodization/f_number", {2, 1}, {10.0, 1.0});
        file.number(kWave1 + "apodization/focus/x", 1e-3);
        file.number(kWave1 + "apodization/focus/z", 15e-3);
    }));
    const Transmit& transmit = recording->info().frame.acquisition->transmits[0];
    ASSERT_EQ(transmit.apodization.size(), 16U);
    for (std::size_t k = 0; k < 16; ++k)
        EXPECT_EQ(transmit.apodization[k], std::abs(uffElements()[k] - 1e-3) <= 0.75e-3 ? 1 : 0);
    EXPECT_NEAR(transmit.origin.x, 1e-3, 1e-9);
}

TEST_F(ChangedUff, RealImagesWithoutNegativePixelsAreAmplitudes) {
    const auto image = [&](double offset) {
        return openRecording(changed("uff_sector_and_lines.uff", [&](const Hdf5Editor& file) {
            file.remove("channel_data");
            file.remove("b_data");
            file.remove("a_data/data");
            std::vector<double> pixels = countedUp<double>(2 * 57 * 17);
            for (double& p : pixels) p += offset;
            file.numbers("a_data/data", {2, 1, 1, 57 * 17}, pixels);
        }));
    };
    {
        // Closed before the file changes: HDF5 keeps what it knows of open ones.
        const auto amplitudes = image(0.0);
        EXPECT_EQ(amplitudes->info().frame.recordedForm, RecordedForm::Envelope);
        EXPECT_EQ(amplitudes->info().frameCount, 2);
        EXPECT_EQ(frameOf(*amplitudes, 1)[17], 57 * 17 + 1) << "down a line first";
    }
    EXPECT_EQ(image(-5.0)->info().frame.recordedForm, RecordedForm::Beamformed);
}

TEST_F(ChangedUff, WhatDoesNotFitIsRefused) {
    const auto refused = [&](auto change) { return refusal(kIq, change); };
    EXPECT_THAT(refused([](const Hdf5Editor& f) { f.textAttribute("/", "version", "v9.0.0"); }),
                AllOf(HasSubstr("'v9.0.0'"), HasSubstr("v1.2.0")));
    EXPECT_THAT(refused([](const Hdf5Editor& f) { f.remove("recorded/data/imag"); }),
                HasSubstr("lacks 'imag'"));
    EXPECT_THAT(refused([](const Hdf5Editor& f) { f.remove("recorded/data"); }),
                HasSubstr("holds no array"));
    EXPECT_THAT(refused([](const Hdf5Editor& f) { f.remove("recorded/probe"); }),
                HasSubstr("lacks 'probe'"));
    EXPECT_THAT(refused([](const Hdf5Editor& f) { f.remove("recorded/sequence"); }),
                HasSubstr("lacks 'sequence'"));
    EXPECT_THAT(refused([](const Hdf5Editor& f) { f.remove(kWave1.substr(0, 31)); }),
                HasSubstr("describes 2 waves"));
    EXPECT_THAT(refused([](const Hdf5Editor& f) { f.number(kWave1 + "wavefront", 3); }),
                HasSubstr("wavefront 3"));
    EXPECT_THAT(refused([](const Hdf5Editor& f) {
                    f.numbers("recorded/probe/geometry", {6, 16}, std::vector<double>(96, 0.0));
                }),
                HasSubstr("7 numbers"));
    EXPECT_THAT(refused([](const Hdf5Editor& f) {
                    f.numbers("recorded/probe/geometry", {7, 8}, std::vector<double>(56, 0.0));
                }),
                AllOf(HasSubstr("8 elements"), HasSubstr("16 channels")));
    EXPECT_THAT(refused([](const Hdf5Editor& f) { f.number("recorded/sampling_frequency", 0); }),
                HasSubstr("sampling_frequency' is 0"));
    EXPECT_THAT(refused([](const Hdf5Editor& f) {
                    f.remove("recorded");
                    f.group("here");
                    f.textAttribute("here", "class", "uff.linear_scan");
                }),
                AllOf(HasSubstr("neither channel data"), HasSubstr("'here' (uff.linear_scan)")));
    const auto images = [&](auto change) {
        return refusal("uff_sector_and_lines.uff", [&](const Hdf5Editor& file) {
            file.remove("channel_data");
            file.remove("b_data");
            change(file);
        });
    };
    EXPECT_THAT(images([](const Hdf5Editor& f) { f.remove("a_data/scan"); }),
                HasSubstr("lacks 'scan'"));
    EXPECT_THAT(images([](const Hdf5Editor& f) {
                    f.numbers("a_data/scan/z_axis", {3}, {1e-3, 2e-3, 9e-3});
                }),
                HasSubstr("even steps"));
    EXPECT_THAT(images([](const Hdf5Editor& f) {
                    f.numbers("a_data/scan/z_axis", {3}, {1e-3, 2e-3, 3e-3});
                }),
                HasSubstr("17 x 3 pixels"));
}

class TaskForceUff : public testing::Test {
protected:
    template <class Change> std::filesystem::path file(Change change) {
        const auto path = m_folder / "task_force.uff";
        std::filesystem::remove(path);
        const Hdf5Editor editor(path);
        addTaskForce(editor);
        change(editor);
        return path;
    }
    TemporaryFolder m_folder;
};
const std::string kEvent1 = "uff.channel_data/unique_events/00000001/";

TEST_F(TaskForceUff, WavesAreTimedWhereTheirReferencePointsAre) {
    const auto recording = openRecording(file([](const Hdf5Editor&) {}));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "f32 [transmit 3][channel 16][sample 220]");
    EXPECT_EQ(info.frameRateHz, 50.0);
    const auto& transmits = info.frame.acquisition->transmits;
    EXPECT_EQ(transmits[0].wave, Wave::Plane);
    EXPECT_NEAR(transmits[0].angleRad, 0.2, 1e-7);
    EXPECT_NEAR(transmits[0].firstSampleS, 9e-6, 1e-12);
    EXPECT_EQ(transmits[1].wave, Wave::Diverging);
    EXPECT_EQ(transmits[2].wave, Wave::Focused);
    EXPECT_TRUE(info.frame.acquisition->receiveElements.empty());
    FrameSpec frame = info.frame;
    EXPECT_EQ(frame.centreFrequencyHz, 0.0);
    EXPECT_THAT(info.warnings, ElementsAre(HasSubstr("centre frequency")));
    for (const UffTarget& target : kUffTargets)
        for (std::size_t i = 0; i < 3; ++i) {
            const std::vector<double> samples = frameOf(*recording);
            const Point at{target.x, 0.0, target.z};
            const double tau = (transmitPath(transmits[i], at) +
                                length(minus(at, info.frame.acquisition->probe.elements[4]))) /
                               1540.0;
            const double n = (tau - transmits[i].firstSampleS) * 20e6;
            const auto low = static_cast<std::size_t>(n);
            // At its echo the carrier stands at its crest.
            const std::size_t line = (i * 16 + 4) * 220;
            EXPECT_NEAR(std::max(samples[line + low], samples[line + low + 1]), target.amplitude,
                        0.35 * target.amplitude)
                << i;
        }
}

TEST_F(TaskForceUff, ChannelsThatListenElsewhereOrNowhere) {
    const auto recording = openRecording(file([](const Hdf5Editor& editor) {
        std::vector<double> mapping =
            countedUp<double>(16); // element 0: channel 0 is not connected
        std::swap(mapping[1], mapping[15]);
        editor.numbers(kEvent1 + "receive_setup/channel_mapping", {1, 16}, mapping);
    }));
    const Acquisition& acquisition = *recording->info().frame.acquisition;
    ASSERT_EQ(acquisition.receiveElements.size(), 48U);
    EXPECT_EQ(acquisition.receiveElements[1], 14);
    EXPECT_EQ(acquisition.receiveElements[15], 0);
    EXPECT_EQ(acquisition.receiveElements[0], 15) << "the element that nobody listens to";
    EXPECT_EQ(acquisition.receiveWeights[0], 0.0F);
    EXPECT_EQ(acquisition.receiveWeights[1], 1.0F);
    EXPECT_EQ(acquisition.receiveElements[16], 0);
}

TEST_F(TaskForceUff, WhatDoesNotFitIsRefused) {
    const auto refused = [&](auto change) { return refusalOf(file(change)); };
    const std::string root = "uff.channel_data/";
    EXPECT_THAT(refused([&](const Hdf5Editor& f) { f.remove(root + "data"); }),
                HasSubstr("the samples"));
    EXPECT_THAT(refused([&](const Hdf5Editor& f) { f.remove(root + "unique_waves/00000002"); }),
                HasSubstr("no member 2"));
    EXPECT_THAT(refused([&](const Hdf5Editor& f) { f.remove(root + "sequence/00000003"); }),
                AllOf(HasSubstr("2 events"), HasSubstr("data 3")));
    EXPECT_THAT(
        refused([&](const Hdf5Editor& f) { f.number(root + "unique_waves/00000001/type", 4); }),
        HasSubstr("is 4"));
    EXPECT_THAT(refused([&](const Hdf5Editor& f) {
                    f.numbers(kEvent1 + "receive_setup/channel_mapping", {2}, {1, 2});
                }),
                HasSubstr("2 entries"));
    EXPECT_THAT(refused([&](const Hdf5Editor& f) { f.number("version/major", 1); }),
                HasSubstr("1.3"));
    EXPECT_THAT(refused([&](const Hdf5Editor& f) {
                    f.number(root + "probes/00000001/number_elements", 1e9);
                }),
                HasSubstr("whole number of elements"));
    EXPECT_THAT(refused([&](const Hdf5Editor& f) {
                    f.number(kEvent1 + "receive_setup/sampling_frequency", 1e6);
                }),
                HasSubstr("other than the event before"));
}

} // namespace
} // namespace echolux::test
