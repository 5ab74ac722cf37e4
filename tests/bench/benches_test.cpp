// SPDX-License-Identifier: GPL-3.0-or-later
// echolux bench, through the command line: what it reports, that it checks what it timed, and the
// sentences for what it does not know.
#include "app/bench/oct.hpp"
#include "tests/support/active_stage.hpp"
#include "tests/support/bench_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(BenchCommand, ReportsWhatItTimedAndHowFarItWasOff) {
    const TemporaryFolder folder;
    const auto path = folder / "bench_das.json";
    const CommandResult result = runBenches({"das", "--backend", "cpu", "--problem", "D4,D4r",
                                             "--repeat", "1", "--json", path.string()});
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

TEST(BenchCommand, TellsHowWellInterpolatorsRead) {
    const TemporaryFolder folder;
    const auto path = folder / "bench_interpolation.json";
    const CommandResult result = runBenches({"interpolation", "--json", path.string()});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("delays 0 to 0.5 sample"));
    const auto report = nlohmann::json::parse(std::ifstream(path));
    const auto level = [&](const std::string& interpolator, double cycles, double spread) {
        for (const auto& each : report["results"]) {
            if (each["interpolator"] == interpolator && each["spread"] == spread &&
                std::abs(each["cycles_per_sample"].get<double>() - cycles) < 1e-9)
                return each["snr_db"].get<double>();
        }
        return 0.0;
    };
    EXPECT_NEAR(level("linear", 0.2, 1.0), 16.4, 0.7);
    EXPECT_NEAR(level("lagrange_4", 0.2, 1.0), 38.4, 0.7);
    EXPECT_NEAR(level("lagrange_4", 0.2, 0.5), 31.1, 0.7);
    EXPECT_NEAR(level("upsample_3_sinc_11_linear", 0.2, 1.0), 38.2, 0.7);
}

TEST(BenchCommand, TimesTheUltrasoundFrontEnd) {
    const TemporaryFolder folder;
    const auto path = folder / "bench_front.json";
    const CommandResult result = runBenches({"front", "--backend", "cpu", "--problem", "F4,F5",
                                             "--repeat", "1", "--json", path.string()});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("1 x 64 x 899 i16"),
                                  HasSubstr("to_float dc_removal bandpass analytic")));
    const auto report = nlohmann::json::parse(std::ifstream(path));
    ASSERT_EQ(report["results"].size(), 2U);
    for (const auto& each : report["results"]) {
        EXPECT_EQ(each["deviation"], 0.0) << "the CPU has no fusions";
        // Codes of 1 or 2 bytes in, complex samples of 8 out.
        const double bytes = each["problem"] == "F4" ? 3 * 128 * 8192 * 9.0 : 64 * 899 * 10.0;
        const double rate = bytes / each["fused_ms"].get<double>() / 1e6;
        EXPECT_NEAR(each["gigabytes_per_second"].get<double>() / rate, 1.0, 1e-6);
    }
}

/// What the table says in the row of `problem` after its description.
std::vector<double> figuresOf(const std::string& table, const std::string& problem,
                              const std::string& description) {
    std::istringstream lines(table);
    std::vector<double> figures;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(problem + " ")) continue;
        std::istringstream row(line.substr(line.find(description) + description.size()));
        for (double figure = 0.0; row >> figure;) figures.push_back(figure);
    }
    return figures;
}

TEST(BenchOct, TableAndReportSayTheSame) {
    const TemporaryFolder folder;
    const auto path = folder / "bench_oct.json";
    const CommandResult run = runBenches({"oct", "--backend", "cpu", "--problem", "O3,O3mp",
                                          "--repeat", "1", "--separate", "--json", path.string()});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr("Reduced for the CPU"), HasSubstr("4 B-scans")));
    EXPECT_THAT(run.out, HasSubstr("from plain host memory"));
    const auto report = nlohmann::json::parse(std::ifstream(path));
    EXPECT_EQ(report["bench"], "oct");
    EXPECT_EQ(report["repeat"], 1);
    EXPECT_EQ(report["reduced"], true);
    ASSERT_EQ(report["results"].size(), 2U);
    EXPECT_EQ(report["results"][0]["what"], "1024 samples x 512 A-scans x 4 B-scans, 12 bit in 16");
    EXPECT_EQ(report["results"][1]["what"],
              "1024 samples x 512 A-scans x 4 B-scans, 12 bit packed, moving average");
    constexpr double kLines = 4 * 512;
    for (const auto& each : report["results"]) {
        SCOPED_TRACE(each.dump());
        EXPECT_EQ(each["fused"], false) << "the CPU has no fusions";
        EXPECT_EQ(each["deviation_db"], 0.0);
        const double ms = each["processing_ms"];
        const double processed = each["processing_ascans_per_second"];
        const double streamed = each["streaming_ascans_per_second"];
        const double gigabytes = each["streaming_gigabytes_per_second"];
        EXPECT_NEAR(processed, kLines / ms * 1e3, 1e-6 * processed);
        const double bytesPerLine = each["problem"] == "O3" ? 2048.0 : 1536.0;
        EXPECT_NEAR(gigabytes, streamed * bytesPerLine * 1e-9, 1e-6 * gigabytes);
        const std::vector<double> row = figuresOf(run.out, each["problem"], each["what"]);
        ASSERT_EQ(row.size(), 5U) << run.out;
        EXPECT_NEAR(row[0], ms, 1e-3);
        // Three digits, however slow the machine.
        EXPECT_NEAR(row[1], processed * 1e-6, 6e-3 * processed * 1e-6);
        EXPECT_NEAR(row[2], streamed * 1e-6, 6e-3 * streamed * 1e-6);
        EXPECT_NEAR(row[3], gigabytes, 6e-3 * gigabytes);
    }
}

