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
template <class Real> struct ScreenOf {
    Real depthM = 0;
    Real firstXM = 0;
    Real firstYM = 0;
    Real stepXM = 1;
    Real stepYM = 1;
    std::int64_t columns = 1; ///< at least 4
    std::int64_t rows = 1;    ///< 1: does not vary along y; else at least 4
    std::int64_t values = 0;  ///< index of its first delay; the gains follow the delays
};
using Screen = ScreenOf<double>;

/// Delay in seconds, and logarithm of the amplitude.
template <class Real> struct ScreenEffectOf {
    Real delayS = 0;
    Real logGain = 0;
};
using ScreenEffect = ScreenEffectOf<double>;

template <class Real> struct ScreensOf {
    const ScreenOf<Real>* list = nullptr;
    std::int64_t count = 0;
    const Real* values = nullptr; ///< per screen: delays [row][column], then gains
    ScreenShape shape;
};
using Screens = ScreensOf<double>;

template <class Real> struct CubicWeights {
    std::int64_t first = 0; ///< first of four neighbours
    Real weight[4] = {0, 0, 0, 0};
};

/// Weights of Lagrange's cubic. Beyond the grid the value at its end is used.
template <class Real>
ECHOLUX_HD inline CubicWeights<Real> cubicAt(Real position, std::int64_t count) {
    constexpr Real one = 1;
    constexpr Real two = 2;
    const auto most = static_cast<Real>(count - 2);
    const Real at = !(position > one) ? one : position > most ? most : position;
    std::int64_t below = static_cast<std::int64_t>(at);
    if (below > count - 3) below = count - 3;
    const Real f = at - static_cast<Real>(below);
    return {below - 1,
            {-f * (f - one) * (f - two) / Real{6}, (f + one) * (f - one) * (f - two) / two,
             -(f + one) * f * (f - two) / two, (f + one) * f * (f - one) / Real{6}}};
}

/// The effect of a screen at its coordinates x and y.
template <class Real> ECHOLUX_HD inline ScreenEffectOf<Real>
screenAt(const ScreensOf<Real>& screens, const ScreenOf<Real>& screen, Real x, Real y) {
    const auto across = cubicAt<Real>((x - screen.firstXM) / screen.stepXM, screen.columns);
    CubicWeights<Real> along{0, {1, 0, 0, 0}};
    if (screen.rows > 1) along = cubicAt<Real>((y - screen.firstYM) / screen.stepYM, screen.rows);
    const Real* const delays = screens.values + screen.values;
    const Real* const gains = delays + screen.rows * screen.columns;
    ScreenEffectOf<Real> effect;
    for (int j = 0; j < (screen.rows > 1 ? 4 : 1); ++j) {
        const std::int64_t row = (along.first + j) * screen.columns + across.first;
        for (int i = 0; i < 4; ++i) {
            const Real weight = along.weight[j] * across.weight[i];
            effect.delayS += weight * delays[row + i];
            effect.logGain += weight * gains[row + i];
        }
    }
    return effect;
}

/// The fraction of the straight way at which it passes the screen. 0 where the way begins behind
/// the screen, negative where it ends before the screen. `Place` has x, y and z.
template <class Real, class Place = Point> ECHOLUX_HD inline Real
passedAt(const ScreenShape& shape, Real depthM, const Place& from, const Place& to) {
    if (shape.radiusM == 0.0) {
        if (!(to.z > depthM)) return -1;
        return from.z >= depthM ? Real{0} : (depthM - from.z) / (to.z - from.z);
    }
    // solves |f + u (t - f)|^2 = r^2, with positions relative to the arc's centre
    const Real radius = static_cast<Real>(shape.radiusM) + depthM;
    const Real square = radius * radius;
    const Real fz = from.z - static_cast<Real>(shape.apexZ);
    const Real tz = to.z - static_cast<Real>(shape.apexZ);
    const Real dx = to.x - from.x;
    const Real dz = to.z - from.z;
    if (!(to.x * to.x + tz * tz > square)) return -1;
    const Real within = from.x * from.x + fz * fz - square;
    if (within >= Real{0}) return 0;
    const Real a = dx * dx + dz * dz;
    const Real b = from.x * dx + fz * dz;
    return (-b + std::sqrt(b * b - a * within)) / a;
}

/// The effect of all screens on the straight way between two points: delays add up, and amplitudes
/// multiply. Rays are not refracted. `Place` has x, y and z.
template <class Real, class Place = Point> ECHOLUX_HD inline ScreenEffectOf<Real>
passScreens(const ScreensOf<Real>& screens, const Place& from, const Place& to) {
    ScreenEffectOf<Real> all;
    for (std::int64_t n = 0; n < screens.count; ++n) {
        const ScreenOf<Real>& screen = screens.list[n];
        const Real part = passedAt<Real>(screens.shape, screen.depthM, from, to);
        if (part < Real{0}) continue;
        Real x = from.x + part * (to.x - from.x);
        if (screens.shape.radiusM > 0.0) {
            const auto radius = static_cast<Real>(screens.shape.radiusM);
            const auto apex = static_cast<Real>(screens.shape.apexZ);
            x = radius * std::atan2(x, from.z + part * (to.z - from.z) - apex);
        }
        const auto one = screenAt<Real>(screens, screen, x, from.y + part * (to.y - from.y));
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

/// The data that ScreensOf points to, on the host.
template <class Real> struct ScreenTablesOf {
    ScreenShape shape;
    std::vector<ScreenOf<Real>> list = {};
    std::vector<Real> values = {};

    ScreensOf<Real> view() const {
        return {list.data(), static_cast<std::int64_t>(list.size()), values.data(), shape};
    }
};
using ScreenTables = ScreenTablesOf<double>;

inline ScreenTablesOf<float> inSinglePrecision(const ScreenTables& tables) {
    ScreenTablesOf<float> single{.shape = tables.shape};
    for (const Screen& s : tables.list) {
        single.list.push_back({static_cast<float>(s.depthM), static_cast<float>(s.firstXM),
                               static_cast<float>(s.firstYM), static_cast<float>(s.stepXM),
                               static_cast<float>(s.stepYM), s.columns, s.rows, s.values});
    }
    for (const double value : tables.values) single.values.push_back(static_cast<float>(value));
    return single;
}

} // namespace echolux::echoes
