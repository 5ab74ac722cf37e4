// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/ipasc_detectors.hpp"

#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace echolux {
namespace {

using Vector = std::array<double, 3>;
using Detectors = std::span<const IpascDetector>;

constexpr double kSameCoordinateM = 1e-6;
constexpr std::size_t kFileAxes = 3;

double innerProduct(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector unitVector(const Vector& v) {
    const double length = std::sqrt(innerProduct(v, v));
    return length > 0.0 ? Vector{v[0] / length, v[1] / length, v[2] / length} : Vector{};
}

/// The file's axes that become those of Echolux, and the direction of depth along its axis.
struct AxisChoice {
    std::size_t lateral = 0;
    std::size_t elevation = 1;
    std::size_t depth = 2;
    double downwards = 1.0;
    bool surrounds = false; ///< the array lies round what it hears

    Point of(const Vector& v) const { return {v[lateral], v[elevation], downwards * v[depth]}; }
};

std::size_t greatestAxis(const Vector& v) {
    std::size_t axis = 0;
    for (std::size_t i = 1; i < kFileAxes; ++i)
        if (std::abs(v[i]) > std::abs(v[axis])) axis = i;
    return axis;
}

class Detected {
public:
    Detected(Detectors detectors, const std::optional<std::array<double, 6>>& fieldOfView)
        : m_detectors(detectors) {
        for (std::size_t i = 0; i < kFileAxes; ++i) {
            const auto [low, high] = std::ranges::minmax(
                detectors, {}, [i](const IpascDetector& d) { return d.place[i]; });
            m_extent[i] = high.place[i] - low.place[i];
            m_middle[i] = 0.5 * (low.place[i] + high.place[i]);
            if (fieldOfView)
                m_ahead[i] =
                    0.5 * ((*fieldOfView)[2 * i] + (*fieldOfView)[2 * i + 1]) - m_middle[i];
        }
    }

    bool allFace() const {
        return std::ranges::all_of(m_detectors, [](const IpascDetector& d) {
            return innerProduct(d.faces, d.faces) > 0.0;
        });
    }
    const Vector& middle() const { return m_middle; }

    AxisChoice axes() const {
        if (const Vector way = direction(); innerProduct(way, way) > 0.0) {
            const std::size_t depth = greatestAxis(way);
            return across(depth, way[depth] < 0.0 ? -1.0 : 1.0);
        }
        return inPlane();
    }

private:
    /// Where the detectors look together, or where the field of view lies; zero: to all sides.
    Vector direction() const {
        constexpr double kTogether =
            0.2; // of their number; a ring that is open by 60 degrees: 0.19
        Vector sum{};
        for (const IpascDetector& d : m_detectors) {
            const Vector u = unitVector(d.faces);
            for (std::size_t i = 0; i < kFileAxes; ++i) sum[i] += u[i];
        }
        if (allFace()) {
            const double most = kTogether * static_cast<double>(m_detectors.size());
            return innerProduct(sum, sum) > most * most ? sum : Vector{};
        }
        constexpr double kAhead = 0.1; // of the array's extent
        const double size = std::sqrt(innerProduct(m_extent, m_extent));
        Vector ahead = m_ahead;
        // Along a line of detectors the field of view cannot lie before them.
        if (isLine()) ahead[greatestAxis(m_extent)] = 0.0;
        return innerProduct(ahead, ahead) > kAhead * kAhead * size * size ? ahead : Vector{};
    }

    bool isLine() const {
        return std::ranges::count_if(m_extent, [](double e) { return e > kSameCoordinateM; }) == 1;
    }

    /// Lateral is the axis along which the array is longer.
    AxisChoice across(std::size_t depth, double downwards) const {
        std::size_t lateral = depth == 0 ? 1 : 0;
        std::size_t elevation = kFileAxes - depth - lateral;
        if (m_extent[elevation] > m_extent[lateral] + kSameCoordinateM)
            std::swap(lateral, elevation);
        return {lateral, elevation, depth, downwards};
    }

    /// Of a ring, or of a line of which nothing says where it looks.
    AxisChoice inPlane() const {
        if (isLine()) return across(greatestAxis(m_extent) == 2 ? 1 : 2, 1.0);
        const auto flattest =
            static_cast<std::size_t>(std::ranges::min_element(m_extent) - m_extent.begin());
        const std::size_t depth = flattest == 2 ? 1 : 2;
        return {kFileAxes - flattest - depth, flattest, depth, 1.0, true};
    }

    Detectors m_detectors;
    Vector m_extent{};
    Vector m_middle{};
    Vector m_ahead{};
};

void flatten(std::vector<Point>& elements) {
    const auto [front, back] = std::ranges::minmax(elements, {}, &Point::y);
    if (back.y - front.y > kSameCoordinateM) return;
    for (Point& e : elements) e.y = 0.0;
}

/// Whether faces look at each other; those of a ring do.
bool looksInwards(const Probe& probe, const Point& middle) {
    double outwards = 0.0;
    for (std::size_t e = 0; e < probe.normals.size(); ++e) {
        const Point& n = probe.normals[e];
        const Point& p = probe.elements[e];
        outwards += n.x * (p.x - middle.x) + n.y * (p.y - middle.y);
    }
    return outwards < -1e-9;
}

/// How far all is moved down, so that the array's face, or the upper end of what it surrounds, lies
/// at depth 0. An array below depth 0 stays.
double moveDown(const Probe& probe, const Point& middle) {
    const auto [top, bottom] = std::ranges::minmax(probe.elements, {}, &Point::z);
    return std::max(0.0, -(looksInwards(probe, middle) ? top.z : bottom.z));
}

std::string describeAxes(const AxisChoice& axes, double down) {
    std::string text = fmt::format("lateral is x{} of the file, depth is {}x{}", axes.lateral + 1,
                                   axes.downwards < 0.0 ? "-" : "", axes.depth + 1);
    if (down > 0.0) text += fmt::format(" + {:.4g} mm", 1e3 * down);
    return text;
}

} // namespace

IpascArray arrayOf(const std::vector<IpascDetector>& detectors,
                   const std::optional<std::array<double, 6>>& fieldOfView) {
    const Detected detected(detectors, fieldOfView);
    const AxisChoice axes = detected.axes();
    const bool allFace = detected.allFace();
    IpascArray array;
    Probe& probe = array.probe;
    for (const IpascDetector& d : detectors) {
        Vector faces = d.faces;
        for (std::size_t i = 0; i < kFileAxes && !allFace; ++i)
            faces[i] = detected.middle()[i] - d.place[i];
        probe.elements.push_back(axes.of(d.place));
        probe.normals.push_back(axes.of(unitVector(faces)));
    }
    const bool upright =
        std::ranges::count(probe.normals, Point{0.0, 0.0, 1.0}) == std::ssize(probe.normals);
    if (upright || (!allFace && !axes.surrounds)) probe.normals.clear();
    flatten(probe.elements);
    const Point middle = axes.of(detected.middle());
    const double down = moveDown(probe, middle);
    for (Point& e : probe.elements) e.z += down;
    probe.pitchM = medianPitch(probe.elements);
    const Vector& size = detectors.front().extent;
    probe.elementWidthM = std::max(size[axes.lateral], size[axes.depth]);
    probe.elementHeightM = size[axes.elevation];
    array.coordinates = describeAxes(axes, down);
    return array;
}

} // namespace echolux