TEST(BenchOct, ProblemsAreBuffersOfEachLengthWithAndWithoutMovingAverageAndPacking) {
    const std::vector<OctProblem> problems = octProblems(false);
    ASSERT_EQ(problems.size(), 15U);
    for (std::size_t i = 0; i < 12; ++i) {
        const OctProblem& each = problems[i];
        SCOPED_TRACE(each.id);
        EXPECT_EQ(each.samples, i / 4 == 1 ? 2048 : 1024);
        EXPECT_EQ(each.lines(), 512.0 * (i / 4 == 0 ? 256 : i / 4 == 1 ? 128 : 16));
        EXPECT_EQ(each.id.find('m') != std::string::npos, each.movingAverage);
        EXPECT_EQ(each.id.find('p') != std::string::npos, each.packed);
        EXPECT_EQ(each.input().dtype, each.packed ? DType::Packed12 : DType::U16);
        const SnapshotPtr snapshot = each.snapshot();
        EXPECT_EQ(testing_support::activeStage(*snapshot, "dc_removal_moving") != nullptr,
                  each.movingAverage);
        EXPECT_EQ(snapshot->output().axes.back().size, each.samples / 2);
    }
    for (const OctProblem& each : octProblems(true)) EXPECT_EQ(each.bscans, 4) << each.id;
}

TEST(BenchOct, OriginalProgramIsMeasuredFromHostToHost) {
    const TemporaryFolder folder;
    const auto path = folder / "bench_oct.json";
    const CommandResult run = runBenches({"oct", "--original", "--backend", "cpu", "--problem",
                                          "O3", "--repeat", "1", "--json", path.string()});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out,
                AllOf(HasSubstr("Tschupp 2019"), HasSubstr("Fourier bins"), HasSubstr("pageable")));
    const auto report = nlohmann::json::parse(std::ifstream(path));
    ASSERT_EQ(report["results"].size(), 1U);
    const auto& only = report["results"][0];
    EXPECT_EQ(only["original"], true);
    EXPECT_GT(only["processing_us"], 0.0);
    EXPECT_EQ(only["to_host_us"], 0.0) << "the CPU has no device memory";
    EXPECT_GE(only["total_us"], only["processing_us"]);
    EXPECT_GT(only["ascans_per_second"], 0.0);
    const CommandResult both = runBenches({"oct", "--original", "--separate", "--backend", "cpu"});
    EXPECT_EQ(both.status, 2);
    const CommandResult other =
        runBenches({"oct", "--original", "--problem", "N1", "--backend", "cpu"});
    EXPECT_EQ(other.status, 2);
    EXPECT_THAT(other.err, HasSubstr("choose from O1, O1p")) << "its chain is always the same";
}

CommandResult sharedStream(const std::string& recording, const std::vector<std::string>& more) {
    std::vector<std::string> words{"stream", recording, "--backend", "cpu", "--seconds", "0.1"};
    words.insert(words.end(), more.begin(), more.end());
    return runBenches(words);
}

TEST(BenchStream, SeveralRunnersMakeTheImagesOfOne) {
    const TemporaryFolder folder;
    const std::string source = ECHOLUX_SOURCE_DIR;
    const std::string json = (folder / "shared.json").string();
    for (const auto& [file, shared] :
         {std::pair("retina_cine", "frames"), std::pair("retina_volume", "bscans")}) {
        const CommandResult run =
            sharedStream(source + "/testdata/" + file + ".echolux.h5",
                         {"--gpus", "0,0", "--bypass", "fixed_pattern", "--json", json});
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_THAT(run.out, AllOf(HasSubstr("2 runners"), HasSubstr("no GPU in use"),
                                   HasSubstr("the same to the bit")));
        const auto report = nlohmann::json::parse(std::ifstream(json));
        EXPECT_EQ(report["shared"], shared) << file;
        EXPECT_EQ(report["gpus"], (std::vector<int>{0, 0}));
        EXPECT_EQ(report["same_images"], true);
        EXPECT_GT(report["frames_per_second_one"], 0.0);
        EXPECT_GT(report["frames_per_second"], 0.0);
    }
}

