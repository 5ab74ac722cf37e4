// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/element_ways.hpp"

#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/beamform/beamform_shadow.hpp"

#include <cmath>
#include <numbers>

namespace echolux::lab {
namespace {

double sinc(double x) {
    const double a = std::numbers::pi * x;
    return std::abs(a) < 1e-9 ? 1.0 : std::sin(a) / a;
}

} // namespace

ElementWays::ElementWays(const BeamGeometry& geometry)
    : m_geometry(geometry), m_constants(geometry.model().onHost()),
      m_elements(geometry.model().elements.size()),
      m_wavelengthM(das::wavelength(geometry.input(), geometry.params().soundSpeedMps)),
      m_widths(geometry.acquisition().probe.elementWidthM / m_wavelengthM) {}

PlanePoint ElementWays::placeOf(std::size_t element) const {
    const das::Element& at = m_constants.element[element];
    return {at.x, at.z};
}

ElementWay ElementWays::to(std::size_t element, const PlanePoint& point) const {
    const das::Element& at = m_constants.element[element];
    const das::Face face = m_constants.face != nullptr ? m_constants.face[element] : das::Face{};
    const double dx = (point.x - at.x) * face.countsX;
    const double dy = -at.y * face.countsY;
    const double dz = point.z - at.z;
    const double length = std::sqrt(dx * dx + dy * dy + dz * dz);
    const double ahead = dx * face.normalX + dy * face.normalY + dz * face.normalZ;
    const double aside = dx * face.normalZ - dz * face.normalX;
    if (!(ahead > 0.0)) return {length, 0.0};
    return {length, sinc(length > 0.0 ? m_widths * aside / length : 0.0)};
}

std::vector<Sender> ElementWays::senders(std::int64_t transmit) const {
    const Acquisition& acquisition = m_geometry.acquisition();
    const auto number = static_cast<std::size_t>(transmit);
    const Transmit& t = acquisition.transmits[number];
    std::vector<Sender> senders;
    if (t.wave == Wave::None) return senders;
    for (const std::size_t e : das::firingElements(acquisition, number)) {
        if (t.wave == Wave::Element && distance(e, t.source) > 1e-6) continue;
        const double weight = t.apodization.empty() ? 1.0 : static_cast<double>(t.apodization[e]);
        senders.push_back({e, weight, firesAt(t, e)});
    }
    return senders;
}

double ElementWays::distance(std::size_t element, const Point& from) const {
    const das::Element& at = m_constants.element[element];
    return std::hypot(at.x - from.x, at.y - from.y, at.z - from.z);
}

double ElementWays::firesAt(const Transmit& t, std::size_t element) const {
    const double range = std::hypot(t.source.x, t.source.y, t.source.z);
    switch (t.wave) {
    case Wave::Plane: {
        const Point way = direction(t, m_geometry.acquisition().steering);
        const das::Element& at = m_constants.element[element];
        return way.x * at.x + way.y * at.y + way.z * at.z;
    }
    case Wave::Diverging: return distance(element, t.source) - range;
    case Wave::Focused: return range - distance(element, t.source);
    case Wave::Element:
    case Wave::None: break;
    }
    return 0.0;
}

} // namespace echolux::lab
