// SPDX-License-Identifier: GPL-3.0-or-later
// Cubes of aligned channels: whichever way a file lays them out, [y][x][sample] comes of it.
#include "app/aberration/cube_file.hpp"
#include "tests/dataset/sample_files.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace echolux::aberration {
namespace {

using test::MatBuilder;
using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::refusal;

constexpr std::size_t kX = 5;
constexpr std::size_t kY = 3;
constexpr std::size_t kSamples = 8;

/// Value of the element (x, y) at a sample.
double valueAt(std::size_t x, std::size_t y, std::size_t n) {
    return 0.25 * static_cast<double>(n) + 2.0 * static_cast<double>(x) -
           10.0 * static_cast<double>(y) + 3.0;
}

/// MATLAB's order: x fastest.
std::vector<double> columnOrder() {
    std::vector<double> values;
    for (std::size_t n = 0; n < kSamples; ++n)
        for (std::size_t y = 0; y < kY; ++y)
            for (std::size_t x = 0; x < kX; ++x) values.push_back(valueAt(x, y, n));
    return values;
}

std::filesystem::path written(const TemporaryFolder& folder, mat_ft version,
                              std::vector<std::size_t> dims, const std::vector<double>& values,
                              const char* name = "u_z") {
    const std::filesystem::path path = folder / "cube.mat";
    MatBuilder file(path, version, MAT_COMPRESSION_NONE);
    file.add(MatBuilder::array<double>(name, std::move(dims), values));
    return path;
}

class CubeFile : public testing::TestWithParam<mat_ft> {
protected:
    std::filesystem::path cube(std::vector<std::size_t> dims,
                               const std::vector<double>& values) const {
        return written(m_folder, GetParam(), std::move(dims), values);
    }
    std::string refused(std::vector<std::size_t> dims, const std::vector<double>& values) const {
        const std::filesystem::path path = cube(std::move(dims), values);
        return refusal([&] { loadAlignedCube(path); });
    }
    TemporaryFolder m_folder;
};

TEST_P(CubeFile, IsTransposedAndScaledToItsMaximum) {
    const auto cube = loadAlignedCube(this->cube({kX, kY, kSamples}, columnOrder()));
    ASSERT_TRUE(cube.has_value());
    EXPECT_EQ(cube->grid.columns, static_cast<std::int32_t>(kX));
    EXPECT_EQ(cube->grid.rows, static_cast<std::int32_t>(kY));
    EXPECT_EQ(cube->samples, kSamples);
    EXPECT_EQ(cube->samplingFrequencyHz, 0.0);
    const double largest = valueAt(kX - 1, 0, kSamples - 1);
    EXPECT_DOUBLE_EQ(cube->divisor, largest) << "the largest value, not the largest magnitude";
    ASSERT_EQ(cube->values.size(), kX * kY * kSamples);
    for (std::size_t y = 0; y < kY; ++y)
        for (std::size_t x = 0; x < kX; ++x)
            for (std::size_t n = 0; n < kSamples; ++n)
                EXPECT_FLOAT_EQ(cube->values[(y * kX + x) * kSamples + n],
                                static_cast<float>(valueAt(x, y, n) / largest));
}

TEST_P(CubeFile, RefusesWhatIsNoCube) {
    EXPECT_THAT(refused({kX, kY * kSamples}, columnOrder()), HasSubstr("three axes"));
    std::vector<double> holed = columnOrder();
    holed[7 * kX * kY + 1 * kX + 2] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(refused({kX, kY, kSamples}, holed),
                AllOf(HasSubstr("finite"), HasSubstr("x 3, y 2")));
    holed[7 * kX * kY + 1 * kX + 2] = std::numeric_limits<double>::infinity();
    EXPECT_THAT(refused({kX, kY, kSamples}, holed), HasSubstr("no finite number"));
    EXPECT_THAT(refused({kX, kY, kSamples}, std::vector<double>(kX * kY * kSamples, 0.0)),
                HasSubstr("no echo"));
    EXPECT_THAT(refused({1, 1, 120}, std::vector<double>(120, 1.0)), HasSubstr("1 x 1 channels"));
    EXPECT_THAT(refused({10, 6, 2}, std::vector<double>(120, 1.0)), HasSubstr("2 samples"));
    EXPECT_THAT(refused({5000, 1, 4}, std::vector<double>(20000, 1.0)),
                HasSubstr("5000 x 1 channels"));
}

TEST_P(CubeFile, OfALineIsARow) {
    const auto cube = loadAlignedCube(this->cube({24, 1, 5}, std::vector<double>(120, 2.0)));
    ASSERT_TRUE(cube.has_value());
    EXPECT_TRUE(cube->grid.isLine());
    EXPECT_EQ(cube->grid.elements(), 24U);
    EXPECT_EQ(cube->values.front(), 1.0F);
}

INSTANTIATE_TEST_SUITE_P(Matlab, CubeFile, testing::Values(MAT_FT_MAT5, MAT_FT_MAT73),
                         [](const auto& each) {
                             return each.param == MAT_FT_MAT5 ? std::string("Version5")
                                                              : std::string("Version73");
                         });

TEST(CubeFiles, WithoutACubeAreNone) {
    const TemporaryFolder folder;
    EXPECT_FALSE(
        loadAlignedCube(written(folder, MAT_FT_MAT5, {2, 2, 2}, std::vector<double>(8, 1.0), "v"))
            .has_value());
    EXPECT_THROW(loadAlignedCube(folder / "missing.mat"), Error);
}

TEST(CubeFiles, MaySayTheirFrequencies) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "cube.mat";
    {
        MatBuilder file(path);
        file.add(MatBuilder::array<double>("u_z", {kX, kY, kSamples}, columnOrder()));
        file.add(MatBuilder::array<double>("fs", {1, 1}, {70.248e6}));
        file.add(MatBuilder::array<double>("fc", {1, 1}, {3.5e6}));
    }
    const auto cube = loadAlignedCube(path);
    ASSERT_TRUE(cube.has_value());
    EXPECT_EQ(cube->samplingFrequencyHz, 70.248e6);
    EXPECT_EQ(cube->centreFrequencyHz, 3.5e6);
}

