// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/firing.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

double norm(const Point& a) { return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }

double distance(const Point& a, const Point& b) { return norm({a.x - b.x, a.y - b.y, a.z - b.z}); }

double transmitSpeedOf(const Acquisition& acquisition) {
    return acquisition.transmitSpeedMps > 0.0 ? acquisition.transmitSpeedMps
                                              : acquisition.soundSpeedMps;
}

double idealDelay(const Transmit& transmit, const Point& element, double soundSpeedMps,
                  Steering steering) {
    switch (transmit.wave) {
    case Wave::Plane: {
        const Point u = direction(transmit, steering);
        return (element.x * u.x + element.y * u.y + element.z * u.z) / soundSpeedMps;
    }
    case Wave::Diverging:
        return (distance(element, transmit.source) - norm(transmit.source)) / soundSpeedMps;
    case Wave::Focused:
        return (norm(transmit.source) - distance(element, transmit.source)) / soundSpeedMps;
    case Wave::Element:
    case Wave::None: break;
    }
    return 0.0;
}

std::int32_t firedAlone(const Acquisition& acquisition, const Transmit& transmit) {
    if (transmit.wave != Wave::Element) return -1;
    const auto& elements = acquisition.probe.elements;
    const auto nearest = std::ranges::min_element(
        elements, {}, [&](const Point& p) { return distance(p, transmit.source); });
    return static_cast<std::int32_t>(nearest - elements.begin());
}

bool fireInTurn(const Acquisition& acquisition) {
    const auto& transmits = acquisition.transmits;
    if (transmits.size() != acquisition.probe.elements.size()) return false;
    std::int32_t next = 0;
    return std::ranges::all_of(transmits, [&](const Transmit& transmit) {
        return firedAlone(acquisition, transmit) == next++;
    });
}

bool allAre(const Acquisition& acquisition, Wave wave) {
    return !acquisition.transmits.empty() &&
           std::ranges::all_of(acquisition.transmits,
                               [&](const Transmit& t) { return t.wave == wave; });
}

bool isOneWay(const Acquisition& acquisition) { return allAre(acquisition, Wave::None); }

double waysOf(const Acquisition& acquisition) { return isOneWay(acquisition) ? 1.0 : 2.0; }

} // namespace echolux
