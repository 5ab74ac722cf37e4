// SPDX-License-Identifier: GPL-3.0-or-later
// Compares values of options with sensible ranges.
#include "app/source/option_range.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

namespace echolux {

void checkRange(const char* option, const char* unit, double shown, double least, double most) {
    if (shown >= least && shown <= most) return;
    throw Error(fmt::format("{} is {:g}{}, but only {:g} to {:g}{} make sense: choose a value in "
                            "between.",
                            option, shown, unit, least, most, unit));
}

void checkSampling(double samplingHz, double centreFrequencyHz, double fractionalBandwidth) {
    const double least = 2.0 * centreFrequencyHz * (1.0 + fractionalBandwidth / 2.0);
    if (!(samplingHz >= least))
        throw Error(fmt::format("--fs is {:g} MHz, too low for a pulse of {:g} MHz with {:g} % "
                                "bandwidth: choose at least {:g} MHz.",
                                samplingHz * 1e-6, centreFrequencyHz * 1e-6,
                                fractionalBandwidth * 100, least * 1e-6));
    checkRange("--fs", " MHz", samplingHz * 1e-6, 0.05, 1000);
}

} // namespace echolux
