// SPDX-License-Identifier: GPL-3.0-or-later
// A few bins of the Fourier transform of channels that are already aligned, without padding and
// taper (Herikstad 2009, sections 4.2.2 and 4.2.3).
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/exec/exec.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace echolux::aberration {

/// Neighbouring bins of a transform over all samples of a channel, counted from 0.
struct BinRange {
    std::int64_t first = 0;
    std::int64_t count = 0;

    bool operator==(const BinRange&) const = default;
};

/// `count` bins around the one nearest to `centreHz`. Throws Error, a sentence, where a frequency
/// is not positive, and where a bin would be below 0 or not below half the sampling frequency.
BinRange binsRound(double centreHz, double samplingHz, std::int64_t samples, std::int64_t count);
/// The number of bins within `bandwidthHz`, both ends included: at least one, at most `samples`.
std::int64_t binsWithin(double bandwidthHz, double samplingHz, std::int64_t samples);
/// The frequency of each bin in Hz. Throws Error where the bins are not within the transform.
std::vector<double> frequenciesOf(const BinRange& bins, double samplingHz, std::int64_t samples);

/// The phasors exp(-2 pi j n / samples) for 0 <= n < samples.
std::vector<Complex> turnsOf(std::int64_t samples);

/// out[place][bin] = sum_n x[place][n] exp(-2 pi j (bins.first + bin) n / samples). All in compute
/// memory. Throws Error where `out` does not hold as many values, or the bins do not lie within the
/// transform.
void alignedBins(const Exec& exec, const float* samples, std::int64_t places,
                 std::int64_t samplesPerChannel, const BinRange& bins, const Complex* turns,
                 std::span<Complex> out);
/// The same for samples of 16 bits, as a digitiser delivers them; the bins are in codes.
void alignedBins(const Exec& exec, const std::int16_t* samples, std::int64_t places,
                 std::int64_t samplesPerChannel, const BinRange& bins, const Complex* turns,
                 std::span<Complex> out);

} // namespace echolux::aberration
