// SPDX-License-Identifier: GPL-3.0-or-later
// scan_conversion on the CPU against SciPy and NumPy, at uneven angles; lines with starts of their
// own; where its corners lie; what it refuses.
#include "gpu/core/sector.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

const Vectors& reference() {
    static const Vectors kVectors("gpu/vectors/scan_conversion.txt");
    return kVectors;
}

/// The sector of make_scan_conversion_vectors.py.
HostFrame beams() {
    FrameSpec spec = imageSpec(23, 9);
    spec.axes = {{AxisName::Depth, 23, 0.5e-3, 2e-3, "m"},
                 {AxisName::Lateral, 9, 1.1 / 8.0, -0.5, "rad"}};
    spec.valueRange = ValueRange{-60.0, 0.0, "dB", ""};
    spec.sector = std::make_shared<Sector>(
        Sector{0.4e-3, -9e-3, 10e-3, {-0.5, -0.41, -0.25, -0.2, 0.0, 0.13, 0.3, 0.36, 0.6}});
    return {spec, reference()["image"]};
}

TEST(ScanConversion, AgreesWithSciPyAndNumPy) {
    for (const char* kind : {"bilinear", "bicubic"}) {
        SCOPED_TRACE(kind);
        const HostFrame image = runStage(
            "scan_conversion", beams(), {{"pixel", 0.43e-3}, {"interpolation", std::string(kind)}});
        EXPECT_EQ(image.spec.sector, nullptr);
        ASSERT_EQ(static_cast<float>(image.spec.axes[0].size), reference()["shape"][0]);
        ASSERT_EQ(static_cast<float>(image.spec.axes[1].size), reference()["shape"][1]);
        expectNear(image.as<float>(), reference()[kind], 1e-4);
    }
}

TEST(ScanConversion, CornersAreTheSectorsOwn) {
    const HostFrame image = runStage("scan_conversion", beams(), {{"pixel", 0.1e-3}});
    const Axis& depth = image.spec.axes[0];
    const Axis& lateral = image.spec.axes[1];
    EXPECT_NEAR(depth.origin, -9e-3 + 12e-3 * std::cos(0.6), 1e-9);
    EXPECT_NEAR(lateral.origin, 0.4e-3 - 23e-3 * std::sin(0.5), 1e-9);
    const double bottom = depth.origin + static_cast<double>(depth.size - 1) * depth.spacing;
    EXPECT_NEAR(bottom, 14e-3, 0.11e-3);
}

/// Steered lines that fan out a little, from starts of their own at uneven distances; each sample
/// has the value of `of` at its place.
template <class Of> HostFrame ownLines(Of of) {
    FrameSpec spec = imageSpec(81, 12);
    Sector sector;
    for (int i = 0; i < 12; ++i) {
        const double x = -3e-3 + 0.6e-3 * i + 0.02e-3 * i * i;
        sector.starts.push_back({x, 0.0, 0.1 * x});
        sector.anglesRad.push_back(0.2 + 0.01 * i);
    }
    spec.axes = {{AxisName::Depth, 81, 0.25e-3, 2e-3, "m"}, lateralAxisOf(sector)};
    spec.valueRange = ValueRange{-60.0, 0.0, "dB", ""};
    std::vector<float> values;
    for (int row = 0; row < 81; ++row)
        for (std::size_t line = 0; line < sector.lines(); ++line)
            values.push_back(static_cast<float>(of(sector.at(line, 2e-3 + row * 0.25e-3))));
    spec.sector = std::make_shared<Sector>(std::move(sector));
    return {spec, values};
}

Point placeOf(const FrameSpec& image, std::int64_t pixel) {
    const Axis& depth = image.axes[0];
    const Axis& lateral = image.axes[1];
    return {lateral.origin + static_cast<double>(pixel % lateral.size) * lateral.spacing, 0.0,
            depth.origin + static_cast<double>(pixel / lateral.size) * depth.spacing};
}

/// Interpolation keeps a plane, so that each pixel shows its own place; bicubic not beside the
/// outer samples, which repeat.
TEST(ScanConversion, OwnLinesPutEverySampleAtItsPlace) {
    const auto plane = [](const Point& p) { return 1e3 * p.x + 0.5e3 * p.z; };
    const HostFrame beams = ownLines(plane);
    for (const char* kind : {"bilinear", "bicubic"}) {
        SCOPED_TRACE(kind);
        const HostFrame image = runStage("scan_conversion", beams,
                                         {{"pixel", 0.1e-3}, {"interpolation", std::string(kind)}});
        const double allowed = kind == std::string("bilinear") ? 2e-3 : 0.12;
        std::int64_t filled = 0;
        std::int64_t otherwise = 0; // than the bounds say
        for (std::int64_t i = 0; i < image.spec.count(); ++i) {
            const Point p = placeOf(image.spec, i);
            const float value = image.as<float>()[static_cast<std::size_t>(i)];
            if (image.spec.within->contains(p.x, p.z) != (value != -60.0F)) ++otherwise;
            if (value == -60.0F) continue;
            ++filled;
            ASSERT_NEAR(value, plane(p), allowed) << p.x << ", " << p.z;
        }
        EXPECT_GT(filled, 10'000);
        EXPECT_LT(otherwise, filled / 100);
    }
}

TEST(ScanConversion, OwnLinesOfOneApexGiveTheImageOfTheSector) {
    HostFrame sector = beams();
    Sector fan{0.4e-3, -9e-3, 10e-3, {}};
    for (int i = 0; i < 9; ++i) fan.anglesRad.push_back(-0.08 + 0.02 * i + 0.0004 * i * i);
    sector.spec.sector = std::make_shared<Sector>(fan);
    HostFrame own = sector;
    for (const double a : fan.anglesRad)
        fan.starts.push_back({0.4e-3 + 10e-3 * std::sin(a), 0.0, -9e-3 + 10e-3 * std::cos(a)});
    own.spec.sector = std::make_shared<Sector>(fan);
    const Settings fine{{"pixel", 0.05e-3}};
    const HostFrame expected = runStage("scan_conversion", sector, fine);
    const HostFrame image = runStage("scan_conversion", own, fine);
    ASSERT_EQ(image.spec.axes[1].size, expected.spec.axes[1].size);
    EXPECT_NEAR(image.spec.axes[1].origin, expected.spec.axes[1].origin, 1e-12);
    EXPECT_NEAR(image.spec.axes[0].origin, expected.spec.axes[0].origin, 1e-12);
    const std::int64_t shared = std::min(image.spec.count(), expected.spec.count());
    std::int64_t onEdge = 0;
    for (std::int64_t i = 0; i < shared; ++i) {
        const float value = image.as<float>()[static_cast<std::size_t>(i)];
        const float wanted = expected.as<float>()[static_cast<std::size_t>(i)];
        // Of steps of up to 60 dB from sample to sample.
        if (!(std::abs(value - wanted) < 0.3F)) ++onEdge;
    }
    EXPECT_LT(onEdge, shared / 200);
}

TEST(ScanConversion, RefusesAnImage) {
    const StageType& type = stageType("scan_conversion");
    const FrameSpec image = imageSpec(20, 30);
    EXPECT_THAT(testing_support::refusal([&] { type.plan(image, type.defaultsFor(image)); }),
                testing::HasSubstr("an image already"));
    FrameSpec wide = beams().spec;
    EXPECT_THAT(testing_support::refusal([&] {
                    type.plan(wide, paramsFor(type, wide, {{"pixel", 1e-6}}));
                }),
                testing::HasSubstr("million pixels"));
}

} // namespace
} // namespace echolux::test
