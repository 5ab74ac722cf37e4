// SPDX-License-Identifier: GPL-3.0-or-later
// echolux predict and microbench: what they print, what they refuse.
#include "tests/commands/golden.hpp"
#include "tests/commands/refused_command.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace echolux {
namespace {

using nlohmann::json;
using test::runEcholux;
using testing::AllOf;
using testing::HasSubstr;

class PredictCommand : public testing::Test {
protected:
    static std::vector<std::string> words(const std::vector<std::string>& more) {
        std::vector<std::string> all{"predict", "rf", test::bundledCine()};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    static test::CommandResult predict(const std::vector<std::string>& more) {
        return runEcholux(words(more));
    }
    std::string file(const std::string& name) const { return (m_folder / name).string(); }

private:
    test::TemporaryFolder m_folder;
};

TEST_F(PredictCommand, ShowsStepsRateLatencyAndMemoryOfACard) {
    const auto result = predict({"--device", "h100"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out,
                AllOf(HasSubstr("NVIDIA H100 80GB HBM3"), HasSubstr("beamform"),
                      HasSubstr("to_float ... analytic"), HasSubstr("frame rate:"),
                      HasSubstr("latency of one frame:"), HasSubstr("memory:"),
                      HasSubstr("van Bavel"), HasSubstr("roofline"), HasSubstr("upload over PCIe"),
                      HasSubstr("known error"), HasSubstr("occupancy of beamform: "),
                      HasSubstr("active blocks of")));
    EXPECT_THAT(predict({"--device", "quadro_k420"}).out, HasSubstr("with uploads before"));
}

TEST_F(PredictCommand, TellsThePartsOfEachKernel) {
    const auto result = predict({"--device", "gtx_660_ti", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const json device = json::parse(result.out)["devices"][0];
    EXPECT_EQ(device["overlaps_copies"], true);
    EXPECT_LT(device["likely"]["low"], device["predicted"]["low"]);
    for (const json& step : device["steps"]) {
        EXPECT_GT(step["likely"]["high"], step["predicted"]["high"]);
        ASSERT_FALSE(step["parts_of_kernels"].empty());
        for (const json& kernel : step["parts_of_kernels"]) {
            EXPECT_GE(kernel["active_blocks"], 1.0);
            EXPECT_LE(kernel["occupancy"], 1.0);
            ASSERT_FALSE(kernel["parts"].empty());
            for (const json& part : kernel["parts"]) {
                EXPECT_FALSE(part["name"].get<std::string>().empty());
                EXPECT_GE(part["longest"]["low"], part["memory"]);
                EXPECT_GE(part["longest"]["low"], part["compute"]);
            }
        }
    }
}

TEST_F(PredictCommand, TakesCountsOfOnesOwn) {
    const std::string path = file("own.toml");
    std::ofstream(path) << "[[kernel]]\nstep = \"beamform\"\nname = \"sum\"\nblocks = 1000\n"
                           "[[kernel.part]]\nname = \"fetch\"\nglobal = 144e6\n";
    const auto result = predict({"--device", "gtx_660_ti", "--json", "--work", path});
    ASSERT_EQ(result.status, 0) << result.err;
    const json device = json::parse(result.out)["devices"][0];
    const auto step = std::ranges::find_if(
        device["steps"], [](const json& each) { return each["name"] == "beamform"; });
    ASSERT_NE(step, device["steps"].end());
    EXPECT_NEAR((*step)["van_bavel"]["low"].get<double>(), 1e-3, 1e-9);
    EXPECT_THAT(test::refusal(words({"--device", "h100", "--work", file("none.toml")})),
                HasSubstr("cannot be read"));
}

TEST_F(PredictCommand, GivesAllNumbersAsJson) {
    const auto result =
        predict({"--device", "gtx_470", "--device", "h200", "--json", "--time-stages-separately"});
    ASSERT_EQ(result.status, 0) << result.err;
    const json report = json::parse(result.out);
    ASSERT_EQ(report["devices"].size(), 2U);
    const json& old = report["devices"][0];
    EXPECT_EQ(old["device"], "gtx_470");
    double sum = 0.0;
    for (const json& step : old["steps"]) {
        EXPECT_LE(step["predicted"]["low"], step["predicted"]["high"]);
        sum += step["predicted"]["middle"].get<double>();
    }
    EXPECT_NEAR(old["predicted"]["middle"].get<double>(), sum, 1e-9);
    EXPECT_LT(old["frames_per_s"], report["devices"][1]["frames_per_s"]);
    EXPECT_FALSE(old.contains("measured"));
}

TEST_F(PredictCommand, ComparesAllDevices) {
    const auto result = predict({"--all-devices"});
    EXPECT_EQ(result.status, 0);
    EXPECT_TRUE(result.err.empty()) << "no device is refused: " << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("NVIDIA H200"), HasSubstr("NVIDIA GeForce GTX 470"),
                                  HasSubstr("Intel Core i5-2300"), HasSubstr("frames/s")));
}

TEST_F(PredictCommand, MeasuresTheProcessorByAFileOfMicrobench) {
    const std::string path = file("here.toml");
    const auto bench =
        runEcholux({"microbench", "--backend", "cpu", "--seconds", "0.3", "-o", path});
    ASSERT_EQ(bench.status, 0) << bench.err;
    EXPECT_THAT(bench.out, AllOf(HasSubstr("ffma"), HasSubstr("special function hides")));
    EXPECT_GT(
        json::parse(runEcholux({"microbench", "--backend", "cpu", "--seconds", "0.3", "--json"})
                        .out)["processor_share"],
        0.0);
    EXPECT_THAT(test::refusal({"microbench", "--backend", "cpu", "-o", path}),
                HasSubstr("--force"));
    const auto result = predict({"--device", path, "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const json device = json::parse(result.out)["devices"][0];
    EXPECT_GT(device["measured"], 0.0);
    for (const json& step : device["steps"]) EXPECT_GE(step["error"], 0.0);
    const json unmeasured =
        json::parse(predict({"--device", path, "--json", "--no-measuring"}).out)["devices"][0];
    EXPECT_FALSE(unmeasured.contains("measured"));
}

TEST_F(PredictCommand, RefusesWhatItDoesNotKnow) {
    EXPECT_THAT(test::refusal(words({"--device", "h20"})), HasSubstr("did you mean 'h200'?"));
    EXPECT_THAT(test::refusal(words({"--device", file("none.toml")})), HasSubstr("cannot be read"));
    const std::string damaged = file("damaged.toml");
    std::ofstream(damaged)
        << "name = \"Card\"\nkind = \"gpu\"\nsources = [\"a\"]\n[chip]\nclok = 1\n";
    EXPECT_THAT(test::refusal(words({"--device", damaged})), HasSubstr("did you mean 'clock'?"));
    EXPECT_THAT(test::refusal({"predict", "rg", test::bundledCine()}), HasSubstr("rf"));
    EXPECT_THAT(test::refusal({"predict", "oct", test::bundledCine(), "--device", "h200"}),
                HasSubstr("Stage"));
    EXPECT_THAT(test::refusal({"microbench", "-o", file("card.txt")}), HasSubstr("card.toml"));
    EXPECT_THAT(
        test::refusal({"predict", "rf", test::bundledCine(), "--all-devices", "--device", "a"}),
        HasSubstr("--device"));
}

} // namespace
} // namespace echolux
