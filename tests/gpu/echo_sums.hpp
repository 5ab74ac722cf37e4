// SPDX-License-Identifier: GPL-3.0-or-later
// A small array among scatterers, summed in runs of any size.
#pragma once

#include "gpu/echoes/echo_sum.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace echolux::test {

/// Five elements of two parts, of which three channels hear what two transmits send.
inline EchoArray smallArray() {
    EchoArray array;
    array.shape = {
        .parts = 2, .widthM = 0.2e-3, .heightM = 2e-3, .partHeightM = 1e-3, .wavelengthM = 0.3e-3};
    for (int e = -2; e <= 2; ++e)
        array.faces.push_back({{0.3e-3 * e, 0.0, 0.0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}});
    array.firings = {{{0, 0.0, 1.0}, {3, 2.5, 0.5}}, {{4, -1.25, 1.0}}};
    array.firstSamples = {100, 90};
    array.heard = {0, 1, 2, 2, 3, 4};
    array.channels = 3;
    array.samples = 200;
    array.samplesPerMetre = 20e6 / 1540.0;
    array.fineness = 6;
    return array;
}

/// [transmit][channel][sample] of 50 points, one of which lies behind the array.
inline std::vector<double> smallSums(Backend backend, const EchoRoom& room,
                                     Echoed echoed = Echoed::Field) {
    constexpr int kPhases = 8;
    constexpr int kTaps = 9;
    std::vector<double> table;
    std::vector<double> turned;
    for (int phase = 0; phase <= kPhases; ++phase) {
        for (int tap = 0; tap < kTaps; ++tap) {
            const double at = tap - 4.0 - double(phase) / kPhases;
            table.push_back(std::exp(-std::pow(at, 2.0)));
            turned.push_back(at * table.back());
        }
    }
    std::mt19937 random(3);
    std::uniform_real_distribution<double> place(-3e-3, 3e-3);
    std::vector<EchoPoint> points(50);
    for (EchoPoint& p : points) {
        p.at = {place(random), place(random), 9e-3 + place(random)};
        p.amplitude = place(random);
        p.centreM = 9e-3;
        p.decay = 2.0;
        p.strength = 1.0 + 100.0 * p.at.x;
    }
    points[20].at.z = -5e-3;
    EchoArray array = smallArray();
    array.echoed = echoed;
    std::vector<double> sums(array.firings.size() * 3 * 200, 0.0);
    EchoSum(backend, array, {table, kPhases, kTaps, 4, turned}, room).add(points, sums);
    return sums;
}

} // namespace echolux::test
