// SPDX-License-Identifier: GPL-3.0-or-later
// echolux simulate oct, through the command line: what it writes, and what it refuses.
#include "tests/commands/simulated.hpp"
#include "tests/support/command_line.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace echolux::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

class SimulateOctCommand : public SimulateTest {
protected:
    /// A quick recording, with `more` arguments.
    static CommandResult simulate(const std::string& output, std::vector<std::string> more = {}) {
        std::vector<std::string> all{"simulate", "oct", "-o",        output,
                                     "--lines",  "12",  "--samples", "128"};
        if (std::ranges::find(more, "--frames") == more.end())
            all.insert(all.end(), {"--frames", "4"});
        all.insert(all.end(), more.begin(), more.end());
        return runEcholux(all);
    }
};

TEST_F(SimulateOctCommand, WritesWhatWasAskedFor) {
    const CommandResult result =
        simulate(file("a.h5"), {"--preset", "swept_source", "--wavelength", "1060", "--bandwidth",
                                "100", "--frame-rate", "50", "--line-pitch", "8", "--dispersion",
                                "40,-20", "--seed", "3"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto recording = openRecording(file("a.h5"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frameCount, 4);
    EXPECT_EQ(info.frameRateHz, 50.0);
    EXPECT_EQ(info.frame.dtype, DType::Packed12);
    EXPECT_EQ(info.frame.describe(), "packed12 [lateral 12][sample 128]");
    EXPECT_NEAR(info.frame.find(AxisName::Lateral)->spacing, 8e-6, 1e-12);
    const Spectrometer& known = *info.frame.spectrometer;
    EXPECT_NEAR(known.centreWavelengthM, 1060e-9, 1e-15);
    EXPECT_NEAR(known.bandwidthM, 100e-9, 1e-15);
    EXPECT_EQ(known.background.size(), 128U);
    EXPECT_EQ(known.resampling.size(), 128U);
    ASSERT_EQ(known.dispersionRad.size(), 128U);
    EXPECT_NEAR(known.dispersionRad.back(), 40.0 / 4.0 + 20.0 / 8.0, 1e-9);
    EXPECT_THAT(info.notes, Contains(Pair("seed", "3")));
    EXPECT_THAT(info.notes, Contains(Pair("dispersion", HasSubstr("c1 40, c2 -20, c3 0"))));
}

TEST_F(SimulateOctCommand, KeepsTheCalibrationToItselfWhereAsked) {
    ASSERT_EQ(simulate(file("a.h5"), {"--calibration", "none"}).status, 0);
    ASSERT_EQ(simulate(file("b.h5"), {"--calibration", "k,background"}).status, 0);
    const auto none = openRecording(file("a.h5"));
    EXPECT_TRUE(none->info().frame.spectrometer->resampling.empty());
    EXPECT_TRUE(none->info().frame.spectrometer->background.empty());
    const auto some = openRecording(file("b.h5"));
    EXPECT_EQ(some->info().frame.spectrometer->resampling.size(), 128U);
    EXPECT_TRUE(some->info().frame.spectrometer->dispersionRad.empty());
    EXPECT_EQ(frameOf(*none, 2), frameOf(*some, 2)) << "the samples are the same";
}

TEST_F(SimulateOctCommand, WritesVolumesOfStillBscans) {
    ASSERT_EQ(
        simulate(file("a.h5"), {"--bscans-per-volume", "4", "--frames", "8", "--bscan-pitch", "20",
                                "--bits", "8", "--full-well", "1e12", "--sample", "layers"})
            .status,
        0);
    const auto recording = openRecording(file("a.h5"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.dtype, DType::U8);
    EXPECT_EQ(info.frame.stack.bscansPerVolume, 4);
    EXPECT_NEAR(info.frame.stack.spacingM, 20e-6, 1e-12);
    // The second volume shows the same places; a neighbour shows others.
    EXPECT_EQ(frameOf(*recording, 1), frameOf(*recording, 5));
    EXPECT_NE(frameOf(*recording, 1), frameOf(*recording, 2));
}

TEST_F(SimulateOctCommand, RecordsEachPlaceSeveralTimes) {
    ASSERT_EQ(simulate(file("a.h5"), {"--bscans-per-volume", "6", "--bscans-per-place", "3",
                                      "--frames", "12", "--full-well", "1e12", "--sample", "layers",
                                      "--bscan-pitch", "20", "--bits", "8"})
                  .status,
              0);
    const auto recording = openRecording(file("a.h5"));
    const VolumeStack& stack = recording->info().frame.stack;
    EXPECT_EQ(stack.bscansPerVolume, 6);
    EXPECT_EQ(stack.repeats, 3);
    EXPECT_NEAR(stack.spacingM, 20e-6, 1e-12);
    EXPECT_EQ(frameOf(*recording, 0), frameOf(*recording, 2)) << "nothing moves";
    EXPECT_NE(frameOf(*recording, 2), frameOf(*recording, 3));
    EXPECT_EQ(frameOf(*recording, 0), frameOf(*recording, 6));
    const CommandResult facts = runEcholux({"info", file("a.h5")});
    EXPECT_THAT(facts.out, HasSubstr("2 of 6 B-scans, 3 at each of 2 places"));
}

TEST_F(SimulateOctCommand, ItsNoteIsACommandThatGivesTheSameSamples) {
    ASSERT_EQ(simulate(file("a.h5"), {"--sample", "layers", "--index", "1.5"}).status, 0);
    const auto first = openRecording(file("a.h5"));
    std::vector<std::string> words;
    for (const auto& [name, text] : first->info().notes) {
        if (name != "source") continue;
        std::istringstream stream(text);
        for (std::string word; stream >> word;) words.push_back(word);
    }
    ASSERT_GT(words.size(), 10U);
    words.erase(words.begin()); // the program
    words.insert(words.end(), {"-o", file("b.h5")});
    const CommandResult again = runEcholux(words);
    ASSERT_EQ(again.status, 0) << again.err;
    const auto second = openRecording(file("b.h5"));
    EXPECT_EQ(second->info().frame.describe(), first->info().frame.describe());
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(frameOf(*first, i), frameOf(*second, i));
}

TEST_F(SimulateOctCommand, RefusesInOneSentence) {
    const auto refusal = [&](const std::vector<std::string>& more) {
        const CommandResult result = simulate(file("x.h5"), more);
        EXPECT_EQ(result.status, 2);
        EXPECT_FALSE(std::filesystem::exists(file("x.h5")));
        return result.err;
    };
    EXPECT_THAT(refusal({"--sample", "brain"}), HasSubstr("no sample 'brain'"));
    EXPECT_THAT(refusal({"--preset", "lidar"}), HasSubstr("--preset"));
    EXPECT_THAT(refusal({"--bits", "7"}), HasSubstr("--bits is 7"));
    EXPECT_THAT(refusal({"--bits", "10", "--type", "u8"}), HasSubstr("--type u8"));
    EXPECT_THAT(refusal({"--bscans-per-volume", "3"}), HasSubstr("whole number of volumes"));
    EXPECT_THAT(refusal({"--bscans-per-volume", "4", "--bscans-per-place", "3"}),
                HasSubstr("no multiple of --bscans-per-place"));
    EXPECT_THAT(refusal({"--calibration", "k,phase"}), HasSubstr("'phase'"));
    EXPECT_THAT(refusal({"--sample", "mirror", "--mirror-depth", "1e6"}),
                HasSubstr("--mirror-depth"));
    EXPECT_THAT(refusal({"--start-depth", "-5"}), HasSubstr("--start-depth"));
    EXPECT_THAT(refusal({"--wavelength", "nan"}), HasSubstr("--wavelength"));
    EXPECT_THAT(refusal({"--frames", "0"}), HasSubstr("--frames"));
    EXPECT_THAT(refusal({"--seed", "-1"}), HasSubstr("seed"));
}

} // namespace
} // namespace echolux::test
