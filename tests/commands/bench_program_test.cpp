// SPDX-License-Identifier: GPL-3.0-or-later
// echolux bench becomes the program echolux-bench, and says how to get it where it is not.
#include "app/commands/run_program.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace echolux {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

ProgramEnd run(const std::string& program, const std::vector<std::string>& arguments) {
    return runProgram(program, arguments, ProgramOutput::Kept);
}

std::string textIn(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void writeScript(const std::filesystem::path& file, const std::string& lines) {
    std::ofstream(file) << "#!/bin/sh\n" << lines;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

/// A copy of the program without echolux-bench, and what `cmake` does for it.
class LoneProgram {
public:
    explicit LoneProgram(const std::string& cmake) {
        std::filesystem::create_directory(m_folder / "app");
        std::filesystem::create_directory(m_folder / "path");
        std::filesystem::copy_file(ECHOLUX_PROGRAM, m_folder / "app/echolux");
        writeScript(m_folder / "path/cmake", cmake);
    }
    void makeBuildTree() const { std::ofstream(m_folder / "CMakeCache.txt") << "\n"; }
    std::string file(const char* name) const { return (m_folder / name).string(); }
    ProgramEnd bench(const std::vector<std::string>& arguments) const {
        std::vector<std::string> words{"PATH=" + file("path") + ":/usr/bin:/bin",
                                       file("app/echolux"), "bench"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return run("/usr/bin/env", words);
    }

private:
    test::TemporaryFolder m_folder;
};

TEST(BenchProgram, GetsTheWordsAndEndsForIt) {
    const ProgramEnd help = run(ECHOLUX_PROGRAM, {"bench", "das", "--help"});
    EXPECT_TRUE(help.succeeded) << help.err;
    EXPECT_THAT(help.out, AllOf(HasSubstr("echolux bench das"), HasSubstr("--sweep")));
    EXPECT_EQ(run(ECHOLUX_PROGRAM, {"help", "bench", "das"}).out, help.out);
    EXPECT_THAT(run(ECHOLUX_PROGRAM, {"help", "bench"}).out, HasSubstr("documents"));
    const ProgramEnd refused = run(ECHOLUX_PROGRAM, {"bench", "das", "--problem", "D9"});
    EXPECT_EQ(refused.ending, "exited with 2");
    EXPECT_THAT(refused.err, HasSubstr("echolux: bench das: there is no problem 'D9'"));
    const ProgramEnd mistyped = run(ECHOLUX_PROGRAM, {"bench", "flo"});
    EXPECT_EQ(mistyped.ending, "exited with 2");
    EXPECT_THAT(mistyped.err, HasSubstr("did you mean 'echolux bench flow'?"));
}

TEST(BenchProgram, IsNamedByItsPackageWhereItIsNot) {
    const LoneProgram installed("exit 1\n");
    const ProgramEnd end = installed.bench({"das"});
    EXPECT_EQ(end.ending, "exited with 2");
    EXPECT_EQ(std::ranges::count(end.err, '\n'), 1) << end.err;
    EXPECT_THAT(end.err, AllOf(HasSubstr("package echolux-bench"), HasSubstr("app/run.sh bench")));
}

TEST(BenchProgram, IsBuiltOnceInABuildTree) {
    const LoneProgram built(R"(cd "$(dirname "$0")/.."
echo "$@" >asked
printf '#!/bin/sh\necho benches "$@"\n' >app/echolux-bench
chmod +x app/echolux-bench
)");
    built.makeBuildTree();
    const ProgramEnd first = built.bench({"das", "--problem", "D1"});
    EXPECT_TRUE(first.succeeded) << first.err;
    EXPECT_EQ(first.out, "benches das --problem D1\n");
    EXPECT_THAT(first.err, HasSubstr("--target echolux_bench"));
    EXPECT_THAT(textIn(built.file("asked")),
                AllOf(testing::StartsWith("--build /"), HasSubstr(" --target echolux_bench")));
    const ProgramEnd second = built.bench({"oct"});
    EXPECT_EQ(second.out, "benches oct\n");
    EXPECT_THAT(second.err, IsEmpty());
}

TEST(BenchProgram, ThatCannotBeBuiltIsSaid) {
    const LoneProgram failing("exit 1\n");
    failing.makeBuildTree();
    const ProgramEnd end = failing.bench({"das"});
    EXPECT_EQ(end.ending, "exited with 2");
    EXPECT_THAT(reasonOf(end), AllOf(HasSubstr("could not be built"), HasSubstr("cmake --build")));
}

TEST(BenchProgram, IsCompletedAndInTheManual) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const std::string code = run(ECHOLUX_PROGRAM, {"completion", shell}).out;
        EXPECT_THAT(code, AllOf(HasSubstr("bench das"), HasSubstr("sweep"))) << shell;
        EXPECT_THAT(code, Not(HasSubstr("bench tree"))) << shell;
    }
    const test::TemporaryFolder folder;
    EXPECT_TRUE(run(ECHOLUX_PROGRAM, {"manual", folder.path().string()}).succeeded);
    EXPECT_THAT(textIn(folder / "echolux-bench.1"), HasSubstr(".SS echolux bench das"));
}

} // namespace
} // namespace echolux
