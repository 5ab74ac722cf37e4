// SPDX-License-Identifier: GPL-3.0-or-later
// The course's sums against sums in double precision, and its interpolation against the formula.
#include "gpu/ladder/course_delay.hpp"
#include "gpu/ladder/course_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace echolux::ladder {
namespace {

std::vector<float> randomValues(std::size_t count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    std::vector<float> values(count);
    for (float& value : values) value = uniform(random);
    return values;
}

TEST(LadderSum, EveryStepAddsAllNeighbours) {
    constexpr std::size_t kSums = 5;
    for (const int length : {128, 256, 1024}) {
        const auto values = randomValues(kSums * static_cast<std::size_t>(length));
        for (const SumStep step : {SumStep::Sequential, SumStep::Parallel, SumStep::StridedIndex,
                                   SumStep::Halving, SumStep::FirstAdd, SumStep::LastWarp}) {
            std::vector<float> sums(kSums, NAN);
            sumNeighbours({}, step, kSums, length, values.data(), sums.data());
            for (std::size_t i = 0; i < kSums; ++i) {
                const auto first = values.begin() + static_cast<std::ptrdiff_t>(i) * length;
                EXPECT_NEAR(sums[i], std::accumulate(first, first + length, 0.0), 1e-4)
                    << "step " << static_cast<int>(step) << " of " << length;
            }
        }
    }
}

TEST(LadderSum, RefusesLengthsThatNoTreeHas) {
    std::vector<float> values(4096);
    for (const int length : {0, 64, 192, 2048})
        EXPECT_THROW(sumNeighbours({}, SumStep::Halving, 1, length, values.data(), values.data()),
                     std::logic_error)
            << length;
}

/// Two waves on five elements; some points lie beyond the records.
struct SmallCourse {
    std::vector<float> angles{-0.1F, 0.2F};
    std::vector<float> samples = randomValues(std::size_t{2} * 5 * 300);
    Course k;

    SmallCourse() {
        k.transmits = 2;
        k.elements = 5;
        k.samples = 300;
        k.columns = 7;
        k.rows = 23;
        k.firstElementM = -0.6e-3F;
        k.firstColumnM = -1e-3F;
        k.columnStepM = 0.33e-3F;
        k.firstRowM = 0.2e-3F;
        k.rowStepM = 0.19e-3F;
        k.samplingHz = 40e6F;
        k.angles = angles.data();
    }
    /// The slide's formula anew, zeros beyond the record.
    double expected(int t, int e, int column, int row) const {
        const double z = 0.2e-3 + row * 0.19e-3;
        const double x = -1e-3 + column * 0.33e-3;
        const double a = angles[static_cast<std::size_t>(t)];
        const double dx = x - (-0.6e-3 + e * 0.3e-3);
        const double path = z * std::cos(a) + x * std::sin(a) + std::sqrt(z * z + dx * dx);
        const double index = path / 1540.0 * 40e6;
        if (index < 0.0 || index >= k.samples - 1) return 0.0;
        const float* line = samples.data() + (t * k.elements + e) * k.samples;
        const auto n = static_cast<int>(index);
        return line[n] + (index - n) * (double{line[n + 1]} - double{line[n]});
    }
};

TEST(LadderDelay, ALineIsReadAtEachPoint) {
    const std::vector<float> samples{1.0F, 3.0F, -2.0F, 5.0F};
    const std::vector<float> points{0.0F, 0.4F, 1.6F, 2.5F, 3.0F, -0.7F, 3.6F, 0.25F};
    std::vector<float> out(points.size(), NAN);
    const auto read = [&](bool nearest) {
        interpolateLine({}, nearest, samples.data(), 4, points.data(), std::ssize(points),
                        out.data());
        return out;
    };
    // Of the nearest samples a half is rounded away from 0.
    EXPECT_EQ(read(true), (std::vector<float>{1.0F, 1.0F, -2.0F, 5.0F, 5.0F, 0.0F, 0.0F, 1.0F}));
    const std::vector<float> linear{1.0F, 1.8F, 0.0F, 1.5F, 0.0F, 0.0F, 0.0F, 1.5F};
    const std::vector<float> found = read(false);
    for (std::size_t i = 0; i < linear.size(); ++i) EXPECT_NEAR(found[i], linear[i], 1e-6) << i;
}

TEST(LadderDelay, StoresPerSectorAreThoseOfTheProfiler) {
    Course course;
    course.columns = 256;
    course.rows = 1024;
    EXPECT_EQ(storedBytesPerSector(DelayStep::ElementFirst, course), 4.0);
    EXPECT_EQ(storedBytesPerSector(DelayStep::PointFirst, course), 32.0);
}

TEST(LadderDelay, EveryStepInterpolatesAlongTheDelays) {
    const SmallCourse small;
    const Course& k = small.k;
    std::vector<float> table(static_cast<std::size_t>(k.delayed()));
    fillDelayTable({}, k, table.data());
    for (const DelayStep step :
         {DelayStep::ElementFirst, DelayStep::PointFirst, DelayStep::OnTheFly}) {
        std::vector<float> out(table.size(), NAN);
        delay({}, step, k, {small.samples.data(), table.data(), 0}, out.data());
        std::size_t i = 0;
        int beyond = 0;
        for (int t = 0; t < k.transmits; ++t) {
            for (int e = 0; e < k.elements; ++e) {
                for (int p = 0; p < k.points(); ++p, ++i) {
                    const double value = small.expected(t, e, p / k.rows, p % k.rows);
                    ASSERT_NEAR(out[i], value, 5e-4) << static_cast<int>(step) << " at " << i;
                    beyond += value == 0.0 ? 1 : 0;
                }
            }
        }
        EXPECT_LT(beyond, std::ssize(out) / 2);
    }
}

TEST(LadderDelay, EveryWayToSumGivesTheSumOverTheElements) {
    const SmallCourse small;
    const Course& k = small.k;
    std::vector<float> delayed(static_cast<std::size_t>(k.delayed()));
    delay({}, DelayStep::OnTheFly, k, {small.samples.data(), nullptr, 0}, delayed.data());
    std::vector<float> two(static_cast<std::size_t>(k.points() * k.transmits), NAN);
    std::vector<float> one(two.size(), NAN);
    std::vector<float> constant(two.size(), NAN);
    sumElements({}, k, delayed.data(), two.data());
    delayAndSum({}, k, AngleMemory::Global, small.samples.data(), one.data());
    loadConstantAngles({}, small.angles);
    delayAndSum({}, k, AngleMemory::Constant, small.samples.data(), constant.data());
    for (int t = 0; t < k.transmits; ++t) {
        for (int p = 0; p < k.points(); ++p) {
            double sum = 0.0;
            for (int e = 0; e < k.elements; ++e)
                sum += small.expected(t, e, p / k.rows, p % k.rows);
            const auto i = static_cast<std::size_t>(t * k.points() + p);
            ASSERT_NEAR(two[i], sum, 2e-3) << i;
            ASSERT_NEAR(one[i], sum, 2e-3) << i;
            ASSERT_NEAR(constant[i], sum, 2e-3) << i;
        }
    }
}

TEST(LadderDelay, RefusesMoreAnglesThanConstantMemoryHolds) {
    EXPECT_THROW(loadConstantAngles({}, std::vector<float>(kMostConstantAngles + 1)),
                 std::logic_error);
}

} // namespace
} // namespace echolux::ladder
