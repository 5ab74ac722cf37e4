// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines by name on the command line, and settings with their units.
#include "app/pipeline/pipeline_config.hpp"
#include "tests/commands/golden.hpp"
#include "tests/commands/refused_command.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace echolux {
namespace {

using test::bundledCine;
using test::CommandResult;
using test::refusal;
using test::runEcholux;
using testing::AllOf;
using testing::HasSubstr;

class SettingsWithUnits : public testing::Test {
protected:
    std::string bytesWith(const std::string& setting) {
        const std::string out = (m_folder / (std::to_string(++m_number) + ".npy")).string();
        const CommandResult run =
            runEcholux({"render", bundledCine(), "-o", out, "--backend", "cpu", "--set", setting});
        EXPECT_EQ(run.status, 0) << run.err;
        std::ifstream file(out, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    test::TemporaryFolder m_folder;
    int m_number = 0;
};

TEST(Pipelines, EachIsListedWithALineAndPrintedAsAFile) {
    const CommandResult run = runEcholux({"pipelines"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto names = shippedPipelines();
    EXPECT_EQ(std::ranges::count(run.out, '\n'), static_cast<std::ptrdiff_t>(names.size()));
    for (const std::string& name : names) {
        EXPECT_THAT(run.out, AllOf(HasSubstr(name + " "), HasSubstr(shippedPipeline(name).name)));
        const CommandResult one = runEcholux({"pipelines", name});
        ASSERT_EQ(one.status, 0) << one.err;
        EXPECT_EQ(toToml(parsePipeline(one.out, name)), one.out);
    }
}

TEST(Pipelines, AnUnknownNameIsToldTheNearest) {
    EXPECT_THAT(refusal({"render", bundledCine(), "-o", "x.png", "--pipeline", "compoundin"}),
                AllOf(HasSubstr("no pipeline 'compoundin'"),
                      HasSubstr("did you mean 'compounding'?"), HasSubstr("echolux pipelines")));
    EXPECT_THAT(refusal({"render", bundledCine(), "-o", "x.png", "--pipeline", "no/such.toml"}),
                HasSubstr("no/such.toml cannot be read"));
}

/// The words below the headings of a page of help, but those of options.
std::vector<std::string> subcommandsOf(const std::vector<std::string>& command) {
    std::vector<std::string> words = command;
    words.emplace_back("--help");
    std::istringstream lines(runEcholux(words).out);
    std::vector<std::string> names;
    bool below = false;
    for (std::string line; std::getline(lines, line);) {
        if (below && line.starts_with("  ") && line.size() > 2 && line[2] != ' ')
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
        const bool isOfOptions = line == "Options:" || line == "Positionals:";
        below = (line.ends_with(":") && line[0] != ' ' && !isOfOptions) ||
                (below && line.starts_with("  "));
    }
    return names;
}

/// {"view"}, ..., {"simulate", "oct"}: those that have none below themselves.
std::vector<std::vector<std::string>> allCommands() {
    std::vector<std::vector<std::string>> commands;
    for (const std::string& name : subcommandsOf({})) {
        const std::vector<std::string> further = subcommandsOf({name});
        if (further.empty()) commands.push_back({name});
        for (const std::string& each : further) commands.push_back({name, each});
    }
    return commands;
}

TEST(Commands, HelpIsNoWiderThanAHundredColumns) {
    for (const auto& command : allCommands()) {
        std::vector<std::string> words = command;
        words.emplace_back("--help");
        std::istringstream lines(runEcholux(words).out);
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(line.size(), 100U) << command.front() << ": " << line;
    }
}

TEST(Commands, TheReadmeListsThemAll) {
    std::ifstream file(ECHOLUX_SOURCE_DIR "/README.md");
    const std::string readme{std::istreambuf_iterator<char>(file), {}};
    const std::string begin = "With arguments, `app/run.sh ARGS` is `echolux ARGS`: ";
    const auto at = readme.find(begin);
    ASSERT_NE(at, std::string::npos);
    const std::string list = readme.substr(at + begin.size(), readme.find(';', at) - at);
    std::vector<std::string> listed;
    for (auto from = list.find('`'); from != std::string::npos;) {
        const auto to = list.find('`', from + 1);
        ASSERT_NE(to, std::string::npos);
        if (from > list.find(';')) break;
        listed.push_back(list.substr(from + 1, to - from - 1));
        from = list.find('`', to + 1);
    }
    EXPECT_THAT(listed, testing::UnorderedElementsAreArray(subcommandsOf({})));
    const std::string sums = readme.substr(readme.find("simulate plane-wave --help"));
    for (const std::string& each : subcommandsOf({"simulate"}))
        EXPECT_THAT(sums.substr(0, sums.find('\n')) + " simulate plane-wave", HasSubstr(each));
}

TEST(Commands, ThoseThatWriteImagesSayWhenToUseTheOthers) {
    EXPECT_THAT(runEcholux({"render", "--help"}).out,
                AllOf(HasSubstr("'echolux export'"), HasSubstr("'echolux run --write'")));
    EXPECT_THAT(runEcholux({"export", "--help"}).out,
                AllOf(HasSubstr("'echolux render'"), HasSubstr("'echolux run --write'")));
    EXPECT_THAT(runEcholux({"run", "--help"}).out,
                AllOf(HasSubstr("'echolux export'"), HasSubstr("'echolux render'")));
    for (const char* command : {"render", "export", "run"})
        EXPECT_THAT(runEcholux({command, "--help"}).out,
                    AllOf(HasSubstr("'echolux help output'"), HasSubstr("counted from 1")));
    EXPECT_THAT(runEcholux({"help", "output"}).out,
                AllOf(HasSubstr("echolux render FILE"), HasSubstr("echolux export FILE"),
                      HasSubstr("--write VIEW=")));
}

/// Against all transmits of the first frame, in the order in which they were recorded.
TEST(Transmits, CountFromOneOnTheCommandLineAndInPipelines) {
    const test::TemporaryFolder folder;
    const std::string pipeline = (folder / "one.toml").string();
    std::ofstream(pipeline) << "version = 3\n[[stage]]\ntype = \"to_float\"\n"
                               "[[stage]]\ntype = \"one_transmit\"\n";
    const std::string whole = (folder / "whole.npy").string();
    ASSERT_EQ(runEcholux({"export", bundledCine(), "-o", whole, "--backend", "cpu", "--frames", "1",
                          "--pipeline", pipeline, "--output-of", "to_float"})
                  .status,
              0);
    const std::vector<float> all = test::npyValues(whole);
    constexpr std::size_t kTransmits = 3;
    constexpr std::size_t kChannels = 64;
    ASSERT_EQ(all.size() % kTransmits, 0U);
    const auto rendered = [&](const std::string& number, const std::string& out) {
        return std::vector<std::string>{
            "render", bundledCine(), "-o",     out,     "--backend",
            "cpu",    "--pipeline",  pipeline, "--set", "one_transmit.transmit=" + number};
    };
    const std::size_t each = all.size() / kTransmits;
    for (std::size_t number = 1; number <= kTransmits; ++number) {
        const std::string out = (folder / fmt::format("{}.npy", number)).string();
        ASSERT_EQ(runEcholux(rendered(std::to_string(number), out)).status, 0);
        const std::vector<float> one =
            test::npyValues(out); // a picture: samples down, channels across
        ASSERT_EQ(one.size(), each);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < each; ++i) {
            const std::size_t channel = i % kChannels;
            const std::size_t sample = i / kChannels;
            const std::size_t at = (number - 1) * each + channel * (each / kChannels) + sample;
            wrong += one[i] == all[at] ? 0 : 1;
        }
        EXPECT_EQ(wrong, 0U) << number;
    }
    const std::string out = (folder / "none.npy").string();
    EXPECT_THAT(refusal(rendered("0", out)), HasSubstr("'transmit' cannot be 0"));
    EXPECT_THAT(refusal(rendered("4", out)), AllOf(HasSubstr("3 transmits"), HasSubstr("1 to 3.")));
}

TEST(Devices, CanBeNamedWhereverABackendCan) {
    int withBackend = 0;
    for (const std::vector<std::string>& command : allCommands()) {
        if (command.front() == "bench") continue; // becomes another program
        std::vector<std::string> words = command; // some pages of help have names of commands
        words.emplace_back("--help");
        const CommandResult run = runEcholux(words);
        ASSERT_EQ(run.status, 0) << run.err;
        if (run.out.find("--backend") == std::string::npos) continue;
        ++withBackend;
        EXPECT_THAT(run.out, HasSubstr("--device")) << command.front() << ' ' << command.back();
    }
    EXPECT_GE(withBackend, 16);
    EXPECT_THAT(refusal({"render", bundledCine(), "-o", "x.png", "--device", "-1"}),
                HasSubstr("--device"));
}

TEST_F(SettingsWithUnits, MeanTheSameAsTheNumberInSI) {
    const std::string slow = bytesWith("beamform.speed_of_sound=1500");
    EXPECT_GT(slow.size(), 1000U);
    EXPECT_EQ(bytesWith("beamform.speed_of_sound=1500m/s"), slow);
    EXPECT_EQ(bytesWith("beamform.speed_of_sound=1.5 km/s"), slow);
    EXPECT_NE(bytesWith("beamform.speed_of_sound=1540m/s"), slow);
    EXPECT_EQ(bytesWith("bandpass.low=3.5 MHz"), bytesWith("bandpass.low=3.5e6"));
}

TEST_F(SettingsWithUnits, AnotherKindOfUnitIsRefused) {
    EXPECT_THAT(refusal({"render", bundledCine(), "-o", "x.png", "--set",
                         "beamform.speed_of_sound=1.5 kg"}),
                AllOf(HasSubstr("speed_of_sound"), HasSubstr("\"kg\""), HasSubstr("m/s")));
    EXPECT_THAT(
        refusal({"render", bundledCine(), "-o", "x.png", "--set", "beamform.f_number=2 mm"}),
        HasSubstr("has no unit"));
}

/// The first cells of the table in app/commands/figures.md that begins with `head`.
std::vector<std::string> firstCells(const std::string& head) {
    std::ifstream file(ECHOLUX_SOURCE_DIR "/app/commands/figures.md");
    std::vector<std::string> cells;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (inside && line.starts_with("| `"))
            cells.push_back(line.substr(3, line.find('`', 3) - 3));
        inside = line.starts_with(head) || (inside && line.starts_with("|"));
    }
    return cells;
}

TEST(Figures, EveryShippedPipelineHasARow) {
    EXPECT_EQ(firstCells("| pipeline | H200 us |"), shippedPipelines());
}

} // namespace
} // namespace echolux
