// SPDX-License-Identifier: GPL-3.0-or-later
// Compares whole arrays and names the worst element.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace echolux::test {

/// |actual - expected| <= relative * max|expected| + absolute for every element; NaN never passes.
inline void expectNear(std::span<const float> actual, std::span<const float> expected,
                       double relative, double absolute = 0.0) {
    ASSERT_EQ(actual.size(), expected.size());
    double peak = 0.0;
    for (const float value : expected) peak = std::max(peak, std::fabs(static_cast<double>(value)));
    const double allowed = relative * peak + absolute;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double difference = std::fabs(static_cast<double>(actual[i]) - expected[i]);
        ASSERT_TRUE(difference <= allowed) << "element " << i << " is " << actual[i]
                                           << ", expected " << expected[i] << " within " << allowed;
    }
}

} // namespace echolux::test
