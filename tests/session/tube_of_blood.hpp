// SPDX-License-Identifier: GPL-3.0-or-later
// A simulated tube through which blood flows steadily.
#pragma once

#include "app/source/phantom.hpp"
#include "gpu/core/counter_random.hpp"

#include <cstdint>

namespace echolux::test {

/// 15 mm deep, of radius 4 mm and length 30 mm.
inline FlowingTube tubeOfBlood(double angleRad, double peakMps, std::uint32_t scatterers,
                               std::uint64_t seed) {
    FlowingTube tube{
        .z = 15e-3, .angleRad = angleRad, .radius = 4e-3, .length = 30e-3, .peakMps = peakMps};
    const CounterRandom random(seed, RandomStream::Blood);
    for (std::uint32_t i = 0; i < scatterers; ++i) {
        const auto u = random.uniform(i);
        tube.blood.push_back({(u[0] - 0.5) * tube.length, (2.0 * u[1] - 1.0) * tube.radius,
                              boxMuller(u[2], u[3])[0]});
    }
    return tube;
}

} // namespace echolux::test
