// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms on CUDA: against the definition, and the same as on the CPU wherever a value lies.
#include "tests/gpu/histogram_run.hpp"
#include "tests/support/gpu.hpp"

namespace echolux::test {
namespace {

TEST(HistogramGpu, CountsAsDefined) {
    ECHOLUX_NEED_GPU();
    expectDefinedHistograms(Backend::Cuda);
}

TEST(HistogramGpu, CountsAsTheCpuDoes) {
    ECHOLUX_NEED_GPU();
    for (const std::size_t count : {1U, 997U, 100003U}) {
        const std::vector<float> values = noise(count, 5);
        const HistogramScale scale{-0.7F, 0.9F, std::numeric_limits<float>::lowest()};
        EXPECT_EQ(histogramOf(Backend::Cuda, values, scale),
                  histogramOf(Backend::Cpu, values, scale))
            << count << " values";
    }
}

} // namespace
} // namespace echolux::test
