// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of van Bavel 2013 against their definitions in double precision, and where lines end.
#include "gpu/ladder/line_filters.hpp"
#include "gpu/ladder/matrix_product.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace echolux::ladder {
namespace {

TEST(LineFilters, AnImpulseBecomesTheAutocorrelationOfTheTaps) {
    const std::array taps{0.25F, 0.5F, -1.0F};
    constexpr std::int64_t kSamples = 9;
    std::vector<float> in(2 * kSamples, 0.0F);
    in[4] = 1.0F;                // the middle of the first line
    in[2 * kSamples - 1] = 1.0F; // the end of the second
    std::vector<float> between(in.size());
    std::vector<float> out(in.size());
    filterBothWays({}, LineMemory::Shared, taps, 2, kSamples, in.data(), between.data(),
                   out.data());
    EXPECT_THAT(std::vector(out.begin(), out.begin() + kSamples),
                testing::ElementsAre(0, 0, -0.25F, -0.375F, 1.3125F, -0.375F, -0.25F, 0, 0));
    EXPECT_THAT(std::vector(out.end() - 4, out.end()),
                testing::ElementsAre(0, -0.25F, 0.125F, 0.0625F))
        << "the first pass ends with the line, so part of the impulse is lost";
}

TEST(LineFilters, TheEnvelopeOfASineIsItsAmplitude) {
    constexpr std::int64_t kSamples = 200;
    std::vector<float> in;
    for (std::int64_t n = 0; n < kSamples; ++n)
        in.push_back(3.0F * static_cast<float>(
                                std::sin(0.5 * std::numbers::pi * static_cast<double>(n) + 0.3)));
    std::vector<float> out(in.size());
    hilbertEnvelope({}, LineMemory::Global, 15, 1, kSamples, in.data(), out.data());
    // The sum of the odd terms 4 / pi (1 - 1/3 + 1/5 ...) up to 15 is 0.9604.
    double gain = 0.0;
    for (int m = 1; m <= 15; m += 2) gain += 4.0 / std::numbers::pi * (m % 4 == 1 ? 1.0 : -1.0) / m;
    for (std::size_t n = 16; n + 16 < out.size(); ++n) {
        const double h =
            3.0 * gain * std::cos(0.5 * std::numbers::pi * static_cast<double>(n) + 0.3);
        EXPECT_NEAR(out[n], std::hypot(double{in[n]}, h), 1e-5) << n;
    }
}

TEST(MatrixProduct, IsThatOfTheDefinition) {
    constexpr std::int64_t kSide = 64;
    std::vector<float> a;
    std::vector<float> b;
    for (std::int64_t i = 0; i < kSide * kSide; ++i) {
        a.push_back(static_cast<float>(i % 7) - 3.0F);
        b.push_back(static_cast<float>(i % 11) - 5.0F);
    }
    std::vector<float> c(a.size());
    multiplyMatrices({}, kSide, a.data(), b.data(), c.data());
    for (std::size_t i = 0; i < c.size(); ++i) {
        double sum = 0.0;
        for (std::size_t k = 0; k < kSide; ++k)
            sum += double{a[i / kSide * kSide + k]} * double{b[k * kSide + i % kSide]};
        ASSERT_EQ(double{c[i]}, sum) << i;
    }
}

TEST(FrameworkKernels, RefuseSizesThatTheyCannotCompute) {
    const std::vector<float> taps(kMostFilterTaps + 1);
    EXPECT_THROW(filterBothWays({}, LineMemory::Shared, taps, 1, 1, nullptr, nullptr, nullptr),
                 std::logic_error);
    EXPECT_THROW(hilbertEnvelope({}, LineMemory::Shared, 33, 1, 1, nullptr, nullptr),
                 std::logic_error);
    EXPECT_THROW(multiplyMatrices({}, 33, nullptr, nullptr, nullptr), std::logic_error);
}

} // namespace
} // namespace echolux::ladder
