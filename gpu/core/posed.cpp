// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/posed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace echolux {

namespace {

/// NOTE: 0 is added because -0 would be written so.
Point scaledBy(const Point& p, double by) {
    return {p.x * by + 0.0, p.y * by + 0.0, p.z * by + 0.0};
}
Point sumOfPoints(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
double dotOf(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Point crossOf(const Point& a, const Point& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Index in Pose::along; empty for axes that are no direction in space.
std::optional<std::size_t> directionOf(AxisName axis) {
    switch (axis) {
    case AxisName::Lateral: return 0;
    case AxisName::Elevation: return 1;
    case AxisName::Depth: return 2;
    default: return std::nullopt;
    }
}

/// Rounding of files with numbers of single precision would show as -0.00000001 m.
double withoutDust(double metres) {
    constexpr double kDust = 1e-9;
    return std::abs(metres) < kDust ? 0.0 : metres;
}

bool hasLength(const Point& step) {
    const double length = std::hypot(step.x, step.y, step.z);
    return std::isfinite(length) && length > 0.0;
}

} // namespace

Point placedBy(const Pose& pose, const Point& place) {
    Point at = pose.origin;
    at = sumOfPoints(at, scaledBy(pose.along[0], place.x));
    at = sumOfPoints(at, scaledBy(pose.along[1], place.y));
    return sumOfPoints(at, scaledBy(pose.along[2], place.z));
}

bool isLeftHanded(const Pose& pose) {
    return dotOf(pose.along[0], crossOf(pose.along[1], pose.along[2])) < 0.0;
}

bool isSquare(const Pose& pose) {
    constexpr double kOff = 1e-4;
    return std::abs(dotOf(pose.along[0], pose.along[1])) < kOff &&
           std::abs(dotOf(pose.along[1], pose.along[2])) < kOff &&
           std::abs(dotOf(pose.along[2], pose.along[0])) < kOff;
}

std::array<double, 4> quaternionOf(const std::array<Point, 3>& columns) {
    const auto& [a, b, c] = columns;
    // Four times the square of each part; the largest one gives the others without loss.
    const std::array squares{1.0 + a.x + b.y + c.z, 1.0 + a.x - b.y - c.z, 1.0 - a.x + b.y - c.z,
                             1.0 - a.x - b.y + c.z};
    const auto largest = std::ranges::max_element(squares) - squares.begin();
    const double s = 2.0 * std::sqrt(*std::ranges::max_element(squares));
    std::array<double, 4> q{};
    switch (largest) {
    case 0: q = {s / 4, (b.z - c.y) / s, (c.x - a.z) / s, (a.y - b.x) / s}; break;
    case 1: q = {(b.z - c.y) / s, s / 4, (b.x + a.y) / s, (c.x + a.z) / s}; break;
    case 2: q = {(c.x - a.z) / s, (b.x + a.y) / s, s / 4, (b.z + c.y) / s}; break;
    default: q = {(a.y - b.x) / s, (c.x + a.z) / s, (b.z + c.y) / s, s / 4};
    }
    const double sign = q[0] < 0.0 ? -1.0 : 1.0;
    for (double& part : q) part = part * sign + 0.0;
    return q;
}

std::array<Point, 3> columnsOf(const std::array<double, 4>& quaternion) {
    double length = 0.0;
    for (const double part : quaternion) length = std::hypot(length, part);
    const double w = quaternion[0] / length;
    const double x = quaternion[1] / length;
    const double y = quaternion[2] / length;
    const double z = quaternion[3] / length;
    return {{{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
             {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
             {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}}};
}

std::shared_ptr<const Pose> poseOf(std::array<Point, 3> steps, const Point& at, const Point& first,
                                   const std::string& space) {
    if (!hasLength(steps[0]) || !hasLength(steps[2])) return nullptr;
    if (!hasLength(steps[1])) steps[1] = crossOf(steps[2], steps[0]);
    Pose pose{.along = {}, .origin = {}, .space = space};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!hasLength(steps[i])) return nullptr;
        pose.along[i] = scaledBy(steps[i], 1.0 / std::hypot(steps[i].x, steps[i].y, steps[i].z));
    }
    const Point reached = placedBy(pose, at);
    pose.origin = {withoutDust(first.x - reached.x), withoutDust(first.y - reached.y),
                   withoutDust(first.z - reached.z)};
    if (!std::isfinite(pose.origin.x) || !std::isfinite(pose.origin.y) ||
        !std::isfinite(pose.origin.z))
        return nullptr;
    return std::make_shared<const Pose>(std::move(pose));
}

std::shared_ptr<const Pose> planeOf(const std::shared_ptr<const Pose>& pose, AxisName axis,
                                    double metres) {
    const auto along = directionOf(axis);
    if (pose == nullptr || !along || metres == 0.0) return pose;
    auto moved = std::make_shared<Pose>(*pose);
    moved->origin = sumOfPoints(pose->origin, scaledBy(pose->along[*along], metres));
    return moved;
}

FrameSpec planeOf(FrameSpec image, AxisName axis, double at) {
    const Axis* given = image.find(axis);
    if (given == nullptr) return image;
    if (given->unit == "m")
        image.pose = planeOf(image.pose, axis, given->origin + at * given->spacing);
    std::erase_if(image.axes, [axis](const Axis& each) { return each.name == axis; });
    return image;
}

void movePlane(std::shared_ptr<const FrameSpec>& plane, const FrameSpec& volume, AxisName axis,
               double at) {
    const Axis* across = volume.find(axis);
    const auto along = directionOf(axis);
    if (volume.pose == nullptr || plane->pose == nullptr || !along || across == nullptr) return;
    if (across->unit != "m") return;
    const double metres = across->origin + at * across->spacing;
    const Point origin =
        sumOfPoints(volume.pose->origin, scaledBy(volume.pose->along[*along], metres));
    if (plane->pose->origin == origin) return;
    plane = std::make_shared<const FrameSpec>(planeOf(volume, axis, at));
}

std::string sideOf(const Pose& pose, const Point& direction) {
    if (!pose.isPatient()) return {};
    constexpr double kLeast = 0.2588; // sin 15 degrees
    std::array<std::pair<double, char>, 3> parts{{{direction.x, direction.x > 0.0 ? 'L' : 'R'},
                                                  {direction.y, direction.y > 0.0 ? 'P' : 'A'},
                                                  {direction.z, direction.z > 0.0 ? 'S' : 'I'}}};
    const auto size = [](const auto& part) { return std::llround(1e6 * std::abs(part.first)); };
    std::ranges::stable_sort(parts, std::ranges::greater(), size); // equal within rounding
    std::string letters;
    for (const auto& [part, letter] : parts)
        if (std::abs(part) > kLeast) letters += letter;
    return letters;
}

std::string sideOf(const FrameSpec& frame, AxisName axis, bool backwards) {
    const auto along = directionOf(axis);
    if (frame.pose == nullptr || !along) return {};
    return sideOf(*frame.pose, scaledBy(frame.pose->along[*along], backwards ? -1.0 : 1.0));
}

} // namespace echolux
