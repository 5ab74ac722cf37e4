// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms of regions against NumPy and SciPy.
#include "app/measure/distribution.hpp"

#include "tests/support/refusal.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace echolux::measure {
namespace {

using ::testing::HasSubstr;
using testing_support::refusal;

const Measurement kOfNumpy{
    .name = "tissue", .kind = Kind::Rectangle, .places = {{-2.501, 10.099}, {2.501, 11.001}}};

/// The image of make_vectors.py.
MeasuredImage speckle() {
    return {.lateral = {-3.2, 0.1, 64},
            .depth = {10.0, 0.05, 64},
            .isDb = true,
            .values = test::Vectors("measure/vectors/figures.txt")["image"]};
}

void expectNear(const std::vector<double>& ours, const std::vector<float>& theirs,
                double tolerance) {
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t bin = 0; bin < ours.size(); ++bin)
        EXPECT_NEAR(ours[bin], theirs[bin], tolerance) << bin;
}

/// make_distribution.py
void expectThatOfSciPy(Counted counted, const std::string& name) {
    const test::Vectors scipy("measure/vectors/distribution.txt");
    const Distribution found = distributionIn(speckle(), kOfNumpy, counted);
    expectNear(found.density, scipy[name], 1e-6);
    expectNear(found.speckle, scipy[name + "_speckle"], 1e-6);
    EXPECT_NEAR(found.beyond, scipy[name + "_beyond"][0], 1e-6);
    const double inside = std::accumulate(found.density.begin(), found.density.end(), 0.0);
    EXPECT_NEAR(inside * found.binWidth + found.beyond, 1.0, 1e-9);
}

TEST(Distribution, OfAmplitudesIsThatOfSciPy) {
    expectThatOfSciPy(Counted::Amplitudes, "amplitudes");
}

TEST(Distribution, OfPowersIsThatOfSciPy) { expectThatOfSciPy(Counted::Powers, "powers"); }

TEST(Distribution, DoesNotDependOnTheGain) {
    MeasuredImage louder = speckle();
    for (float& level : louder.values) level += 20.0F;
    const Distribution found = distributionIn(louder, kOfNumpy, Counted::Powers);
    expectNear(found.density, test::Vectors("measure/vectors/distribution.txt")["powers"], 1e-6);
}

TEST(Distribution, RefusesWhatHasNone) {
    MeasuredImage dark = speckle();
    dark.isDb = false;
    dark.values.assign(dark.values.size(), 0.0F);
    EXPECT_THAT(refusal([&] { distributionIn(dark, kOfNumpy, Counted::Amplitudes); }),
                HasSubstr("All amplitudes in 'tissue' are 0"));
    Measurement outside = kOfNumpy;
    for (Place& place : outside.places) place.depth += 100.0;
    EXPECT_THAT(refusal([&] { distributionIn(speckle(), outside, Counted::Amplitudes); }),
                HasSubstr("holds no pixel of the image"));
}

} // namespace
} // namespace echolux::measure
