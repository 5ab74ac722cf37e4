// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of Tschupp 2019 against NumPy and SciPy: parted by output and by input, with factors
// from tables and computed.
#include "gpu/ladder/gridding.hpp"
#include "tests/support/near.hpp"
#include "tests/support/vectors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace echolux::ladder {
namespace {

using test::expectNear;

const test::Vectors& vectors() {
    static const test::Vectors kVectors("gpu/ladder/vectors/gridding.txt");
    return kVectors;
}

constexpr std::int64_t kLines = 3;
/// Of float sums, and of exp() and polynomials in single precision.
constexpr double toleranceOf(Factors factors) { return factors == Factors::Table ? 1e-6 : 5e-6; }

struct Case {
    const char* name;
    std::int64_t points;
    int width;
    double beta;
};

GridProblem problemOf(const Case& of) {
    const auto& places = vectors()["places_" + std::string(of.name)];
    const auto& weights = vectors()["weights"];
    return {of.points,
            of.width,
            of.beta,
            {places.begin(), places.end()},
            {weights.begin(), weights.end()}};
}

class LadderGridding : public testing::TestWithParam<Case> {};

TEST_P(LadderGridding, AgreesWithScipyHoweverItIsParted) {
    const Gridding gridding({}, problemOf(GetParam()));
    const std::vector<float>& in = vectors()["lines"];
    for (const GridBy by : {GridBy::Output, GridBy::Input}) {
        for (const Factors factors : {Factors::Table, Factors::Computed}) {
            SCOPED_TRACE(testing::Message() << "by input " << (by == GridBy::Input) << ", computed "
                                            << (factors == Factors::Computed));
            std::vector<float> out(static_cast<std::size_t>(kLines * GetParam().points), 1e9F);
            gridding.run({}, by, factors, kLines, in.data(), out.data());
            expectNear(out, vectors()["gridded_" + std::string(GetParam().name)],
                       toleranceOf(factors));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, LadderGridding,
                         testing::Values(Case{"a", 41, 4, 5.5}, Case{"b", 62, 4, 7.25},
                                         Case{"c", 82, 7, 14.0}),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(LadderGridding, ComputedFactorsReadFewerBytes) {
    const Gridding gridding({}, problemOf({"b", 62, 4, 7.25}));
    EXPECT_EQ(gridding.tableBytes(GridBy::Input, Factors::Computed), 41U * 12U);
    EXPECT_EQ(gridding.tableBytes(GridBy::Input, Factors::Table), 41U * (4U + 5U * 4U));
    EXPECT_LT(gridding.tableBytes(GridBy::Output, Factors::Computed),
              gridding.tableBytes(GridBy::Output, Factors::Table));
}

TEST(LadderGridding, RefusesWhatItDoesNotCompute) {
    EXPECT_THROW(Gridding({}, {kMostGridPoints + 1, 4, 5.0, {0.0, 1.0}, {1.0, 1.0}}),
                 std::logic_error);
    EXPECT_THROW(Gridding({}, {8, 4, 5.0, {1.0, 0.0}, {1.0, 1.0}}), std::logic_error);
}

TEST(LadderWindowAndPhase, AgreesWithScipy) {
    const auto& terms = vectors()["terms"];
    const std::vector<float>& in = vectors()["lines"];
    const WindowAndPhase work({}, 41, {terms[0], terms[1], terms[2]});
    for (const Factors factors : {Factors::Table, Factors::Computed}) {
        std::vector<Complex> out(in.size());
        work.run({}, factors, kLines, in.data(), out.data());
        std::vector<float> values;
        for (const Complex& each : out) values.insert(values.end(), {each.re, each.im});
        expectNear(values, vectors()["windowed"], toleranceOf(factors));
    }
}

} // namespace
} // namespace echolux::ladder
