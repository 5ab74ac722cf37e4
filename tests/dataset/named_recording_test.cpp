// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy archives that describe themselves, and those that contradict themselves.
#include "app/dataset/carried/carried_facts.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::string numbers(const std::vector<double>& values, const std::string& shape) {
    return npyBytes(npyDictionary("<f8", shape), bytesOfValues(values));
}
std::string number(double value) { return numbers({value}, "()"); }
std::string samples(const std::string& type, const std::string& shape, std::size_t count) {
    return npyBytes(npyDictionary(type, shape), bytesOfValues(countedUp<std::int16_t>(count)));
}

class NamedRecording : public testing::Test {
protected:
    std::filesystem::path write() {
        std::vector<std::pair<std::string, std::string>> members;
        for (const auto& [name, bytes] : m_arrays) members.emplace_back(name + ".npy", bytes);
        writeZip(m_path, members, true);
        return m_path;
    }
    std::unique_ptr<Recording> open() { return openRecording(write()); }
    std::string refusal() { return refusalOf(write()); }

    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "data.npz";
    std::map<std::string, std::string> m_arrays{
        {"rf", samples("<i2", "(2, 3, 4)", 24)},
        {"fs", number(20e6)},
        {"f0", number(5e6)},
        {"c", number(1500)},
        {"pitch", number(0.3e-3)},
        {"t0", number(2e-6)},
        {"angles", numbers({-0.1, 0.1}, "(2,)")},
    };
};

TEST_F(NamedRecording, OpensWithoutASidecar) {
    const auto recording = open();
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "i16 [transmit 2][channel 3][sample 4]");
    EXPECT_THAT(info.warnings, testing::IsEmpty());
    EXPECT_NEAR(info.frame.samplingFrequencyHz(), 20e6, 1e-3);
    EXPECT_EQ(info.frame.centreFrequencyHz, 5e6);
    const Acquisition& acquisition = *info.frame.acquisition;
    EXPECT_EQ(acquisition.soundSpeedMps, 1500.0);
    EXPECT_NEAR(acquisition.probe.elements[2].x, 0.3e-3, 1e-15);
    EXPECT_EQ(acquisition.transmits[1].angleRad, 0.1);
    EXPECT_EQ(acquisition.transmits[1].firstSampleS, 2e-6);
    EXPECT_EQ(frameOf(*recording)[23], 23.0);
}

TEST_F(NamedRecording, FramesPairsAndPlaces) {
    m_arrays.erase("rf");
    m_arrays["iq"] = samples("<i2", "(3, 2, 2, 4, 2)", 96);
    m_arrays["elements"] = numbers({-1e-3, 1e-3, 0, 0, 0, 0}, "(3, 2)");
    m_arrays.erase("pitch");
    m_arrays["t0"] = numbers({1e-6, 2e-6}, "(2,)");
    m_arrays["frame_rate"] = number(50);
    auto recording = open();
    EXPECT_EQ(recording->info().frame.describe(), "complex_i16 [transmit 2][channel 2][sample 4]");
    EXPECT_EQ(recording->info().frameCount, 3);
    EXPECT_EQ(recording->info().frameRateHz, 50.0);
    EXPECT_EQ(recording->info().frame.demodulationFrequencyHz, 5e6);
    EXPECT_EQ(recording->info().frame.acquisition->probe.elements[1].x, 1e-3);
    EXPECT_EQ(frameOf(*recording, 1)[1], 33.0);
    m_arrays.erase("elements");
    m_arrays["x"] = numbers({-2e-3, 2e-3}, "(2,)");
    m_arrays["fd"] = number(4e6);
    recording = open();
    EXPECT_EQ(recording->info().frame.acquisition->probe.elements[1].x, 2e-3);
    EXPECT_EQ(recording->info().frame.demodulationFrequencyHz, 4e6);
}

TEST_F(NamedRecording, DemodulationGoesByManyNames) {
    m_arrays.erase("rf");
    m_arrays["iq"] = samples("<i2", "(2, 3, 4, 2)", 48);
    for (const char* name : {"fd", "fdemod", "demodulation_frequency", "modulation_frequency"}) {
        m_arrays[name] = number(4.4e6);
        const auto recording = open();
        EXPECT_EQ(recording->info().frame.demodulationFrequencyHz, 4.4e6) << name;
        EXPECT_EQ(recording->info().frame.centreFrequencyHz, 5e6);
        EXPECT_THAT(recording->info().warnings, testing::IsEmpty());
        m_arrays.erase(name);
    }
    const auto assumed = open();
    EXPECT_EQ(assumed->info().frame.demodulationFrequencyHz, 5e6);
    EXPECT_THAT(assumed->info().warnings,
                ElementsAre(AllOf(HasSubstr("'iq' was demodulated"), HasSubstr("5 MHz"))));
    m_arrays["fd"] = number(4.4e6);
    m_arrays["fdemod"] = number(4.5e6);
    EXPECT_THAT(refusal(), AllOf(HasSubstr("'fd' is 4.4e+06"), HasSubstr("'fdemod' 4.5e+06")));
}

