// SPDX-License-Identifier: GPL-3.0-or-later
// scan_conversion on the CPU against SciPy and NumPy, at uneven angles and round a full circle, for
// each kind of value; lines with starts of their own; places without data; where its corners lie;
// what it refuses.
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
#include <limits>
#include <memory>
#include <numbers>
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

constexpr double kLimit = 27.7; ///< cm/s; velocities wrap there

HostFrame velocities() {
    HostFrame frame = beams();
    frame.spec.valueRange = ValueRange{-kLimit, kLimit, "cm/s", ""};
    frame.spec.valueKind = ValueKind::Cyclic;
    frame.spec.cycle = 2.0 * kLimit;
    std::ranges::copy(reference()["velocity"], frame.as<float>().begin());
    return frame;
}

/// Compares the pixels inside the sector with a vector; outside there must be no data.
void expectSector(const HostFrame& image, const std::string& vector, double tolerance,
                  double cycle = 1e9, const std::string& inside = "inside") {
    EXPECT_EQ(image.spec.sector, nullptr);
    EXPECT_TRUE(image.spec.hasGaps);
    const std::string shape = inside == "inside" ? "shape" : "ring_shape";
    ASSERT_EQ(static_cast<float>(image.spec.axes[0].size), reference()[shape][0]);
    ASSERT_EQ(static_cast<float>(image.spec.axes[1].size), reference()[shape][1]);
    const auto values = image.as<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(!std::isnan(values[i]), reference()[inside][i] > 0.0F) << i;
        if (std::isnan(values[i])) continue;
        const double off = std::remainder(values[i] - reference()[vector][i], cycle);
        ASSERT_LT(std::abs(off), tolerance) << i << ": " << values[i];
    }
}

TEST(ScanConversion, AgreesWithSciPyAndNumPy) {
    for (const std::string kind : {"bilinear", "bicubic"}) {
        SCOPED_TRACE(kind);
        const Settings settings{{"pixel", 0.43e-3}, {"interpolation", kind}};
        expectSector(runStage("scan_conversion", beams(), settings), kind, 1e-3);
        HostFrame levels = beams();
        levels.spec.valueKind = ValueKind::Level;
        expectSector(runStage("scan_conversion", levels, settings), "level_" + kind, 6e-3);
        const HostFrame flow = runStage("scan_conversion", velocities(), settings);
        expectSector(flow, "circle_" + kind, 3e-4, 2.0 * kLimit);
        for (const float velocity : flow.as<float>())
            if (!std::isnan(velocity)) {
                ASSERT_LE(std::abs(velocity), kLimit + 1e-4);
            }
    }
}

TEST(ScanConversion, LinesRoundAFullCircleHaveNoFirstAndNoLastOne) {
    Sector sector{0.0, 0.0, 0.4e-3, {}};
    for (int i = 0; i < 16; ++i) sector.anglesRad.push_back(0.3 + i * std::numbers::pi / 8.0);
    FrameSpec spec = imageSpec(23, 16);
    spec.axes = {{AxisName::Depth, 23, 0.5e-3, 0.5e-3, "m"}, lateralAxisOf(sector)};
    spec.sector = std::make_shared<Sector>(sector);
    const HostFrame image =
        runStage("scan_conversion", {spec, reference()["ring"]}, {{"pixel", 0.45e-3}});
    EXPECT_NEAR(image.spec.axes[1].origin, -11.9e-3, 1e-9);
    EXPECT_NEAR(image.spec.axes[0].origin, -11.9e-3, 1e-9);
    expectSector(image, "ring_bicubic", 1e-4, 1e9, "ring_inside");
}

/// As catheters see. Interpolation between lines keeps what is constant
/// over the angle, so that each pixel shows its distance from the apex.
TEST(ScanConversion, SectorsBeyondHalfACircleAreWhole) {
    for (const double degrees : {150.0, 200.0, 270.0, 350.0}) {
        SCOPED_TRACE(degrees);
        const double half = 0.5 * degrees * std::numbers::pi / 180.0;
        Sector sector{0.0, 0.0, 0.5e-3, {}};
        for (int i = 0; i < 128; ++i)
            sector.anglesRad.push_back(0.4 - half + 2.0 * half * i / 127.0);
        FrameSpec spec = imageSpec(200, 128);
        spec.axes = {{AxisName::Depth, 200, 20e-6, 0.0, "m"}, lateralAxisOf(sector)};
        spec.sector = std::make_shared<Sector>(sector);
        std::vector<float> values;
        for (int row = 0; row < 200; ++row)
            values.insert(values.end(), 128, 0.5F + 0.02F * static_cast<float>(row)); // mm
        const HostFrame image = runStage("scan_conversion", {spec, values}, {{"pixel", 20e-6}});
        const double far = 0.5e-3 + 199 * 20e-6;
        std::int64_t filled = 0;
        for (std::int64_t i = 0; i < image.spec.count(); ++i) {
            const Axis& depth = image.spec.axes[0];
            const Axis& lateral = image.spec.axes[1];
            const double x = lateral.origin + static_cast<double>(i % lateral.size) * 20e-6;
            const double z = depth.origin + static_cast<double>(i / lateral.size) * 20e-6;
            const float value = image.as<float>()[static_cast<std::size_t>(i)];
            const double distance = std::hypot(x, z);
            // 0 at the middle of the sector.
            const double angle = std::remainder(std::atan2(x, z) - 0.4, 2.0 * std::numbers::pi);
            const double margin = std::min(half - std::abs(angle),
                                           std::min(distance - 0.5e-3, far - distance) / 1e-3);
            if (std::abs(margin) < 1e-3) continue;
            const bool inside = margin > 0.0;
            ASSERT_EQ(!std::isnan(value), inside) << x << ", " << z;
            ASSERT_EQ(image.spec.within->contains(x, z), inside) << x << ", " << z;
            if (!inside) continue;
            ++filled;
            if (distance > 0.55e-3 && distance < far - 0.05e-3) {
                ASSERT_NEAR(value, 1e3 * distance, 1e-3);
            }
        }
        const double area = half * (far * far - 0.25e-6);
        EXPECT_NEAR(static_cast<double>(filled) * 20e-6 * 20e-6 / area, 1.0, 5e-3);
    }
}

