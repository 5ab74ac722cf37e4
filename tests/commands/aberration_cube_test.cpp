// SPDX-License-Identifier: GPL-3.0-or-later
// echolux aberration FILE of a cube of aligned channels: a known screen, frequencies that fit or do
// not, and the published programs against NumPy.
#include "app/aberration/filter_file.hpp"
#include "app/dataset/container/container.hpp"
#include "app/export/named_arrays.hpp"
#include "tests/commands/aberration_run.hpp"
#include "tests/support/vectors.hpp"

#include <QImage>
#include <QImageReader>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::HasSubstr;

/// Aligned channels behind a screen, as a .npz with the array `u_z` (x, y, sample).
class AberrationOfACube : public AberrationRun {
protected:
    static constexpr std::int64_t kX = 10;
    static constexpr std::int64_t kY = 8;
    static constexpr std::int64_t kLength = 64;
    static double delayAt(std::int64_t x, std::int64_t y) {
        return 30e-9 * std::sin(0.7 * static_cast<double>(x) + 0.4 * static_cast<double>(y));
    }
    std::string cube(const std::vector<NumberFact>& frequencies = {}) const {
        NumberFact values{"u_z", {kX, kY, kLength}, {}};
        for (std::int64_t x = 0; x < kX; ++x)
            for (std::int64_t y = 0; y < kY; ++y)
                for (std::int64_t n = 0; n < kLength; ++n) {
                    const double t = (static_cast<double>(n) - 32.0) / 70.248e6 - delayAt(x, y);
                    values.values.push_back(5.0 * std::exp(-std::pow(t / 0.15e-6, 2)) *
                                            std::cos(2.0 * std::numbers::pi * 5e6 * t));
                }
        OutputFiles files(file("cube.npz"), {}, true);
        std::vector<NumberFact> facts{values};
        facts.insert(facts.end(), frequencies.begin(), frequencies.end());
        writeNamedArrays(files, facts, {}, "a test");
        files.commit();
        return file("cube.npz");
    }
};

