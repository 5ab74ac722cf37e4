// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms on the CPU: against the definition, at the edges, and of equal values.
#include "tests/gpu/histogram_run.hpp"

#include <numeric>

namespace echolux::test {
namespace {

constexpr float kLowest = std::numeric_limits<float>::lowest();

TEST(HistogramCpu, CountsAsDefined) { expectDefinedHistograms(Backend::Cpu); }

TEST(HistogramCpu, AnEdgeBelongsToTheBinAboveIt) {
    const HistogramCounts counts = histogramOf(
        Backend::Cpu, {0.0F, 1.0F, 255.0F, 255.9F, 256.0F, -0.1F}, {0.0F, 256.0F, kLowest});
    EXPECT_EQ(counts.of[0], 1U);
    EXPECT_EQ(counts.of[1], 1U);
    EXPECT_EQ(counts.of[255], 2U);
    EXPECT_EQ(counts.of[HistogramCounts::kAbove], 1U);
    EXPECT_EQ(counts.of[HistogramCounts::kBelow], 1U);
    EXPECT_EQ(counts.of[HistogramCounts::kNothing], 0U);
}

TEST(HistogramCpu, ARampFillsEveryBinAlike) {
    std::vector<float> ramp(256 * 100);
    for (std::size_t i = 0; i < ramp.size(); ++i)
        ramp[i] = (static_cast<float>(i) + 0.5F) / static_cast<float>(ramp.size());
    const HistogramCounts counts = histogramOf(Backend::Cpu, ramp, {0.0F, 1.0F, kLowest});
    for (int bin = 0; bin < kHistogramBins; ++bin) EXPECT_EQ(counts.of[bin], 100U) << bin;
}

TEST(HistogramCpu, EqualValuesStandInOneBin) {
    const std::vector<float> same(100003, -12.3F);
    const HistogramCounts counts = histogramOf(Backend::Cpu, same, {-60.0F, 0.0F, -200.0F});
    EXPECT_EQ(*std::ranges::max_element(counts.of), same.size());
    EXPECT_EQ(std::accumulate(std::begin(counts.of), std::end(counts.of), std::size_t{0}),
              same.size());
}

} // namespace
} // namespace echolux::test
