// SPDX-License-Identifier: GPL-3.0-or-later
// How sharp the running beamformer sees at one pixel: the monochromatic pattern of what is sent, of
// what is heard, and of both, across the pixel.
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
    std::vector<double> levelDb; ///< re its own maximum, not below kFloorDb
    double peak = 0.0;           ///< where that lies, as BeamShape::across
    std::optional<double> width; ///< of the main lobe at -6 dB; empty: a side does not fall so low
    std::optional<double> sideLobeDb; ///< the highest one; empty: there is none
};

struct BeamShape {
    static constexpr double kFloorDb = -80.0;
    /// Terms that are summed; where there were more, the nearest transmit stands for all.
    static constexpr std::int64_t kMostTerms = 100'000'000;

    bool overAngle = false;       ///< `across` counts rad round the sector's apex, else m
    std::vector<double> across{}; ///< rising
    double pixelAt = 0.0;         ///< the pixel's place on it
    double depthM = 0.0;          ///< of the pixel, over angle its range
    std::size_t transmits = 0;    ///< summed; 0: none images the pixel, and the patterns are empty
    bool nearestAlone = false;    ///< because of kMostTerms
    std::size_t elements = 0;     ///< that count in reception
    BeamPattern sent{};
    BeamPattern heard{};
    BeamPattern both{};
};

/// Over the image's whole width at the pixel's depth.
BeamShape beamShape(const BeamGeometry& geometry, PlanePoint pixel);

/// Width at -6 dB and highest side lobe of a pattern, found between its samples; the main lobe
/// ends at the minima beside the highest sample. Precondition: as many levels as places, two at
/// least.
BeamPattern measured(std::vector<double> levelDb, const std::vector<double>& across);

} // namespace echolux::lab
