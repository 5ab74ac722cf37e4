// SPDX-License-Identifier: GPL-3.0-or-later
// Surfaces on CUDA are those of the CPU, to the bit: rows in shared memory and beside it, and paths
// of more lines than the way back holds at once.
#include "tests/gpu/layered_tissue.hpp"
#include "tests/support/gpu.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

void expectAlike(const LayeredTissue& tissue, const Settings& settings) {
    const HostFrame image = tissue.image(1);
    const FoundSurfaces cpu = surfacesOf(image, settings);
    const FoundSurfaces cuda = surfacesOf(image, settings, Backend::Cuda);
    EXPECT_EQ(cuda.lines.bytes, cpu.lines.bytes);
    const auto expectClose = [](const HostFrame& found, const HostFrame& expected) {
        for (std::size_t i = 0; i < expected.as<float>().size(); ++i)
            ASSERT_NEAR(found.as<float>()[i], expected.as<float>()[i], 1e-9F) << i;
    };
    expectClose(cuda.upper, cpu.upper);
    expectClose(cuda.lower, cpu.lower);
}

TEST(SurfacesGpu, OfEachStepAreThoseOfTheCpu) {
    ECHOLUX_NEED_GPU();
    for (std::int64_t step = 1; step <= 7; ++step) {
        SCOPED_TRACE(step);
        expectAlike({.lines = 700}, {{"step", step}, {"max_distance", 600e-6}});
    }
}

TEST(SurfacesGpu, OfDeepImagesAreThoseOfTheCpu) {
    ECHOLUX_NEED_GPU();
    for (const std::int64_t depths : {2048, 4099, 12000}) { // the last one fits no shared memory
        SCOPED_TRACE(depths);
        for (const std::int64_t step : {2, 6})
            expectAlike({.lines = 150, .depths = depths}, {{"step", step}, {"max_distance", 5e-3}});
    }
}

TEST(SurfacesGpu, OfAFewLinesAreThoseOfTheCpu) {
    ECHOLUX_NEED_GPU();
    for (const std::int64_t lines : {1, 2, 7, 8, 9, 63, 64, 65, 129}) {
        SCOPED_TRACE(lines);
        expectAlike({.lines = lines, .depths = 301}, {});
    }
}

} // namespace
} // namespace echolux::test
