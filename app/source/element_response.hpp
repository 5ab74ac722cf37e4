// SPDX-License-Identifier: GPL-3.0-or-later
// How the elements of any array hear, and are heard at, points in space.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <vector>

namespace echolux {

/// From one point to a part of an element.
struct Path {
    double lengthM = 0.0; ///< with the lens
    double gain = 0.0;
};

/// An element of width w (along the array) and height h (across it) is split across it into parts
/// short enough to be in their own far field, of height p. A part at e with the face normal n, seen
/// from the point q at the distance r = |q - e|:
///   length  r + F - sqrt(F^2 + y^2), with F the depth of the lens's focus and y the part's offset
///   gain    G(r) cos(theta) sinc(w s / lambda) sinc(p u / lambda) / parts, with cos(theta) and s
///           the direction to q along normal and width, u that along the height and, by the lens,
///           y / sqrt(F^2 + y^2): a rectangle in a soft baffle (Selfridge, Kino and Khuri-Yakub,
///           Appl. Phys. Lett. 37, 1980), at the centre frequency
///   G       r0 / r; sqrt(r0 / r) where the height is unknown, or for a long element; r0 = 10 mm,
///           not above its value at one wavelength.
/// A long element is a line: its coordinate along itself does not count where q is beside it, and q
/// beyond its ends is not heard (the waves of its ends are left out). Behind the face nothing is
/// heard. From half the focal depth of a lens on, echoes are within 6 % of the one at the focus.
class ElementResponse {
public:
    /// `nearestM`: no point of interest is nearer.
    ElementResponse(const Probe& probe, double wavelengthM, double nearestM);

    std::size_t parts() const { return m_parts; }
    std::size_t elements() const { return m_faces.size(); }
    Path path(std::size_t element, std::size_t part, const Point& from) const;

private:
    struct Face {
        Point centre;
        Point normal;
        Point along;  ///< unit vector of the width
        Point across; ///< unit vector of the height
        LongAxis line = LongAxis::None;
    };

    double spreading(double distanceM, LongAxis line) const;

    std::vector<Face> m_faces;
    std::size_t m_parts = 1;
    double m_widthM = 0.0;
    double m_heightM = 0.0;
    double m_partHeightM = 0.0;
    double m_focusM = 0.0;
    double m_wavelengthM = 0.0;
};

} // namespace echolux
