// SPDX-License-Identifier: GPL-3.0-or-later
// Faces of a probe's elements, and the number of parts into which they are split.
#include "app/source/element_response.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

ElementResponse::ElementResponse(const Probe& probe, double wavelengthM, double nearestM) {
    const std::vector<Point> normals = faceNormals(probe);
    for (std::size_t e = 0; e < probe.elements.size(); ++e) {
        const Point& n = normals[e];
        const LongAxis line = probe.longAxes.empty() ? LongAxis::None : probe.longAxes[e];
        echoes::ElementFace face{probe.elements[e], n, {n.z, 0.0, -n.x}, {0.0, 1.0, 0.0}, line};
        if (line == LongAxis::Lateral) std::swap(face.along, face.across);
        m_faces.push_back(face);
    }
    const bool lines =
        std::ranges::any_of(probe.longAxes, [](LongAxis axis) { return axis != LongAxis::None; });
    // The near field of a part of height p, p^2 / (4 lambda), may be an eighth of the nearest
    // distance.
    const double most = std::sqrt(0.5 * wavelengthM * nearestM);
    constexpr double kMostParts = 32.0;
    const double height = probe.elementHeightM;
    const double parts =
        !lines && height > 0.0 ? std::clamp(std::ceil(height / most), 1.0, kMostParts) : 1.0;
    m_shape = {.parts = static_cast<int>(parts),
               .widthM = probe.elementWidthM,
               .heightM = height,
               .partHeightM = height / parts,
               .focusM = probe.elevationFocusM,
               .wavelengthM = wavelengthM};
}

} // namespace echolux
