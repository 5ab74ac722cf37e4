// SPDX-License-Identifier: GPL-3.0-or-later
// Which samples of a transmit's channels make a pixel (Jarosik, Lewandowski and Yiu 2024, Eq. 1):
// the delay curve over the channels and the weight of each sample that it picks.
#pragma once

#include "app/lab/beam_geometry.hpp"

#include <cstdint>
#include <vector>

namespace echolux::lab {

struct PickedSample {
    std::int64_t channel = 0; ///< channel of the transmit's record
    std::int64_t element = 0;
    double timeS = 0.0;  ///< on the clock of Transmit::firstSampleS: DelayCurve::outS and backS
    double backS = 0.0;  ///< receive leg alone: from the pixel to the element (van Bavel 2013,
                         ///< 2.3); twice that with TravelTime::Back
    float weight = 0.0F; ///< receive apodization times the recording's weight; 0 outside the record
};

struct DelayCurve {
    std::int64_t transmit = 0;
    bool images = false; ///< the transmit is switched on, and the beamformer uses its wave at the
                         ///< pixel
    double outS = 0.0;   ///< transmit leg alone: when the wave is at the pixel, on the same clock;
                         ///< the t0 offset with TravelTime::Back
    std::vector<PickedSample> samples =
        {};                  ///< one for each element that was heard, by rising channel
    std::size_t counted = 0; ///< number of samples with weight > 0
};

/// The same beamformer with all transmits of the frame switched on.
BeamGeometry withAllTransmits(const BeamGeometry& geometry);

/// Computes the curve with the beamformer's own functions, also for a transmit that is switched
/// off. There are no samples where the pixel lies on a beam of another transmit. Precondition: the
/// frame has the transmit.
DelayCurve delayCurve(const BeamGeometry& geometry, PlanePoint pixel, std::int64_t transmit);

/// The curves of pixels above and below one another, and what the aperture saves (Gronvold 2008,
/// 4.1.3).
struct DelayFamily {
    std::vector<DelayCurve> curves; ///< from the shallowest to the deepest
    /// Of the samples that all pixels of the line would sum from all elements, those with weight 0:
    /// outside the aperture or the record. Found at many more depths than there are curves.
    double skipped = 0.0;
};

/// `count` curves at even depths of the image, on the vertical line through `pixel`; on a grid of
/// beams that fan out, on the line from the middle of the array through it. Precondition as above.
DelayFamily delayFamily(const BeamGeometry& geometry, PlanePoint pixel, std::int64_t transmit,
                        int count);

} // namespace echolux::lab
