// SPDX-License-Identifier: GPL-3.0-or-later
// The delay-and-sum problem of the CUDA short course (Jarosik, Lewandowski, Yiu, IEEE UFFC-JS
// 2024): its sizes, and the delay of plane waves
//   i = ((z cos a + x sin a) + sqrt(z^2 + (x - x_e)^2)) / c fs,   i in samples; x, z, x_e in m,
// a = the wave's angle in rad, c in m/s, fs in Hz. Point p = column * rows + row.
#pragma once

#include "gpu/core/portable.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::ladder {

struct Course {
    std::int32_t transmits = 3;
    std::int32_t elements = 128;
    std::int32_t samples = 8192;
    std::int32_t columns = 256;
    std::int32_t rows = 1024;
    float pitchM = 0.3e-3F;
    float firstElementM = 0.0F;
    float columnStepM = 0.0F;
    float firstColumnM = 0.0F;
    float rowStepM = 0.0F;
    float firstRowM = 0.0F;
    float soundSpeedMps = 1540.0F;
    float samplingHz = 65e6F;
    const float* angles = nullptr; ///< angle of each transmit in rad, in compute memory

    ECHOLUX_HD std::int64_t points() const { return std::int64_t{columns} * rows; }
    ECHOLUX_HD std::int64_t delayed() const { return points() * elements * transmits; }
    ECHOLUX_HD std::int64_t line(int transmit, int element) const {
        return std::int64_t{transmit} * elements + element;
    }
};

/// Index of point `p` in the record of one element. `Real` is the type that it is computed in.
template <class Real>
ECHOLUX_HD inline Real delayedIndex(const Course& k, Real angle, int element, std::int64_t p) {
    const auto column = static_cast<int>(p / k.rows);
    const auto row = static_cast<int>(p - std::int64_t{column} * k.rows);
    const Real z = Real{k.firstRowM} + static_cast<Real>(row) * Real{k.rowStepM};
    const Real x = Real{k.firstColumnM} + static_cast<Real>(column) * Real{k.columnStepM};
    const Real place = Real{k.firstElementM} + static_cast<Real>(element) * Real{k.pitchM};
    const Real there = (z * std::cos(angle) + x * std::sin(angle)) / Real{k.soundSpeedMps};
    const Real back = std::hypot(z, x - place) / Real{k.soundSpeedMps};
    return (there + back) * Real{k.samplingHz};
}

/// Interpolates as the course's kernels do: 0 before the first sample, and from the last one on.
template <class Real>
ECHOLUX_HD inline Real readLinear(const float* line, int samples, Real index) {
    const Real whole = std::floor(index);
    if (!(index >= Real{0}) || whole >= static_cast<Real>(samples - 1)) return Real{0};
    const Real weight = index - whole;
    const auto n = static_cast<std::int32_t>(whole);
    return Real{line[n]} * (Real{1} - weight) + Real{line[n + 1]} * weight;
}

} // namespace echolux::ladder
