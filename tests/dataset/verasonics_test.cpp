// SPDX-License-Identifier: GPL-3.0-or-later
// Verasonics workspaces by SciPy and h5py (vectors/make_verasonics_files.py), whose times, frames
// and apertures follow from closed forms; and what is refused.
#include "tests/dataset/damaged_files.hpp"
#include "tests/dataset/delay_and_sum.hpp"
#include "tests/dataset/sample_files.hpp"
#include "tests/dataset/verasonics_workspace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::filesystem::path vectorFile(const std::string& name) {
    return std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors" / name;
}

nlohmann::json truthOf(const char* file) {
    auto all = nlohmann::json::parse(readFile(vectorFile("verasonics.json")));
    auto truth = all[file];
    truth["target"] = all["target"];
    return truth;
}

void expectTarget(Recording& recording, const nlohmann::json& truth) {
    const Point target{truth["target"][0], 0.0, truth["target"][1]};
    const Peak peak = brightest(loadSignals(recording), target, 0.6e-3, 0.6e-3, 0.04e-3);
    EXPECT_NEAR(peak.at.x, target.x, 0.1e-3);
    EXPECT_NEAR(peak.at.z, target.z, 0.05e-3);
}

TEST(Verasonics, FramesOfACircularBufferInVersion73) {
    const auto truth = truthOf("frames_v73");
    const auto recording = openRecording(vectorFile("verasonics_frames_v73.mat"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "i16 [transmit 3][channel 32][sample 256]");
    EXPECT_THAT(info.warnings, testing::IsEmpty());
    EXPECT_EQ(info.frameCount, 3);
    EXPECT_NEAR(info.frameRateHz, truth["frame_rate"].get<double>(), 1e-9);
    const Acquisition& acquisition = *info.frame.acquisition;
    EXPECT_EQ(acquisition.probe.name, "L-test");
    EXPECT_NEAR(acquisition.probe.pitchM, 0.3e-3, 1e-12);
    EXPECT_NEAR(acquisition.probe.fractionalBandwidth, 0.6, 1e-12);
    EXPECT_TRUE(acquisition.receiveElements.empty());
    for (std::size_t i = 0; i < 3; ++i) {
        const Transmit& transmit = acquisition.transmits[i];
        EXPECT_EQ(transmit.wave, Wave::Plane);
        EXPECT_NEAR(transmit.angleRad, truth["angles"][i].get<double>(), 1e-9);
        EXPECT_NEAR(transmit.firstSampleS, truth["first_samples"][i].get<double>(), 1e-12);
    }
    // Oldest first: the system wrote frame 1 last.
    for (int frame = 0; frame < 3; ++frame) {
        const auto values = frameOf(*recording, frame);
        const double amplitude = truth["amplitudes"][frame];
        EXPECT_NEAR(*std::ranges::max_element(values), amplitude, 0.15 * amplitude);
    }
    expectTarget(*recording, truth);
}

TEST(Verasonics, WalkingAperturesOfPairsInVersion5) {
    const auto truth = truthOf("walking_v5");
    const auto recording = openRecording(vectorFile("verasonics_walking_v5.mat"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "complex_i16 [transmit 6][channel 12][sample 64]");
    EXPECT_THAT(info.warnings, testing::IsEmpty());
    EXPECT_NEAR(info.frame.samplingFrequencyHz(), 5e6, 1e-3);
    EXPECT_EQ(info.frame.demodulationFrequencyHz, 5e6);
    const Acquisition& acquisition = *info.frame.acquisition;
    ASSERT_EQ(acquisition.receiveElements.size(), 72U);
    for (std::size_t i = 0; i < 6; ++i) {
        const Transmit& transmit = acquisition.transmits[i];
        const int first = truth["first_elements"][i];
        EXPECT_EQ(transmit.wave, Wave::Focused);
        EXPECT_NEAR(transmit.source.x, truth["sources"][i][0].get<double>(), 1e-9);
        EXPECT_NEAR(transmit.source.z, truth["sources"][i][1].get<double>(), 1e-9);
        EXPECT_NEAR(transmit.origin.x, transmit.source.x, 1e-9);
        EXPECT_NEAR(transmit.firstSampleS, truth["first_samples"][i].get<double>(), 1e-12);
        EXPECT_EQ(transmit.iqPhaseZeroS, transmit.firstSampleS);
        EXPECT_EQ(acquisition.receiveElements[12 * i], first);
        EXPECT_EQ(acquisition.receiveElements[12 * i + 11], first + 11);
        EXPECT_EQ(std::ranges::count(transmit.apodization, 1.0F), 12);
    }
    expectTarget(*recording, truth);
}

TEST_F(VerasonicsParts, RowsAndColumnsOfAPlainArray) {
    const auto recording = open();
    EXPECT_EQ(recording->info().frame.describe(), "i16 [transmit 2][channel 4][sample 10]");
    EXPECT_EQ(recording->info().frameCount, 2);
    const auto values = frameOf(*recording, 1);
    EXPECT_EQ(values[0], 80.0);
    EXPECT_EQ(values[10], 100.0);
    EXPECT_EQ(values[40], 90.0);
    EXPECT_THAT(recording->info().warnings, Contains(HasSubstr("speedOfSound")));
    EXPECT_THAT(recording->info().warnings, Contains(HasSubstr("peak")));
    // 2 x 5 wavelengths at 5 MHz
    EXPECT_NEAR(recording->info().frame.acquisition->transmits[0].firstSampleS, 2e-6, 1e-12);
}

TEST_F(VerasonicsParts, StructArraysOfMatioInVersion73) {
    const auto recording = openRecording(m_workspace.write(m_folder, MAT_FT_MAT73));
    EXPECT_EQ(recording->info().frame.describe(), "i16 [transmit 2][channel 4][sample 10]");
    EXPECT_EQ(frameOf(*recording, 1)[40], 90.0);
}

TEST_F(VerasonicsParts, EachBufferIsATrack) {
    for (std::size_t i = 2; i < 4; ++i) {
        m_workspace.receive[i]["bufnum"] = Workspace::number(2);
        m_workspace.receive[i]["framenum"] = Workspace::number(1);
    }
    for (std::size_t i = 0; i < 2; ++i) m_workspace.receive[i]["bufnum"] = Workspace::number(1);
    m_workspace.data = [](const char* name) {
        std::vector<std::int16_t> second = countedUp<std::int16_t>(80);
        for (std::int16_t& value : second) value = static_cast<std::int16_t>(value + 1000);
        return MatBuilder::cells(
            name,
            {MatBuilder::array<std::int16_t>(nullptr, {20, 4, 1}, countedUp<std::int16_t>(80)),
             MatBuilder::array<std::int16_t>(nullptr, {20, 4, 1}, second)});
    };
    const auto path = m_workspace.write(m_folder);
    const auto first = openRecording(path);
    EXPECT_THAT(first->info().tracks, ElementsAre("buffer 1", "buffer 2"));
    EXPECT_EQ(frameOf(*first)[0], 0.0);
    const auto second = openRecording(path, {.track = 1});
    EXPECT_EQ(second->info().track, 1U);
    EXPECT_EQ(frameOf(*second)[0], 1000.0);
    EXPECT_EQ(frameOf(*second)[40], 1010.0);
    EXPECT_THAT(refusalOf(path, {.track = 2}), HasSubstr("2 'buffer 2'"));
}

TEST_F(VerasonicsParts, WithoutEventsTransmitsTakeTurns) {
    m_workspace.event.clear();
    m_workspace.tx[0]["Apod"] = Workspace::row({1, 1, 1, 1});
    m_workspace.tx[1]["Apod"] = Workspace::row({0, 1, 0, 0});
    const auto recording = open();
    EXPECT_THAT(recording->info().warnings, Contains(HasSubstr("no Event")));
    const auto& transmits = recording->info().frame.acquisition->transmits;
    EXPECT_EQ(transmits[0].wave, Wave::Plane);
    EXPECT_EQ(transmits[1].wave, Wave::Element);
    EXPECT_NEAR(transmits[1].source.x, -0.15e-3, 1e-12);
}

TEST_F(VerasonicsParts, ConnectorTellsTheColumn) {
    m_workspace.trans["ConnectorES"] = Workspace::row({1, 2, 3, 4});
    EXPECT_THAT(open()->info().warnings, Contains(HasSubstr("ConnectorES")));
    m_workspace.trans["Connector"] = Workspace::row({4, 3, 0, 1});
    const auto recording = open();
    EXPECT_EQ(frameOf(*recording)[0], 60.0);
    EXPECT_EQ(frameOf(*recording)[20], 0.0);
    EXPECT_THAT(recording->info().frame.acquisition->receiveElements,
                ElementsAre(0, 1, 3, 0, 1, 3));
}

TEST_F(VerasonicsParts, TheLensIsInTheUnitsOfTheProbe) {
    const double without = acquisition()->transmits[0].firstSampleS;
    m_workspace.trans["lensCorrection"] = Workspace::number(0.77);
    EXPECT_NEAR(acquisition()->transmits[0].firstSampleS, without - 1e-6, 1e-12);
    m_workspace.trans["units"] = Workspace::text("wavelengths");
    EXPECT_NEAR(acquisition()->transmits[0].firstSampleS, without - 2 * 0.77 / 5e6, 1e-12);
}

TEST_F(VerasonicsParts, AMultiplexedProbeStartsAtItsAperture) {
    for (auto& tx : m_workspace.tx) tx = {{"Delay", Workspace::row({0, 0})}};
    m_workspace.tx[1]["aperture"] = Workspace::number(3);
    m_workspace.tx[0]["aperture"] = Workspace::number(1);
    for (std::size_t i = 0; i < 4; ++i) {
        m_workspace.receive[i]["Apod"] = Workspace::row({1, 1});
        m_workspace.receive[i]["aperture"] = Workspace::number(i % 2 == 0 ? 1 : 3);
    }
    m_workspace.trans["Connector"] = Workspace::row({2, 1});
    const auto recording = open();
    const auto& found = *recording->info().frame.acquisition;
    EXPECT_THAT(found.receiveElements, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(found.transmits[1].apodization, ElementsAre(0, 0, 1, 1));
    EXPECT_EQ(frameOf(*recording)[0], 20.0);
}

TEST_F(VerasonicsParts, AWaveThatItsDelaysContradictIsThatOfTheDelays) {
    for (auto& tx : m_workspace.tx) {
        tx["focus"] = Workspace::number(-0.3);
        tx["Steer"] = Workspace::row({0, 0});
    }
    const auto recording = open();
    EXPECT_EQ(recording->info().frame.acquisition->transmits[0].wave, Wave::Plane);
    EXPECT_THAT(recording->info().warnings, Contains(HasSubstr("the delays are used")));
}

TEST_F(VerasonicsParts, MatrixAndCurvedProbesHaveFaces) {
    m_workspace.trans["type"] = Workspace::number(1);
    m_workspace.trans["ElementPos"] = [] {
        std::vector<double> values;
        for (const double a : {-0.03, -0.01, 0.01, 0.03}) values.push_back(40.0 * std::sin(a));
        values.resize(8, 0.0);
        for (const double a : {-0.03, -0.01, 0.01, 0.03})
            values.push_back(40.0 * (std::cos(a) - 1.0));
        for (const double a : {-0.03, -0.01, 0.01, 0.03}) values.push_back(a);
        return MatBuilder::array(nullptr, {4, 4}, values);
    };
    const auto found = acquisition();
    EXPECT_NEAR(found->probe.normals[3].x, std::sin(0.03), 1e-12);
    EXPECT_NEAR(found->probe.elements[0].z, 40e-3 * (std::cos(0.03) - 1.0), 1e-12);
    // 40 mm is the unit's sense, too; all elements at once send what the shape makes.
    EXPECT_EQ(found->transmits[0].wave, Wave::Plane) << "its sag is far below a quarter period";
}

TEST_F(VerasonicsParts, WhatCannotBeReadIsRefused) {
    const Workspace sound = m_workspace;
    m_workspace.data = nullptr;
    EXPECT_THAT(refusal(), AllOf(HasSubstr("no RcvData"), HasSubstr("-v7.3")));
    m_workspace = sound;
    for (auto& receive : m_workspace.receive) receive["sampleMode"] = Workspace::text("BS67BW");
    EXPECT_THAT(refusal(), HasSubstr("BS67BW"));
    m_workspace = sound;
    for (auto& receive : m_workspace.receive) receive.erase("startSample");
    EXPECT_THAT(refusal(), AllOf(HasSubstr("before the sequence ran"), HasSubstr("VSX")));
    m_workspace = sound;
    for (auto& receive : m_workspace.receive) receive.erase("decimSampleRate");
    EXPECT_THAT(refusal(), HasSubstr("decimSampleRate"));
    m_workspace = sound;
    m_workspace.receive[3]["endSample"] = Workspace::number(21);
    m_workspace.receive[1]["endSample"] = Workspace::number(21);
    EXPECT_THAT(refusal(), HasSubstr("RcvData has 20"));
    m_workspace = sound;
    m_workspace.event[0]["tx"] = Workspace::number(9);
    EXPECT_THAT(refusal(), HasSubstr("TX(9)"));
    m_workspace = sound;
    m_workspace.trans["Connector"] = Workspace::row({1, 2, 3, 9});
    EXPECT_THAT(refusal(), HasSubstr("column 9"));
    m_workspace.trans["Connector"] = Workspace::row({1, 2, 2, 4});
    EXPECT_THAT(refusal(), HasSubstr("two elements"));
    m_workspace = sound;
    m_workspace.trans["type"] = Workspace::number(3);
    EXPECT_THAT(refusal(), HasSubstr("annular"));
    m_workspace = sound;
    m_workspace.tx[0]["Apod"] = Workspace::row({0, 0, 0, 0});
    EXPECT_THAT(refusal(), HasSubstr("no element fires in TX(1)"));
    m_workspace = sound;
    m_workspace.tx[0]["Delay"] = Workspace::row({0, 9, 1, 30});
    EXPECT_THAT(refusal(), HasSubstr("no plane, diverging"));
    m_workspace = sound;
    m_workspace.data = [](const char* name) { return MatBuilder::cells(name, {}); };
    EXPECT_THAT(refusal(), HasSubstr("holds no samples"));
}

} // namespace
} // namespace echolux::test
