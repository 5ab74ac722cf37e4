// SPDX-License-Identifier: GPL-3.0-or-later
// Phantoms hold what they say where they say it.
#include "app/source/phantom.hpp"

#include "gpu/core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux {

namespace {

using testing::AllOf;
using testing::HasSubstr;

PhantomRequest request(const std::string& name) {
    PhantomRequest asked;
    asked.name = name;
    asked.halfWidthM = 10e-3;
    asked.depthM = 34e-3;
    asked.periodS = 2.0;
    return asked;
}

double farthest(const std::vector<Scatterer>& scatterers, double x, double z) {
    double most = 0.0;
    for (const Scatterer& s : scatterers) most = std::max(most, std::hypot(s.x - x, s.z - z));
    return most;
}

double nearest(const std::vector<Scatterer>& scatterers, double x, double z) {
    double least = 1.0;
    for (const Scatterer& s : scatterers) least = std::min(least, std::hypot(s.x - x, s.z - z));
    return least;
}

TEST(Phantom, fillsItsRegionAsDenselyAsAsked) {
    const Phantom phantom = makePhantom(request("speckle"));
    const double squareWavelengths = 20e-3 * 32e-3 / (0.3e-3 * 0.3e-3);
    EXPECT_NEAR(static_cast<double>(phantom.still.size()), 8.0 * squareWavelengths, 1.0);
    for (const Scatterer& s : phantom.still) {
        ASSERT_LE(std::abs(s.x), 10e-3);
        ASSERT_GE(s.z, 2e-3);
        ASSERT_LE(s.z, 34e-3);
    }
    EXPECT_FALSE(phantom.moves());
}

TEST(Phantom, cineHasItsTargets) {
    const Phantom phantom = makePhantom(request("cine"));
    EXPECT_GT(nearest(phantom.still, 5e-3, 21e-3), 2.49e-3) << "anechoic cyst";
    for (const double z : {6e-3, 12e-3, 18e-3, 24e-3, 30e-3})
        EXPECT_TRUE(std::ranges::any_of(phantom.still, [&](const Scatterer& s) {
            return s.x == -7e-3 && s.z == z && s.amplitude == 40.0;
        }));
    double inside = 0.0;
    double insideCount = 0.0;
    for (const Scatterer& s : phantom.still) {
        if (std::hypot(s.x + 2e-3, s.z - 10e-3) > 2.1e-3) continue;
        inside += s.amplitude * s.amplitude;
        insideCount += 1.0;
    }
    EXPECT_NEAR(10.0 * std::log10(inside / insideCount), 12.0, 0.5) << "hyperechoic cyst";
    ASSERT_EQ(phantom.disks.size(), 1U);
    ASSERT_EQ(phantom.vessels.size(), 1U);
    EXPECT_TRUE(phantom.moves());
}

TEST(Phantom, theDiskTurnsOncePerPeriod) {
    Phantom phantom = makePhantom(request("cine"));
    phantom.vessels.clear();
    const Circle disk = phantom.disks.front().outline;
    std::vector<Scatterer> start;
    std::vector<Scatterer> quarter;
    std::vector<Scatterer> whole;
    phantom.movingAt(0.0, start);
    phantom.movingAt(0.5, quarter);
    phantom.movingAt(2.0, whole);
    ASSERT_EQ(start.size(), quarter.size());
    for (std::size_t i = 0; i < start.size(); ++i) {
        EXPECT_NEAR(quarter[i].x - disk.x, -(start[i].z - disk.z), 1e-12);
        EXPECT_NEAR(quarter[i].z - disk.z, start[i].x - disk.x, 1e-12);
        EXPECT_NEAR(whole[i].x, start[i].x, 1e-12);
    }
}

TEST(Phantom, theVesselPulsatesAndItsTissueKeepsItsArea) {
    Phantom phantom = makePhantom(request("cine"));
    phantom.disks.clear();
    const PulsatingVessel vessel = phantom.vessels.front();
    phantom.vessels.front().blood.clear();
    std::vector<Scatterer> wide;
    std::vector<Scatterer> narrow;
    phantom.movingAt(0.5, wide);
    phantom.movingAt(1.5, narrow);
    const Circle lumen = vessel.lumen;
    EXPECT_NEAR(nearest(wide, lumen.x, lumen.z), 1.2 * lumen.radius, 0.01e-3);
    EXPECT_NEAR(nearest(narrow, lumen.x, lumen.z), 0.8 * lumen.radius, 0.01e-3);
    EXPECT_LE(farthest(wide, lumen.x, lumen.z), 2.0 * lumen.radius + 1e-6);
    // Next to the wall: r^2 - R^2 stays what it was at rest.
    for (std::size_t i = 0; i < wide.size(); ++i) {
        const double rest = std::hypot(vessel.tissue[i].x - lumen.x, vessel.tissue[i].z - lumen.z);
        if (rest > 1.02 * lumen.radius) continue;
        const double moved = std::hypot(wide[i].x - lumen.x, wide[i].z - lumen.z);
        EXPECT_NEAR(moved * moved - std::pow(1.2 * lumen.radius, 2),
                    rest * rest - std::pow(lumen.radius, 2), 0.002e-6);
    }
}

TEST(Phantom, leavesOutWhatDoesNotFit) {
    PhantomRequest shallow = request("cine");
    shallow.depthM = 16e-3;
    const Phantom phantom = makePhantom(shallow);
    EXPECT_TRUE(phantom.vessels.empty());
    EXPECT_EQ(phantom.disks.size(), 1U);
    for (const Scatterer& s : phantom.still) ASSERT_LE(s.z, 16e-3);
}

TEST(Phantom, refusesTheUnknownAndTheAbsurd) {
    try {
        makePhantom(request("unicorn"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("'unicorn'"),
                                        HasSubstr("bubbles, cine, cysts, inclusion, points")));
    }
    PhantomRequest absurd = request("speckle");
    absurd.wavelengthM = 1e-6;
    EXPECT_THROW(makePhantom(absurd), Error);
}

TEST(Phantom, bloodFlowsThroughTheTubeOfTheVessel) {
    PhantomRequest request;
    request.name = "vessel";
    const Phantom phantom = makePhantom(request);
    ASSERT_EQ(phantom.tubes.size(), 1U);
    const FlowingTube& tube = phantom.tubes.front();
    for (const Scatterer& s : phantom.still) ASSERT_FALSE(tube.contains(s.x, s.z));
    std::vector<Scatterer> before;
    std::vector<Scatterer> after;
    phantom.movingAt(0.0, before);
    constexpr double kStepS = 1e-4;
    phantom.movingAt(kStepS, after);
    ASSERT_EQ(before.size(), tube.blood.size());
    int wrapped = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_TRUE(tube.contains(before[i].x, before[i].z));
        const double along = (after[i].x - before[i].x) * std::cos(tube.angleRad) +
                             (after[i].z - before[i].z) * std::sin(tube.angleRad);
        if (along < 0.0) {
            ++wrapped;
            continue;
        }
        // the pulse has risen by less than 0.1 % in this time
        EXPECT_NEAR(along, kStepS * tube.speedAt(tube.blood[i].z), 1e-3 * kStepS * tube.peakMps);
    }
    EXPECT_LT(wrapped, static_cast<int>(before.size()) / 100);
    EXPECT_DOUBLE_EQ(tube.speedAt(0.0), tube.peakMps);
    EXPECT_DOUBLE_EQ(tube.speedAt(tube.radius), 0.0);
}

