// SPDX-License-Identifier: GPL-3.0-or-later
// echolux simulate plane-wave, through the command line: what it writes, and what it refuses.
#include "app/commands/angle_list.hpp"
#include "gpu/core/error.hpp"
#include "tests/commands/simulated.hpp"
#include "tests/support/command_line.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <numbers>
#include <thread>

namespace echolux::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class SimulateCommand : public SimulateTest {
protected:
    /// A quick recording, with `more` arguments.
    static CommandResult simulate(const std::string& output, std::vector<std::string> more = {},
                                  const std::string& phantom = "points") {
        std::vector<std::string> all{"simulate", "plane-wave", "-o", output,    "--phantom",
                                     phantom,    "--elements", "8",  "--depth", "12"};
        all.insert(all.end(), more.begin(), more.end());
        return runEcholux(all);
    }
};

TEST_F(SimulateCommand, WritesWhatWasAskedFor) {
    const CommandResult result =
        simulate(file("a.echolux.h5"), {"--angles", "-10:10:5", "--frames", "3", "--frame-rate",
                                        "40", "--fc", "6", "--sound-speed", "1480", "--seed", "9"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto recording = openRecording(file("a.echolux.h5"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frameCount, 3);
    EXPECT_EQ(info.frameRateHz, 40.0);
    EXPECT_EQ(info.frame.dtype, DType::I16);
    EXPECT_EQ(info.frame.sizeOf(AxisName::Channel), 8);
    EXPECT_NEAR(info.frame.samplingFrequencyHz(), 24e6, 1e-3);
    EXPECT_EQ(info.frame.acquisition->soundSpeedMps, 1480.0);
    std::vector<double> degrees;
    for (const Transmit& t : info.frame.acquisition->transmits)
        degrees.push_back(t.angleRad * 180.0 / std::numbers::pi);
    EXPECT_THAT(degrees, testing::Pointwise(testing::DoubleNear(1e-9),
                                            std::vector<double>{-10, -5, 0, 5, 10}));
    EXPECT_THAT(info.notes, Contains(Pair("seed", "9")));
    EXPECT_THAT(info.notes, Contains(Pair("wires", HasSubstr("(0, 10)"))));
    EXPECT_THAT(info.notes, Contains(Pair("source", HasSubstr("--angles -10:10:5"))));
}

TEST_F(SimulateCommand, ItsNoteIsACommandThatGivesTheSameSamples) {
    ASSERT_EQ(simulate(file("a.h5"), {"--frames", "2", "--angles", "0,3.5"}).status, 0);
    const auto first = openRecording(file("a.h5"));
    std::string source;
    for (const auto& [name, text] : first->info().notes)
        if (name == "source") source = text;
    std::vector<std::string> words;
    for (std::size_t at = 0; at < source.size();) {
        const std::size_t end = std::min(source.find(' ', at), source.size());
        words.push_back(source.substr(at, end - at));
        at = end + 1;
    }
    ASSERT_EQ(words.at(0), "echolux");
    words.erase(words.begin());
    words.insert(words.end(), {"-o", file("b.h5")});
    ASSERT_EQ(runEcholux(words).status, 0);
    const auto second = openRecording(file("b.h5"));
    for (const std::int64_t i : {0, 1}) EXPECT_EQ(frameOf(*first, i), frameOf(*second, i));
}

// The command of testdata/README.md, with quicker compression.
TEST_F(SimulateCommand, TheBundledRecordingIsWhatItsCommandWrites) {
    const CommandResult result =
        runEcholux({"simulate", "plane-wave",   "-o",     file("cine.echolux.h5"),
                    "--force",  "--phantom",    "cine",   "--frames",
                    "32",       "--frame-rate", "25",     "--elements",
                    "64",       "--pitch",      "0.3",    "--fc",
                    "5",        "--bandwidth",  "60",     "--fs",
                    "20",       "--angles",     "-8:8:8", "--start-depth",
                    "3",        "--depth",      "33",     "--attenuation",
                    "0.2",      "--snr",        "40",     "--bits",
                    "10",       "--seed",       "1",      "--compression",
                    "1"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto made = openRecording(file("cine.echolux.h5"));
    const auto bundled = openRecording(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5");
    EXPECT_TRUE(bundled->info().warnings.empty());
    EXPECT_LT(std::filesystem::file_size(bundled->info().path), 6000000U);
    ASSERT_EQ(bundled->info().frameCount, 32);
    ASSERT_EQ(made->info().frameCount, 32);
    for (std::int64_t i = 0; i < 32; ++i)
        ASSERT_TRUE(frameOf(*made, i) == frameOf(*bundled, i)) << "frame " << i;
}

TEST_F(SimulateCommand, RefusesInOneSentenceAndLeavesNothing) {
    const std::string output = file("a.h5");
    const auto refusal = [&](std::vector<std::string> more, const std::string& phantom = "points") {
        const CommandResult result = simulate(output, std::move(more), phantom);
        EXPECT_EQ(result.status, 2);
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
        EXPECT_TRUE(std::filesystem::is_empty(m_folder.path()));
        return result.err;
    };
    EXPECT_THAT(refusal({"--pitch", "0"}), HasSubstr("--pitch is 0"));
    EXPECT_THAT(refusal({"--fs", "9"}), HasSubstr("at least 13 MHz"));
    EXPECT_THAT(refusal({"--frames", "0"}), HasSubstr("--frames is 0"));
    EXPECT_THAT(refusal({"--angles", "ten"}), HasSubstr("--angles 'ten'"));
    EXPECT_THAT(refusal({}, "unicorn"), HasSubstr("no phantom 'unicorn'"));
    EXPECT_THAT(refusal({"--seed", "-1"}), HasSubstr("'-1' is no seed"));
    EXPECT_THAT(refusal({"--seed", "99999999999999999999"}), HasSubstr("is no seed"));
    EXPECT_THAT(refusal({"--snr", "nan"}), HasSubstr("--snr"));
    EXPECT_THAT(refusal({"--speckle-density", "0"}), HasSubstr("--speckle-density"));
    EXPECT_THAT(refusal({"--fc", "100", "--pitch", "3"}, "speckle"), HasSubstr("scatterers"));
    EXPECT_THAT(simulate(file("no/a.h5")).err, HasSubstr("does not exist"));
}

TEST_F(SimulateCommand, ReplacesOnlyWhenForced) {
    ASSERT_EQ(simulate(file("a.h5"), {"--frames", "2"}).status, 0);
    const CommandResult refused = simulate(file("a.h5"), {"--frames", "3"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("--force"));
    EXPECT_EQ(openRecording(file("a.h5"))->info().frameCount, 2);
    EXPECT_EQ(simulate(file("a.h5"), {"--frames", "3", "--force"}).status, 0);
    EXPECT_EQ(openRecording(file("a.h5"))->info().frameCount, 3);
}

TEST_F(SimulateCommand, AnInterruptEndsTheRecordingWithWholeFrames) {
    const std::string output = file("a.h5");
    std::thread interrupter([&] {
        // The file comes once an interrupt ends the recording instead of the process.
        while (!std::filesystem::exists(output))
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::raise(SIGINT);
    });
    const CommandResult result = simulate(output, {"--frames", "1000000"});
    interrupter.join();
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr("Stopped at your request"));
    const auto recording = openRecording(output);
    EXPECT_GE(recording->info().frameCount, 1);
    EXPECT_LT(recording->info().frameCount, 1000000);
    EXPECT_TRUE(recording->info().warnings.empty()) << "it was closed in order";
}

TEST(AngleList, ReadsRangesAndLists) {
    const auto degrees = [](const std::string& text) {
        std::vector<double> angles = parseAngles(text);
        for (double& angle : angles) angle *= 180.0 / std::numbers::pi;
        return angles;
    };
    using testing::DoubleNear;
    EXPECT_THAT(degrees("-8:8:8"),
                ElementsAre(DoubleNear(-8, 1e-9), DoubleNear(0, 1e-9), DoubleNear(8, 1e-9)));
    EXPECT_EQ(degrees("-1.5:1.5:0.1").size(), 31U);
    EXPECT_THAT(degrees("4:-4:-4"),
                ElementsAre(DoubleNear(4, 1e-9), DoubleNear(0, 1e-9), DoubleNear(-4, 1e-9)));
    EXPECT_THAT(degrees("0,+3"), ElementsAre(DoubleNear(0, 1e-9), DoubleNear(3, 1e-9)));
    EXPECT_THAT(degrees("7"), ElementsAre(DoubleNear(7, 1e-9)));
    for (const char* wrong : {"", "a", "1,", "1:2", "0:10:0", "0:10:-1", "0:1e9:1", "1;2", "nan"})
        EXPECT_THROW(parseAngles(wrong), Error) << wrong;
}

} // namespace
} // namespace echolux::test
