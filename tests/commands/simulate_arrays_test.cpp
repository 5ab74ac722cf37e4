// SPDX-License-Identifier: GPL-3.0-or-later
// echolux simulate focused, diverging, matrix, row-column: what they write, say and refuse.
#include "app/dataset/transmit/array_kind.hpp"
#include "tests/commands/simulated.hpp"
#include "tests/support/command_line.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class SimulateArrays : public SimulateTest {
protected:
    static CommandResult simulate(const std::string& kind, const std::string& output,
                                  const std::string& more) {
        std::vector<std::string> all{"simulate", kind,       "-o", output,    "--phantom",
                                     "points",   "--frames", "1",  "--depth", "12"};
        std::istringstream words(more);
        for (std::string word; words >> word;) all.push_back(word);
        return runEcholux(all);
    }
    std::shared_ptr<const Acquisition> written(const std::string& kind, const std::string& more) {
        const CommandResult result = simulate(kind, file("a.h5"), more + " --force");
        EXPECT_EQ(result.status, 0) << result.err;
        return openRecording(file("a.h5"))->info().frame.acquisition;
    }
    static std::string kindOf(const Acquisition& acquisition) {
        return describe(arrayKindOf(acquisition.probe, acquisition.soundSpeedMps));
    }
};

TEST_F(SimulateArrays, LinesWalkAndBeamsSteer) {
    auto linear = written("focused", "--elements 12 --active 4 --lines 3 --focus 8");
    EXPECT_EQ(kindOf(*linear), "linear array, 12 elements");
    EXPECT_EQ(linear->transmits.size(), 3U);
    EXPECT_EQ(linear->receiveElements.size(), 12U);
    EXPECT_EQ(linear->receiveElements.back(), 11);
    EXPECT_NEAR(linear->transmits[0].source.z, 8e-3, 1e-12);
    EXPECT_EQ(linear->transmits[0].origin.x, linear->transmits[0].source.x);
    auto curved = written("focused", "--array curved --elements 12 --f-number 5 --focus 8 "
                                     "--window hann --radius 30 --height 3 --elevation-focus 9");
    EXPECT_EQ(kindOf(*curved), "curved array, 12 elements, radius 30 mm");
    EXPECT_EQ(curved->transmits.size(), 8U) << "5 active elements of 12";
    EXPECT_DOUBLE_EQ(curved->probe.elevationFocusM, 9e-3);
    auto phased = written("focused", "--array phased --elements 8 --lines 5 --sector 60");
    EXPECT_EQ(kindOf(*phased), "phased array, 8 elements");
    EXPECT_TRUE(phased->receiveElements.empty());
    EXPECT_NEAR(std::atan2(phased->transmits[4].source.x, phased->transmits[4].source.z), 0.5236,
                1e-4);
    auto diverging = written("diverging", "--elements 12 --waves 3 --behind 5");
    EXPECT_EQ(diverging->transmits[2].wave, Wave::Diverging);
    EXPECT_NEAR(diverging->transmits[2].source.z, -5e-3, 1e-12);
}

TEST_F(SimulateArrays, VolumesAreSeenFromBothSides) {
    auto matrix = written("matrix", "--columns 4 --rows 3 --pitch-y 0.4 --rows-per-block 1 "
                                    "--gap 0.2 --angles -4,4 --elevations 0,3 "
                                    "--steering projections");
    EXPECT_EQ(kindOf(*matrix), "matrix array, 4 x 3 elements");
    EXPECT_EQ(matrix->steering, Steering::Projections);
    EXPECT_EQ(matrix->transmits.size(), 4U);
    EXPECT_NEAR(matrix->transmits[2].elevationRad, 3.0 * std::acos(-1.0) / 180.0, 1e-12);
    EXPECT_NEAR(matrix->probe.elements.back().y, 0.6e-3, 1e-12);
    auto lines = written("row-column", "--lines 6 --angles -3,3");
    EXPECT_EQ(kindOf(*lines), "row-column array, 6 + 6 lines");
    EXPECT_EQ(lines->transmits.size(), 4U);
    EXPECT_EQ(lines->receiveElements.front(), 6) << "rows hear columns";
    EXPECT_EQ(lines->receiveElements.back(), 5) << "columns hear rows";
    EXPECT_EQ(lines->transmits[0].apodization[0], 1.0F);
    EXPECT_EQ(lines->transmits[3].apodization[0], 0.0F);
    EXPECT_EQ(written("row-column", "--lines 6 --transmit rows")->transmits.size(), 3U);
}

