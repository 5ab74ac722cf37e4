// SPDX-License-Identifier: GPL-3.0-or-later
// The command line itself: no words at all, mistyped ones, help pages, files that exist.
#include "app/commands/help_text.hpp"
#include "gpu/core/nearest_word.hpp"
#include "tests/commands/golden.hpp"
#include "tests/commands/refused_command.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

namespace echolux {
namespace {

using test::bundledCine;
using test::CommandResult;
using test::refusal;
using test::runEcholux;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// No display while it lives.
class NoDisplay {
public:
    NoDisplay() {
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
            const char* value = std::getenv(name);
            if (value != nullptr) m_before[name] = value;
            unsetenv(name);
        }
    }
    ~NoDisplay() {
        for (const auto& [name, value] : m_before) setenv(name.c_str(), value.c_str(), 1);
    }
    NoDisplay(const NoDisplay&) = delete;
    NoDisplay& operator=(const NoDisplay&) = delete;

private:
    std::map<std::string, std::string> m_before;
};

TEST(CommandLine, WithoutWordsItIsTheWindow) {
    const NoDisplay none;
    EXPECT_THAT(refusal({}), HasSubstr("no display"));
    EXPECT_EQ(refusal({}), refusal({"view"}));
}

/// Wherever the option stands.
TEST(CommandLine, QuietLeavesWarningsOut) {
    const test::TemporaryFolder folder;
    const std::string taken = (folder / "taken.echolux.h5").string();
    const auto simulate = [&](const std::vector<std::string>& first) {
        std::vector<std::string> words = first;
        for (const char* word : {"simulate", "oct", "--lines", "8", "--frames", "1", "--light",
                                 "0.95", "--visibility", "0.9", "--force", "-o"})
            words.emplace_back(word);
        words.push_back(taken);
        return runEcholux(words);
    };
    const CommandResult usual = simulate({});
    ASSERT_EQ(usual.status, 0) << usual.err;
    EXPECT_THAT(usual.err, HasSubstr("beyond the converter's range"));
    const CommandResult quiet = simulate({"--quiet"});
    ASSERT_EQ(quiet.status, 0) << quiet.err;
    EXPECT_EQ(quiet.err, "");
    EXPECT_EQ(quiet.out, usual.out);
    EXPECT_EQ(runEcholux({"info", taken, "--verbose", "-q"}).err, "");
    EXPECT_EQ(runEcholux({"-q", "info", "/no/such"}).status, 2);
    EXPECT_THAT(runEcholux({"-q", "info", "/no/such"}).err, HasSubstr("there is no such file"));
}

TEST(CommandLine, AMistypedCommandNamesTheNearest) {
    EXPECT_THAT(refusal({"veiw"}), HasSubstr("did you mean 'echolux view'?"));
    EXPECT_THAT(refusal({"rendr", "x"}), HasSubstr("did you mean 'echolux render'?"));
    EXPECT_THAT(refusal({"simulate", "plane-wav"}),
                HasSubstr("mean 'echolux simulate plane-wave'"));
    EXPECT_THAT(refusal({"calib"}), HasSubstr("did you mean 'echolux calibrate'?"));
    EXPECT_THAT(refusal({"xyzzy"}),
                AllOf(Not(HasSubstr("mean")), HasSubstr("view, render, run, info")));
    EXPECT_THAT(refusal({bundledCine()}), HasSubstr("open it with 'echolux view "));
}

TEST(CommandLine, AMistypedOptionNamesTheNearest) {
    EXPECT_THAT(refusal({"render", bundledCine(), "-o", "x.png", "--forse"}),
                AllOf(HasSubstr("'--forse'"), HasSubstr("'echolux render'"),
                      HasSubstr("did you mean '--force'?")));
    EXPECT_THAT(refusal({"simulate", "oct", "--framse=3", "-o", "x.h5"}),
                AllOf(HasSubstr("'echolux simulate oct'"), HasSubstr("'--frames'")));
    EXPECT_THAT(refusal({"info", bundledCine(), "--qqqqqqqq"}),
                AllOf(Not(HasSubstr("mean")), HasSubstr("'echolux info --help'")));
}

TEST(CommandLine, NearestWords) {
    const std::vector<std::string> words{"view", "render", "info"};
    EXPECT_EQ(nearestWord("veiw", words), "view");
    EXPECT_EQ(nearestWord("ren", words), "render");
    EXPECT_EQ(nearestWord("inffo", words), "info");
    EXPECT_EQ(nearestWord("q", words), "");
    EXPECT_EQ(nearestWord("", words), "");
    EXPECT_EQ(nearestWord(std::string(100000, 'v'), words), "");
}

TEST(CommandLine, TellsItsVersion) {
    const CommandResult run = runEcholux({"--version"});
    EXPECT_EQ(run.status, 0);
    EXPECT_THAT(run.out, testing::MatchesRegex(
                             "Echolux [0-9]+\\.[0-9]+\\.[0-9]+( \\(commit .*\\))?\n"
                             "Backends: CPU, [0-9]+ threads( by [A-Z0-9-]+)?, (no )?CUDA; GPUs "
                             "here: .*\nBuilt with: Qt 6.*, FFTW 3.*\n"));
}

TEST(Help, PagesThatMessagesNameAreThere) {
    EXPECT_THAT(runEcholux({"help", "sidecar"}).out,
                AllOf(HasSubstr("`data.axes`"), HasSubstr("    sound_speed = 1540\n")));
    EXPECT_THAT(runEcholux({"help", "formats"}).out, HasSubstr("exp_data"));
    EXPECT_THAT(runEcholux({"help", "calibration"}).out, HasSubstr("echolux_calibration"));
    EXPECT_THAT(runEcholux({"help", "pipelines"}).out,
                AllOf(HasSubstr("[[link]]"), HasSubstr("filter type hilbert name envelope")));
    EXPECT_THAT(runEcholux({"help"}).out,
                AllOf(HasSubstr("echolux help sidecar"), HasSubstr("render")));
    EXPECT_THAT(refusal({"info", std::string(ECHOLUX_SOURCE_DIR) + "/README.md"}),
                AllOf(HasSubstr("echolux help sidecar"), Not(HasSubstr("app/dataset"))));
}

TEST(Help, OfCommandsIsThatOfTheirOption) {
    EXPECT_EQ(runEcholux({"help", "render"}).out, runEcholux({"render", "--help"}).out);
    EXPECT_EQ(runEcholux({"help", "simulate", "oct"}).out,
              runEcholux({"simulate", "oct", "--help"}).out);
    EXPECT_THAT(refusal({"help", "sidecars"}), HasSubstr("did you mean 'sidecar'?"));
    EXPECT_THAT(runEcholux({"help", "render"}).out, HasSubstr("counted from 1"));
}

TEST(Help, LinesFitATerminal) {
    for (const char* page : {"sidecar", "formats", "calibration", "live", "flow"}) {
        std::istringstream lines(runEcholux({"help", page}).out);
        for (std::string line; std::getline(lines, line);) {
            const bool code = line.starts_with("    ") && !line.starts_with("      ");
            EXPECT_LE(line.size(), code ? 110U : 96U) << line;
        }
    }
}

TEST(Help, MarkdownBecomesPlainLines) {
    EXPECT_EQ(forTerminal("# Title\n\nSome **bold**\nwords that wrap.\n\n| key | meaning |\n"
                          "|---|---|\n| `a` | first one |\n\n```\ncode |\n```\n- item\n- other\n\n"
                          "    at   what\n    0    \"magic\" and more\n",
                          16),
              "Title\n\nSome bold words\nthat wrap.\n\n  `a`\n      first one\n\n    code |\n"
              "- item\n- other\n\n    at   what\n    0    \"magic\" and more\n");
}

class ExistingFiles : public testing::Test {
protected:
    CommandResult render(const std::string& out, const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments{
            "render", bundledCine(), "-o",       out,      "--backend",
            "cpu",    "--output-of", "beamform", "--grid", "-4:4:9,10:20:11"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runEcholux(arguments);
    }
    static void put(const std::filesystem::path& path) { std::ofstream(path) << "mine"; }
    static std::string contentOf(const std::filesystem::path& path) {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    test::TemporaryFolder m_folder;
};

TEST_F(ExistingFiles, AreReplacedOnlyWhenAsked) {
    const std::string sentence = "the file exists; choose another name, or replace it with --force";
    put(m_folder / "kept.json");
    for (const char* output : {"--stats", "--screenshot"}) {
        const auto view = runEcholux({"view", bundledCine(), "--backend", "cpu", "--exit-after",
                                      "1", output, (m_folder / "kept.json").string()});
        EXPECT_EQ(view.status, 2);
        EXPECT_THAT(view.err, HasSubstr(sentence)) << "before there is a window";
    }
    put(m_folder / "a.npy");
    EXPECT_THAT(render(m_folder / "a.npy").err, HasSubstr(sentence));
    EXPECT_EQ(contentOf(m_folder / "a.npy"), "mine");
    EXPECT_EQ(render(m_folder / "a.npy", {"--force"}).status, 0);
    EXPECT_NE(contentOf(m_folder / "a.npy"), "mine");

    put(m_folder / "b.json");
    EXPECT_THAT(render(m_folder / "b.npy").err, AllOf(HasSubstr("b.json"), HasSubstr(sentence)));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "b.npy"));

