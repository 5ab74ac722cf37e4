// SPDX-License-Identifier: GPL-3.0-or-later
// Places the numbers first, each in its place or not at all. Then it places each title at the first
// free place.
#include "render/view/axis_labels.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace echolux {
namespace {

constexpr double kGap = 2.0;         ///< pixels between words
constexpr double kNearestText = 8.0; ///< pixels from a text to an edge

std::pair<double, double> extentAlong(Vec2 direction, std::span<const Vec2> points) {
    double least = 0.0;
    double most = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double at = points[i].x * direction.x + points[i].y * direction.y;
        least = i == 0 ? at : std::min(least, at);
        most = i == 0 ? at : std::max(most, at);
    }
    return {least, most};
}

bool apartAlong(Vec2 direction, std::span<const Vec2> a, std::span<const Vec2> b) {
    const auto [leastA, mostA] = extentAlong(direction, a);
    const auto [leastB, mostB] = extentAlong(direction, b);
    return mostA <= leastB || mostB <= leastA;
}

Vec2 alongText(const AxisLabel& label) {
    return {std::cos(label.angleRad), std::sin(label.angleRad)};
}
Vec2 squareTo(Vec2 v) { return {-v.y, v.x}; }

AxisLabel withGap(AxisLabel label) {
    label.size = {label.size.x + 2.0 * kGap, label.size.y + 2.0 * kGap};
    return label;
}

class Layout {
public:
    Layout(const VolumeProjection& projection, const Rect& room, std::span<const Rect> taken)
        : m_room(room), m_box(projection.corners()) {
        // The edges of the box have three directions; the three edges at its first corner show
        // them.
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Vec2& end = m_box[std::size_t{1} << axis];
            const Vec2 along{end.x - m_box[0].x, end.y - m_box[0].y};
            const double length = std::hypot(along.x, along.y);
            m_boxNormals[axis] =
                length > 1e-6 ? squareTo({along.x / length, along.y / length}) : Vec2{1.0, 0.0};
        }
        for (const Rect& each : taken)
            m_taken.push_back({{}, each.centre(), {each.width(), each.height()}});
    }

    bool isFree(const AxisLabel& label) const {
        const AxisLabel padded = withGap(label);
        return std::ranges::all_of(label.corners(),
                                   [this](Vec2 p) { return m_room.contains(p); }) &&
               std::ranges::none_of(m_taken,
                                    [&](const AxisLabel& other) { return overlap(padded, other); });
    }
    bool isBesideTheBox(const AxisLabel& label) const {
        const std::array<Vec2, 4> corners = label.corners();
        const Vec2 along = alongText(label);
        return apartAlong(along, corners, m_box) || apartAlong(squareTo(along), corners, m_box) ||
               std::ranges::any_of(m_boxNormals,
                                   [&](Vec2 normal) { return apartAlong(normal, corners, m_box); });
    }
    void take(AxisLabel label) {
        m_taken.push_back(label);
        m_labels.push_back(std::move(label));
    }
    std::vector<AxisLabel> labels() && { return std::move(m_labels); }

private:
    Rect m_room;
    std::array<Vec2, 8> m_box;
    std::array<Vec2, 3> m_boxNormals;
    std::vector<AxisLabel> m_taken;
    std::vector<AxisLabel> m_labels;
};

/// The angle of a title along its edge.
double angleOf(const VolumeProjection::AxisMarks& axis) {
    constexpr double kRightAngle = 0.5 * std::numbers::pi;
    constexpr double kOneDegree = std::numbers::pi / 180.0;
    double angle = std::atan2(axis.outwards.x, -axis.outwards.y);
    if (angle >= kRightAngle - kOneDegree) angle -= std::numbers::pi;
    if (angle < -kRightAngle - kOneDegree) angle += std::numbers::pi;
    return angle;
}

