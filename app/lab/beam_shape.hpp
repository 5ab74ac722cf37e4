// SPDX-License-Identifier: GPL-3.0-or-later
// The resolution of the running beamformer at one pixel: the monochromatic patterns of
// transmission, of reception, and of both, across the pixel.
//   heard(q) = sum_e w(e) D(e, q) exp(i k (|q - e| - |p - e|))
//   sent(q)  = sum_t exp(-i k path_t(p)) sum_e a(t, e) D(e, q) exp(i k (|q - e| + delay(t, e)))
// with the pixel p, a point q beside it, k = 2 pi f / c at the centre frequency f, w and a the
// weights of reception and transmission, path_t the beamformer's transmit path, delay(t, e) the
// path that element e waits, and D = sinc(width sin(theta) / lambda) the directivity of an element
// in a rigid baffle at the angle theta from its face's normal (Selfridge, Kino and Khuri-Yakub
// 1980, without the cosine of a soft one), 0 behind it. Both directions: sum_t of sent_t times
// heard_t. Spreading, attenuation, elevation and the pulse's bandwidth are left out.
#pragma once

#include "app/lab/beam_geometry.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace echolux::lab {

struct BeamPattern {
    std::vector<double> levelDb; ///< relative to its own maximum, not below kFloorDb
    double peak = 0.0;           ///< position of the maximum, in the unit of BeamShape::across
    std::optional<double> width; ///< width of the main lobe at -6 dB; empty: a side does not fall
                                 ///< that low
    double from = 0.0;           ///< where there is a width: the ends of the main lobe at -6 dB
    double to = 0.0;
    std::optional<double> sideLobeDb; ///< the highest one; empty: there is none
};

struct BeamShape {
    static constexpr double kFloorDb = -80.0;
    /// Most terms that are summed. Where there are more, only the nearest transmit is used.
    static constexpr std::int64_t kMostTerms = 100'000'000;

    bool overAngle = false;       ///< true: `across` is in rad about the sector's apex; false: in m
    std::vector<double> across{}; ///< rising
    double pixelAt = 0.0;         ///< position of the pixel on `across`
    double depthM = 0.0;          ///< depth of the pixel; where overAngle, its range
    std::size_t transmits = 0;    ///< number of summed transmits; 0: none images the pixel, and the
                                  ///< patterns are empty
    bool nearestAlone = false;    ///< only the nearest transmit was used, because of kMostTerms
    std::size_t elements = 0;     ///< number of elements that count in reception
    BeamPattern sent{};
    BeamPattern heard{};
    BeamPattern both{};
};

/// The patterns over the image's whole width at the pixel's depth.
BeamShape beamShape(const BeamGeometry& geometry, PlanePoint pixel);

/// Measures the width at -6 dB and the highest side lobe of a pattern, interpolated between its
/// samples. The main lobe ends at the minima beside the highest sample. Precondition: there are as
/// many levels as places, at least two.
BeamPattern measured(std::vector<double> levelDb, const std::vector<double>& across);

} // namespace echolux::lab