TEST_F(NamedRecording, RealSignalsIgnoreADemodulationAloud) {
    m_arrays["demodulation_frequency"] = number(4.4e6);
    EXPECT_THAT(open()->info().warnings,
                ElementsAre(AllOf(HasSubstr("4.4 MHz"), HasSubstr("not used"))));
    m_arrays["demodulation_frequency"] = number(5e6);
    EXPECT_THAT(open()->info().warnings, testing::IsEmpty());
}

TEST_F(NamedRecording, WhatIsMissingIsAssumedAloud) {
    m_arrays["rf"] = samples("<i2", "(3, 4)", 12);
    for (const char* name : {"angles", "c", "t0", "f0"}) m_arrays.erase(name);
    EXPECT_THAT(open()->info().warnings,
                AllOf(Contains(HasSubstr("1540")), Contains(HasSubstr("'t0'")),
                      Contains(HasSubstr("'f0'"))));
}

TEST_F(NamedRecording, WavesOfAnyKind) {
    m_arrays.erase("angles");
    m_arrays["wave"] = numbers({1, 3}, "(2,)");
    m_arrays["source"] = numbers({0, 0, -5e-3, 0.3e-3, 0, 0}, "(2, 3)");
    m_arrays["t0"] = numbers({1e-6, 2e-6}, "(2,)");
    m_arrays["apodization"] = numbers({1, 0.5, 1, 0, 0, 1}, "(2, 3)");
    m_arrays["receive_elements"] = numbers({0, 1, 2, 2, 1, 0}, "(2, 3)");
    m_arrays["elements"] = numbers({-3e-4, 0, 0, 0, 0, 0, 3e-4, 0, 0}, "(3, 3)");
    m_arrays["fd"] = number(0); // nobody knows
    const auto recording = open();
    const Acquisition& acquisition = *recording->info().frame.acquisition;
    EXPECT_EQ(acquisition.probe.elements[2].x, 3e-4);
    EXPECT_EQ(acquisition.transmits[0].wave, Wave::Diverging);
    EXPECT_EQ(acquisition.transmits[0].source.z, -5e-3);
    EXPECT_EQ(acquisition.transmits[1].wave, Wave::Element);
    EXPECT_EQ(acquisition.transmits[1].source.x, 0.3e-3);
    EXPECT_THAT(acquisition.transmits[0].apodization, ElementsAre(1.0F, 0.5F, 1.0F));
    EXPECT_THAT(acquisition.receiveElements, ElementsAre(0, 1, 2, 2, 1, 0));
    m_arrays.erase("source");
    EXPECT_THAT(refusal(), HasSubstr("'source'"));
    m_arrays["wave"] = numbers({1, 7}, "(2,)");
    EXPECT_THAT(refusal(), HasSubstr("'wave' holds 7"));
}

TEST_F(NamedRecording, ImagesWithTheirPlaces) {
    m_arrays = {
        {"data", npyBytes(npyDictionary("<f4", "(2, 3, 2)"), bytesOfValues(countedUp<float>(12)))},
        {"form", number(3)},
        {"axis_order", numbers({6, 5}, "(2,)")}, // lateral, depth
        {"lateral", numbers({-1e-3, 0, 1e-3}, "(3,)")},
        {"depth", numbers({5e-3, 6e-3}, "(2,)")},
        {"range_min", number(-60)},
        {"range_max", number(0)}};
    const auto recording = open();
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "f32 [depth 2][lateral 3]");
    EXPECT_EQ(frame.recordedForm, RecordedForm::Decibels);
    EXPECT_EQ(recording->info().frameCount, 2);
    EXPECT_DOUBLE_EQ(frame.axes[0].origin, 5e-3);
    EXPECT_DOUBLE_EQ(frame.axes[1].spacing, 1e-3);
    EXPECT_EQ(frame.valueRange->min, -60.0);
    EXPECT_THAT(frameOf(*recording), ElementsAre(0, 2, 4, 1, 3, 5));
    m_arrays["depth"] = numbers({5e-3, 6e-3, 8e-3}, "(3,)");
    EXPECT_THAT(refusal(), HasSubstr("'depth' has 3"));
    m_arrays["depth"] = numbers({5e-3, 6e-3}, "(2,)");
    m_arrays["lateral"] = numbers({-1e-3, 0, 3e-3}, "(3,)");
    EXPECT_THAT(refusal(), HasSubstr("evenly"));
    m_arrays["form"] = number(9);
    EXPECT_THAT(refusal(), HasSubstr("'form' is 9"));
}

