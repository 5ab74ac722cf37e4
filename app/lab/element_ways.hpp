// SPDX-License-Identifier: GPL-3.0-or-later
// The ways between points of the image plane and the elements of an array: length, directivity, and
// which elements fire when.
#pragma once

#include "app/lab/beam_geometry.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace echolux::lab {

/// From an element to a point.
struct ElementWay {
    double lengthM = 0.0;
    /// sinc(width sin(theta) / lambda), theta the angle from the element's normal; 0 behind the
    /// element.
    double directivity = 0.0;
};

/// An element that fires in a transmit.
struct Sender {
    std::size_t element = 0;
    double weight = 1.0;
    double pathM = 0.0; ///< path of the wave at which the element fires, on the common clock
};

/// Valid while the geometry is.
class ElementWays {
public:
    explicit ElementWays(const BeamGeometry& geometry);

    std::size_t size() const { return m_elements; }
    double wavelengthM() const { return m_wavelengthM; }
    PlanePoint placeOf(std::size_t element) const;
    ElementWay to(std::size_t element, const PlanePoint& point) const;
    /// The elements that fire in the frame's transmit number `transmit`.
    std::vector<Sender> senders(std::int64_t transmit) const;

private:
    double distance(std::size_t element, const Point& from) const;
    double firesAt(const Transmit& transmit, std::size_t element) const;

    const BeamGeometry& m_geometry;
    das::Constants m_constants;
    std::size_t m_elements;
    double m_wavelengthM;
    double m_widths; ///< width of an element in wavelengths
};

} // namespace echolux::lab
