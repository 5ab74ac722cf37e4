// SPDX-License-Identifier: GPL-3.0-or-later
// Singular parts on CUDA against those on the CPU.
#include "tests/gpu/flow_frames.hpp"
#include "tests/gpu/singular_run.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/vectors.hpp"

namespace echolux::test {
namespace {

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
        for (std::size_t k = 0; k < cpu.values.size(); ++k)
            EXPECT_NEAR(cuda.values[k].value / cpu.values[k].value, 1.0F, 5e-3F) << k;
    }
}

} // namespace
} // namespace echolux::test
