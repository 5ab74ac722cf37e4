// SPDX-License-Identifier: GPL-3.0-or-later
// How the elements of any array hear, and are heard at, points in space.
#pragma once

#include "gpu/echoes/element_path.hpp"

#include <vector>

namespace echolux {

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

    const echoes::ElementShape& shape() const { return m_shape; }
    const std::vector<echoes::ElementFace>& faces() const { return m_faces; }

private:
    echoes::ElementShape m_shape;
    std::vector<echoes::ElementFace> m_faces;
};

} // namespace echolux
