// SPDX-License-Identifier: GPL-3.0-or-later
// The pulses that reach one point, added up once and heard by every element.
#pragma once

#include "app/source/pulse_bank.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace echolux {

/// When a pulse reaches the point, in samples of the common clock, and how strong.
struct Arrival {
    double sample = 0.0;
    double gain = 0.0;
};

/// u(t) = sum over arrivals of gain p(t - sample), on a grid that is `fineness` times as fine as
/// the samples. It is read between its grid points by a cubic through four of them: at 24 grid
/// points per period within 1e-4 of the peak.
class TransmitField {
public:
    /// `pathM`: by which the pulse's shape is that of attenuation.
    void build(const PulseBank& pulses, double pathM, std::span<const Arrival> arrivals,
               std::size_t fineness);

    /// trace[i] += gain u(firstSample + i - delaySamples); whole `firstSample` of the common clock.
    void addTo(std::span<double> trace, std::ptrdiff_t firstSample, double delaySamples,
               double gain) const;

private:
    const double* row(std::ptrdiff_t fine, std::ptrdiff_t& shift) const;

    std::size_t m_fineness = 1;
    std::ptrdiff_t m_first = 0;  ///< sample of the common clock where the rows begin
    std::ptrdiff_t m_length = 0; ///< of a row
    std::vector<double> m_rows;  ///< [phase][sample]; phase q lies q / fineness behind the sample
};

} // namespace echolux
