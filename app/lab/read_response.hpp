// SPDX-License-Identifier: GPL-3.0-or-later
// Reading at a fraction of a sample: its taps and its frequency response (Gronvold 2008,
// figures 2.7, 2.9 and 2.10).
#pragma once

#include "app/lab/interpolator.hpp"

#include <vector>

namespace echolux::lab {

/// What one sample adds to a value read at n + fraction.
struct Tap {
    int offset = 0; ///< of the sample from sample n
    double weight = 0.0;
};

struct ReadResponse {
    double fraction = 0.0;
    /// The taps that are not 0, in the order of their offsets. An ideal interpolator has the
    /// weights sinc(offset - fraction).
    std::vector<Tap> taps;
    std::vector<double> frequencies; ///< cycles per sample, above 0 up to 0.5
    std::vector<double> magnitudeDb; ///< relative to 1, not below -200 dB
    std::vector<double> delay;       ///< phase delay in samples; ideally `fraction`
};

/// The response of reading at n + fraction, 0 <= fraction <= 1, for lines whose echoes lie in
/// `band`.
ReadResponse readResponse(const Interpolator& interpolator, double fraction, EchoBand band,
                          int points = 200);

/// readResponse() at `fractions` >= 2 fractions of equal distance, 0 and 1 included.
std::vector<ReadResponse> responseFamily(const Interpolator& interpolator, EchoBand band,
                                         int fractions = 9, int points = 100);

} // namespace echolux::lab
