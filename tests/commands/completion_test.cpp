// SPDX-License-Identifier: GPL-3.0-or-later
// Completions and manual pages, written from the commands themselves.
#include "tests/commands/refused_command.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace echolux {
namespace {

using test::refusal;
using test::runEcholux;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

std::string completion(const std::string& shell) { return runEcholux({"completion", shell}).out; }

/// What bash offers for the last of `words`.
std::vector<std::string> offered(const std::string& words) {
    const test::TemporaryFolder folder;
    const std::string file = (folder / "completion").string();
    std::ofstream(file) << completion("bash");
    const std::string command = "bash --norc -c 'source " + file + "; COMP_WORDS=(" + words +
                                "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _echolux; "
                                "printf \"%s\\n\" \"${COMPREPLY[@]}\"'";
    FILE* pipe = popen(command.c_str(), "r");
    std::string out;
    std::array<char, 256> part{};
    while (std::fgets(part.data(), part.size(), pipe) != nullptr) out += part.data();
    EXPECT_EQ(pclose(pipe), 0);
    std::vector<std::string> lines;
    std::istringstream stream(out);
    for (std::string line; std::getline(stream, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

TEST(Completion, BashOffersCommandsOptionsAndValues) {
    EXPECT_THAT(offered("echolux \"\""), IsSupersetOf({"view", "simulate", "help"}));
    EXPECT_THAT(offered("echolux si"), ElementsAre("sidecar", "simulate"));
    EXPECT_THAT(offered("echolux simulate oc"), ElementsAre("oct"));
    EXPECT_THAT(offered("echolux simulate oct --pres"), ElementsAre("--preset"));
    EXPECT_THAT(offered("echolux simulate oct --preset \"\""),
                ElementsAre("spectrometer", "swept_source"));
    EXPECT_THAT(offered("echolux run oct_r"), ElementsAre("oct_remapping"));
    EXPECT_THAT(offered("echolux view --pipeline ii"), IsEmpty());
    EXPECT_THAT(offered("echolux view --track \"\""), IsEmpty()) << "nothing to choose from";
    EXPECT_THAT(offered("echolux view --set a=b --ba"), ElementsAre("--backend"));
    EXPECT_THAT(offered("echolux run --set beamform.f_n"), ElementsAre("beamform.f_number="));
    EXPECT_THAT(offered("echolux export --set dispersion.c"),
                IsSupersetOf({"dispersion.c1=", "dispersion.c2="}));
}

/// A device's list of names ends before "(repeatable)".
TEST(Completion, NamesInAHelpTextAreWordsAlone) {
    EXPECT_THAT(offered("echolux predict --device h1"), ElementsAre("h100", "h100_pcie"));
    for (const char* shell : {"bash", "zsh", "fish"})
        EXPECT_THAT(completion(shell), Not(HasSubstr("(repeatable; without"))) << shell;
}

TEST(Completion, EveryShellKnowsEveryCommandAndOption) {
    const std::string help = runEcholux({"simulate", "oct", "--help"}).out;
    const std::regex option("(?:^|\\n) +(?:-\\w,)?--([a-z0-9-]+)");
    std::vector<std::string> names;
    for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at)
        names.push_back((*at)[1]);
    ASSERT_GT(names.size(), 20U);
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const std::string code = completion(shell);
        for (const std::string& name : names) EXPECT_THAT(code, HasSubstr(name)) << shell;
    }
}

TEST(Completion, OfAnotherShellIsRefused) {
    EXPECT_THAT(refusal({"completion", "csh"}), AllOf(HasSubstr("csh"), HasSubstr("bash")));
    EXPECT_THAT(refusal({"completion"}), HasSubstr("SHELL"));
}

TEST(Manual, HasAPageOnEachCommand) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(runEcholux({"manual", folder.path().string()}).status, 0);
    const auto page = [&](const std::string& name) {
        std::ifstream file(folder / (name + ".1"));
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    EXPECT_THAT(page("echolux"), AllOf(HasSubstr(".SH SYNOPSIS"), HasSubstr("echolux\\-view")));
    EXPECT_THAT(page("echolux-simulate"), AllOf(HasSubstr(".SS echolux simulate oct"),
                                                HasSubstr("spectrometer|swept_source")));
    EXPECT_THAT(page("echolux-run"), HasSubstr("\\fIPIPELINE\\fR"));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        std::istringstream lines(page(entry.path().stem().string()));
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with('.')) continue;
            EXPECT_TRUE(std::regex_match(line, std::regex("\\.(TH|SH|SS|TP|PP)( .*)?")))
                << entry.path() << ": " << line;
        }
    }
}

TEST(Manual, NeedsAFolderThatExists) {
    EXPECT_THAT(refusal({"manual", "/nonexistent/folder"}), HasSubstr("/nonexistent/folder"));
}

} // namespace
} // namespace echolux
