// SPDX-License-Identifier: GPL-3.0-or-later
// echolux bench documents: every entry of the documents is there, near its reference, as text and
// as JSON; what it cannot do it refuses.
#include "app/bench/course.hpp"
#include "app/bench/documents.hpp"
#include "gpu/beamform/beamform_kernels.hpp"
#include "gpu/ladder/course_delay.hpp"
#include "tests/bench/documents_run.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(BenchDocuments, CourseHasEveryStepBesideItsFigure) {
    const DocumentsRun run("s0", "cpu");
    ASSERT_EQ(run.result.status, 0) << run.result.err;
    run.expectSound();
    EXPECT_EQ(run.published("S0 interpolation"), (std::vector<double>{147, 51, 28, 23}));
    EXPECT_EQ(run.published("S0 sum of 1024"), (std::vector<double>{340, 37, 23, 16, 12}));
    EXPECT_EQ(run.published("S0 sum over the elements"),
              (std::vector<double>{7.87, 11.38, 7.82, 7.71, 7.63, 7.62}));
    EXPECT_EQ(run.published("S0 delay and sum"), (std::vector<double>{27, 25, 52, 8, 8}));
    EXPECT_EQ(run.notRun(), (std::vector<std::string>{"delays computed, texture"}));
    EXPECT_EQ(run.published("S0 first kernels"), (std::vector<double>{0.018467}));
    EXPECT_EQ(run.published("S0 efficiency of stores"), (std::vector<double>{4, 32}));
    EXPECT_EQ(run.published("S0 further improvements"), (std::vector<double>{8}));
    EXPECT_EQ(run.entries("S0 further improvements"),
              (std::vector<std::string>{
                  "3 waves, angles in global memory", "3 waves, angles in constant memory",
                  "75 waves, angles in global memory", "75 waves, angles in constant memory"}));
    EXPECT_EQ(run.report["results"].size(), 28U);
    EXPECT_THAT(run.result.out, AllOf(HasSubstr("mean "), HasSubstr("sd ")));
    for (const auto& each : run.report["results"]) {
        const auto& spread = each["spread"];
        if (spread.is_null()) continue;
        EXPECT_EQ(spread["min"], each["measured"]) << "a single run";
        EXPECT_EQ(spread["sd"], 0.0);
    }
}

// numpy: mean, min, max and std(ddof=1) of 18.4, 18.5, 18.3, 19.0.
TEST(BenchDocuments, ASpreadIsThatOfTheRuns) {
    const Spread spread = spreadOf({18.4, 18.5, 18.3, 19.0});
    EXPECT_DOUBLE_EQ(spread.mean, 18.55);
    EXPECT_DOUBLE_EQ(spread.least, 18.3);
    EXPECT_DOUBLE_EQ(spread.most, 19.0);
    EXPECT_NEAR(spread.deviation, 0.31091263510296047, 1e-12);
    DocumentEntry entry;
    entry.setRuns({3.0, 1.0, 2.0});
    EXPECT_EQ(entry.measured, 2.0);
    EXPECT_DOUBLE_EQ(entry.spread->deviation, 1.0);
}

TEST(BenchDocuments, GronvoldHasEveryTableBesideItsFigures) {
    const DocumentsRun run("s1", "cpu");
    ASSERT_EQ(run.result.status, 0) << run.result.err;
    run.expectSound();
    EXPECT_EQ(run.published("S1 table 1"),
              (std::vector<double>{61.62, 61.13, 47.21, 38.61, 53.64, 27.69, 51.10, 51.96, 52.44,
                                   43.72, 51.00, 55.44, 58.52, 59.92, 60.49}));
    for (const char* figure : {"S1 figure 3.3", "S1 figure 3.4"})
        EXPECT_EQ(run.entries(figure).size(), 18U) << figure;
    auto deviations = run.published("S1 table 2");
    std::ranges::sort(deviations);
    EXPECT_EQ(deviations,
              (std::vector<double>{5.7e-5, 1.04e-4, 1.07e-4, 1.77e-4, 3.46e-4, 6.09e-4, 6.47e-4}));
    // 128 processors x 1.35 GHz x 128 channels over cycles.
    ASSERT_EQ(run.published("S1 table 3").size(), 5U);
    EXPECT_NEAR(run.published("S1 table 3").front(), 128 * 1.35e9 * 128 / 1889.1, 1.0);
    ASSERT_EQ(run.published("S1 table 4").size(), 3U);
    EXPECT_NEAR(run.published("S1 table 4").front(), 128 * 1.35e9 * 128 / 3398.6, 1.0);
    EXPECT_EQ(run.published("S1 table 5"),
              (std::vector<double>{3.43e9, 2.55e9, 2.02e9, 14.32e9, 1.87e9, 14.71e9, 2.83e9, 0.73e9,
                                   3.43e9, 0.95e9, 0.24e9, 8.32e9, 2.96e9, 0.77e9, 0.20e9}));
    EXPECT_EQ(run.published("S1 table 6"),
              (std::vector<double>{1.62, 1, 0.27, 4, 0.18, 6, 0.12, 9,  0.07, 16, 0.04, 28,
                                   0.32, 4, 0.24, 5, 0.15, 7, 0.09, 12, 0.04, 28}));
    EXPECT_EQ(run.notRun(), (std::vector<std::string>{"TEXF MLA", "1/4 TEXF MLA APO"}))
        << "registers, which a CPU does not have";
}

