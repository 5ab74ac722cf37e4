// SPDX-License-Identifier: GPL-3.0-or-later
// The loudness of played sound. It falls at once where sound would be too loud, and rises slowly.
#pragma once

#include "app/sound/doppler_sound.hpp"

#include <span>

namespace echolux {

class Loudness {
public:
    static constexpr float kPeak =
        0.5F; ///< the largest sample of sound that lasts; 1 is full scale

    /// `rateHz` of the sound, > 0.
    explicit Loudness(double rateHz);
    /// Scales consecutive pieces. No sample is larger than kPeak. Silence stays silence.
    void level(std::span<StereoSample> sound);

private:
    double m_rateHz;
    float m_loudest = 0.0F; ///< of the past, fading
};

} // namespace echolux
