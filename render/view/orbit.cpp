// SPDX-License-Identifier: GPL-3.0-or-later
// Quaternions of the orbit; projection of the box, its edges and its axes.
#include "render/view/orbit.hpp"

#include "gpu/core/posed.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

using Quaternion = std::array<double, 4>; ///< w, x, y, z

constexpr double kRightAngle = 0.5 * std::numbers::pi;
constexpr double kFill = 0.94; ///< part of the viewport that the rotated box's diagonal fills

Quaternion turnOf(Vec3 axis, double angleRad) {
    const double length = std::hypot(axis.x, axis.y, axis.z);
    const double s = length > 0.0 ? std::sin(0.5 * angleRad) / length : 0.0;
    return {std::cos(0.5 * angleRad), s * axis.x, s * axis.y, s * axis.z};
}

Quaternion product(const Quaternion& a, const Quaternion& b) {
    return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Vec3 applied(const Quaternion& q, Vec3 v) {
    const Quaternion turned =
        product(product(q, {0.0, v.x, v.y, v.z}), {q[0], -q[1], -q[2], -q[3]});
    return {turned[1], turned[2], turned[3]};
}

double& part(Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

Vec3 corner(int bits) { return {bits & 1 ? 1.0 : 0.0, bits & 2 ? 1.0 : 0.0, bits & 4 ? 1.0 : 0.0}; }

Vec2 flat(Vec3 v) { return {v.x, v.y}; }

} // namespace

void Orbit::set(Vec3 axis, double angleRad) {
    m_turn = turnOf(axis, angleRad);
    m_zoom = 1.0;
}

void Orbit::rotate(Vec3 axis, double angleRad) {
    m_turn = product(turnOf(axis, angleRad), m_turn);
    normalize();
}

void Orbit::restore(const Turn& turn, double zoom) {
    double squares = 0.0;
    for (const double part : turn) squares += part * part;
    if (!(std::abs(squares - 1.0) < 0.01)) return;
    m_turn = turn;
    normalize();
    m_zoom = 1.0;
    zoomBy(zoom);
}

Orbit::Turn Orbit::fromLeftHanded(const Turn& turn) {
    return {turn[0], -turn[1], -turn[2], turn[3]};
}

void Orbit::normalize() {
    const double length = std::sqrt(m_turn[0] * m_turn[0] + m_turn[1] * m_turn[1] +
                                    m_turn[2] * m_turn[2] + m_turn[3] * m_turn[3]);
    for (double& value : m_turn) value /= length;
}

void Orbit::lookAtBscan() { set({1.0, 0.0, 0.0}, 0.0); }
void Orbit::lookEnFace() { set({1.0, 0.0, 0.0}, kRightAngle); }
void Orbit::lookFromTheSide() { set({0.0, 1.0, 0.0}, -kRightAngle); }
void Orbit::lookFromAbove() {
    constexpr double kSideways = 0.6;
    constexpr double kDown = 0.5;
    set({0.0, 1.0, 0.0}, -kSideways);
    rotate({1.0, 0.0, 0.0}, kDown);
}

void Orbit::turnBy(Vec2 pixels, const Rect& viewport) {
    const double radius = 0.5 * std::min(viewport.width(), viewport.height());
    const double distance = std::hypot(pixels.x, pixels.y);
    if (!(radius > 0.0) || distance == 0.0) return;
    // The side that faces the eye (z < 0) follows the mouse.
    rotate({pixels.y, -pixels.x, 0.0}, distance / radius);
}

void Orbit::zoomBy(double factor) { m_zoom = std::clamp(m_zoom * factor, 0.2, 20.0); }

Vec3 Orbit::turned(Vec3 world) const { return applied(m_turn, world); }
Vec3 Orbit::turnedBack(Vec3 screen) const {
    return applied({m_turn[0], -m_turn[1], -m_turn[2], -m_turn[3]}, screen);
}

VolumeBox VolumeBox::of(const FrameSpec& volume) {
    VolumeBox box;
    box.elevation = screenAxis(volume.axes[0], volume);
    box.lateral = screenAxis(volume.axes[1], volume);
    box.depth = screenAxis(volume.axes[2], volume);
    const ScreenAxis* axes[] = {&box.lateral, &box.depth, &box.elevation};
    double sum = 0.0;
    int known = 0;
    for (int i = 0; i < 3; ++i) {
        if (!axes[i]->metric) continue;
        part(box.size, i) = std::abs(axes[i]->last - axes[i]->first);
        sum += part(box.size, i);
        ++known;
    }
    const double others = known > 0 ? sum / known : 1.0;
    for (int i = 0; i < 3; ++i) {
        if (!axes[i]->metric) part(box.size, i) = others;
    }
    for (ScreenAxis* axis : {&box.lateral, &box.depth, &box.elevation}) {
        const std::string to = sideOf(volume, axis->axis, false);
        if (!to.empty()) axis->name += ", " + sideOf(volume, axis->axis, true) + " to " + to;
    }
    if (volume.pose && isLeftHanded(*volume.pose)) box.size.z = -box.size.z;
    return box;
}

VolumeProjection::VolumeProjection(const VolumeBox& box, const Orbit& orbit, const Rect& viewport)
    : m_box(box), m_orbit(orbit), m_middle(viewport.centre()) {
    const double diagonal = std::hypot(box.size.x, box.size.y, box.size.z);
    const double reach = std::max(1.0, std::min(viewport.width(), viewport.height()));
    m_scale = kFill * reach / diagonal * orbit.zoom();
}

Vec3 VolumeProjection::toPixel(Vec3 fraction) const {
    const Vec3 screen =
        m_orbit.turned({(fraction.x - 0.5) * m_box.size.x, (fraction.y - 0.5) * m_box.size.y,
                        (0.5 - fraction.z) * m_box.size.z});
    return {m_middle.x + m_scale * screen.x, m_middle.y + m_scale * screen.y, m_scale * screen.z};
}

/// `screen` is in pixels relative to the middle.
Vec3 VolumeProjection::fractionOf(Vec3 screen, bool isPlace) const {
    const Vec3 world =
        m_orbit.turnedBack({screen.x / m_scale, screen.y / m_scale, screen.z / m_scale});
    const double shift = isPlace ? 0.5 : 0.0;
    return {shift + world.x / m_box.size.x, shift + world.y / m_box.size.y,
            shift - world.z / m_box.size.z};
}

VolumeProjection::Rays VolumeProjection::rays() const {
    Rays rays;
    const double diagonal = m_scale * std::hypot(m_box.size.x, m_box.size.y, m_box.size.z);
    rays.start = fractionOf({-m_middle.x, -m_middle.y, 0.0}, true);
    rays.perX = fractionOf({1.0, 0.0, 0.0}, false);
    rays.perY = fractionOf({0.0, 1.0, 0.0}, false);
    rays.direction = fractionOf({0.0, 0.0, diagonal}, false);
    for (int i = 0; i < 8; ++i)
        rays.reach = std::max(rays.reach, toPixel(corner(i)).z / std::max(diagonal, 1e-9));
    constexpr double kParallel = 1e-5; // the shader divides by it
    for (int i = 0; i < 3; ++i) {
        double& along = part(rays.direction, i);
        if (std::abs(along) < kParallel) along = std::copysign(kParallel, along);
    }
    return rays;
}

std::array<Vec2, 8> VolumeProjection::corners() const {
    std::array<Vec2, 8> corners;
    for (int i = 0; i < 8; ++i) corners[static_cast<std::size_t>(i)] = flat(toPixel(corner(i)));
    return corners;
}

std::array<VolumeProjection::Edge, 12> VolumeProjection::edges() const {
    int farthest = 0;
    for (int i = 1; i < 8; ++i) {
        if (toPixel(corner(i)).z > toPixel(corner(farthest)).z) farthest = i;
    }
    std::array<Edge, 12> edges;
    std::size_t count = 0;
    for (int from = 0; from < 8; ++from) {
        for (int axis = 0; axis < 3; ++axis) {
            const int to = from | 1 << axis;
            if (to == from) continue;
            edges[count++] = {flat(toPixel(corner(from))), flat(toPixel(corner(to))),
                              from == farthest || to == farthest};
        }
    }
    return edges;
}

std::array<Vec2, 4> VolumeProjection::sliceOutline(int axis, double fraction) const {
    std::array<Vec2, 4> outline;
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    for (std::size_t i = 0; i < 4; ++i) {
        Vec3 place;
        part(place, axis) = fraction;
        part(place, u) = i == 1 || i == 2 ? 1.0 : 0.0;
        part(place, v) = i >= 2 ? 1.0 : 0.0;
        outline[i] = flat(toPixel(place));
    }
    return outline;
}

VolumeProjection::AxisMarks VolumeProjection::marksOf(int axis, const ScreenAxis& screen) const {
    constexpr double kShortest = 24.0;
    constexpr double kMinTickPx = 48.0;
    constexpr double kTick = 5.0;
    constexpr double kLabel = 18.0;
    // The edge farthest from the box's centre on screen, which is always part of the silhouette.
    Vec3 from;
    Vec2 outwards;
    double best = -1.0;
    for (int bits = 0; bits < 4; ++bits) {
        Vec3 start;
        part(start, (axis + 1) % 3) = bits & 1 ? 1.0 : 0.0;
        part(start, (axis + 2) % 3) = bits & 2 ? 1.0 : 0.0;
        Vec3 half = start;
        part(half, axis) = 0.5;
        const Vec2 middle = flat(toPixel(half));
        const Vec2 away{middle.x - m_middle.x, middle.y - m_middle.y};
        // Of two edges on opposite sides it takes the lower one, or the left one.
        const double distance = std::hypot(away.x, away.y) + 1e-3 * (away.y - away.x);
        if (distance <= best) continue;
        best = distance;
        from = start;
        outwards = away;
    }
    Vec3 to = from;
    part(to, axis) = 1.0;
    const Vec2 first = flat(toPixel(from));
    const Vec2 last = flat(toPixel(to));
    const double length = std::hypot(last.x - first.x, last.y - first.y);
    if (length < kShortest) return {};
    // The normal of the edge, pointing away from the box.
    Vec2 normal{(last.y - first.y) / length, -(last.x - first.x) / length};
    if (normal.x * outwards.x + normal.y * outwards.y < 0.0) normal = {-normal.x, -normal.y};
    const auto beside = [normal](Vec2 p, double distance) {
        return Vec2{p.x + distance * normal.x, p.y + distance * normal.y};
    };

    AxisMarks marks{screen.title(), first, last, normal, {}};
    const double extent = screen.last - screen.first;
    const Ticks ticks = screen.ticks(screen.first, screen.last, kMinTickPx * extent / length);
    for (const double at : ticks.major) {
        const double part = (screen.placeOf(at) - screen.first) / extent;
        const Vec2 foot{first.x + part * (last.x - first.x), first.y + part * (last.y - first.y)};
        marks.ticks.push_back({foot, beside(foot, kTick), beside(foot, kLabel), ticks.label(at)});
    }
    return marks;
}

std::vector<VolumeProjection::AxisMarks> VolumeProjection::axisMarks() const {
    std::vector<AxisMarks> all;
    const ScreenAxis* axes[] = {&m_box.lateral, &m_box.depth, &m_box.elevation};
    for (int axis = 0; axis < 3; ++axis) {
        AxisMarks marks = marksOf(axis, *axes[axis]);
        if (!marks.title.empty()) all.push_back(std::move(marks));
    }
    return all;
}

} // namespace echolux