TEST_F(NamedRecording, ArraysOfOtherNamesAreCarried) {
    m_arrays["gain"] = npyBytes(npyDictionary("<i2", "(2,)"), bytesOfValues<std::int16_t>({3, -4}));
    m_arrays["table"] = npyBytes(npyDictionary(">f8", "(2, 3)", true),
                                 bytesOfValues<double>({0, 3, 1, 4, 2, 5}, true));
    m_arrays["who"] = npyBytes(npyDictionary("<U1", "()"), std::string("m\0\0\0", 4));
    const CarriedFacts facts = carriedFacts(*open());
    EXPECT_EQ(facts.family, "npz");
    ASSERT_EQ(facts.facts.size(), 2U);
    EXPECT_EQ(facts.find("gain")->layout.type, parseElementType("int16").value());
    EXPECT_THAT(toDoubles(facts.find("gain")->layout.type, facts.find("gain")->numbers),
                ElementsAre(3, -4));
    EXPECT_THAT(toDoubles(facts.find("table")->layout.type, facts.find("table")->numbers),
                ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(facts.left, ElementsAre("who"));
}

TEST_F(NamedRecording, ASidecarGoesFirst) {
    writeFile(m_folder / "data.npz.toml",
              "[data]\narray = \"rf\"\naxes = [\"transmit\", \"channel\", \"sample\"]\n[probe]\n"
              "pitch = 1e-3\n[signal]\nsampling_frequency = \"fs\"\n[transmit]\nangles = "
              "\"angles\"\n");
    EXPECT_NEAR(open()->info().frame.acquisition->probe.pitchM, 1e-3, 1e-12);
}

TEST_F(NamedRecording, ContradictionsAreRefused) {
    const auto sound = m_arrays;
    const auto refusedWith = [&](const std::string& name, const std::string& bytes) {
        m_arrays = sound;
        m_arrays[name] = bytes;
        return refusal();
    };
    const auto refusedWithout = [&](const std::string& name) {
        m_arrays = sound;
        m_arrays.erase(name);
        return refusal();
    };
    EXPECT_THAT(refusedWith("iq", m_arrays["rf"]), HasSubstr("both 'rf' and 'iq'"));
    EXPECT_THAT(refusedWith("fc", number(4e6)), AllOf(HasSubstr("'f0'"), HasSubstr("'fc'")));
    EXPECT_THAT(refusedWith("fd", number(4e6)), HasSubstr("'fd'"));
    EXPECT_THAT(refusedWith("angles", numbers({0, 0.1, 0.2}, "(3,)")), HasSubstr("3 entries"));
    EXPECT_THAT(refusedWith("angles", numbers({-10, 10}, "(2,)")), HasSubstr("rad"));
    EXPECT_THAT(refusedWith("t0", numbers({0, 0, 0}, "(3,)")), HasSubstr("'t0' has 3"));
    EXPECT_THAT(refusedWith("x", numbers({0, 1e-3}, "(2,)")), HasSubstr("'x' has 2"));
    EXPECT_THAT(refusedWith("x", numbers({-1e-3, 0, 1e-3}, "(3,)")), HasSubstr("'pitch'"));
    EXPECT_THAT(refusedWith("elements", numbers({0, 1, 2, 3}, "(2, 2)")), HasSubstr("'elements'"));
    EXPECT_THAT(refusedWith("fs", number(0)), HasSubstr("above 0"));
    EXPECT_THAT(refusedWith("fs", numbers({1, 2}, "(2,)")), HasSubstr("one finite number"));
    EXPECT_THAT(refusedWith("rf", samples("<i2", "(24,)", 24)), HasSubstr("axes"));
    EXPECT_THAT(refusedWith("rf", samples("<c8", "(2, 3, 1)", 24)), HasSubstr("complex"));
    EXPECT_THAT(refusedWithout("pitch"), HasSubstr("where its elements are"));
    EXPECT_THAT(refusedWithout("angles"), HasSubstr("no 'angles'"));
    EXPECT_THAT(refusedWithout("fs"), HasSubstr("sidecar"));
    EXPECT_THAT(refusedWithout("rf"), HasSubstr("sidecar"));
}

} // namespace
} // namespace echolux::test