TEST(BenchDocuments, GronvoldHasWhatHisSectionsVary) {
    const DocumentsRun run("s1", "cpu");
    ASSERT_EQ(run.result.status, 0) << run.result.err;
    EXPECT_EQ(run.entries("S1 figure 4.7"),
              (std::vector<std::string>{"128 samples x 1 beams", "128 samples x 3 beams",
                                        "384 samples x 1 beams", "384 samples x 3 beams"}));
    // Of 4xUP a thread computes two samples.
    const std::vector<double> cycles{135, 134, 116, 234, 316, 516};
    const std::vector<double> rates = run.published("S1 section 4.5.2");
    ASSERT_EQ(rates.size(), cycles.size());
    for (std::size_t i = 0; i < cycles.size(); ++i)
        EXPECT_NEAR(rates[i], 2 * 128 * 1.35e9 / cycles[i], 1.0) << i;
    EXPECT_EQ(run.entries("S1 section 4.5.2").size(), 9U);
    EXPECT_EQ(run.entries("S1 section 4.5.6").size(), 7U);
    EXPECT_EQ(run.published("S1 section 4.5.6"), (std::vector<double>{0.77e9}));
    EXPECT_EQ(run.published("S1 sections 4.5.5 and 4.5.6"), (std::vector<double>{12, 16}));
    EXPECT_EQ(run.entries("S1 section 3.2.7").size(), 2U);
    EXPECT_EQ(run.entries("S1 section 4.1.4").size(), 3U);
    EXPECT_EQ(run.published("S1 section 4.7"),
              (std::vector<double>{2.55e9, 3.43e9, 0.95e9, 0.24e9}));
    EXPECT_EQ(run.entries("S1 section 4.7").size(), 8U);
    // What is wrong on purpose says so, and is not compared with what it should be.
    for (const auto& each : run.report["results"]) {
        const std::string entry = each["entry"];
        const bool wrong = entry.find("without") != std::string::npos;
        EXPECT_EQ(each["note"].get<std::string>().starts_with("wrong on purpose"), wrong) << entry;
        if (entry.ends_with("without synchronization")) {
            EXPECT_TRUE(each["deviation"].is_null());
        }
    }
}

TEST(BenchDocuments, VanBavelHasEveryStageOfBothSizes) {
    const DocumentsRun run("s3", "cpu");
    ASSERT_EQ(run.result.status, 0) << run.result.err;
    run.expectSound();
    const std::vector<double> shallow{126, 238, 8525, 629, 328, 9846};
    const std::vector<double> deep{3986, 7888, 2332597, 22451, 9273, 2376195};
    std::vector<double> expected;
    for (const std::vector<double>& each :
         {shallow, shallow, deep, deep}) // one thread, all threads
        expected.insert(expected.end(), each.begin(), each.end());
    EXPECT_EQ(run.published("S3 table 4.1"), expected);
    for (const auto& each : run.report["results"]) {
        if (!each["table"].get<std::string>().starts_with("S3 table 4.1")) continue;
        EXPECT_GT(each["predicted_here"], 0.0) << each.dump();
        const bool isShallow = each["entry"].get<std::string>().starts_with("64 x 8 mm");
        EXPECT_EQ(each["predicted_there"].is_null(), !isShallow)
            << "reduced: the large problem is not that of the document";
    }
    EXPECT_THAT(run.result.out, AllOf(HasSubstr("predicted there"), HasSubstr("predicted here")));
    const std::vector<double> rates = run.published("S3 section 4.5");
    ASSERT_EQ(rates.size(), 4U);
    EXPECT_NEAR(rates[0], 101.6, 0.1) << "frames per second of the document's CPU";
    EXPECT_EQ(rates[1], 2000.0);
    EXPECT_NEAR(rates[2], 241.3, 0.1) << "times the time for 32 times the data";
    EXPECT_EQ(rates[3], 1.8);
    EXPECT_EQ(run.published("S3 tables 5.7 and 5.8"), (std::vector<double>{176}));
    EXPECT_TRUE(run.notRun().empty());
}