/// `fs` and `fc` of a cube, in Hz; 0: the file does not say it.
std::string saidOfFrequencies(double fs, double fc) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "cube.mat";
    {
        MatBuilder file(path);
        file.add(MatBuilder::array<double>("u_z", {kX, kY, kSamples}, columnOrder()));
        if (fs != 0.0) file.add(MatBuilder::array<double>("fs", {1, 1}, {fs}));
        if (fc != 0.0) file.add(MatBuilder::array<double>("fc", {1, 1}, {fc}));
    }
    return refusal([&] { loadAlignedCube(path); });
}

TEST(CubeFiles, RefuseFrequenciesThatNoEchoesHave) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (const double fs : {2e-23, 1e-300, -70e6, 999.0, 2e9, 1e300, kNan}) {
        EXPECT_THAT(saidOfFrequencies(fs, 3.5e6), HasSubstr("its 'fs' is")) << fs;
        EXPECT_THAT(saidOfFrequencies(fs, 0.0), HasSubstr("1 kHz to 1 GHz")) << fs;
    }
    EXPECT_THAT(saidOfFrequencies(70e6, 3.5e-6), HasSubstr("its 'fc' is"));
    EXPECT_THAT(saidOfFrequencies(6e6, 3.5e6), HasSubstr("below twice"));
    EXPECT_EQ(saidOfFrequencies(7e6, 3.5e6), "accepted");
    EXPECT_EQ(saidOfFrequencies(0.0, 3.5e6), "accepted");
}

TEST(CubeFiles, DamagedAreRefusedOrOpened) {
    const TemporaryFolder folder;
    const std::filesystem::path path =
        written(folder, MAT_FT_MAT5, {kX, kY, kSamples}, columnOrder());
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    for (std::size_t length = 0; length < bytes.size(); length += 37) {
        test::writeFile(folder / "cut.mat", bytes.substr(0, length));
        EXPECT_NO_FATAL_FAILURE(refusal([&] { loadAlignedCube(folder / "cut.mat"); }));
    }
    for (std::size_t at = 0; at < 400 && at < bytes.size(); ++at) {
        std::string flipped = bytes;
        flipped[at] = static_cast<char>(flipped[at] ^ 0x41);
        test::writeFile(folder / "flipped.mat", flipped);
        EXPECT_NO_FATAL_FAILURE(refusal([&] { loadAlignedCube(folder / "flipped.mat"); }));
    }
}

} // namespace
} // namespace echolux::aberration
