// SPDX-License-Identifier: GPL-3.0-or-later
// How strongly, and after which path, an element hears a point in space; the same holds for
// sending.
#pragma once

#include "gpu/echoes/element_path.hpp"

#include <vector>

namespace echolux {

/// An element has the width w along the array and the height h across it. It is split along its
/// height into parts of height p, short enough that q is in their far field. For a part at e with
/// the face normal n, and the point q at the distance r = |q - e|:
///   length  r + F - sqrt(F^2 + y^2), with F the depth of the lens's focus and y the part's offset
///   gain    G(r) cos(theta) sinc(w s / lambda) sinc(p u / lambda) / parts, with cos(theta) and s
///           the direction to q along normal and width, u that along the height and, by the lens,
///           y / sqrt(F^2 + y^2): a rectangle in a soft baffle (Selfridge, Kino and Khuri-Yakub,
///           Appl. Phys. Lett. 37, 1980), at the centre frequency
///   G       r0 / r; sqrt(r0 / r) where the height is unknown, or for a long element; r0 = 10 mm,
///           not above its value at one wavelength.
/// A long element is a line. Where q lies beside it, the coordinate along the line does not count.
/// A point beyond its ends is not heard, because the waves of the ends are left out. Nothing behind
/// the face is heard. Beyond half the focal depth of a lens, echoes are within 6 % of the one at
/// the focus.
class ElementResponse {
public:
    /// `nearestM` is the distance of the nearest point of interest.
    ElementResponse(const Probe& probe, double wavelengthM, double nearestM);

    const echoes::ElementShape& shape() const { return m_shape; }
    const std::vector<echoes::ElementFace>& faces() const { return m_faces; }

private:
    echoes::ElementShape m_shape;
    std::vector<echoes::ElementFace> m_faces;
};

} // namespace echolux
