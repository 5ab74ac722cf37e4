// SPDX-License-Identifier: GPL-3.0-or-later
// Singular parts on CUDA against those on the CPU.
#include "tests/gpu/flow_frames.hpp"
#include "tests/gpu/singular_run.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/vectors.hpp"

#include <limits>

namespace echolux::test {
namespace {

constexpr double kRounding = std::numeric_limits<float>::epsilon();
constexpr double kSums = 32.0; ///< roundings of a sum over the pixels

double squared(double value) { return value * value; }

TEST(SingularPartsGpu, BothBackendsFindTheSameValuesAndRanges) {
    ECHOLUX_NEED_GPU();
    const Vectors vectors("gpu/vectors/singular.txt");
    const HostFrame ensemble = filled(ensembleSpec(21, 18, 15), vectors["ensemble"]);
    for (const flow::SingularRule& rule :
         {flow::SingularRule{.by = flow::ChosenBy::Similarity},
          flow::SingularRule{
              .by = flow::ChosenBy::Limits, .leastRadians = 0.3F, .leastRatio = 2.66e-3F}}) {
        const FoundParts cpu = findParts(Backend::Cpu, ensemble, rule);
        const FoundParts cuda = findParts(Backend::Cuda, ensemble, rule);
        EXPECT_EQ(cpu.range.first, cuda.range.first);
        EXPECT_EQ(cpu.range.end, cuda.range.end);
        // Eigenvalues of a matrix of sums in single precision: each is known to a rounding of the
        // largest one, and to a few of its own.
        const double largest = squared(cpu.values[0].value);
        for (std::size_t k = 0; k < cpu.values.size(); ++k)
            EXPECT_NEAR(squared(cuda.values[k].value), squared(cpu.values[k].value),
                        kRounding * (largest + kSums * squared(cpu.values[k].value)))
                << k;
    }
}

} // namespace
} // namespace echolux::test
