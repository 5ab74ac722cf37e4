// SPDX-License-Identifier: GPL-3.0-or-later
// What a set of transforms does, for the performance model.
#pragma once

#include "gpu/fft/fft.hpp"
#include "gpu/model/part.hpp"

#include <vector>

namespace echolux {

/// The kernels of one Fft::run(). Operations are the usual 5 N log2 N per complex transform of N
/// points (3 additions, 2 multiplications), half of it for real ones. Bytes are those of one pass
/// over input and output; lengths above 4096 take two passes through device memory on CUDA.
/// NOTE: the kernels of cuFFT and FFTW are not open. Their passes, registers and real counts of
/// operations are assumed.
std::vector<model::Kernel> fftWork(Backend backend, const FftShape& shape);

} // namespace echolux