TEST_F(AberrationOfACube, IsEstimated) {
    const CommandResult result =
        run({cube(), "-o", file("f.mat"), "--centre", "5", "--bins", "5", "--fs", "70.248"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, HasSubstr("10 x 8 places"));
    const aberration::FilterFile filter = aberration::loadFilter(file("f.mat"));
    ASSERT_EQ(filter.grid.columns, kX);
    std::vector<double> left;
    for (std::int64_t y = 0; y < kY; ++y)
        for (std::int64_t x = 0; x < kX; ++x)
            left.push_back(filter.filter.delayS[left.size()] - delayAt(x, y));
    EXPECT_LT(aberration::rootMeanSquare(aberration::withoutPistonAndTilt(filter.grid, left)),
              3e-9);
}

/// Herikstad's command line numbers its bins: `abersim2 FILE 25 14 ...` has bin 25, counted from 0,
/// in the middle, and a bandwidth of 14 bins.
TEST_F(AberrationOfACube, BinsHaveTheNumbersOfTheDocument) {
    const CommandResult result = run({cube(), "--fs", "70.248", "--centre-bin", "5", "--bins", "7",
                                      "--method", "gpu", "--json", file("f.json")});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto bins =
        nlohmann::json::parse(std::ifstream(file("f.json")))["bins_hz"].get<std::vector<double>>();
    ASSERT_EQ(bins.size(), 7U);
    for (std::size_t b = 0; b < bins.size(); ++b)
        EXPECT_NEAR(bins[b], static_cast<double>(b + 2) * 70.248e6 / kLength, 1.0) << b;
    EXPECT_THAT(refused({cube(), "--centre-bin", "5", "--centre", "5"}), HasSubstr("--centre"));
    EXPECT_THAT(refused({std::string(ECHOLUX_SOURCE_DIR) + "/testdata/phantom_cine.echolux.h5",
                         "--centre-bin", "25"}),
                HasSubstr("no such cube"));
}

/// Whatever the file says, the count of bins and the room for them are one.
TEST_F(AberrationOfACube, OfAnyFrequenciesIsEstimatedOrRefused) {
    for (const double fs : {2e-23, 1e3, 1e6, 9e6, 70.248e6, 1e9, 1e40})
        for (const double fc : {1e-9, 1e3, 5e6, 4.9e8, 1e40}) {
            const CommandResult result =
                run({cube({{"fs", {}, {fs}}, {"fc", {}, {fc}}}), "--bins", "5"});
            const bool fits = fs == 70.248e6 && fc == 5e6;
            EXPECT_EQ(result.status, fits ? 0 : 2) << fs << ", " << fc << ": " << result.err;
            if (!fits) {
                EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
            }
        }
    EXPECT_THAT(refused({cube({{"fs", {}, {2e-23}}})}), HasSubstr("its 'fs' is 2e-23 Hz"));
    EXPECT_THAT(refused({cube(), "--fs", "2e-29"}), HasSubstr("--fs"));
    const CommandResult wide = run({cube(), "--fs", "70.248", "--bandwidth", "1e30"});
    EXPECT_EQ(wide.status, 2) << wide.out;
}

/// Numbers of a filter file's array, in the order of the grid's places.
std::vector<double> numbersOf(const std::string& path, const char* name, std::int64_t columns,
                              std::int64_t rows) {
    const auto arrays = openContainer(std::make_shared<const InputFile>(path));
    const std::vector<double> table = readNumbers(path, *arrays->open(name), name); // (x, y)
    EXPECT_EQ(table.size(), static_cast<std::size_t>(columns * rows));
    std::vector<double> values;
    for (std::int64_t y = 0; y < rows; ++y)
        for (std::int64_t x = 0; x < columns; ++x)
            values.push_back(table.at(static_cast<std::size_t>(x * rows + y)));
    return values;
}

/// What the published programs make of a cube is what NumPy makes of it by the published formulas
/// (tests/gpu/vectors/make_aberration.py), from file to file and in every step.
TEST_F(AberrationOfACube, PublishedProgramsFindWhatNumPyFinds) {
    const Vectors vectors("gpu/vectors/aberration.txt");
    const std::vector<float>& facts = vectors["matrix_facts"];
    const auto rows = static_cast<std::int64_t>(facts[0]);
    const auto columns = static_cast<std::int64_t>(facts[1]);
    const auto samples = static_cast<std::int64_t>(facts[2]);
    NumberFact cube{"u_z", {columns, rows, samples}, {}};
    for (std::int64_t x = 0; x < columns; ++x)
        for (std::int64_t y = 0; y < rows; ++y)
            for (std::int64_t n = 0; n < samples; ++n)
                cube.values.push_back(
                    vectors["matrix"][static_cast<std::size_t>((y * columns + x) * samples + n)]);
    OutputFiles files(file("cube.npz"), {}, true);
    writeNamedArrays(files, std::vector{cube}, {}, "a test");
    files.commit();
    const std::string fs = std::to_string(1e-6 * facts[3]);
    const std::string centre = std::to_string((facts[4] + 3.0) * 1e-6 * facts[3] / facts[2]);
    for (const std::string method : {"matlab", "gpu", "cpu", "conjugate"}) {
        for (const std::string kernel : {"3", "5"}) {
            std::vector<std::string> arguments{file("cube.npz"),
                                               "--fs",
                                               fs,
                                               "--centre",
                                               centre,
                                               "--bins",
                                               "7",
                                               "--method",
                                               method,
                                               "--kernel",
                                               kernel,
                                               "--naming",
                                               "herikstad",
                                               "-o",
                                               file("f.npz"),
                                               "--json",
                                               file("f.json"),
                                               "--force"};
            if (method == "conjugate")
                arguments.insert(arguments.end(), {"--iterations", "12", "--epsilon", "0"});
            const CommandResult result = run(arguments);
            ASSERT_EQ(result.status, 0) << method << ": " << result.err;
            const std::string key = "matrix_" + method + "_" + kernel;
            const std::vector<float>& last = vectors[key + "_last"];
            const auto real = numbersOf(file("f.npz"), "amplitude", columns, rows);
            const auto imaginary = numbersOf(file("f.npz"), "phase", columns, rows);
            double largest = 0.0;
            for (const float value : last) largest = std::max(largest, std::abs(double{value}));
            for (std::size_t k = 0; k < real.size(); ++k) {
                EXPECT_NEAR(real[k], last[2 * k], 1e-4 * largest) << key << " at " << k;
                EXPECT_NEAR(imaginary[k], last[2 * k + 1], 1e-4 * largest) << key << " at " << k;
            }
            const auto json = nlohmann::json::parse(std::ifstream(file("f.json")));
            const std::vector<float>& changes = vectors[key + "_changes"];
            ASSERT_EQ(json["change"].size(), changes.size()) << key;
            for (std::size_t i = 0; i < changes.size(); ++i)
                EXPECT_NEAR(json["change"][i].get<double>(), changes[i], 1e-3 * changes[i] + 1e-6)
                    << key << ", step " << i + 1;
        }
    }
}

TEST_F(AberrationOfACube, DrawsTheStepsOfThePublishedPrograms) {
    for (const std::string method : {"matlab", "gpu", "cpu", "conjugate", "beam_sum"}) {
        const CommandResult result =
            run({cube(), "--method", method, "--centre", "5", "--bins", "5", "--steps",
                 file(method + ".png"), "--json", file(method + ".json")});
        ASSERT_EQ(result.status, 0) << method << ": " << result.err;
        EXPECT_THAT(result.err, HasSubstr("70.248 MHz")) << "assumed";
        EXPECT_FALSE(QImage(QString::fromStdString(file(method + ".png"))).isNull());
        const auto json = nlohmann::json::parse(std::ifstream(file(method + ".json")));
        EXPECT_EQ(json["method"], method);
        EXPECT_EQ(json["change"].size(), json["change_of_magnitudes"].size());
    }
    const CommandResult film = run({cube(), "--method", "matlab", "--centre", "5", "--bins", "5",
                                    "--steps", file("film.gif"), "--json", file("film.json")});
    ASSERT_EQ(film.status, 0) << film.err;
    const auto facts = nlohmann::json::parse(std::ifstream(file("film.json")));
    QImageReader pictures(QString::fromStdString(file("film.gif")));
    EXPECT_EQ(pictures.imageCount(), static_cast<int>(facts["change"].size()));
    EXPECT_EQ(pictures.nextImageDelay(), 100) << "ten a second, as Herikstad's script";
    EXPECT_THAT(refused({cube(), "--fs", "70.248", "--centre", "5", "--bins", "99"}),
                HasSubstr("leave the spectrum"));
}

} // namespace
} // namespace echolux::test