    put(m_folder / "c.h5");
    EXPECT_THAT(runEcholux({"simulate", "oct", "-o", m_folder / "c.h5"}).err, HasSubstr(sentence));
    EXPECT_EQ(contentOf(m_folder / "c.h5"), "mine");
}

TEST_F(ExistingFiles, ARecordingIsNeverReplacedByItsPicture) {
    const std::string path = m_folder / "scan.npy";
    std::filesystem::copy_file(bundledCine(), path);
    const CommandResult run =
        runEcholux({"render", path, "-o", path, "--backend", "cpu", "--force"});
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, HasSubstr("is the recording itself"));
    EXPECT_EQ(std::filesystem::file_size(path), std::filesystem::file_size(bundledCine()));
}

TEST_F(ExistingFiles, FramesCountFromOne) {
    EXPECT_EQ(render(m_folder / "first.npy").status, 0);
    EXPECT_EQ(render(m_folder / "one.npy", {"--frame", "1"}).status, 0);
    EXPECT_EQ(render(m_folder / "last.npy", {"--frame", "32"}).status, 0);
    EXPECT_EQ(contentOf(m_folder / "first.npy"), contentOf(m_folder / "one.npy"));
    EXPECT_NE(contentOf(m_folder / "first.npy"), contentOf(m_folder / "last.npy"));
    EXPECT_THAT(render(m_folder / "x.npy", {"--frame", "33"}).err,
                AllOf(HasSubstr("frames 1 to 32"), HasSubstr("frame 33")));
}

} // namespace
} // namespace echolux