TEST_F(SimulateArrays, ConcaveArraysOpenTowardsTheTissue) {
    auto lines = written("focused", "--array concave --elements 12 --active 4 --lines 3 --focus 8 "
                                    "--radius 30");
    EXPECT_LT(lines->probe.elements[5].z, 0.0) << "the outer elements lie at z = 0";
    EXPECT_GT(lines->probe.normals.front().x, 0.0);
    EXPECT_LT(lines->probe.normals.back().x, 0.0);
    EXPECT_GT(lines->transmits[0].source.x, lines->transmits[0].origin.x);
    auto waves = written("diverging", "--array concave --elements 12 --waves 3 --behind 5");
    EXPECT_LT(waves->transmits[0].source.x, waves->transmits[0].origin.x);
    auto each = written("full-matrix", "--array concave --elements 6");
    EXPECT_EQ(each->transmits.size(), 6U);
}

TEST_F(SimulateArrays, VolumesAreSentWavesOfEveryKind) {
    auto focused = written("matrix", "--columns 3 --rows 2 --wave focused --focus 9 --angles 0,10 "
                                     "--elevations 5");
    ASSERT_EQ(focused->transmits.size(), 2U);
    EXPECT_EQ(focused->transmits[1].wave, Wave::Focused);
    const Point& focus = focused->transmits[1].source;
    EXPECT_NEAR(std::hypot(focus.x, focus.y, focus.z), 9e-3, 1e-9);
    EXPECT_NEAR(focus.y, 9e-3 * std::sin(5.0 * std::acos(-1.0) / 180.0), 1e-9);
    auto single = written("matrix", "--columns 3 --rows 2 --wave elements");
    ASSERT_EQ(single->transmits.size(), 6U);
    EXPECT_EQ(single->transmits[4].wave, Wave::Element);
    auto lines = written("row-column", "--lines 4 --wave diverging --behind 6 --angles -10,10");
    ASSERT_EQ(lines->transmits.size(), 4U);
    EXPECT_NEAR(lines->transmits[1].source.x, -6e-3 * std::sin(10.0 * std::acos(-1.0) / 180.0),
                1e-9);
    EXPECT_EQ(lines->transmits[1].source.y, 0.0) << "a line along y";
    EXPECT_EQ(lines->transmits[3].source.x, 0.0) << "a line along x";
    auto alone = written("row-column", "--lines 4 --wave elements --transmit rows");
    ASSERT_EQ(alone->transmits.size(), 4U);
    EXPECT_EQ(alone->transmits[0].apodization[4], 1.0F);
    EXPECT_EQ(alone->transmits[0].apodization[0], 0.0F);
}

TEST_F(SimulateArrays, ItsNoteIsACommandThatGivesTheSameSamples) {
    written("matrix", "--columns 3 --rows 2 --seed 5 --angles -4,4");
    const auto first = openRecording(file("a.h5"));
    std::string source;
    for (const auto& [name, text] : first->info().notes)
        if (name == "source") source = text;
    std::vector<std::string> words;
    std::istringstream text(source);
    for (std::string word; text >> word;) words.push_back(word);
    ASSERT_EQ(words.front(), "echolux");
    words.erase(words.begin());
    words.insert(words.end(), {"-o", file("b.h5")});
    const CommandResult again = runEcholux(words);
    ASSERT_EQ(again.status, 0) << again.err;
    const auto second = openRecording(file("b.h5"));
    EXPECT_EQ(frameOf(*first, 0), frameOf(*second, 0));
}

TEST_F(SimulateArrays, InfoNamesArrayAndWaves) {
    written("matrix", "--columns 4 --rows 3 --angles 2 --elevations -5");
    const std::string text = runEcholux({"info", file("a.h5")}).out;
    EXPECT_THAT(text, AllOf(HasSubstr("matrix array"), HasSubstr("4 x 3 elements")));
    EXPECT_THAT(text, AllOf(HasSubstr("deg"), HasSubstr("(2, -5)")));
    written("focused", "--elements 12 --active 4 --lines 3 --focus 8");
    const std::string lines = runEcholux({"info", file("a.h5")}).out;
    EXPECT_THAT(lines, HasSubstr("4 of 12 elements fire"));
    EXPECT_THAT(lines, AllOf(HasSubstr("4 channels"), HasSubstr("0 to 3 first"),
                             HasSubstr("8 to 11 last")));
    EXPECT_THAT(lines, HasSubstr("to (x, z) mm"));
    const std::string json = runEcholux({"info", file("a.h5"), "--json"}).out;
    EXPECT_THAT(json, HasSubstr("\"array\": \"linear\""));
    EXPECT_THAT(json, HasSubstr("\"receive_elements\""));
    EXPECT_THAT(json, HasSubstr("\"elevation_focus_m\""));
}