TEST(BenchDocuments, HerikstadHasHisTableAndItsVariants) {
    const DocumentsRun run("s2", "cpu");
    ASSERT_EQ(run.result.status, 0) << run.result.err;
    run.expectSound();
    EXPECT_EQ(run.published("S2 table 5.2"),
              (std::vector<double>{23.188, 67.826, 716.192, 67.826 + 716.192, 807.075}));
    EXPECT_EQ(run.published("S2 section 5.2.2"), (std::vector<double>{152.49, 807.23, 5.29}));
    EXPECT_EQ(run.published("S2 section 4.3.5"), (std::vector<double>{716.192}));
    EXPECT_EQ(run.notRun(),
              (std::vector<std::string>{
                  "GPU", "GPU over one thread of the CPU", "GPU over all threads of the CPU",
                  "tile in shared memory, 11 x 11 threads, 7 x 7 outputs",
                  "spectra by texture, 16 x 16 threads", "7 x 7 threads, 3 x 3 outputs",
                  "9 x 9 threads, 5 x 5 outputs", "11 x 11 threads, 7 x 7 outputs",
                  "13 x 13 threads, 9 x 9 outputs", "15 x 15 threads, 11 x 11 outputs",
                  "17 x 17 threads, 13 x 13 outputs"}));
}

/// Smaller changes come later, and the end is within the 50 iterations that the document allows.
TEST(BenchDocuments, HerikstadsIterationsDependOnTheScale) {
    const DocumentsRun run("s2", "cpu");
    ASSERT_EQ(run.result.status, 0) << run.result.err;
    std::map<std::string, std::vector<double>> nearest;
    std::set<double> counts;
    for (const auto& each : run.report["results"]) {
        if (each["unit"] != "iterations") continue;
        EXPECT_LE(each["measured"], 50.0);
        EXPECT_GE(each["measured"], 1.0);
        const bool scanned = each["entry"].get<std::string>().starts_with("greatest sample");
        if (scanned)
            counts.insert(each["measured"].get<double>());
        else
            nearest[each["table"]].push_back(each["measured"]);
    }
    EXPECT_GT(counts.size(), 3U);
    ASSERT_EQ(nearest.size(), 2U) << "two programs";
    for (const auto& [table, iterations] : nearest) {
        ASSERT_EQ(iterations.size(), 3U) << table;
        EXPECT_GE(iterations[0], iterations[1]) << table;
        EXPECT_GE(iterations[1], iterations[2]) << table;
    }
}

TEST(BenchDocuments, TschuppHasBothProgramsAndTheStreams) {
    const DocumentsRun run("s4", "cpu");
    ASSERT_EQ(run.result.status, 0) << run.result.err;
    run.expectSound();
    const auto near = [](const std::vector<double>& figures, const std::vector<double>& wanted) {
        ASSERT_EQ(figures.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i)
            EXPECT_NEAR(figures[i], wanted[i], 1e-3 * wanted[i]) << i;
    };
    near(run.published("S4 section 3, original"),
         {87, 264, 209, 560, 1785, 1785 * 512, 935.9}); // the document rounds to 936.2
    near(run.published("S4 section 3, new"), {88, 179, 200, 200, 5000, 2.56e6, 2621.4});
    near(run.published("S4 section 3, speed-up"), {2.801});
    near(run.published("S4 sections 1.5"), {2.5e6, 1.35e6});
    near(run.published("S4 section 3.1"), {26.20, 157.24, 190.29});
    EXPECT_EQ(run.entries("S4 section 2.3.4, gridding").size(), 10U);
    EXPECT_EQ(run.entries("S4 section 2.3.4, whole chain").size(), 5U);
    EXPECT_THAT(run.entries("S4 section 2.3.6"),
                testing::ElementsAre("window and phase, from tables", "window and phase, computed",
                                     "gridding by output, oversampling 1.5, from a table",
                                     "gridding by output, oversampling 1.5, computed",
                                     "gridding by input, oversampling 1.5, from a table",
                                     "gridding by input, oversampling 1.5, computed"));
    EXPECT_EQ(run.notRun(),
              (std::vector<std::string>{"host to device", "device to host", "host to device",
                                        "device to host", "without DC removal",
                                        "DC removal by Fourier bins",
                                        "DC removal by a moving average of 25 samples"}));
}

