// SPDX-License-Identifier: GPL-3.0-or-later
// The test of interpolators by delayed copies of a sum of pulses (Gronvold 2008, section 2.6.4, Eq.
// 5); the README tells what the document leaves open.
#pragma once

#include "app/lab/interpolator.hpp"

#include <span>
#include <stop_token>
#include <vector>

namespace echolux::lab {

struct FilterTest {
    std::vector<double> frequencies; ///< of the pulses, in cycles per sample, 0 < f < 0.5
    double spread = 1.0;             ///< delays of the copies are spread evenly from 0 to this, in
                                     ///< samples
    double noise = 0.0; ///< white noise in each copy: its root mean square over that of the signal
};

/// Frequencies from 0.02 to 0.45 cycles per sample.
std::vector<double> usualFrequencies();

/// The signal-to-noise ratio of each interpolator at each frequency, in dB, at most 200. Uses all
/// cores of the CPU. Returns nothing where it was stopped.
std::vector<std::vector<double>> signalToNoiseDb(std::span<const Interpolator> interpolators,
                                                 const FilterTest& test,
                                                 const std::stop_token& stop = {});

} // namespace echolux::lab
