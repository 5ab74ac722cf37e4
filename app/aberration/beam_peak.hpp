// SPDX-License-Identifier: GPL-3.0-or-later
// The brightness of a region's brightest points, with and without delays per element.
#pragma once

#include "gpu/aberration/aberration_params.hpp"
#include "gpu/beamform/beamform_model.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/frame_spec.hpp"

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace echolux::aberration {

struct BrightPoint {
    double lateralM = 0.0;
    double depthM = 0.0;
    double magnitude = 0.0; ///< magnitude of the sum over transmits and elements
};

/// Sums channels at single points over all elements and transmits, with the recording's weights.
class BeamSums {
public:
    /// `samples` are complex channel data [transmit][channel][sample] and must outlive this. Throws
    /// Error where they cannot be beamformed.
    BeamSums(const FrameSpec& input, const Complex* samples, const FocusParams& params);

    /// The sum at one point. Samples are read later by `delayS`, one delay per element; empty: no
    /// delays. Only every `stride`-th transmit is summed.
    std::complex<double> at(double lateralM, double depthM, std::span<const double> delayS,
                            std::int32_t stride = 1) const;
    /// The `count` brightest points of the region, brightest first and well apart. They lie on a
    /// grid of half a wavelength in depth and one beam width across.
    std::vector<BrightPoint> brightest(std::size_t count, std::span<const double> delayS) const;
    /// The point of largest magnitude within a few wavelengths of `near`, found to a small fraction
    /// of a wavelength.
    BrightPoint peakNear(const BrightPoint& near, std::span<const double> delayS) const;

private:
    das::Model m_model;
    das::Constants m_constants;
    const Complex* m_samples;
    FocusParams m_params;
    double m_samplingHz;
    double m_demodulationHz;
    double m_wavelengthM;
    std::int64_t m_length; ///< samples of a record
};

} // namespace echolux::aberration
