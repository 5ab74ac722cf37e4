// SPDX-License-Identifier: GPL-3.0-or-later
// Cubes of aligned channels: whichever way a file lays them out, [y][x][sample] comes of it.
#include "app/dataset/formats/aligned_cube.hpp"
#include "gpu/core/aligned_channels.hpp"
#include "tests/dataset/sample_files.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace echolux {
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
    EXPECT_EQ(cube->columns, static_cast<std::int32_t>(kX));
    EXPECT_EQ(cube->rows, static_cast<std::int32_t>(kY));
    EXPECT_EQ(cube->samples, static_cast<std::int64_t>(kSamples));
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
    EXPECT_EQ(cube->rows, 1);
    EXPECT_EQ(cube->columns, 24);
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

/// With all facts, 3 elements apart by 1 mm, focused 50 mm deep.
std::filesystem::path described(const TemporaryFolder& folder, mat_ft version,
                                const std::vector<double>& delays = std::vector(kX * kY, 5e-9)) {
    const std::filesystem::path path = folder / "described.mat";
    MatBuilder file(path, version, MAT_COMPRESSION_NONE);
    file.add(MatBuilder::array<double>("u_z", {kX, kY, kSamples}, columnOrder()));
    for (const auto& [name, value] :
         {std::pair{"fs", 20e6}, std::pair{"fc", 4e6}, std::pair{"c", 1500.0},
          std::pair{"pitch", 1e-3}, std::pair{"focus", 50e-3}})
        file.add(MatBuilder::array<double>(name, {1, 1}, {value}));
    file.add(MatBuilder::array<double>("delay_s", {kX, kY}, delays));
    return path;
}

TEST_P(CubeFile, IsARecordingWhoseFocusReachesAllElementsAtOnce) {
    std::vector<double> delays; // x fastest
    for (std::size_t i = 0; i < kX * kY; ++i) delays.push_back(1e-9 * static_cast<double>(i * i));
    const auto recording = openRecording(described(m_folder, GetParam(), delays));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "f32 [transmit 1][channel 15][sample 8]");
    EXPECT_EQ(info.frameCount, 1);
    EXPECT_TRUE(info.warnings.empty()) << info.warnings.front();
    EXPECT_DOUBLE_EQ(info.frame.samplingFrequencyHz(), 20e6);
    EXPECT_EQ(info.frame.centreFrequencyHz, 4e6);
    const Acquisition& acquisition = *info.frame.acquisition;
    EXPECT_EQ(acquisition.soundSpeedMps, 1500.0);
    const auto point = alignedOn(acquisition);
    ASSERT_TRUE(point.has_value());
    EXPECT_NEAR(point->z, 50e-3, 1e-9);
    const auto& elements = acquisition.probe.elements;
    ASSERT_EQ(elements.size(), kX * kY);
    EXPECT_NEAR(elements[0].x, -2e-3, 1e-12);
    EXPECT_NEAR(elements[1].x, -1e-3, 1e-12) << "elements count along x first";
    EXPECT_NEAR(elements[kX].y, 0.0, 1e-12);
    for (const Point& e : elements) EXPECT_NEAR(std::hypot(e.x, e.y, e.z - 50e-3), 50e-3, 1e-12);
    // There and back to the focus, in the middle of the record.
    EXPECT_NEAR(acquisition.transmits.front().firstSampleS + 3.5 / 20e6, 2.0 * 50e-3 / 1500.0,
                1e-15);
    std::vector<float> samples(kX * kY * kSamples);
    recording->readFrame(0, std::as_writable_bytes(std::span(samples)));
    const double largest = valueAt(kX - 1, 0, kSamples - 1);
    EXPECT_FLOAT_EQ(samples[(1 * kX + 2) * kSamples + 3],
                    static_cast<float>(valueAt(2, 1, 3) / largest));
    ASSERT_NE(info.aberration, nullptr);
    ASSERT_EQ(info.aberration->delayS.size(), kX * kY);
    EXPECT_EQ(info.aberration->delayS, delays) << "tables (x, y) count x first, as the elements do";
    EXPECT_TRUE(info.aberration->amplitude.empty());
}

