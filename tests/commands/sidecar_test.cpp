// SPDX-License-Identifier: GPL-3.0-or-later
// echolux sidecar, through the command line: options, guesses, what is missing; and its questions.
#include "app/commands/sidecar_dialogue.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class SidecarCommand : public testing::Test {
protected:
    SidecarCommand() { write(std::string(2 * 3 * 2 * 4 * 100, '\1')); }
    void write(const std::string& bytes) const {
        std::ofstream(m_data, std::ios::binary | std::ios::trunc) << bytes;
    }
    std::string kept() const {
        std::ifstream file(m_data.string() + ".toml");
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
    CommandResult describe(std::vector<std::string> more) const {
        std::vector<std::string> arguments{"sidecar", m_data, "--yes"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runEcholux(arguments);
    }
    /// All facts of 3 frames of 2 plane waves, 4 channels, 100 samples.
    std::vector<std::string> whole() const {
        return {"--kind",
                "channel",
                "--dtype",
                "<i2",
                "--axes=frame,transmit,channel,sample",
                "--shape=-1,2,4,100",
                "--fs",
                "20e6 Hz",
                "--fc",
                "5",
                "--pitch",
                "300 um",
                "--angles=-5,5",
                "--t0",
                "2",
                "--speed-of-sound",
                "1500"};
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_data = m_folder / "cine.raw";
};

TEST_F(SidecarCommand, KeepsWhatOptionsSayAndOpensIt) {
    const CommandResult result = describe(whole());
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out,
                AllOf(HasSubstr("cine.raw.toml"), HasSubstr("It opens"), HasSubstr("3 frames"),
                      HasSubstr("i16 [transmit 2][channel 4][sample 100]")));
    const CommandResult info = runEcholux({"info", m_data});
    ASSERT_EQ(info.status, 0) << info.err;
    for (const char* words : {"20 MHz", "5 MHz", "0.3 mm", "deg: -5 5", "2.0000 us", "1500 m/s"})
        EXPECT_THAT(info.out, HasSubstr(words));
    auto again = describe({"--fs", "40"});
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_THAT(kept(),
                AllOf(HasSubstr("sampling_frequency = 40000000"), HasSubstr("pitch = 0.0003")))
        << "what was said before is the guess";
}

TEST_F(SidecarCommand, SaysInOneSentenceWhatIsMissing) {
    const CommandResult result =
        describe({"--kind", "channel", "--dtype", "<i2", "--shape=-1,2,4,100"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, AllOf(HasSubstr("--fs"), HasSubstr("--pitch"), HasSubstr("--angles")));
    EXPECT_EQ(kept(), "");
    auto wrong = whole();
    wrong.push_back("--trailer");
    wrong.push_back("3");
    EXPECT_THAT(describe(wrong).err, HasSubstr("It does not fit"));
    EXPECT_EQ(kept(), "");
}

TEST_F(SidecarCommand, PrintsOrWritesElsewhere) {
    auto print = whole();
    print.emplace_back("--print");
    const CommandResult printed = describe(print);
    EXPECT_EQ(printed.status, 0) << printed.err;
    EXPECT_THAT(printed.out, testing::StartsWith("sound_speed = 1500\n[data]\n"));
    EXPECT_EQ(kept(), "");
    const std::string out = m_folder / "how.toml";
    auto elsewhere = whole();
    elsewhere.insert(elsewhere.end(), {"-o", out});
    EXPECT_EQ(describe(elsewhere).status, 0);
    EXPECT_EQ(kept(), "");
    EXPECT_EQ(runEcholux({"info", m_data, "--sidecar", out}).status, 0);
    EXPECT_THAT(describe(elsewhere).err, HasSubstr("--force"));
    elsewhere.emplace_back("--force");
    EXPECT_EQ(describe(elsewhere).status, 0);
    elsewhere.back() = "--force";
    std::ranges::replace(elsewhere, out, m_data.string());
    EXPECT_EQ(describe(elsewhere).status, 2) << "not over the recording";
}

TEST_F(SidecarCommand, RefusesBadOptions) {
    for (const auto& [option, part] : std::vector<std::pair<std::string, std::string>>{
             {"--dtype=nonsense", "NumPy"},
             {"--shape=a", "list of sizes"},
             {"--shape=1,2,0", "whole numbers"},
             {"--axes=sample,elevation", "choose among"},
             {"--fs=fast", "it is no number"},
             {"--fs=20 mm", "cannot be turned into MHz"},
             {"--angles=1;2", "list"},
             {"--probe=round", "none of linear, convex, matrix"},
             {"--array=rf", "headerless"},
             {"--samples=4", "leave it out"}}) {
        const CommandResult result = describe({"--kind", "channel", option});
        EXPECT_EQ(result.status, 2) << option;
        EXPECT_THAT(result.err, HasSubstr(part)) << option;
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    }
    EXPECT_EQ(runEcholux({"sidecar", m_folder / "missing", "--yes"}).status, 2);
}

TEST_F(SidecarCommand, LeavesAloneWhatDescribesItself) {
    const auto result = runEcholux(
        {"sidecar", std::string(ECHOLUX_SOURCE_DIR) + "/testdata/phantom_cine.echolux.h5",
         "--yes"});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr("opens without a sidecar"));
    std::ofstream(m_data.string() + ".toml") << "# mine\n";
    EXPECT_EQ(describe(whole()).status, 2);
    EXPECT_EQ(kept(), "# mine\n");
}

TEST_F(SidecarCommand, DescribesSpectra) {
    std::string bytes;
    for (int i = 0; i < 4 * 64 * 1024; ++i) {
        const double x = (i % 1024 - 512) / 300.0;
        const int code = static_cast<int>(2000 * std::exp(-x * x) * (1 + 0.2 * std::cos(0.4 * i)));
        bytes += {static_cast<char>(code % 256), static_cast<char>(code / 256)};
    }
    write(bytes);
    const CommandResult result = describe({"--centre-wavelength", "840", "--bandwidth", "60",
                                           "--lines", "64", "--refractive-index", "1.38"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out,
                AllOf(HasSubstr("4 B-scans"), HasSubstr("u16 [lateral 64][sample 1024]")));
    EXPECT_THAT(runEcholux({"info", m_data}).out, AllOf(HasSubstr("840 nm"), HasSubstr("1.38")));
}

TEST_F(SidecarCommand, DescribesSpectraInArrays) {
    const std::string header = "{'descr': '<u2', 'fortran_order': False, 'shape': (3, 4, 64), }";
    std::string npy("\x93NUMPY\x01\0\x76\0", 10);
    npy += header + std::string(117 - header.size(), ' ') + '\n';
    for (int i = 0; i < 3 * 4 * 64; ++i) npy += {static_cast<char>(i * 37 % 200), '\2'};
    write(npy);
    const CommandResult result = describe({"--centre-wavelength", "840"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("3 B-scans"), HasSubstr("u16 [lateral 4][sample 64]")));
    EXPECT_THAT(describe({"--samples=8"}).err, HasSubstr("leave it out"));
}

TEST_F(SidecarCommand, ArraysNeedNoSizes) {
    const std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 32, 400), }";
    std::string npy("\x93NUMPY\x01\0", 8);
    const std::string padded = header + std::string(118 - header.size() - 1, ' ') + '\n';
    npy += {static_cast<char>(118), '\0'};
    npy += padded;
    for (int i = 0; i < 2 * 32 * 400; ++i) {
        const int code = static_cast<int>(900 * std::cos(1.57 * (i % 400)) * std::sin(0.1 * i));
        npy += {static_cast<char>(code & 255), static_cast<char>((code >> 8) & 255)};
    }
    write(npy);
    EXPECT_THAT(runEcholux({"info", m_data}).err, HasSubstr("'echolux sidecar'"));
    const CommandResult result =
        describe({"--fs", "20", "--pitch", "0.3", "--angles=-5:5:10", "--t0", "1"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out,
                AllOf(HasSubstr("1 frame"), HasSubstr("i16 [transmit 2][channel 32][sample 400]")));
    EXPECT_THAT(kept(), Not(HasSubstr("dtype")));
    EXPECT_EQ(describe({}).status, 0) << "all is known";
    EXPECT_THAT(describe({"--shape=2,32,400"}).err, HasSubstr("leave it out"));
}

TEST_F(SidecarCommand, DescribesImages) {
    write(std::string(3 * 40 * 30, '\7'));
    const CommandResult result =
        describe({"--kind", "image", "--dtype", "|u1", "--axes=frame,depth,lateral",
                  "--shape=-1,40,30", "--form", "picture", "--depth-step", "0.1", "--sector", "yes",
                  "--angles=-30,30", "--radius", "5"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("3 frames"), HasSubstr("u8 [depth 40][lateral 30]")));
    EXPECT_THAT(kept(), AllOf(HasSubstr("form = \"picture\""), HasSubstr("depth_step = 0.0001"),
                              HasSubstr("angle_first_deg = -30"), HasSubstr("radius = 0.005")));
    EXPECT_EQ(describe({"--frame-rate", "20"}).status, 0) << "what was said before is the guess";
    EXPECT_THAT(kept(), AllOf(HasSubstr("frame_rate = 20"), HasSubstr("angle_first_deg = -30")));
    EXPECT_THAT(describe({"--line-step", "0.2"}).err, HasSubstr("--line-step means nothing"));
    EXPECT_THAT(describe({"--pitch", "0.2"}).err, HasSubstr("taken for images"));
    EXPECT_THAT(describe({"--angles=1,2,3"}).err, HasSubstr("3 angles for 30 lines"));
}

TEST_F(SidecarCommand, ImagesInArraysAreToldByTheirType) {
    const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 40, 30), }";
    std::string npy("\x93NUMPY\x01\0\x76\0", 10);
    npy += header + std::string(117 - header.size(), ' ') + '\n';
    for (int i = 0; i < 3 * 40 * 30; ++i) npy += static_cast<char>(i * 37 % 200);
    write(npy);
    const CommandResult result = describe({"--depth-step", "0.1", "--line-step", "0.2"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("3 frames"), HasSubstr("u8 [depth 40][lateral 30]")));
    EXPECT_THAT(kept(), AllOf(HasSubstr("form = \"picture\""), HasSubstr("lateral_step = 0.0002"),
                              Not(HasSubstr("dtype"))));
}

