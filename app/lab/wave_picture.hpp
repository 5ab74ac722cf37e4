// SPDX-License-Identifier: GPL-3.0-or-later
// How the waves of single elements interfere in front of an array (Gronvold 2008, figure 1.3):
//   field(q) = sum_e D(e, q) exp(i k (|q - e| + wait_e))
// with wait_e = max over the elements of |f - .| - |f - e| where the waves are delayed to meet in
// the focus f, else 0. D and k are those of beam_shape.hpp. The pressure at phase p of the period
// is the real part of field exp(-i p). Spreading and attenuation are left out.
#pragma once

#include "app/lab/beam_section.hpp"

#include <complex>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

namespace echolux::lab {

struct WaveSetup {
    std::size_t elements = 8; ///< that send: the ones nearest to the start of the beam's line
    double focusM = 0.0;      ///< range of the focus along the line
    bool delayed = true;      ///< false: all elements fire at once
    bool operator==(const WaveSetup&) const = default;
};

struct WavePicture {
    std::vector<double> lateralM = {};           ///< rising
    std::vector<double> depthM = {};             ///< rising
    std::vector<std::complex<float>> field = {}; ///< [depth][lateral]; `elements` where all waves
                                                 ///< are in phase
    std::vector<PlanePoint> senders = {};
    PlanePoint focus = {};
    double wavelengthM = 0.0;

    bool empty() const { return field.empty(); }
};

/// A square region before the array, down to one and a half times the focus. It is smaller where
/// `pixels` would not resolve a wavelength with four of them. Empty where it was stopped.
WavePicture wavePicture(const BeamGeometry& geometry, PlanePoint pixel, const WaveSetup& setup,
                        std::size_t pixels, const std::stop_token& stop);

} // namespace echolux::lab
