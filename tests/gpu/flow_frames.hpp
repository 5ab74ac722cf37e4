// SPDX-License-Identifier: GPL-3.0-or-later
// Ensembles for tests of flow.
#pragma once

#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace echolux::test {

inline constexpr double kFlowIntervalS = 1.0 / 3000.0;

/// An ensemble of complex images; `intervalS` 0: unknown.
inline FrameSpec ensembleSpec(std::int64_t frames, std::int64_t depths, std::int64_t laterals,
                              double intervalS = kFlowIntervalS) {
    FrameSpec image = imageSpec(depths, laterals);
    image.dtype = DType::ComplexF32;
    image.centreFrequencyHz = 4e6;
    image.frameIntervalS = intervalS;
    return ensembleOf(image, frames);
}

inline HostFrame filled(const FrameSpec& spec, const std::vector<float>& values) {
    HostFrame frame(spec);
    std::memcpy(frame.bytes.data(), values.data(), frame.bytes.size());
    return frame;
}

inline void expectClose(const HostFrame& frame, const std::vector<float>& expected,
                        double tolerance) {
    const auto values = frame.as<float>();
    ASSERT_EQ(values.size(), expected.size());
    double largest = 0.0;
    for (const float value : expected) largest = std::max(largest, std::abs(double{value}));
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(values[i], expected[i], tolerance * largest) << i;
}

} // namespace echolux::test
