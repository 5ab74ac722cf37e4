// SPDX-License-Identifier: GPL-3.0-or-later
// Files that the real zea package wrote (vectors/make_zea_files.py): a band of its own, facts that
// Echolux does not use, and maps beside an image.
#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/carried/native_carried.hpp"
#include "gpu/core/sector.hpp"
#include "tests/dataset/native_samples.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

std::filesystem::path toldFile(const std::string& name) {
    return std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors" / name;
}

const nlohmann::json& zeaTruth() {
    static const auto json = nlohmann::json::parse(readFile(toldFile("zea_files.json")));
    return json;
}

std::vector<double> numbersOf(const CarriedFacts& facts, const std::string& name) {
    const CarriedFact* fact = facts.find(name);
    if (fact == nullptr) return {};
    return toDoubles(fact->layout.type, fact->numbers);
}

/// zea keeps float32.
void expectNumbers(const CarriedFacts& facts, const std::string& name,
                   const nlohmann::json& truth) {
    const std::vector<double> got = numbersOf(facts, name);
    ASSERT_EQ(got.size(), truth.size()) << name;
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_EQ(static_cast<float>(got[i]), truth[i].get<float>()) << name << " " << i;
}

void expectSame(const CarriedFacts& got, const CarriedFacts& wanted) {
    EXPECT_EQ(got.family, wanted.family);
    ASSERT_EQ(got.facts.size(), wanted.facts.size());
    for (const CarriedFact& want : wanted.facts) {
        const CarriedFact* fact = got.find(want.name);
        ASSERT_NE(fact, nullptr) << want.name;
        EXPECT_EQ(fact->numbers, want.numbers) << want.name;
        EXPECT_EQ(fact->texts, want.texts) << want.name;
        EXPECT_EQ(fact->layout.shape, want.layout.shape) << want.name;
        EXPECT_EQ(fact->layout.type, want.layout.type) << want.name;
        EXPECT_EQ(fact->unit, want.unit) << want.name;
        EXPECT_EQ(fact->description, want.description) << want.name;
        EXPECT_EQ(fact->perFrame, want.perFrame) << want.name;
    }
}

