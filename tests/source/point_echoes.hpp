// SPDX-License-Identifier: GPL-3.0-or-later
// One scatterer before an array: what tests of echoes have in common.
#pragma once

#include "app/source/echo_simulator.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace echolux::test {

inline constexpr double kSpeed = 1540.0; ///< of sound, in m/s

inline double length(const Point& p) { return std::hypot(p.x, p.y, p.z); }

inline double apart(const Point& a, const Point& b) {
    return length({a.x - b.x, a.y - b.y, a.z - b.z});
}

/// 25 mm of depth without attenuation, heard by every element of `probe`.
inline EchoSetup setupOf(Probe probe) {
    EchoSetup setup;
    setup.channels = std::ssize(probe.elements);
    setup.acquisition.probe = std::move(probe);
    setup.acquisition.soundSpeedMps = kSpeed;
    setup.region.depthM = 25e-3;
    setup.attenuationDbPerCmMhz = 0.0;
    return setup;
}

inline Phantom pointAt(const Point& p) {
    Phantom phantom;
    phantom.still = {{p.x, p.z, 1.0, p.y}};
    return phantom;
}

/// The echoes that a channel hears after a transmit.
inline std::vector<double> traceOf(EchoSimulator& simulator, std::int64_t transmit,
                                   std::int64_t channel = 0) {
    const auto samples = simulator.frame().sizeOf(AxisName::Sample);
    const auto first =
        simulator.echoes(0).begin() + (transmit * simulator.setup().channels + channel) * samples;
    return {first, first + samples};
}

inline double mostOf(std::span<const double> trace) {
    double most = 0.0;
    for (const double value : trace) most = std::max(most, std::abs(value));
    return most;
}

/// A wave that one element sends.
inline Transmit single(const Probe& probe, std::size_t element) {
    Transmit transmit;
    transmit.wave = Wave::Element;
    transmit.source = probe.elements[element];
    transmit.apodization.assign(probe.elements.size(), 0.0F);
    transmit.apodization[element] = 1.0F;
    return transmit;
}

} // namespace echolux::test
