// SPDX-License-Identifier: GPL-3.0-or-later
// Foci, virtual sources, origins and weights of simulated transmits.
#include "app/source/transmit_design.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace echolux {

namespace {

Point along(const Point& from, const Point& unit, double metres) {
    return {from.x + metres * unit.x, from.y + metres * unit.y, from.z + metres * unit.z};
}

ActiveElements all(const Probe& probe) { return {0, std::ssize(probe.elements)}; }

Transmit waveOf(const Probe& probe, ActiveElements active, ApertureWindow window, Wave wave,
                const Point& source, const Point& origin) {
    Transmit transmit;
    transmit.wave = wave;
    transmit.source = source;
    transmit.origin = origin;
    transmit.apodization = weightsOf(probe, active, window);
    return transmit;
}

Point towards(double angleRad, double metres) {
    return {metres * std::sin(angleRad), 0.0, metres * std::cos(angleRad)};
}

} // namespace

double windowAt(ApertureWindow window, double u) {
    constexpr double kFlat = 0.5;
    const double aside = std::abs(u);
    if (aside > 1.0) return 0.0;
    switch (window) {
    case ApertureWindow::Rectangular: break;
    case ApertureWindow::Hann: return 0.5 + 0.5 * std::cos(std::numbers::pi * aside);
    case ApertureWindow::Tukey:
        if (aside > kFlat)
            return 0.5 + 0.5 * std::cos(std::numbers::pi * (aside - kFlat) / (1.0 - kFlat));
        break;
    }
    return 1.0;
}

std::vector<ActiveElements> walk(std::int64_t elements, std::int64_t active, std::int64_t lines) {
    if (active < 1 || active > elements)
        throw Error(fmt::format("--active is {}, but the array has {} elements: choose 1 to {}.",
                                active, elements, elements));
    const std::int64_t places = elements - active + 1;
    if (lines < 1 || lines > places)
        throw Error(fmt::format("{} lines are asked for, but {} active of {} elements have {} "
                                "places: choose 1 to {} lines, or fewer --active elements.",
                                lines, active, elements, places, places));
    std::vector<ActiveElements> all;
    for (std::int64_t line = 0; line < lines; ++line) {
        const double part =
            lines == 1 ? 0.5 : static_cast<double>(line) / static_cast<double>(lines - 1);
        all.push_back({std::lround(part * static_cast<double>(places - 1)), active});
    }
    return all;
}

Middle middleOf(const Probe& probe, ActiveElements active) {
    const std::vector<Point> normals = faceNormals(probe);
    const auto low = static_cast<std::size_t>(active.first + (active.count - 1) / 2);
    const auto high = static_cast<std::size_t>(active.first + active.count / 2);
    const Point& a = probe.elements[low];
    const Point& b = probe.elements[high];
    Point normal{normals[low].x + normals[high].x, 0.0, normals[low].z + normals[high].z};
    const double length = std::hypot(normal.x, normal.z);
    normal = {normal.x / length, 0.0, normal.z / length};
    const Point chord{0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)};
    // Distance from the chord to the arc: half the chord times the tangent of a quarter of its
    // angle. Where the normals meet in front of the array, the arc lies behind the chord.
    const double opens = (normals[high].x - normals[low].x) * (b.x - a.x) +
                         (normals[high].z - normals[low].z) * (b.z - a.z);
    const double half = std::copysign(0.5 * std::hypot(b.x - a.x, b.z - a.z), opens);
    const double cosine =
        std::clamp(normals[low].x * normals[high].x + normals[low].z * normals[high].z, -1.0, 1.0);
    return {along(chord, normal, half * std::tan(0.25 * std::acos(cosine))), normal};
}

std::vector<float> weightsOf(const Probe& probe, ActiveElements active, ApertureWindow window) {
    std::vector<float> weights(probe.elements.size(), 0.0F);
    // The aperture ends half a pitch beyond the outer elements.
    const double half = 0.5 * static_cast<double>(active.count);
    for (std::int64_t i = 0; i < active.count; ++i) {
        const double u = (static_cast<double>(i) + 0.5 - half) / half;
        weights[static_cast<std::size_t>(active.first + i)] =
            static_cast<float>(windowAt(window, u));
    }
    return weights;
}

Transmit focusedLine(const Probe& probe, ActiveElements active, double focusM,
                     ApertureWindow window) {
    const Middle middle = middleOf(probe, active);
    return waveOf(probe, active, window, Wave::Focused, along(middle.place, middle.normal, focusM),
                  middle.place);
}

Transmit divergingWave(const Probe& probe, ActiveElements active, double behindM,
                       ApertureWindow window) {
    const Middle middle = middleOf(probe, active);
    return waveOf(probe, active, window, Wave::Diverging,
                  along(middle.place, middle.normal, -behindM), middle.place);
}

Transmit singleElement(const Probe& probe, std::int64_t index) {
    const Point& at = probe.elements[static_cast<std::size_t>(index)];
    return waveOf(probe, {index, 1}, ApertureWindow::Rectangular, Wave::Element, at, at);
}

Transmit steeredLine(const Probe& probe, double angleRad, double focusM, ApertureWindow window) {
    return waveOf(probe, all(probe), window, Wave::Focused, towards(angleRad, focusM), {});
}

Transmit steeredDiverging(const Probe& probe, double angleRad, double behindM,
                          ApertureWindow window) {
    return waveOf(probe, all(probe), window, Wave::Diverging, towards(angleRad, -behindM), {});
}

Transmit waveTowards(const Probe& probe, Wave wave, double angleRad, double elevationRad,
                     Steering steering, double metres) {
    Transmit transmit;
    transmit.angleRad = angleRad;
    transmit.elevationRad = elevationRad;
    if (wave != Wave::Plane) {
        const Point source = along({}, direction(transmit, steering), metres);
        transmit = {.wave = wave, .source = source};
    }
    transmit.apodization.assign(probe.elements.size(), 1.0F);
    return transmit;
}

void addCrossed(Acquisition& acquisition, bool columnsSend, Transmit transmit) {
    const std::size_t lines = acquisition.probe.elements.size() / 2;
    if (transmit.apodization.empty() && transmit.wave != Wave::None) {
        transmit.apodization.assign(2 * lines, 0.0F);
        std::fill_n(transmit.apodization.begin() + (columnsSend ? 0 : std::ptrdiff_t(lines)), lines,
                    1.0F);
    }
    acquisition.transmits.push_back(std::move(transmit));
    for (std::size_t i = 0; i < lines; ++i)
        acquisition.receiveElements.push_back(
            static_cast<std::int32_t>(columnsSend ? lines + i : i));
}

} // namespace echolux
