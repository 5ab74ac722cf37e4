// SPDX-License-Identifier: GPL-3.0-or-later
// beamform on the CPU against delay and sum written in NumPy in double precision, on random
// samples: curved, phased, matrix and row-column arrays, elements anywhere; waves in space, beams
// with lines of their own, sub-apertures.
#include "tests/gpu/beamform_arrays.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

namespace echolux::test {
namespace {

class BeamformArray : public testing::TestWithParam<ArrayCase> {};

TEST_P(BeamformArray, AgreesWithNumPy) {
    const ArrayCase& c = GetParam();
    const Recorded recorded(c);
    for (const char* delays : {"kernel", "table"}) {
        SCOPED_TRACE(delays);
        const HostFrame image =
            runStage("beamform", recorded.frame(), with(c.settings, {{"delays", word(delays)}}));
        ASSERT_EQ(image.as<float>().size(), recorded.image().size()) << image.spec.describe();
        expectNear(image.as<float>(), recorded.image(), 1e-4);
    }
}

INSTANTIATE_TEST_SUITE_P(Vectors, BeamformArray, testing::ValuesIn(arrayCases()),
                         [](const auto& c) { return c.param.name; });
INSTANTIATE_TEST_SUITE_P(OverRange, BeamformArray, testing::ValuesIn(casesOverRange()),
                         [](const auto& c) { return c.param.name; });

} // namespace
} // namespace echolux::test
