// SPDX-License-Identifier: GPL-3.0-or-later
// One contract for batched one-dimensional FFTs in single precision; FFTW on the CPU, cuFFT on
// CUDA.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace echolux {

enum class FftKind {
    ComplexForward, ///< Y[k] = sum_n x[n] exp(-2 pi j k n / N), N complex to N complex
    ComplexInverse, ///< y[n] = sum_k X[k] exp(+2 pi j k n / N), N complex to N complex
    RealToComplex,  ///< ComplexForward of N reals, the first N / 2 + 1 values (the rest mirrors)
    ComplexToReal,  ///< ComplexInverse of N / 2 + 1 values that stand for a mirrored spectrum
};

/// Position of sample n of transform b: element b * distance + n * stride. [line][sample] has {1,
/// N}; transforms along the first axis of [sample][line] have {lines, 1}.
struct FftLayout {
    std::int64_t stride = 1;
    std::int64_t distance = 1;
};

struct FftShape {
    FftKind kind = FftKind::ComplexForward;
    std::int64_t length = 1; ///< N, of the time-domain side for the real kinds
    std::int64_t batch = 1;
    FftLayout in;  ///< in elements of the input's type
    FftLayout out; ///< in elements of the output's type
};

/// A planned set of transforms. No kind scales: forward then inverse multiplies by N.
class Fft {
public:
    virtual ~Fft() = default;
    /// Out of place; `in` and `out` are 64-byte aligned and do not overlap. `work` holds
    /// fftWorkspaceBytes(shape) bytes, 256-byte aligned, and belongs to this call until its stream
    /// has run it. So one plan serves several frames in flight on different streams. ComplexToReal
    /// may overwrite `in`. On CUDA, calls come from one thread at a time, because cuFFT keeps
    /// stream and work area in the plan until the launch.
    virtual void run(const Exec& exec, void* in, void* out, void* work) const = 0;
};

/// Throws Error where the shape is impossible or the library refuses it. Slow: for prepare() only.
std::unique_ptr<Fft> makeFft(Backend backend, const FftShape& shape);

/// Bytes of scratch memory that run() needs on either backend. Pure, for plan().
std::size_t fftWorkspaceBytes(const FftShape& shape);

/// Smallest even length >= `atLeast` without prime factors above 7. Both libraries are fast for
/// such lengths.
std::int64_t fastFftLength(std::int64_t atLeast);

} // namespace echolux
