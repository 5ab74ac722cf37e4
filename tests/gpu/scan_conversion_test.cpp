// SPDX-License-Identifier: GPL-3.0-or-later
// scan_conversion on the CPU against SciPy and NumPy, at uneven angles; where its corners lie; what
// it refuses.
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(ScanConversion, RefusesAnImage) {
    const StageType& type = stageType("scan_conversion");
    const FrameSpec image = imageSpec(20, 30);
    EXPECT_THAT(
        testing_support::refusal([&] { type.create()->plan(image, type.defaultsFor(image)); }),
        testing::HasSubstr("an image already"));
    FrameSpec wide = beams().spec;
    EXPECT_THAT(testing_support::refusal([&] {
                    type.create()->plan(wide, paramsFor(type, wide, {{"pixel", 1e-6}}));
                }),
                testing::HasSubstr("million pixels"));
}

} // namespace
} // namespace echolux::test
