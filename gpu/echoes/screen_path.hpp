// SPDX-License-Identifier: GPL-3.0-or-later
// Thin aberrating screens in front of an array: where a straight ray passes them and what they do
// to it, for host and device.
#pragma once

#include "gpu/core/acquisition.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/echoes/element_path.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace echolux::echoes {

/// The surface that depth counts from: the plane z = 0, or with a radius the arc about (0, 0,
/// apexZ) with the elements of a curved array.
struct ScreenShape {
    double radiusM = 0.0;
    double apexZ = 0.0;
};

/// A grid of delays and gains. Its coordinates are the x and y where a ray passes it. For an arc,
/// the length along the array's own arc replaces x.
struct Screen {
    double depthM = 0.0;
    double firstXM = 0.0;
    double firstYM = 0.0;
    double stepXM = 1.0;
    double stepYM = 1.0;
    std::int64_t columns = 1; ///< at least 4
    std::int64_t rows = 1;    ///< 1: does not vary along y; else at least 4
    std::int64_t values = 0;  ///< index of its first delay; the gains follow the delays
};

/// Delay in seconds, and logarithm of the amplitude.
struct ScreenEffect {
    double delayS = 0.0;
    double logGain = 0.0;
};

struct Screens {
    const Screen* list = nullptr;
    std::int64_t count = 0;
    const double* values = nullptr; ///< per screen: delays [row][column], then gains
    ScreenShape shape;
};

struct CubicWeights {
    std::int64_t first = 0; ///< first of four neighbours
    double weight[4] = {0.0, 0.0, 0.0, 0.0};
};

/// Weights of Lagrange's cubic. Beyond the grid the value at its end is used.
ECHOLUX_HD inline CubicWeights cubicAt(double position, std::int64_t count) {
    const double most = static_cast<double>(count - 2);
    const double at = !(position > 1.0) ? 1.0 : position > most ? most : position;
    std::int64_t below = static_cast<std::int64_t>(at);
    if (below > count - 3) below = count - 3;
    const double f = at - static_cast<double>(below);
    return {below - 1,
            {-f * (f - 1.0) * (f - 2.0) / 6.0, (f + 1.0) * (f - 1.0) * (f - 2.0) / 2.0,
             -(f + 1.0) * f * (f - 2.0) / 2.0, (f + 1.0) * f * (f - 1.0) / 6.0}};
}

/// The effect of a screen at its coordinates x and y.
ECHOLUX_HD inline ScreenEffect screenAt(const Screens& screens, const Screen& screen, double x,
                                        double y) {
    const CubicWeights across = cubicAt((x - screen.firstXM) / screen.stepXM, screen.columns);
    CubicWeights along{0, {1.0, 0.0, 0.0, 0.0}};
    if (screen.rows > 1) along = cubicAt((y - screen.firstYM) / screen.stepYM, screen.rows);
    const double* const delays = screens.values + screen.values;
    const double* const gains = delays + screen.rows * screen.columns;
    ScreenEffect effect;
    for (int j = 0; j < (screen.rows > 1 ? 4 : 1); ++j) {
        const std::int64_t row = (along.first + j) * screen.columns + across.first;
        for (int i = 0; i < 4; ++i) {
            const double weight = along.weight[j] * across.weight[i];
            effect.delayS += weight * delays[row + i];
            effect.logGain += weight * gains[row + i];
        }
    }
    return effect;
}

/// The fraction of the straight way at which it passes the screen. 0 where the way begins behind
/// the screen, negative where it ends before the screen.
ECHOLUX_HD inline double passedAt(const ScreenShape& shape, double depthM, const Point& from,
                                  const Point& to) {
    if (shape.radiusM == 0.0) {
        if (!(to.z > depthM)) return -1.0;
        return from.z >= depthM ? 0.0 : (depthM - from.z) / (to.z - from.z);
    }
    // solves |f + u (t - f)|^2 = r^2, with positions relative to the arc's centre
    const double square = (shape.radiusM + depthM) * (shape.radiusM + depthM);
    const double fz = from.z - shape.apexZ;
    const double tz = to.z - shape.apexZ;
    const double dx = to.x - from.x;
    const double dz = to.z - from.z;
    if (!(to.x * to.x + tz * tz > square)) return -1.0;
    const double within = from.x * from.x + fz * fz - square;
    if (within >= 0.0) return 0.0;
    const double a = dx * dx + dz * dz;
    const double b = from.x * dx + fz * dz;
    return (-b + std::sqrt(b * b - a * within)) / a;
}

/// The effect of all screens on the straight way between two points: delays add up, and amplitudes
/// multiply. Rays are not refracted.
ECHOLUX_HD inline ScreenEffect passScreens(const Screens& screens, const Point& from,
                                           const Point& to) {
    ScreenEffect all;
    for (std::int64_t n = 0; n < screens.count; ++n) {
        const Screen& screen = screens.list[n];
        const double part = passedAt(screens.shape, screen.depthM, from, to);
        if (part < 0.0) continue;
        double x = from.x + part * (to.x - from.x);
        if (screens.shape.radiusM > 0.0)
            x = screens.shape.radiusM *
                std::atan2(x, from.z + part * (to.z - from.z) - screens.shape.apexZ);
        const ScreenEffect one = screenAt(screens, screen, x, from.y + part * (to.y - from.y));
        all.delayS += one.delayS;
        all.logGain += one.logGain;
    }
    return all;
}

/// Where the ray from an element to a point begins: at the element's centre, or at the nearest
/// place of a long element.
ECHOLUX_HD inline Point rayStart(const ElementFace& face, const Point& to) {
    return {face.line == LongAxis::Lateral ? to.x : face.centre.x,
            face.line == LongAxis::Elevation ? to.y : face.centre.y, face.centre.z};
}

/// The data that Screens points to, on the host.
struct ScreenTables {
    ScreenShape shape;
    std::vector<Screen> list = {};
    std::vector<double> values = {};

    Screens view() const {
        return {list.data(), static_cast<std::int64_t>(list.size()), values.data(), shape};
    }
};

} // namespace echolux::echoes
