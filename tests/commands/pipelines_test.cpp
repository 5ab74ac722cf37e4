// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines by name on the command line, and settings with their units.
#include "app/pipeline/pipeline_config.hpp"
#include "tests/commands/golden.hpp"
#include "tests/commands/refused_command.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
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

TEST(Devices, CanBeNamedWhereverABackendCan) {
    for (const std::vector<std::string>& command : {std::vector<std::string>{"view"},
                                                    {"render"},
                                                    {"run"},
                                                    {"export"},
                                                    {"info"},
                                                    {"sidecar"},
                                                    {"stages"},
                                                    {"aberration"},
                                                    {"calibrate", "k"},
                                                    {"calibrate", "dispersion"},
                                                    {"simulate", "plane-wave"},
                                                    {"simulate", "focused"},
                                                    {"simulate", "oct"},
                                                    {"bench", "das"},
                                                    {"bench", "stream"},
                                                    {"bench", "documents"}}) {
        std::vector<std::string> words = command; // some pages of help have names of commands
        words.emplace_back("--help");
        const CommandResult run = runEcholux(words);
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_THAT(run.out, AllOf(HasSubstr("--backend"), HasSubstr("--device")));
    }
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
                AllOf(HasSubstr("speed_of_sound"), HasSubstr("\"kg\" cannot be turned into m/s")));
    EXPECT_THAT(
        refusal({"render", bundledCine(), "-o", "x.png", "--set", "beamform.f_number=2 mm"}),
        HasSubstr("has no unit"));
}

} // namespace
} // namespace echolux
