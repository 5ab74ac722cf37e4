// SPDX-License-Identifier: GPL-3.0-or-later
// A few bins of the Fourier transform of channels that were aligned before, neither padded nor
// tapered (Herikstad 2009, sections 4.2.2 and 4.2.3).
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/exec/exec.hpp"

#include <cstdint>
#include <vector>

namespace echolux::aberration {

/// exp(-2 pi j n / samples) for 0 <= n < samples.
std::vector<Complex> turnsOf(std::int64_t samples);

/// samplesPerChannel and places times bins below 2^31:
/// out[place][bin] = sum_n x[place][n] exp(-2 pi j (firstBin + bin) n / samples). All in compute
/// memory.
void alignedBins(const Exec& exec, const float* samples, std::int64_t places,
                 std::int64_t samplesPerChannel, std::int64_t firstBin, std::int64_t bins,
                 const Complex* turns, Complex* out);

} // namespace echolux::aberration
