// SPDX-License-Identifier: GPL-3.0-or-later
// 4xUP agrees with its formula in double precision, and reads sines between their samples.
#include "gpu/ladder/four_times_up.hpp"
#include "tests/gpu/ladder/four_times_up_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace echolux::ladder {
namespace {

TEST(FourTimesUp, AgreesWithDoublePrecisionForAnyNumberOfTaps) {
    const std::vector<std::int16_t> codes = noiseCodes(3 * 130);
    for (const int taps : kEveryNumberOfTaps) {
        const UpProblem problem{.taps = taps, .lines = 3, .samples = 130};
        std::vector<float> up(4 * codes.size(), NAN);
        std::vector<std::int16_t> upCodes(up.size());
        fourTimesUp({}, problem, codes.data(), up.data());
        fourTimesUp({}, problem, codes.data(), upCodes.data());
        int clipped = 0;
        for (std::size_t i = 0; i < up.size(); ++i) {
            const double expected = upReference(problem, codes, i);
            ASSERT_NEAR(up[i], expected, 1e-5) << taps << " taps at " << i;
            ASSERT_NEAR(upCodes[i] / 32767.0, std::clamp(expected, -1.0, 1.0),
                        0.51 / 32767.0 + 1e-5)
                << taps << " taps at " << i;
            clipped += std::abs(expected) > 1.0 ? 1 : 0;
        }
        EXPECT_GT(clipped, 10);
    }
}

TEST(FourTimesUp, KeepsSamplesAndReadsASineBetweenThem) {
    constexpr std::int32_t kSamples = 400;
    constexpr double kCycles = 0.1;
    std::vector<std::int16_t> codes(2 * kSamples);
    for (std::int32_t n = 0; n < kSamples; ++n) {
        const double value = 0.8 * std::sin(2.0 * std::numbers::pi * kCycles * n);
        codes[static_cast<std::size_t>(n)] = static_cast<std::int16_t>(std::lround(value * 32767));
    }
    codes[kSamples + 200] = 32767; // the second line: an impulse
    for (const int taps : kEveryNumberOfTaps) {
        std::vector<float> up(4 * codes.size(), NAN);
        fourTimesUp({}, {.taps = taps, .lines = 2, .samples = kSamples}, codes.data(), up.data());
        for (std::size_t n = 0; n < codes.size(); ++n)
            ASSERT_FLOAT_EQ(up[4 * n], static_cast<float>(codes[n]) / 32767.0F) << n;
        for (std::size_t i = 120; i < 4 * kSamples - 120; ++i) {
            const double at = static_cast<double>(i) / 4.0;
            ASSERT_NEAR(up[i], 0.8 * std::sin(2.0 * std::numbers::pi * kCycles * at), 0.8 * 0.09)
                << taps << " taps at " << at;
        }
        // The impulse comes back as the filters: sinc, cut off.
        const std::size_t middle = 4 * (kSamples + 200);
        EXPECT_NEAR(up[middle + 2], 2.0 / std::numbers::pi, 1e-6);
        const auto before = static_cast<std::size_t>(taps / 2);
        const auto behind = static_cast<std::size_t>(taps - 1 - taps / 2);
        EXPECT_NE(up[middle - 4 * behind + 2], 0.0F);
        EXPECT_EQ(up[middle - 4 * (behind + 1) + 2], 0.0F);
        EXPECT_NE(up[middle + 4 * before + 2], 0.0F);
        EXPECT_EQ(up[middle + 4 * (before + 1) + 2], 0.0F);
    }
}

TEST(FourTimesUp, PartsLeaveOutWhatTheySay) {
    const std::vector<std::int16_t> codes = noiseCodes(64);
    UpProblem problem{.lines = 1, .samples = 64, .variant = UpVariant::NoLoads};
    std::vector<float> up(4 * codes.size(), NAN);
    fourTimesUp({}, problem, codes.data(), up.data());
    for (std::size_t i = 0; i < up.size(); ++i)
        ASSERT_NEAR(up[i], upOfUnloaded(11, i % 4), 1e-6) << i;
    // A CPU has no threads that could wait.
    problem.variant = UpVariant::NoBarrier;
    fourTimesUp({}, problem, codes.data(), up.data());
    for (std::size_t i = 0; i < up.size(); ++i)
        ASSERT_NEAR(up[i], upReference(problem, codes, i), 1e-5) << i;
}

TEST(FourTimesUp, RefusesOtherProblems) {
    const std::vector<std::int16_t> codes(4);
    std::vector<float> floats(16);
    std::vector<std::int16_t> up(16);
    const auto refused = [&](const UpProblem& problem) {
        EXPECT_THROW(fourTimesUp({}, problem, codes.data(), floats.data()), std::logic_error);
    };
    refused({.taps = 9, .lines = 1, .samples = 2});
    refused({.taps = 7, .lines = 1, .samples = 3});
    refused({.lines = 1, .samples = 2, .block = 100});
    refused({.lines = 1, .samples = 2, .block = 1024});
    refused({.taps = 7, .lines = 1, .samples = 2, .variant = UpVariant::NoLoads});
    EXPECT_THROW(fourTimesUp({}, {.lines = 1, .samples = 2, .variant = UpVariant::NoLoads},
                             codes.data(), up.data()),
                 std::logic_error);
}

} // namespace
} // namespace echolux::ladder
