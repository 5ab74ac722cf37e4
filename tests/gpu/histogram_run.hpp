// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of known values, on either backend.
#pragma once

#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include "gpu/image/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux::test {

inline HistogramCounts histogramOf(Backend backend, const std::vector<float>& values,
                                   const HistogramScale& scale) {
    const Stream stream(backend, "test");
    const Exec exec{backend, stream.get()};
    const GuardedBuffer data(exec, std::max<std::size_t>(values.size(), 1) * sizeof(float));
    const GuardedBuffer counts(exec, sizeof(HistogramCounts));
    upload(exec, data.data(), values.data(), values.size() * sizeof(float));
    countValues(exec, "test", static_cast<const float*>(data.data()),
                static_cast<std::int64_t>(values.size()), scale,
                static_cast<HistogramCounts*>(counts.data()));
    HistogramCounts found;
    download(exec, &found, counts.data(), sizeof(found));
    stream.synchronize();
    counts.check("the counts", stream);
    return found;
}

/// The definition, in double precision: floor((value - from) / width). No value may lie so near to
/// an edge that rounding decides.
inline HistogramCounts definedHistogram(const std::vector<float>& values,
                                        const HistogramScale& scale) {
    HistogramCounts counts;
    const double width = (double{scale.to} - double{scale.from}) / kHistogramBins;
    for (const float value : values) {
        const double place = std::floor((double{value} - double{scale.from}) / width);
        if (!std::isfinite(value) || value <= scale.nothing)
            ++counts.of[HistogramCounts::kNothing];
        else if (place < 0.0)
            ++counts.of[HistogramCounts::kBelow];
        else if (place >= kHistogramBins)
            ++counts.of[HistogramCounts::kAbove];
        else
            ++counts.of[static_cast<int>(place)];
    }
    return counts;
}

/// Numbers of values around those of a thread, a warp, a block and all blocks. Bins are 1/2 wide,
/// values stand at quarters of them.
inline void expectDefinedHistograms(Backend backend) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const HistogramScale scale{-96.0F, 32.0F, -200.0F};
    for (const std::size_t count : {0U, 1U, 31U, 256U, 257U, 65536U, 65537U, 300007U}) {
        std::vector<float> values = noise(count, 11);
        for (float& value : values) value = std::round(value * 480.0F) / 4.0F + 0.125F - 32.0F;
        for (std::size_t i = 5; i < count; i += 17)
            values[i] = i % 2 == 0 ? kInfinity : std::numeric_limits<float>::quiet_NaN();
        for (std::size_t i = 7; i < count; i += 41) values[i] = i % 2 == 0 ? -kInfinity : -200.0F;
        const HistogramCounts found = histogramOf(backend, values, scale);
        EXPECT_EQ(found, definedHistogram(values, scale)) << count << " values";
    }
}

} // namespace echolux::test
