// SPDX-License-Identifier: GPL-3.0-or-later
// Distance, directivity and spreading of rectangular and of long elements.
#include "app/source/element_response.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace echolux {

namespace {

constexpr double kReferenceM = 10e-3;
constexpr double kMostParts = 32.0;

double sinc(double x) {
    const double angle = std::numbers::pi * x;
    return std::abs(angle) < 1e-9 ? 1.0 : std::sin(angle) / angle;
}

double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Whether a point lies beside the line, not beyond its ends.
bool isBeside(const Point& offset, LongAxis line, double halfLengthM) {
    return std::abs(line == LongAxis::Lateral ? offset.x : offset.y) <= halfLengthM;
}

} // namespace

ElementResponse::ElementResponse(const Probe& probe, double wavelengthM, double nearestM)
    : m_widthM(probe.elementWidthM), m_heightM(probe.elementHeightM),
      m_focusM(probe.elevationFocusM), m_wavelengthM(wavelengthM) {
    const std::vector<Point> normals = faceNormals(probe);
    for (std::size_t e = 0; e < probe.elements.size(); ++e) {
        const Point& n = normals[e];
        const LongAxis line = probe.longAxes.empty() ? LongAxis::None : probe.longAxes[e];
        Face face{probe.elements[e], n, {n.z, 0.0, -n.x}, {0.0, 1.0, 0.0}, line};
        if (line == LongAxis::Lateral) std::swap(face.along, face.across);
        m_faces.push_back(face);
    }
    const bool lines =
        std::ranges::any_of(probe.longAxes, [](LongAxis axis) { return axis != LongAxis::None; });
    // The near field of a part of height p, p^2 / (4 lambda), is an eighth of the nearest distance.
    const double most = std::sqrt(0.5 * wavelengthM * nearestM);
    if (!lines && m_heightM > 0.0)
        m_parts =
            static_cast<std::size_t>(std::clamp(std::ceil(m_heightM / most), 1.0, kMostParts));
    m_partHeightM = m_heightM / static_cast<double>(m_parts);
}

double ElementResponse::spreading(double distanceM, LongAxis line) const {
    const double ratio = kReferenceM / std::max(distanceM, m_wavelengthM);
    return line != LongAxis::None || m_heightM == 0.0 ? std::sqrt(ratio) : ratio;
}

Path ElementResponse::path(std::size_t element, std::size_t part, const Point& from) const {
    const Face& face = m_faces[element];
    const double count = static_cast<double>(m_parts);
    const double aside = (static_cast<double>(part) - 0.5 * (count - 1.0)) * m_partHeightM;
    Point to{from.x - face.centre.x - aside * face.across.x,
             from.y - face.centre.y - aside * face.across.y,
             from.z - face.centre.z - aside * face.across.z};
    if (face.line != LongAxis::None) {
        if (m_heightM > 0.0 && !isBeside(to, face.line, 0.5 * m_heightM)) return {1.0, 0.0};
        (face.line == LongAxis::Lateral ? to.x : to.y) = 0.0;
    }
    const double distanceM = std::sqrt(dot(to, to));
    if (!(distanceM > 0.0)) return {1.0, 0.0};
    const double cosine = dot(to, face.normal) / distanceM;
    double lens = 0.0;
    double slope = 0.0; // by which the lens turns the part, as a sine
    if (m_focusM > 0.0) {
        const double toFocusM = std::hypot(m_focusM, aside);
        lens = m_focusM - toFocusM;
        slope = aside / toFocusM;
    }
    if (cosine <= 0.0) return {distanceM + lens, 0.0};
    double gain = spreading(distanceM, face.line) * cosine *
                  sinc(m_widthM * dot(to, face.along) / distanceM / m_wavelengthM);
    if (face.line == LongAxis::None)
        gain *= sinc(m_partHeightM * (dot(to, face.across) / distanceM + slope) / m_wavelengthM) /
                count;
    return {distanceM + lens, gain};
}

} // namespace echolux