TEST_F(SimulateArrays, RefusesWhatItCannotSimulate) {
    const auto refusal = [&](const std::string& kind, const std::string& more) {
        const CommandResult result = simulate(kind, file("no.h5"), more);
        EXPECT_EQ(result.status, 2) << more;
        EXPECT_FALSE(std::filesystem::exists(file("no.h5")));
        return result.err;
    };
    EXPECT_THAT(refusal("focused", "--elements 8 --active 9"), HasSubstr("--active is 9"));
    EXPECT_THAT(refusal("focused", "--elements 8 --active 4 --lines 9"), HasSubstr("1 to 5 lines"));
    EXPECT_THAT(refusal("focused", "--focus 0"), HasSubstr("--focus is 0 mm"));
    EXPECT_THAT(refusal("focused", "--array square"), HasSubstr("--array"));
    EXPECT_THAT(refusal("focused", "--array curved --radius 2"), HasSubstr("--radius"));
    EXPECT_THAT(refusal("diverging", "--behind nan"), HasSubstr("--behind"));
    EXPECT_THAT(refusal("diverging", "--width 1"), HasSubstr("--width is 1 mm"));
    EXPECT_THAT(refusal("matrix", "--columns 0"), HasSubstr("--columns is 0"));
    EXPECT_THAT(refusal("matrix", "--elevations 80"), HasSubstr("--elevations is 80 deg"));
    EXPECT_THAT(refusal("matrix", "--height 1"), HasSubstr("--height is 1 mm"));
    EXPECT_THAT(refusal("row-column", "--lines 1"), HasSubstr("--lines is 1"));
    EXPECT_THAT(refusal("row-column", "--transmit diagonals"), HasSubstr("--transmit"));
}

// The command of testdata/README.md, with quicker compression.
TEST_F(SimulateArrays, TheBundledVolumeIsWhatItsCommandWrites) {
    const CommandResult result = runEcholux({"simulate",
                                             "matrix",
                                             "-o",
                                             file("volume.h5"),
                                             "--phantom",
                                             "points",
                                             "--frames",
                                             "1",
                                             "--columns",
                                             "16",
                                             "--rows",
                                             "16",
                                             "--pitch",
                                             "0.3",
                                             "--angles",
                                             "-8:8:8",
                                             "--elevations",
                                             "-8:8:8",
                                             "--fc",
                                             "5",
                                             "--bandwidth",
                                             "60",
                                             "--start-depth",
                                             "8",
                                             "--depth",
                                             "30",
                                             "--snr",
                                             "40",
                                             "--bits",
                                             "11",
                                             "--seed",
                                             "1",
                                             "--compression",
                                             "1",
                                             "--backend",
                                             "cpu"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto made = openRecording(file("volume.h5"));
    const auto bundled = openRecording(ECHOLUX_SOURCE_DIR "/testdata/volume_echoes.h5");
    EXPECT_TRUE(bundled->info().warnings.empty());
    EXPECT_LT(std::filesystem::file_size(bundled->info().path), 4000000U);
    EXPECT_TRUE(frameOf(*made, 0) == frameOf(*bundled, 0));
}

TEST_F(SimulateArrays, TheBundledSectorIsOneOfFocusedLines) {
    const auto bundled = openRecording(ECHOLUX_SOURCE_DIR "/testdata/sector.h5");
    EXPECT_TRUE(bundled->info().warnings.empty());
    EXPECT_LT(std::filesystem::file_size(bundled->info().path), 4000000U);
    const Acquisition& acquisition = *bundled->info().frame.acquisition;
    EXPECT_EQ(kindOf(acquisition), "curved array, 96 elements, radius 40 mm");
    ASSERT_EQ(acquisition.transmits.size(), 65U);
    // The wire of 45 mm in front of the middle of the arc is the loudest thing near its focus.
    constexpr std::size_t kMiddle = 32;
    const Transmit& line = acquisition.transmits[kMiddle];
    EXPECT_NEAR(line.origin.x, 0.0, 1e-6);
    const std::vector<std::byte> bytes = frameOf(*bundled, 0);
    const auto* codes = reinterpret_cast<const std::int16_t*>(bytes.data());
    const auto samples = bundled->info().frame.sizeOf(AxisName::Sample);
    const std::int64_t channel = 15; // beside the middle of 32
    const auto element = acquisition.receiveElements[kMiddle * 32 + channel];
    const double wireZ = 48e-3;
    const Point& heard = acquisition.probe.elements[static_cast<std::size_t>(element)];
    const double path = wireZ + std::hypot(heard.x, wireZ - heard.z);
    const auto expected = std::lround((path / acquisition.soundSpeedMps - line.firstSampleS) *
                                      bundled->info().frame.samplingFrequencyHz());
    const std::int16_t* trace = codes + (std::int64_t{kMiddle} * 32 + channel) * samples;
    std::int64_t loudest = expected - 25;
    for (std::int64_t i = expected - 25; i <= expected + 25; ++i)
        if (std::abs(trace[i]) > std::abs(trace[loudest])) loudest = i;
    EXPECT_NEAR(static_cast<double>(loudest), static_cast<double>(expected), 4.0);
}

} // namespace
} // namespace echolux::test
