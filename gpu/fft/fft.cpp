// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of shapes, choice of the implementation, sizes.
#include "gpu/fft/fft_backends.hpp"

#include "gpu/core/complex.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace echolux {
namespace {

constexpr std::int64_t kMaxLength = std::int64_t{1} << 26;

void check(const FftShape& shape) {
    const auto positive = [](const FftLayout& layout) {
        return layout.stride >= 1 && layout.distance >= 1 &&
               layout.stride <= std::numeric_limits<int>::max() / 2 &&
               layout.distance <= std::numeric_limits<int>::max() / 2;
    };
    if (shape.length < 1 || shape.length > kMaxLength || shape.batch < 1 || !positive(shape.in) ||
        !positive(shape.out)) {
        throw Error(fmt::format("An FFT of {} x {} samples cannot be planned; choose fewer samples "
                                "per line (1 to {}).",
                                shape.batch, shape.length, kMaxLength));
    }
}

bool isSmooth(std::int64_t n) {
    for (const std::int64_t prime : {2, 3, 5, 7}) {
        while (n % prime == 0) n /= prime;
    }
    return n == 1;
}

} // namespace

std::unique_ptr<Fft> makeFft(Backend backend, const FftShape& shape) {
    check(shape);
    return backend == Backend::Cuda ? makeCufft(shape) : makeFftw(shape);
}

std::size_t fftWorkspaceBytes(const FftShape& shape) {
    // Two complex copies of the data suffice for smooth lengths in one step. The floor lets a
    // single transform of any length fit, because Bluestein's method pads to more than 2 N. The
    // cuFFT side splits a batch that needs more than this.
    constexpr std::size_t kFloorPerSample = 16;
    constexpr std::size_t kFloorBytes = std::size_t{1} << 20;
    const auto length = static_cast<std::size_t>(std::max<std::int64_t>(shape.length, 1));
    const auto batch = static_cast<std::size_t>(std::max<std::int64_t>(shape.batch, 1));
    const std::size_t bytes = 2 * length * batch * sizeof(Complex);
    return std::max(bytes, kFloorBytes + kFloorPerSample * length * sizeof(Complex));
}

std::int64_t fastFftLength(std::int64_t atLeast) {
    std::int64_t length = std::max<std::int64_t>(2, atLeast + atLeast % 2);
    while (!isSmooth(length)) length += 2;
    return length;
}

} // namespace echolux