std::optional<AxisLabel> placeOfTitle(const VolumeProjection::AxisMarks& axis, Vec2 size,
                                      const Layout& layout) {
    constexpr double kDistances[] = {40.0, 58.0, 76.0};
    constexpr double kParts[] = {0.5, 0.35, 0.65, 0.2, 0.8, 0.0, 1.0, -0.3, 1.3};
    const auto tried = [&](double part, double distance, bool upright) {
        AxisLabel label{axis.title, {}, size, upright ? 0.0 : angleOf(axis), true};
        double x = axis.outwards.x * distance;
        double y = axis.outwards.y * distance;
        if (upright) {
            const double away = distance - kNearestText;
            x = axis.outwards.x * (away + 0.5 * size.x);
            y = axis.outwards.y * (away + 0.5 * size.y);
        }
        label.centre = {axis.from.x + part * (axis.to.x - axis.from.x) + x,
                        axis.from.y + part * (axis.to.y - axis.from.y) + y};
        return label;
    };
    for (const double distance : kDistances) {
        for (const bool upright : {false, true}) {
            for (const double part : kParts) {
                const AxisLabel label = tried(part, distance, upright);
                if (layout.isFree(label) && layout.isBesideTheBox(label)) return label;
            }
        }
    }
    // Tries places beyond the ends of the edge. Where the box fills the view, there is no room
    // elsewhere.
    const Vec2 edge{axis.to.x - axis.from.x, axis.to.y - axis.from.y};
    const double length = std::hypot(edge.x, edge.y);
    for (const double distance : {kNearestText, 0.0}) {
        for (const bool beyondTo : {true, false}) {
            const Vec2 end = beyondTo ? axis.to : axis.from;
            const double by = (beyondTo ? 1.0 : -1.0) * (0.5 * size.x + kNearestText) / length;
            const AxisLabel label{axis.title,
                                  {end.x + by * edge.x + distance * axis.outwards.x,
                                   end.y + by * edge.y + distance * axis.outwards.y},
                                  size,
                                  angleOf(axis),
                                  true};
            if (layout.isFree(label) && layout.isBesideTheBox(label)) return label;
        }
    }
    return std::nullopt;
}

} // namespace

std::array<Vec2, 4> AxisLabel::corners() const {
    const Vec2 along = alongText(*this);
    const Vec2 u{0.5 * size.x * along.x, 0.5 * size.x * along.y};
    const Vec2 v{-0.5 * size.y * along.y, 0.5 * size.y * along.x};
    return {Vec2{centre.x - u.x - v.x, centre.y - u.y - v.y},
            {centre.x + u.x - v.x, centre.y + u.y - v.y},
            {centre.x + u.x + v.x, centre.y + u.y + v.y},
            {centre.x - u.x + v.x, centre.y - u.y + v.y}};
}

bool overlap(const AxisLabel& a, const AxisLabel& b) {
    const std::array<Vec2, 4> cornersA = a.corners();
    const std::array<Vec2, 4> cornersB = b.corners();
    for (const AxisLabel* each : {&a, &b}) {
        const Vec2 along = alongText(*each);
        if (apartAlong(along, cornersA, cornersB) ||
            apartAlong(squareTo(along), cornersA, cornersB))
            return false;
    }
    return true;
}

std::vector<AxisLabel> layOutLabels(const VolumeProjection& projection, const Rect& room,
                                    std::span<const Rect> taken, const TextSize& sizeOf) {
    std::vector<VolumeProjection::AxisMarks> axes = projection.axisMarks();
    const auto length = [](const VolumeProjection::AxisMarks& axis) {
        return std::hypot(axis.to.x - axis.from.x, axis.to.y - axis.from.y);
    };
    std::ranges::stable_sort(axes, std::ranges::greater(), length);
    Layout layout(projection, room, taken);
    for (const auto& axis : axes) {
        for (const auto& tick : axis.ticks) {
            const AxisLabel label{tick.label, tick.text, sizeOf(tick.label)};
            if (layout.isFree(label)) layout.take(label);
        }
    }
    for (const auto& axis : axes) {
        if (auto title = placeOfTitle(axis, sizeOf(axis.title), layout))
            layout.take(std::move(*title));
    }
    return std::move(layout).labels();
}

} // namespace echolux
