// SPDX-License-Identifier: GPL-3.0-or-later
// The beam over depth, and the beam of one transmit focus: Gronvold 2008, sections 2.1 and 2.2 and
// their figures. One frequency, as in beam_shape.hpp, whose formulas and omissions hold here too.
// Reception follows the depth: each row is focused on the beam's line at its range. A transmit with
// focus f and weights a sends sum_e a(e) D(e, q) exp(i k (|q - e| - |f - e|)).
#pragma once

#include "app/lab/beam_section.hpp"
#include "app/lab/beam_shape.hpp"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace echolux::lab {

/// A transmit in the direction of the beam's line.
struct TransmitFocus {
    double rangeM = 0.0;    ///< of the focus, along the line
    double apertureM = 0.0; ///< length of the part of the array that sends, around the line's start
    bool operator==(const TransmitFocus&) const = default;
};

/// Weight of each element in that transmit: the window of reception over its aperture.
std::vector<double> focusWeights(const BeamGeometry& geometry, const BeamLine& line,
                                 const TransmitFocus& focus);

enum class BeamPart { Sent, Heard, Both };

struct BeamMap {
    bool overAngle = false;             ///< as in BeamShape
    std::vector<double> across = {};    ///< rising
    std::vector<double> depthsM = {};   ///< rising, the range of each row
    std::vector<double> magnitude = {}; ///< [depth][across], without a unit
    /// Per row: the ends of the main lobe 6 dB below the row's maximum; empty where a side does not
    /// fall that low.
    std::vector<std::optional<std::pair<double, double>>> lobe = {};

    bool empty() const { return magnitude.empty(); }
    bool isDark() const; ///< no value is above 0
    /// `values`: of one depth, as many as `across` has. Finds its lobe. Rows may be set by several
    /// threads.
    void setRow(std::size_t row, const std::vector<double>& values);
};

struct BeamMapSize {
    std::size_t columns = 161;
    std::size_t rows = 160;
};

/// A map through `pixel` over the image's width and depth whose values are 0.
BeamMap emptyMap(const BeamGeometry& geometry, PlanePoint pixel, const BeamMapSize& size);

/// The beam through `pixel` over the image's width and depth. `focus`: the transmit; empty: the
/// recorded transmits as the beamformer sums them. Empty where it was stopped, and where no
/// transmit or element counts.
BeamMap beamMap(const BeamGeometry& geometry, PlanePoint pixel, BeamPart part,
                const std::optional<TransmitFocus>& focus, const BeamMapSize& size,
                const std::stop_token& stop);

/// The beam of one transmit focus in numbers. Widths at -6 dB, in the unit of BeamMap::across;
/// empty as in BeamPattern.
struct FocusNumbers {
    std::size_t elements = 0; ///< that send
    std::optional<double> widthAtFocus = {};
    std::optional<double> widthAtPixel = {}; ///< at the pixel's range
    /// Ranges in m between which the field on the line is at most 6 dB below its maximum there;
    /// empty: it does not fall that low within the image.
    std::optional<double> nearM = {};
    std::optional<double> farM = {};
};

FocusNumbers focusNumbers(const BeamGeometry& geometry, PlanePoint pixel,
                          const TransmitFocus& focus);

/// Distance between the first and the last element, with half an element beyond each, in m.
double arrayLength(const BeamGeometry& geometry);
/// 1 cm as in the document's figure, or the whole array where it is shorter.
double usualAperture(const BeamGeometry& geometry);
/// Four focal depths at even distances over the image's depth, in whole millimetres.
std::vector<double> usualFoci(const BeamGeometry& geometry, PlanePoint pixel);

} // namespace echolux::lab