TEST(Phantom, tissueIsCompressedLessInTheInclusion) {
    const Phantom phantom = makePhantom(request("inclusion"));
    ASSERT_EQ(phantom.tissues.size(), 1U);
    EXPECT_TRUE(phantom.still.empty());
    const CompressedTissue& tissue = phantom.tissues.front();
    EXPECT_DOUBLE_EQ(tissue.inclusion.z, 18e-3);
    EXPECT_DOUBLE_EQ(tissue.inclusion.radius, 5e-3);
    std::vector<Scatterer> rest;
    std::vector<Scatterer> half;
    phantom.movingAt(0.0, rest);
    phantom.movingAt(1.0, half); // of a period of 2 s: the strongest compression
    ASSERT_EQ(rest.size(), half.size());
    double deepest = 0.0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const Scatterer& s = tissue.scatterers[i];
        EXPECT_DOUBLE_EQ(rest[i].z, s.z);
        EXPECT_DOUBLE_EQ(half[i].x, s.x);
        EXPECT_NEAR(half[i].z, s.z - 0.02 * tissue.softDepth(s.x, s.z), 1e-15);
        deepest = std::max(deepest, half[i].z);
    }
    EXPECT_NEAR(deepest, 34.1e-3, 0.1e-3) << "what comes in from below fills the region";
    // The slope of softDepth is the strain relative to that outside.
    const auto relative = [&](double x, double z) {
        return (tissue.softDepth(x, z + 1e-6) - tissue.softDepth(x, z)) / 1e-6;
    };
    EXPECT_NEAR(relative(0.0, 5e-3), 1.0, 1e-9);
    EXPECT_NEAR(relative(0.0, 18e-3), 1.0 / 3.0, 1e-9);
    EXPECT_NEAR(relative(4e-3, 20e-3), 1.0 / 3.0, 1e-9);
    EXPECT_NEAR(relative(0.0, 30e-3), 1.0, 1e-9);
    EXPECT_NEAR(relative(5.1e-3, 18e-3), 1.0, 1e-9);
}

TEST(Phantom, bubblesFlowThroughTubesThatCross) {
    PhantomRequest request;
    request.name = "bubbles";
    const Phantom phantom = makePhantom(request);
    ASSERT_EQ(phantom.tubes.size(), 2U);
    EXPECT_LT(phantom.tubes[0].angleRad * phantom.tubes[1].angleRad, 0.0);
    for (const FlowingTube& tube : phantom.tubes)
        for (const Scatterer& s : phantom.still) ASSERT_FALSE(tube.contains(s.x, s.z));
    std::vector<Scatterer> now;
    phantom.movingAt(0.3, now);
    ASSERT_EQ(now.size(), phantom.tubes[0].blood.size() + phantom.tubes[1].blood.size());
    // The recorded truth holds the places at the time 0, and so those at any time.
    std::size_t at = 0;
    for (const FlowingTube& tube : phantom.tubes) {
        for (const Scatterer& s : tube.blood) {
            const double moved = s.x + 0.3 * tube.speedAt(s.z);
            const double along = moved - tube.length * std::round(moved / tube.length);
            const Scatterer& found = now[at++];
            EXPECT_NEAR(found.x,
                        tube.x + along * std::cos(tube.angleRad) - s.z * std::sin(tube.angleRad),
                        1e-12);
            EXPECT_NEAR(found.z,
                        tube.z + along * std::sin(tube.angleRad) + s.z * std::cos(tube.angleRad),
                        1e-12);
            EXPECT_EQ(found.amplitude, s.amplitude);
        }
    }
    ASSERT_EQ(phantom.truth.front().first, "bubbles");
    EXPECT_THAT(phantom.truth.front().second, HasSubstr("(along, across) in mm"));
    // Tubes have other bubbles.
    EXPECT_NE(phantom.tubes[0].blood[0].x, phantom.tubes[1].blood[0].x);
}

} // namespace

} // namespace echolux
