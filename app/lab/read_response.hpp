// SPDX-License-Identifier: GPL-3.0-or-later
// The frequency response of reading at a fraction of a sample (Gronvold 2008, figures 2.9 and
// 2.10).
#pragma once

#include "app/lab/interpolator.hpp"

#include <vector>

namespace echolux::lab {

struct ReadResponse {
    std::vector<double> frequencies; ///< cycles per sample, above 0 up to 0.5
    std::vector<double> magnitudeDb; ///< relative to 1, not below -200 dB
    std::vector<double> delay;       ///< phase delay in samples; ideally `fraction`
};

/// The response of reading at n + fraction, 0 <= fraction <= 1, for lines whose echoes lie in
/// `band`.
ReadResponse readResponse(const Interpolator& interpolator, double fraction, EchoBand band,
                          int points = 200);

} // namespace echolux::lab
