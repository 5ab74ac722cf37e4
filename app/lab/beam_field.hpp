// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of one frequency at points beside a pixel; the formulas are those of beam_shape.hpp.
#pragma once

#include "app/lab/element_ways.hpp"

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux::lab {

using Field = std::vector<std::complex<double>>; ///< one value per point

/// The field of every element at every point, and sums of these fields.
class BeamField {
public:
    BeamField(const BeamGeometry& geometry, const PlanePoint& pixel,
              std::span<const PlanePoint> points);

    /// Heard with these weights of the elements, focused on the pixel.
    Field heard(const std::vector<float>& weights) const;
    /// Sent by the transmit Constants::transmit[number], in phase with the beamformer's delay to
    /// the pixel.
    Field sent(int number) const;
    /// Sent with these weights of the elements, focused on a point.
    Field focused(const std::vector<double>& weights, const PlanePoint& focus) const;

private:
    std::complex<double> turn(double pathM) const;
    void add(Field& sum, std::size_t element, std::complex<double> factor) const;

    const BeamGeometry& m_geometry;
    das::Constants m_constants;
    ElementWays m_ways;
    das::Place m_place;
    std::size_t m_points;
    std::vector<Field> m_element;
};

/// The fields of the running beamformer, for a pixel.
struct PixelFields {
    std::size_t transmits = 0; ///< number of summed transmits; 0: none images the pixel, and the
                               ///< fields are empty
    bool nearestAlone = false; ///< only the nearest transmit was used, because of `mostTerms`
    std::size_t elements = 0;  ///< number of elements that count in reception; 0: the fields are
                               ///< empty
    Field sent{};
    Field heard{}; ///< with the elements' weights in the nearest transmit
    Field both{};
};

/// Sums over transmits as the beamformer compounds them. Where transmits x elements x points exceed
/// `mostTerms`, only the nearest transmit is used.
PixelFields fieldsAt(const BeamGeometry& geometry, const PlanePoint& pixel,
                     std::span<const PlanePoint> points, std::int64_t mostTerms);

std::vector<double> magnitudeOf(const Field& field);
/// Relative to the highest value, or to `reference` where it is positive; not below `floorDb`.
std::vector<double> inDecibels(const std::vector<double>& magnitude, double floorDb,
                               double reference = 0.0);

/// The transmits whose waves image a place, as indices into Model::transmits.
std::vector<int> imagingTransmits(const BeamGeometry& geometry, const das::Place& place);

} // namespace echolux::lab
