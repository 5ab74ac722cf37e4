// SPDX-License-Identifier: GPL-3.0-or-later
// beamform on the CPU against delay and sum written in NumPy in double precision, on random
// samples: curved, phased, matrix and row-column arrays, elements anywhere; waves in space, beams
// with lines of their own, sub-apertures.
#include "gpu/beamform/beamform_geometry.hpp"
#include "tests/gpu/beamform_arrays.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace echolux::test {
namespace {

class BeamformArray : public testing::TestWithParam<ArrayCase> {};

TEST_P(BeamformArray, AgreesWithNumPy) {
    const ArrayCase& c = GetParam();
    const Recorded recorded(c);
    for (const char* delays : {"kernel", "table", "full"}) {
        if (c.blends && std::string(delays) != "kernel") continue;
        SCOPED_TRACE(delays);
        const HostFrame image =
            runStage("beamform", recorded.frame(), with(c.settings, {{"delays", word(delays)}}));
        ASSERT_EQ(image.as<float>().size(), recorded.image().size()) << image.spec.describe();
        expectNear(image.as<float>(), recorded.image(), 1e-4);
    }
}

/// Bytes that the stage holds with tables of delays beyond those that it holds without.
std::size_t bytesOfTables(const ArrayCase& c, const char* tables = "table") {
    const FrameSpec spec = Recorded(c).frame().spec;
    const StageType& type = stageType("beamform");
    const auto held = [&](const char* delays) {
        const Settings settings = with(c.settings, {{"delays", word(delays)}});
        return type.plan(spec, paramsFor(type, spec, settings)).heldBytes;
    };
    return held(tables) - held("kernel");
}

TEST(BeamformTables, OfLongElementsLackAnAxis) {
    const std::vector<ArrayCase> cases = arrayCases();
    const auto named = [&](const char* name) {
        return *std::ranges::find(cases, name, &ArrayCase::name);
    };
    // 7 x 5 x 8 pixels. Points: 12 elements and 5 transmits over all three axes, two of which are
    // plane waves at two angles. Rows and columns: 5 and 5 elements over two axes each; one plane
    // wave and one diverging wave along x, one plane wave along y.
    constexpr std::size_t kSteps = sizeof(das::TableSteps);
    EXPECT_EQ(bytesOfTables(named("matrix_tilts")),
              (12 + 5) * (7 * 5 * 8 * sizeof(float) + kSteps));
    EXPECT_EQ(bytesOfTables(named("row_column")),
              ((5 + 2) * 7 * 8 + (5 + 1) * 5 * 8) * sizeof(float) + (10 + 3) * kSteps);
    // The full table has an entry for each of 12 elements, 5 transmits and all pixels.
    EXPECT_EQ(bytesOfTables(named("matrix_tilts"), "full"), 12 * 5 * 7 * 5 * 8 * sizeof(float));
}

INSTANTIATE_TEST_SUITE_P(Vectors, BeamformArray, testing::ValuesIn(arrayCases()),
                         [](const auto& c) { return c.param.name; });
INSTANTIATE_TEST_SUITE_P(OverRange, BeamformArray, testing::ValuesIn(casesOverRange()),
                         [](const auto& c) { return c.param.name; });

} // namespace
} // namespace echolux::test
