// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/fft/fft_work.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

std::vector<model::Kernel> fftWork(Backend backend, const FftShape& shape) {
    constexpr std::int64_t kOnePass = 4096;
    constexpr double kComplexBytes = 8.0;
    const auto length = static_cast<double>(shape.length);
    const auto batch = static_cast<double>(shape.batch);
    const bool real = shape.kind == FftKind::RealToComplex || shape.kind == FftKind::ComplexToReal;
    const double half = real ? 0.5 : 1.0;
    const double bytes = kComplexBytes * length * half * batch; // of the input, and of the output
    const double passes = backend == Backend::Cuda && shape.length > kOnePass ? 2.0 : 1.0;
    const double stages = std::log2(std::max(length, 2.0)) / passes;
    model::Kernel pass{"fft", {std::ceil(batch), std::min(std::max(length / 8.0, 32.0), 256.0)}};
    pass.launch.registers = 40.0;
    pass.launch.sharedBytes = kComplexBytes * std::min(length, double{kOnePass}) * half;
    // One exchange through shared memory for three stages (radix 8), written and read.
    const double exchanges = std::max(std::ceil(stages / 3.0) - 1.0, 0.0);
    pass.parts = {{.name = "fetch", .globalBytes = bytes},
                  {.name = "compute",
                   .sharedBytes = 2.0 * exchanges * bytes,
                   .fmul = 2.0 * length * stages * half * batch,
                   .fadd = 3.0 * length * stages * half * batch,
                   .offsets = length * stages * half * batch,
                   .barriers = 2.0 * exchanges},
                  {.name = "store", .globalBytes = bytes}};
    return std::vector<model::Kernel>(static_cast<std::size_t>(passes), pass);
}

} // namespace echolux