TEST(SidecarQuestions, EnterAcceptsAndBadAnswersAreAskedAgain) {
    ChannelImport import;
    import.type = parseElementType("<i2");
    import.axes = {{ArrayAxis::Transmit, 2}, {ArrayAxis::Channel, 4}, { ArrayAxis::Sample, 100 }};
    std::deque<std::string> answers{"", "", "", "",       "", "",    "fast", "20",    "5",   "2",
                                    "", "", "", "convex", "", "0.3", "60",   "plane", "-5,5"};
    std::vector<std::string> asked;
    std::vector<std::string> told;
    const Terminal terminal{[&](const std::string& line) { told.push_back(line); },
                            [&](const std::string& prompt) -> std::optional<std::string> {
                                asked.push_back(prompt);
                                if (answers.empty()) return std::nullopt;
                                const std::string answer = answers.front();
                                answers.pop_front();
                                return answer;
                            }};
    askFor(channelRows(), {}, import, terminal);
    EXPECT_TRUE(answers.empty());
    EXPECT_EQ(import.samplingFrequencyHz, 20e6);
    EXPECT_EQ(import.centreFrequencyHz, 5e6);
    EXPECT_EQ(import.firstSampleS.front(), 2e-6);
    EXPECT_EQ(import.soundSpeedMps, 1540.0);
    EXPECT_EQ(import.array, ChannelImport::Array::Convex);
    EXPECT_EQ(import.pitchM, 0.3e-3);
    EXPECT_EQ(import.radiusM, 60e-3);
    EXPECT_EQ(import.anglesRad.size(), 2U);
    EXPECT_TRUE(checkChannelImport(import, 1600).fits) << checkChannelImport(import, 1600).sentence;
    ASSERT_EQ(told.size(), 2U);
    EXPECT_THAT(told[0], HasSubstr("'fast' was not taken: it is no number"));
    EXPECT_THAT(told[1], HasSubstr("cannot be guessed")) << "the pitch";
    EXPECT_THAT(asked.front(), HasSubstr("[<i2]"));
    EXPECT_EQ(unknownFacts(channelRows(), import), "");
}

} // namespace
} // namespace echolux::test