/// A run that compares two regions of the bundled retina.
CommandResult noiseOfTheRetina(const std::string& signal, const std::string& noise,
                               const std::string& json) {
    return runBenches({"documents", "s4", "--backend", "cpu", "--reduced", "--repeat", "1",
                       "--recording",
                       std::string(ECHOLUX_SOURCE_DIR) + "/testdata/retina_cine.echolux.h5",
                       "--signal", signal, "--noise", noise, "--json", json});
}

TEST(BenchDocuments, SignalToNoiseIsThatOfTheRecordingsRegions) {
    const TemporaryFolder folder;
    const std::string json = (folder / "noise.json").string();
    const auto ratios = [&](const std::string& signal, const std::string& noise) {
        const CommandResult run = noiseOfTheRetina(signal, noise, json);
        EXPECT_EQ(run.status, 0) << run.err;
        std::vector<double> found;
        const auto report = nlohmann::json::parse(std::ifstream(json));
        for (const auto& each : report["results"])
            if (each["table"].get<std::string>().starts_with("S4 section 3.1"))
                found.push_back(each["measured"]);
        return found;
    };
    const auto forth = ratios("40:110", "200:250");
    ASSERT_EQ(forth.size(), 4U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_GT(forth[i], 2.0);
    EXPECT_NEAR(forth[3], forth[2] / forth[1], 1e-9 * forth[3]);
    const auto same = ratios("40:110", "40:110");
    ASSERT_EQ(same.size(), 4U);
    for (const double ratio : same) EXPECT_NEAR(ratio, 1.0, 1e-12);
}

TEST(BenchDocuments, RegionsThatAreNoneAreRefused) {
    const TemporaryFolder folder;
    const std::string json = (folder / "noise.json").string();
    for (const char* range : {"60", "60:", "a:b", "60:40", "-1:5", "60:99999", "60:110:5"}) {
        const CommandResult run = noiseOfTheRetina(range, "200:250", json);
        EXPECT_EQ(run.status, 2) << range;
        EXPECT_THAT(run.err, HasSubstr("--signal")) << range;
    }
    EXPECT_EQ(runBenches({"documents", "s4", "--signal", "60:110"}).status, 2);
}

/// What cannot be measured is refused before minutes are spent on the rest.
TEST(BenchDocuments, AWrongRecordingIsRefusedBeforeAnythingIsMeasured) {
    const auto refused = [](const char* document, const std::string& recording) {
        const CommandResult run =
            runBenches({"documents", document, "--backend", "cpu", "--recording", recording,
                        "--signal", "40:110", "--noise", "200:250"});
        EXPECT_EQ(run.status, 2);
        EXPECT_EQ(run.out, "") << "no table was begun";
        return run.err;
    };
    const std::string data = std::string(ECHOLUX_SOURCE_DIR) + "/testdata/";
    EXPECT_THAT(refused("s4", "nothing.h5"), HasSubstr("nothing.h5"));
    EXPECT_THAT(refused("s4", data + "phantom_cine.echolux.h5"), HasSubstr("spectr"));
    EXPECT_THAT(refused("s1", data + "retina_cine.echolux.h5"), HasSubstr("belong to s4"));
}

TEST(BenchDocuments, CardsAreThoseThatKeepUp) {
    const DocumentsRun run("s1", "cpu");
    ASSERT_EQ(run.result.status, 0) << run.result.err;
    std::map<std::string, double> speeds;
    int cards = 0;
    for (const auto& each : run.report["results"]) {
        if (each["unit"] == "x real time") speeds[each["entry"]] = each["measured"];
        if (each["unit"] != "cards") continue;
        ASSERT_TRUE(speeds.contains(each["entry"])) << each["entry"];
        EXPECT_EQ(each["measured"], std::ceil(1.0 / speeds[each["entry"]]));
        ++cards;
    }
    EXPECT_EQ(cards, 15);
}

TEST(BenchDocuments, RatioSaysHowManyTimesBetter) {
    DocumentEntry entry{.table = "t", .entry = "e", .unit = "ms"};
    entry.published = 8.0;
    EXPECT_FALSE(entry.ratio(false));
    entry.measured = 2.0;
    EXPECT_EQ(entry.ratio(false), 4.0);
    EXPECT_FALSE(entry.ratio(true)) << "sizes differ";
    entry.unit = "samples/s";
    EXPECT_EQ(entry.ratio(false), 0.25);
    entry.unit = "deviation";
    EXPECT_EQ(entry.ratio(true), 4.0);
}

TEST(BenchDocuments, WhatIsTooFarFromItsReferenceIsWrong) {
    DocumentEntry entry;
    EXPECT_FALSE(entry.isWrong()) << "nothing to compare";
    entry.allowed = 1e-3;
    entry.deviation = 1e-3;
    EXPECT_FALSE(entry.isWrong());
    entry.deviation = 1.1e-3;
    EXPECT_TRUE(entry.isWrong());
    entry.deviation = NAN;
    EXPECT_TRUE(entry.isWrong());
}

/// The course leaves its waves apart; together they are what `beamform` makes of D3.
TEST(BenchDocuments, CourseImagesWhatBeamformImages) {
    const CourseProblem problem(true);
    const ladder::Course& k = problem.course;
    const auto points = static_cast<std::size_t>(k.points());
    std::vector<float> waves(points * static_cast<std::size_t>(k.transmits));
    ladder::delayAndSum({}, k, ladder::AngleMemory::Global, problem.samples.data(), waves.data());
    std::vector<float> image(points);
    das::beamformOnHost(problem.das.model().onHost(), problem.samples.data(), image.data());
    std::size_t compared = 0;
    for (int column = 0; column < k.columns; ++column) {
        for (int row = 0; row < k.rows; ++row) {
            const std::int64_t p = std::int64_t{column} * k.rows + row;
            double sum = 0.0;
            bool inside = true;
            for (int t = 0; t < k.transmits; ++t) {
                inside = inside && problem.exactSum(t, p).has_value();
                sum += waves[static_cast<std::size_t>(t * k.points() + p)];
            }
            if (!inside) continue;
            const auto pixel = static_cast<std::size_t>(row * k.columns + column);
            ASSERT_NEAR(image[pixel], sum, 0.1) << "column " << column << ", row " << row;
            ++compared;
        }
    }
    EXPECT_GT(compared, points / 2);
}

TEST(BenchDocuments, DeviationsOfWrongResultsAreLarge) {
    const CourseProblem problem(true);
    const auto delayed = static_cast<std::size_t>(problem.course.delayed());
    EXPECT_GT(problem.deviationOfDelayed(std::vector<float>(delayed, 0.0F)), 0.5);
    EXPECT_GT(problem.deviationOfDelayed(std::vector<float>(delayed, NAN)), 0.5);
    const auto sums = static_cast<std::size_t>(problem.course.points() * 3);
    EXPECT_GT(problem.deviationOfSums(std::vector<float>(sums, 0.0F)), 0.5);
}

TEST(BenchDocuments, RefusesWhatItDoesNotKnow) {
    const CommandResult other = runBenches({"documents", "s9", "--backend", "cpu"});
    EXPECT_EQ(other.status, 2);
    EXPECT_EQ(other.out, "");
    EXPECT_THAT(other.err, AllOf(HasSubstr("'s9'"), HasSubstr("s0, s1")));
    EXPECT_EQ(runBenches({"documents"}).status, 2);
    EXPECT_EQ(runBenches({"documents", "s0", "--repeat", "0"}).status, 2);
    EXPECT_EQ(runBenches({"documents", "s0", "--backend", "vulkan"}).status, 2);
    EXPECT_EQ(runBenches({"documents", "s0", "s1"}).status, 2);
    const TemporaryFolder folder;
    const CommandResult unwritable =
        runBenches({"documents", "s0", "--backend", "cpu", "--reduced", "--json",
                    (folder / "missing/bench.json").string()});
    EXPECT_EQ(unwritable.status, 2);
    EXPECT_EQ(unwritable.out, "") << "nothing was measured";
    EXPECT_THAT(unwritable.err, HasSubstr("cannot be written"));
}

TEST(BenchDocuments, HelpListsTheDocuments) {
    const CommandResult help = runBenches({"documents", "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.out, HasSubstr("s0, s1, s2, s3 or s4"));
    EXPECT_THAT(runBenches({"--help"}).out, HasSubstr("Gronvold"));
}

} // namespace
} // namespace echolux::test
