// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/source/chirp.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {

std::complex<double> Chirp::at(double seconds) const {
    const double fromEnd = std::min(seconds, lengthS - seconds);
    if (fromEnd < 0.0) return 0.0;
    const double taper = kTaper * lengthS;
    const double window =
        fromEnd < taper ? 0.5 - 0.5 * std::cos(std::numbers::pi * fromEnd / taper) : 1.0;
    const double turns = seconds * (startHz + 0.5 * (endHz - startHz) * seconds / lengthS);
    return std::polar(window, 2.0 * std::numbers::pi * turns);
}

} // namespace echolux
