// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one FFT shape on a backend and compares it with the direct sum.
#pragma once

#include "tests/gpu/fft_cases.hpp"

#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace echolux::test {

/// Largest error over all outputs, relative to sqrt(N), the rms of a transform of unit noise.
inline double fftError(Backend backend, const FftShape& shape, unsigned seed) {
    const std::vector<float> in = fftInput(shape, seed);
    const bool realOut = shape.kind == FftKind::ComplexToReal;
    std::vector<float> out(extent(shape.out, outCount(shape), shape.batch) * (realOut ? 1 : 2));
    const Stream stream(backend, "test");
    const Exec exec{backend, stream.get()};
    const MemoryKind kind = computeMemory(backend);
    const Buffer inBuffer(kind, in.size() * sizeof(float));
    const Buffer outBuffer(kind, out.size() * sizeof(float));
    const Buffer work(kind, fftWorkspaceBytes(shape));
    upload(exec, inBuffer.data(), in.data(), inBuffer.bytes());
    fillBytes(exec, work.data(), 0xFF, work.bytes());
    const auto fft = makeFft(backend, shape);
    fft->run(exec, inBuffer.data(), outBuffer.data(), work.data());
    download(exec, out.data(), outBuffer.data(), outBuffer.bytes());
    stream.synchronize();

    double worst = 0.0;
    for (std::int64_t b = 0; b < shape.batch; ++b) {
        const auto expected = directTransform(shape, in, b);
        for (std::int64_t k = 0; k < outCount(shape); ++k) {
            const auto place =
                static_cast<std::size_t>(b * shape.out.distance + k * shape.out.stride);
            const std::complex<double> seen =
                realOut ? std::complex<double>(out[place])
                        : std::complex<double>(out[2 * place], out[2 * place + 1]);
            const double error = std::abs(seen - expected[static_cast<std::size_t>(k)]);
            if (!(error <= worst)) worst = error; // NaN counts as worst
            if (std::isnan(worst)) return std::numeric_limits<double>::infinity();
        }
    }
    return worst / std::sqrt(static_cast<double>(shape.length));
}

inline void expectAllFftShapes(Backend backend) {
    unsigned seed = 1;
    for (const FftShape& shape : fftShapes()) {
        EXPECT_LT(fftError(backend, shape, seed), 3e-6)
            << "kind " << static_cast<int>(shape.kind) << ", length " << shape.length << ", batch "
            << shape.batch << ", in stride " << shape.in.stride << ", out stride "
            << shape.out.stride << ", seed " << seed;
        ++seed;
    }
}

} // namespace echolux::test