TEST(ZeaTold, HarmonicEchoesAreImagedInTheirBand) {
    const auto recording = openRecording(toldFile("zea_harmonic.hdf5"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.centreFrequencyHz, 5e6);
    EXPECT_EQ(info.frame.demodulationFrequencyHz, 0.0);
    EXPECT_THAT(info.warnings, IsEmpty());
    EXPECT_THAT(info.notes, Contains(Pair("Band", AllOf(HasSubstr("5 MHz (demodulation_frequency)"),
                                                        HasSubstr("sent at 2.5 MHz")))));
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(info.frame.acquisition->transmits[i].angleRad,
                    zeaTruth()["harmonic"][i]["angle"].get<double>(), 1e-7);
    EXPECT_THAT(numbersOf(carriedFacts(*recording), "scan/center_frequency"), ElementsAre(2.5e6));
    const auto plain = openRecording(toldFile("zea_told.hdf5"));
    EXPECT_EQ(plain->info().frame.centreFrequencyHz, 5e6);
    EXPECT_THAT(plain->info().notes, testing::Not(Contains(Pair("Band", testing::_))));
    EXPECT_EQ(carriedFacts(*plain).find("scan/center_frequency"), nullptr);
}

TEST(ZeaTold, FactsThatAreNotUsedAreCarried) {
    const auto recording = openRecording(toldFile("zea_told.hdf5"));
    const CarriedFacts facts = carriedFacts(*recording);
    const auto& truth = zeaTruth()["facts"];
    EXPECT_EQ(facts.family, "zea");
    EXPECT_THAT(facts.left, IsEmpty());
    EXPECT_EQ(facts.text("us_machine"), "Vantage 256");
    EXPECT_EQ(facts.text("description"), "wires");
    EXPECT_EQ(facts.text("acquisition_time"), "2026-06-12T14:30:00+00:00");
    EXPECT_EQ(facts.text("metadata/credit"), "M. Muster");
    EXPECT_EQ(facts.text("metadata/subject/type"), "phantom");
    EXPECT_EQ(facts.text("probe/type"), "linear");
    expectNumbers(facts, "scan/tgc_gain_curve", truth["tgc"]);
    expectNumbers(facts, "scan/waveforms_two_way", truth["wave"]);
    expectNumbers(facts, "scan/time_to_next_transmit", truth["intervals"]);
    expectNumbers(facts, "metadata/ecg/samples", truth["ecg"]);
    expectNumbers(facts, "metrics/coherence_factor", truth["coherence"]);
    EXPECT_EQ(facts.find("scan/waveforms_two_way")->layout.shape,
              (std::vector<std::int64_t>{3, 20}));
    EXPECT_EQ(facts.find("scan/waveforms_two_way")->unit, "V");
    EXPECT_EQ(facts.find("metadata/ecg/samples")->layout.type, parseElementType("int16").value());
    ASSERT_NE(facts.find("metadata/annotations/view"), nullptr);
    EXPECT_THAT(facts.find("metadata/annotations/view")->texts,
                ElementsAre("apical", "parasternal"));
    for (const char* used : {"scan/sound_speed", "scan/t0_delays", "probe/probe_geometry"})
        EXPECT_EQ(facts.find(used), nullptr) << used;
}

TEST(ZeaTold, APartOfTheFramesHasItsPartOfTheFacts) {
    const auto recording = openRecording(toldFile("zea_told.hdf5"));
    const CarriedFacts all = carriedFacts(*recording);
    const CarriedFacts second = ofFrames(all, 1, 1);
    EXPECT_THAT(numbersOf(second, "metrics/coherence_factor"), ElementsAre(0.75));
    EXPECT_THAT(second.find("metadata/annotations/view")->texts, ElementsAre("parasternal"));
    EXPECT_EQ(second.find("scan/time_to_next_transmit")->layout.shape,
              (std::vector<std::int64_t>{1, 3}));
    EXPECT_EQ(static_cast<float>(numbersOf(second, "scan/time_to_next_transmit")[2]), 5e-4F);
    EXPECT_EQ(numbersOf(second, "metadata/ecg/samples").size(), 5U);
    expectSame(ofFrames(all, 0, 2), all);
}

TEST(ZeaTold, AnEcholuxRecordingKeepsThem) {
    TemporaryFolder folder;
    const auto path = folder / "kept.echolux.h5";
    const auto recording = openRecording(toldFile("zea_told.hdf5"));
    const CarriedFacts facts = carriedFacts(*recording);
    writeSample(path, recording->info().frame, 2);
    EXPECT_THAT(carriedFacts(*openRecording(path)).facts, IsEmpty());
    writeNativeCarried(path, facts);
    const auto kept = openRecording(path);
    EXPECT_THAT(kept->info().warnings, IsEmpty());
    expectFrames(*kept);
    expectSame(carriedFacts(*kept), facts);
}

TEST(ZeaTold, MapsBesideAnImageAreTracks) {
    const auto path = toldFile("zea_maps.hdf5");
    const RecordingInfo first = openRecording(path)->info();
    EXPECT_THAT(first.tracks, ElementsAre("image", "color doppler (m/s)", "segmentation: left",
                                          "segmentation: deep", "sos map (m/s)"));
    EXPECT_THAT(first.notes, Contains(Pair("Not shown", HasSubstr("aligned data"))));
    const auto velocity = openRecording(path, {.track = 1});
    const FrameSpec& frame = velocity->info().frame;
    EXPECT_EQ(frame.describe(), "f32 [depth 9][lateral 5]");
    EXPECT_EQ(frame.recordedForm, RecordedForm::Picture);
    EXPECT_EQ(*frame.valueRange, (ValueRange{-0.5, 0.5, "m/s", ""}));
    EXPECT_NEAR(frame.find(AxisName::Depth)->origin, 6e-3, 1e-8);
    EXPECT_EQ(static_cast<float>(frameOf(*velocity)[0]), -0.4F);
    EXPECT_EQ(static_cast<float>(frameOf(*velocity)[4]), 0.4F);
    const auto sound = openRecording(path, {.track = 4});
    EXPECT_NEAR(sound->info().frame.valueRange->min, 1560.0, 1e-3);
    EXPECT_NEAR(sound->info().frame.valueRange->max, 1640.0, 1e-3);
    EXPECT_EQ(sound->info().frame.valueRange->unit, "m/s");
    for (const std::size_t label : {2, 3}) {
        const auto classes = openRecording(path, {.track = label});
        EXPECT_EQ(classes->info().frame.describe(), "u8 [depth 9][lateral 5]");
        EXPECT_EQ(classes->info().frame.valueKind, ValueKind::Label);
        EXPECT_EQ(classes->info().frame.valueRange->max, 1.0);
        const auto values = frameOf(*classes);
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_EQ(values[i], (label == 2 ? i % 5 < 2 : i / 5 > 4) ? 1.0 : 0.0)
                << label << " " << i;
    }
}

TEST(ZeaTold, CodesWithTheRangeOfLevelsAreShownAsCodes) {
    const auto recording = openRecording(toldFile("zea_maps.hdf5"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(*info.frame.valueRange, (ValueRange{0.0, 255.0, "", ""}));
    EXPECT_THAT(info.warnings, ElementsAre(AllOf(HasSubstr("from -60 to 0 dB"),
                                                 HasSubstr("shown from 0 to 255"))));
    // Ranges are counted from the apex, which is the middle of the flat array.
    const Axis& depth = *info.frame.find(AxisName::Depth);
    EXPECT_NEAR(info.frame.sector->radiusM, 0.0, 1e-7);
    EXPECT_NEAR(depth.origin, 8e-3, 1e-7);
    EXPECT_NEAR(depth.origin + 24.0 * depth.spacing, 14e-3, 1e-7);
}

} // namespace
} // namespace echolux::test
