// SPDX-License-Identifier: GPL-3.0-or-later
// Herikstad's kernels: his iteration against NumPy (gpu/vectors/make_aberration.py), his cast, and
// what does not exist on a CPU.
#include "gpu/ladder/apron_tile.hpp"
#include "gpu/ladder/double_cast.hpp"
#include "tests/support/vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace echolux::ladder {
namespace {

const test::Vectors& aberrationVectors() {
    static const test::Vectors kVectors("gpu/vectors/aberration.txt");
    return kVectors;
}

std::vector<Complex> complexOf(const std::vector<float>& pairs) {
    std::vector<Complex> values;
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
        values.push_back({pairs[i], pairs[i + 1]});
    return values;
}

double differenceOf(const std::vector<Complex>& found, const std::vector<Complex>& expected) {
    if (found.size() != expected.size()) return 1e9;
    double most = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        most = std::max(most, double{std::sqrt(norm(found[i] - expected[i]))});
        largest = std::max(largest, double{std::sqrt(norm(expected[i]))});
    }
    return most / largest;
}

TEST(LadderHerikstad, IterationIsThatOfNumPy) {
    const std::vector<float>& facts = aberrationVectors()["matrix_facts"];
    const ApronProblem problem{static_cast<std::int32_t>(facts[0]),
                               static_cast<std::int32_t>(facts[1]),
                               static_cast<std::int32_t>(facts[5]), 0.1F};
    const std::vector<Complex> spectra = complexOf(aberrationVectors()["matrix_spectra"]);
    ASSERT_EQ(spectra.size(), static_cast<std::size_t>(problem.places() * problem.bins));
    const std::size_t steps = aberrationVectors()["matrix_gpu_5_magnitudes"].size();
    ASSERT_GT(steps, 2U);
    std::vector<Complex> from(static_cast<std::size_t>(problem.places()), {1.0F, 0.0F});
    std::vector<Complex> to(from.size());
    for (std::size_t step = 1; step <= steps; ++step) {
        apronIteration({}, NeighbourMemory::Global, problem, 0, {spectra.data(), 0}, from.data(),
                       to.data());
        from.swap(to);
        if (step == 2) {
            EXPECT_LT(differenceOf(from, complexOf(aberrationVectors()["matrix_gpu_5_step_2"])),
                      1e-5);
        }
    }
    EXPECT_LT(differenceOf(from, complexOf(aberrationVectors()["matrix_gpu_5_last"])), 1e-5);
}

/// A plane per bin; rows are as long as a multiple of 32 bytes.
TEST(LadderHerikstad, PlanesHoldEveryValueOnce) {
    const ApronProblem problem{3, 5, 2, 0.1F};
    std::vector<Complex> spectra;
    for (int i = 0; i < 3 * 5 * 2; ++i)
        spectra.push_back({static_cast<float>(i + 1), static_cast<float>(-i - 1)});
    ASSERT_EQ(planeFloats(problem), 2 * 2 * 3 * 8);
    std::vector<float> planes(static_cast<std::size_t>(planeFloats(problem)), 99.0F);
    fillPlanes({}, problem, spectra.data(), planes.data());
    for (std::size_t bin = 0; bin < 2; ++bin) {
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t column = 0; column < 8; ++column) {
                const std::size_t at = 2 * ((bin * 3 + row) * 8 + column);
                const auto value =
                    column < 5 ? static_cast<float>((row * 5 + column) * 2 + bin + 1) : 0.0F;
                EXPECT_EQ(planes[at], value);
                EXPECT_EQ(planes[at + 1], -value);
            }
        }
    }
}

/// 11 x 11 threads with 15 bins: section 4.3.5 counts 15488 bytes of 16384.
TEST(LadderHerikstad, TileIsAsLargeAsPublished) {
    EXPECT_EQ(apronTileBytes(11, 15), 15488U);
    EXPECT_EQ(apronTileBytes(5, 79), 16000U); // section 5.3.1: the widest band
}

TEST(LadderHerikstad, CpuHasNeitherTilesNorTextures) {
    const ApronProblem problem{4, 4, 1, 0.1F};
    const std::vector<Complex> values(16, {1.0F, 0.0F});
    std::vector<Complex> out(16);
    for (const NeighbourMemory memory : {NeighbourMemory::Shared, NeighbourMemory::Texture})
        EXPECT_THROW(
            apronIteration({}, memory, problem, 11, {values.data(), 0}, values.data(), out.data()),
            std::logic_error);
}

TEST(LadderHerikstad, CastRoundsToTheNearestFloat) {
    const std::vector<double> in{0.0, 1.0 / 3.0, -1.0 - 0x1p-24, 1.0 + 0x1.8p-23, 1e300};
    std::vector<float> out(in.size(), 7.0F);
    castToFloat({}, in.data(), 4, out.data());
    EXPECT_EQ(out[0], 0.0F);
    EXPECT_EQ(out[1], 0x1.555556p-2F);
    EXPECT_EQ(out[2], -1.0F) << "halfway, to even";
    EXPECT_EQ(out[3], 1.0F + 0x1p-22F) << "halfway, to even";
    EXPECT_EQ(out[4], 7.0F) << "beyond the count";
}

} // namespace
} // namespace echolux::ladder