/// A velocity of 12 beside none: no other velocity appears at the wall, and none beyond it.
TEST(ScanConversion, FlowKeepsItsVelocityUpToTheWall) {
    for (const ValueKind kind : {ValueKind::Cyclic, ValueKind::Plain}) {
        HostFrame flow = velocities();
        flow.spec.valueKind = kind;
        for (std::size_t i = 0; i < flow.as<float>().size(); ++i)
            flow.as<float>()[i] = i / 9 >= 8 && i / 9 < 15 && i % 9 > 1 && i % 9 < 6 ? 12.0F : 0.0F;
        const HostFrame image = runStage("scan_conversion", flow, {{"pixel", 0.1e-3}});
        std::int64_t flowing = 0;
        for (const float value : image.as<float>()) {
            if (std::isnan(value) || value == 0.0F) continue;
            ++flowing;
            ASSERT_NEAR(value, 12.0, 1e-4);
        }
        EXPECT_GT(flowing, 1000);
    }
}

/// A line without data leaves its neighbours theirs.
TEST(ScanConversion, NoDataDoesNotSpread) {
    HostFrame frame = beams();
    for (std::size_t i = 0; i < frame.as<float>().size(); ++i)
        frame.as<float>()[i] = i % 9 == 4 ? std::numeric_limits<float>::quiet_NaN() : 5.0F;
    const HostFrame image = runStage("scan_conversion", frame, {{"pixel", 0.1e-3}});
    for (std::int64_t i = 0; i < image.spec.count(); ++i) {
        const double x = image.spec.axes[1].origin +
                         static_cast<double>(i % image.spec.axes[1].size) * 0.1e-3 - 0.4e-3;
        const double z = image.spec.axes[0].origin +
                         static_cast<double>(i / image.spec.axes[1].size) * 0.1e-3 + 9e-3;
        const double angle = std::atan2(x, z);
        const double distance = std::hypot(x, z);
        if (distance < 12.1e-3 || distance > 22.9e-3 || angle < -0.49 || angle > 0.59) continue;
        // Halfway to the lines at -0.2 and 0.13 rad.
        if (std::abs(angle + 0.1) < 1e-3 || std::abs(angle - 0.065) < 1e-3) continue;
        const float value = image.as<float>()[static_cast<std::size_t>(i)];
        if (angle > -0.1 && angle < 0.065) {
            ASSERT_TRUE(std::isnan(value)) << angle;
        } else
            ASSERT_NEAR(value, 5.0, 1e-5) << angle;
    }
}

TEST(ScanConversion, LabelsAreNeverMixed) {
    HostFrame frame = beams();
    frame.spec.valueRange.reset();
    frame.spec.valueKind = ValueKind::Label;
    for (std::size_t i = 0; i < frame.as<float>().size(); ++i)
        frame.as<float>()[i] = i % 2 == 0 ? 3.0F : 40.0F;
    const HostFrame image = runStage("scan_conversion", frame, {{"pixel", 0.1e-3}});
    for (const float value : image.as<float>())
        ASSERT_TRUE(std::isnan(value) || value == 3.0F || value == 40.0F) << value;
}

/// 10 cm of RF lines at 1/40 mm, as some scanners record.
TEST(ScanConversion, DefaultPicturesAreNoLargerThanScreensShow) {
    FrameSpec spec = beams().spec;
    spec.axes[0] = {AxisName::Depth, 4000, 25e-6, 2e-3, "m"};
    const StageType& type = stageType("scan_conversion");
    const StagePlan plan = type.plan(spec, type.defaultsFor(spec));
    EXPECT_LE(plan.outputs[0].count(), 4'010'000);
    EXPECT_GE(plan.outputs[0].count(), 3'600'000);
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
            if (image.spec.within->contains(p.x, p.z) == std::isnan(value)) ++otherwise;
            if (std::isnan(value)) continue;
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
        if (std::isnan(value) && std::isnan(wanted)) continue;
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