TEST(BenchStream, WhatCannotBeSharedIsRefused) {
    const std::string source = ECHOLUX_SOURCE_DIR;
    const std::string recording = source + "/testdata/retina_cine.echolux.h5";
    const CommandResult one = sharedStream(recording, {"--gpus", "0"});
    EXPECT_EQ(one.status, 2);
    EXPECT_THAT(one.err, HasSubstr("at least two"));
    const CommandResult coupled = sharedStream(source + "/testdata/phantom_cine.echolux.h5",
                                               {"--gpus", "0,0", "--use", "persistence"});
    EXPECT_EQ(coupled.status, 2);
    EXPECT_THAT(coupled.err, HasSubstr("'persistence' takes over something from the frame before"));
    EXPECT_EQ(sharedStream(recording, {"--gpus", "0,0", "--device", "0"}).status, 2);
}

TEST(BenchOct, GriddingRunsTheDocumentsChain) {
    const std::vector<OctProblem> problems = octProblems(false);
    for (std::size_t i = 12; i < problems.size(); ++i) {
        SCOPED_TRACE(problems[i].id);
        const SnapshotPtr snapshot = problems[i].snapshot();
        std::vector<std::string> types;
        for (const StageConfig& stage : toConfig(*snapshot).stages) types.push_back(stage.type);
        EXPECT_THAT(types,
                    testing::ElementsAre("spectrum_to_float", "dc_removal_moving", "k_linearize",
                                         "window", "dispersion", "inverse_fft", "magnitude_log"));
        const Params& gridding = testing_support::activeStage(*snapshot, "k_linearize")->params;
        EXPECT_EQ(gridding.get("method"), ParamValue("nufft"));
        EXPECT_EQ(gridding.get("oversampling"), ParamValue(i == 12 ? 1.25 : i == 13 ? 1.5 : 2.0));
        EXPECT_EQ(problems[i].lines(), 512.0 * 256.0);
    }
}

TEST(BenchOct, RefusesUnknownProblems) {
    const CommandResult run = runBenches({"oct", "--backend", "cpu", "--problem", "O9"});
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, AllOf(HasSubstr("'O9'"), HasSubstr("O1, O1p, O1m, O1mp, O2")));
    EXPECT_EQ(runBenches({"oct", "--repeat", "0"}).status, 2);
    EXPECT_EQ(runBenches({"oct", "--sweep"}).status, 2) << "is for das";
}

TEST(BenchModel, PredictsWhatFitsTheDevice) {
    const CommandResult one = runBenches({"model", "--device", "h200", "--problem", "D2"});
    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_THAT(one.out, HasSubstr("\nD2 "));
    // Of 48 KiB of shared memory to a block: other kernels than those of newer cards.
    const CommandResult old = runBenches({"model", "--device", "gtx_470"});
    EXPECT_EQ(old.status, 0);
    EXPECT_EQ(old.err, "");
    EXPECT_THAT(old.out, AllOf(HasSubstr("GTX 470"), HasSubstr("\nD2 "), HasSubstr("\nI1 ")));
    const CommandResult none = runBenches({"model", "--device", "h200", "--problem", "D9"});
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.err, AllOf(HasSubstr("'D9'"), HasSubstr("D2")));
}

TEST(BenchStream, PlaysARecordingAndReportsWhatItCounted) {
    const TemporaryFolder folder;
    const auto path = folder / "stream.json";
    const CommandResult run =
        runBenches({"stream", "--backend", "cpu", "--seconds", "0.2", "--json", path.string(),
                    ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr("48 frames"), HasSubstr("u8 [lateral 64][sample 512]")));
    const auto report = nlohmann::json::parse(std::ifstream(path));
    EXPECT_EQ(report["bench"], "stream");
    EXPECT_EQ(report["kept_bytes"], 48 * 64 * 512);
    EXPECT_EQ(report["copies_to_host"], 0);
    EXPECT_EQ(report["allocations"], 0);
    const double frames = report["frames_per_second"];
    EXPECT_GT(frames, 0.0);
    EXPECT_NEAR(report["ascans_per_second"].get<double>(), 64.0 * frames, 1e-6 * frames);
    EXPECT_NEAR(report["gigabytes_per_second"].get<double>(), 64 * 512 * 1e-9 * frames,
                1e-6 * frames);
    EXPECT_FALSE(report["stage_ms"].empty());
}

TEST(BenchStream, RefusesWhatItCannotPlay) {
    const CommandResult missing = runBenches({"stream", "--backend", "cpu", "/nowhere/missing.h5"});
    EXPECT_EQ(missing.status, 2);
    EXPECT_THAT(missing.err, HasSubstr("missing.h5"));
    EXPECT_EQ(runBenches({"stream"}).status, 2);
}

TEST(BenchCommand, RefusesBeforeTheRunWhatCannotBeWritten) {
    const TemporaryFolder folder;
    const auto json = [](const std::filesystem::path& path) {
        return runBenches({"das", "--backend", "cpu", "--problem", "D4", "--repeat", "1", "--json",
                           path.string()});
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
    const CommandResult problem = runBenches({"das", "--problem", "D9"});
    EXPECT_EQ(problem.status, 2);
    EXPECT_THAT(problem.err, HasSubstr("D1, D2, D2a, D3, D4, D4r"));
    EXPECT_EQ(runBenches({"das", "--backend", "vulkan"}).status, 2);
    EXPECT_EQ(runBenches({}).status, 2);
}

} // namespace
} // namespace echolux::test