TEST(CubeFiles, TakeHerikstadsNumbersWhereTheyHaveNoneWithAWarning) {
    const TemporaryFolder folder;
    const auto path = written(folder, MAT_FT_MAT5, {kX, kY, kSamples}, columnOrder());
    const auto recording = openRecording(path);
    const RecordingInfo& info = recording->info();
    EXPECT_DOUBLE_EQ(info.frame.samplingFrequencyHz(), 70.248e6);
    EXPECT_EQ(info.frame.centreFrequencyHz, 3.5e6);
    EXPECT_NEAR(alignedOn(*info.frame.acquisition)->z, 60e-3, 1e-9);
    EXPECT_NEAR(info.frame.acquisition->probe.pitchM, 0.22e-3, 1e-12) << "half a wavelength";
    for (const char* name : {"sampling frequency", "centre frequency", "speed of sound",
                             "focal point", "distance of its elements"})
        EXPECT_THAT(info.warnings, testing::Contains(HasSubstr(name)));
    EXPECT_EQ(info.aberration, nullptr);
}

TEST(CubeFiles, WithFactsThatContradictEachOtherAreRefused) {
    const TemporaryFolder folder;
    const auto refusedWith = [&](const char* name, double value) {
        const std::filesystem::path path = folder / "cube.mat";
        {
            MatBuilder file(path);
            file.add(MatBuilder::array<double>("u_z", {kX, kY, kSamples}, columnOrder()));
            file.add(MatBuilder::array<double>("focus", {1, 1}, {60e-3}));
            if (std::string(name) != "focus")
                file.add(MatBuilder::array<double>(name, {1, 1}, {value}));
        }
        return refusal([&] { openRecording(path); });
    };
    EXPECT_THAT(refusedWith("c", 10.0), HasSubstr("its 'c' is 10 m/s"));
    EXPECT_THAT(refusedWith("pitch", 5.0), HasSubstr("its 'pitch' is 5 m"));
    EXPECT_THAT(refusedWith("pitch", 0.05), AllOf(HasSubstr("too far"), HasSubstr("'focus'")));
    EXPECT_THAT(refusedWith("delay_s", 1e-9), HasSubstr("'delay_s' is"));
    EXPECT_EQ(refusedWith("focus", 0.0), "accepted");
    std::vector<double> late(kX * kY, 1.0);
    EXPECT_THAT(refusal([&] { openRecording(described(folder, MAT_FT_MAT5, late)); }),
                AllOf(HasSubstr("longer than 1 ms"), HasSubstr("'delay_s'")));
}

/// Arrays that only look like a sphere round a point are none.
TEST(AlignedChannels, AreThoseOfOnePlaneWaveOnASphere) {
    Acquisition array;
    array.transmits.resize(1);
    for (int i = -8; i <= 8; ++i) array.probe.elements.push_back({1e-3 * i, 0.0, 0.0});
    EXPECT_FALSE(alignedOn(array)) << "flat";
    for (Point& e : array.probe.elements) e.z = 1e-13;
    EXPECT_FALSE(alignedOn(array)) << "flat but for rounding";
    for (Point& e : array.probe.elements) e.z = -(0.06 - std::sqrt(0.06 * 0.06 - e.x * e.x));
    EXPECT_FALSE(alignedOn(array)) << "curved outwards";
    for (Point& e : array.probe.elements) e.z = -e.z;
    ASSERT_TRUE(alignedOn(array));
    EXPECT_NEAR(alignedOn(array)->z, 0.06, 1e-9);
    array.transmits[0].angleRad = 0.1;
    EXPECT_FALSE(alignedOn(array)) << "steered";
    array.transmits[0] = {.wave = Wave::Focused, .source = {0.0, 0.0, 0.06}};
    EXPECT_FALSE(alignedOn(array));
    array.transmits.assign(2, {});
    EXPECT_FALSE(alignedOn(array)) << "two waves";
}

} // namespace
} // namespace echolux
