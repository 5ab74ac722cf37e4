// SPDX-License-Identifier: GPL-3.0-or-later
// echolux bench das, through the command line: what it reports, that it checks what it timed, and
// the sentences for what it does not know.
#include "tests/support/command_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace echolux::test {
namespace {

using testing::HasSubstr;

TEST(BenchCommand, ReportsWhatItTimedAndHowFarItWasOff) {
    const TemporaryFolder folder;
    const auto path = folder / "bench_das.json";
    const CommandResult result = runEcholux({"bench", "das", "--backend", "cpu", "--problem",
                                             "D4,D4r", "--repeat", "1", "--json", path.string()});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("Reduced for the CPU"));
    const auto report = nlohmann::json::parse(std::ifstream(path));
    EXPECT_EQ(report["backend"], "cpu");
    ASSERT_EQ(report["results"].size(), 2U);
    for (const auto& each : report["results"]) {
        EXPECT_EQ(each["points"], 251.0 * 251.0 * 128.0);
        EXPECT_GT(each["kernel_ms"], 0.0);
        EXPECT_LT(each["deviation"], 1e-5);
        const double rate = each["points"].get<double>() / each["kernel_ms"].get<double>() * 1e3;
        EXPECT_NEAR(each["points_per_second"].get<double>() / rate, 1.0, 1e-6);
    }
}

TEST(BenchCommand, RefusesBeforeTheRunWhatCannotBeWritten) {
    const TemporaryFolder folder;
    const auto json = [](const std::filesystem::path& path) {
        return runEcholux({"bench", "das", "--backend", "cpu", "--problem", "D4", "--repeat", "1",
                           "--json", path.string()});
    };
    for (const auto& path : {folder / "missing/bench.json", folder.path()}) {
        const CommandResult result = json(path);
        EXPECT_EQ(result.status, 2);
        EXPECT_EQ(result.out, "") << "nothing was measured";
        EXPECT_THAT(result.err, HasSubstr("cannot be written"));
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(BenchCommand, RefusesUnknownProblemsAndBackends) {
    const CommandResult problem = runEcholux({"bench", "das", "--problem", "D9"});
    EXPECT_EQ(problem.status, 2);
    EXPECT_THAT(problem.err, HasSubstr("D1, D2, D2a, D3, D4, D4r"));
    EXPECT_EQ(runEcholux({"bench", "das", "--backend", "vulkan"}).status, 2);
    EXPECT_EQ(runEcholux({"bench"}).status, 2);
}

} // namespace
} // namespace echolux::test
