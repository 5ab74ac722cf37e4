// SPDX-License-Identifier: GPL-3.0-or-later
// The FFT contract on FFTW: against the defining sum, and its refusals.
#include "tests/gpu/fft_run.hpp"

#include "gpu/core/error.hpp"

#include <gmock/gmock.h>

namespace echolux {
namespace {

TEST(Fft, MatchesTheDefiningSum) { test::expectAllFftShapes(Backend::Cpu); }

TEST(Fft, FastLengthsAreEvenSmoothAndClose) {
    EXPECT_EQ(fastFftLength(1), 2);
    EXPECT_EQ(fastFftLength(127), 128);
    EXPECT_EQ(fastFftLength(211), 216);
    for (std::int64_t n = 1; n < 3000; ++n) {
        std::int64_t length = fastFftLength(n);
        EXPECT_GE(length, n);
        EXPECT_EQ(length % 2, 0);
        EXPECT_LE(length, n + n / 8 + 8);
        for (const std::int64_t prime : {2, 3, 5, 7}) {
            while (length % prime == 0) length /= prime;
        }
        EXPECT_EQ(length, 1) << n;
    }
}

TEST(Fft, RefusesImpossibleShapes) {
    EXPECT_THROW(makeFft(Backend::Cpu, {FftKind::ComplexForward, 0, 1, {}, {}}), Error);
    EXPECT_THROW(makeFft(Backend::Cpu, {FftKind::ComplexForward, 8, 0, {}, {}}), Error);
    EXPECT_THROW(makeFft(Backend::Cpu, {FftKind::ComplexForward, 8, 1, {0, 1}, {}}), Error);
    EXPECT_THROW(makeFft(Backend::Cpu, {FftKind::ComplexForward, std::int64_t{1} << 40, 1, {}, {}}),
                 Error);
}

} // namespace
} // namespace echolux
