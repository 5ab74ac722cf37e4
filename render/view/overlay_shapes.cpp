// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of crosshair and depth window.
#include "render/view/overlay_shapes.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kCrossGap = 6.0; ///< half the gap of the crosshair
constexpr double kReach = 5.0;    ///< distance within which the mouse takes hold, pixels
constexpr double kHandleWidth = 14.0;
constexpr double kHandleHeight = 7.0;

/// Rounds to device pixels.
class Grid {
public:
    explicit Grid(double deviceRatio)
        : m_ratio(deviceRatio), m_hair(std::max(1.0, std::floor(deviceRatio)) / deviceRatio) {}
    double snapped(double at) const { return std::round(at * m_ratio) / m_ratio; }
    Rect upright(double x, double top, double bottom) const {
        const double left = std::floor(x * m_ratio) / m_ratio;
        return {left, snapped(top), left + m_hair, snapped(bottom)};
    }
    Rect level(double y, double left, double right) const {
        const double top = std::floor(y * m_ratio) / m_ratio;
        return {snapped(left), top, snapped(right), top + m_hair};
    }
    Rect box(const Rect& r) const {
        return {snapped(r.left), snapped(r.top), snapped(r.right), snapped(r.bottom)};
    }

private:
    double m_ratio;
    double m_hair; ///< width of a hairline: a whole number of device pixels, about 1 logical pixel
};

double& coordinate(Crosshair& crosshair, AxisName axis) {
    return axis == AxisName::Depth       ? crosshair.depth
           : axis == AxisName::Elevation ? crosshair.elevation
                                         : crosshair.lateral;
}
double coordinate(Crosshair crosshair, AxisName axis, double viewPerAxis) {
    return coordinate(crosshair, axis) * viewPerAxis;
}

/// Clamps a place to the centres of the first and the last sample.
double within(const ScreenAxis& axis, double place) {
    const double half = 0.5 * axis.sample;
    return std::clamp(place, axis.first + half, std::max(axis.first + half, axis.last - half));
}

void addVisible(std::vector<OverlayShape>& shapes, const Rect& rect, const Rect& visible,
                OverlayInk ink) {
    const Rect part = intersection(rect, visible);
    if (part.width() > 0.0 && part.height() > 0.0) shapes.push_back({part, ink});
}

/// The window on screen.
struct WindowRows {
    Rect visible;
    double nearest; ///< pixels
    double deepest;
    double middle() const {
        return 0.5 * (std::clamp(nearest, visible.top, visible.bottom) +
                      std::clamp(deepest, visible.top, visible.bottom));
    }
    /// At the left: on a narrow image the colour bar stands at the right.
    Rect handle(double y) const {
        return {visible.left, y - 0.5 * kHandleHeight, visible.left + kHandleWidth,
                y + 0.5 * kHandleHeight};
    }
    /// Where a small window leaves no room between its limits, the handle stands beside them.
    Rect wholeHandle() const {
        const bool narrow = deepest - nearest < 3.0 * kHandleHeight;
        const double shift = narrow ? kHandleWidth + 2.0 : 0.0;
        const Rect at = handle(middle());
        return {at.left + shift, at.top, at.right + shift, at.bottom};
    }
};

WindowRows rowsOf(const ViewTransform& view, const Picture& picture, const DepthWindow& window) {
    const double perAxis = picture.down.viewPerAxis;
    return {view.visibleInPixels(), view.toPixel({0.0, window.nearest * perAxis}).y,
            view.toPixel({0.0, window.deepest * perAxis}).y};
}

bool grabs(const Rect& handle, Vec2 pixel) {
    constexpr double kSlack = 2.0;
    return Rect{handle.left - kSlack, handle.top - kSlack, handle.right + kSlack,
                handle.bottom + kSlack}
        .contains(pixel);
}

} // namespace

Vec2 placeIn(const Picture& picture, const Crosshair& crosshair) {
    return {coordinate(crosshair, picture.across.axis, picture.across.viewPerAxis),
            coordinate(crosshair, picture.down.axis, picture.down.viewPerAxis)};
}

Crosshair movedTo(const Picture& picture, Crosshair crosshair, Vec2 place) {
    coordinate(crosshair, picture.across.axis) =
        within(picture.across, place.x) / picture.across.viewPerAxis;
    coordinate(crosshair, picture.down.axis) =
        within(picture.down, place.y) / picture.down.viewPerAxis;
    return crosshair;
}

Vec3 fractionsIn(const VolumeBox& box, const Crosshair& crosshair) {
    const auto fraction = [](const ScreenAxis& axis, double at) {
        return std::clamp((at * axis.viewPerAxis - axis.first) / (axis.last - axis.first), 0.0,
                          1.0);
    };
    return {fraction(box.lateral, crosshair.lateral), fraction(box.depth, crosshair.depth),
            fraction(box.elevation, crosshair.elevation)};
}

std::int64_t sampleAt(const Axis& axis, double at) {
    const double index = std::round((at - axis.origin) / axis.spacing);
    return static_cast<std::int64_t>(std::clamp(index, 0.0, static_cast<double>(axis.size - 1)));
}

std::vector<OverlayShape> crosshairShapes(const ViewTransform& view, Vec2 place, double deviceRatio,
                                          CrosshairPart grabbed) {
    const Grid grid(deviceRatio);
    const Rect visible = grid.box(view.visibleInPixels());
    const Vec2 at = view.toPixel(place);
    const auto ink = [grabbed](CrosshairPart part) {
        return grabbed == part || grabbed == CrosshairPart::Both ? OverlayInk::Grabbed
                                                                 : OverlayInk::Line;
    };
    std::vector<OverlayShape> shapes;
    const OverlayInk upright = ink(CrosshairPart::Upright);
    addVisible(shapes, grid.upright(at.x, visible.top, at.y - kCrossGap), visible, upright);
    addVisible(shapes, grid.upright(at.x, at.y + kCrossGap, visible.bottom), visible, upright);
    const OverlayInk level = ink(CrosshairPart::Level);
    addVisible(shapes, grid.level(at.y, visible.left, at.x - kCrossGap), visible, level);
    addVisible(shapes, grid.level(at.y, at.x + kCrossGap, visible.right), visible, level);
    return shapes;
}

CrosshairPart crosshairPartAt(const ViewTransform& view, Vec2 place, Vec2 pixel) {
    if (!view.visibleInPixels().contains(pixel)) return CrosshairPart::None;
    const Vec2 at = view.toPixel(place);
    const bool upright = std::abs(pixel.x - at.x) <= kReach;
    const bool level = std::abs(pixel.y - at.y) <= kReach;
    if (upright && level) return CrosshairPart::Both;
    return upright ? CrosshairPart::Upright : level ? CrosshairPart::Level : CrosshairPart::None;
}

Vec2 crosshairDragged(const ViewTransform& view, Vec2 place, CrosshairPart part, Vec2 pixel) {
    const Vec2 to = view.toPlace(pixel);
    if (part == CrosshairPart::Upright || part == CrosshairPart::Both) place.x = to.x;
    if (part == CrosshairPart::Level || part == CrosshairPart::Both) place.y = to.y;
    return place;
}

std::vector<OverlayShape> depthWindowShapes(const ViewTransform& view, const Picture& picture,
                                            const DepthWindow& window, double deviceRatio,
                                            WindowPart grabbed) {
    const Grid grid(deviceRatio);
    const WindowRows rows = rowsOf(view, picture, window);
    const Rect visible = grid.box(rows.visible);
    const auto line = [grabbed](WindowPart part) {
        return grabbed == part || grabbed == WindowPart::Whole ? OverlayInk::Grabbed
                                                               : OverlayInk::Line;
    };
    const auto handle = [grabbed](WindowPart part) {
        return grabbed == part ? OverlayInk::Grabbed : OverlayInk::Handle;
    };
    std::vector<OverlayShape> shapes;
    addVisible(shapes, grid.box({visible.left, rows.nearest, visible.right, rows.deepest}), visible,
               OverlayInk::Shade);
    addVisible(shapes, grid.level(rows.nearest, visible.left, visible.right), visible,
               line(WindowPart::Nearest));
    addVisible(shapes, grid.level(rows.deepest, visible.left, visible.right), visible,
               line(WindowPart::Deepest));
    addVisible(shapes, grid.box(rows.handle(rows.nearest)), visible, handle(WindowPart::Nearest));
    addVisible(shapes, grid.box(rows.handle(rows.deepest)), visible, handle(WindowPart::Deepest));
    addVisible(shapes, grid.box(rows.wholeHandle()), visible, handle(WindowPart::Whole));
    return shapes;
}

WindowPart depthWindowPartAt(const ViewTransform& view, const Picture& picture,
                             const DepthWindow& window, Vec2 pixel) {
    const WindowRows rows = rowsOf(view, picture, window);
    if (!rows.visible.contains(pixel)) return WindowPart::None;
    if (grabs(rows.wholeHandle(), pixel)) return WindowPart::Whole;
    const double toNearest = std::abs(pixel.y - rows.nearest);
    const double toDeepest = std::abs(pixel.y - rows.deepest);
    // Where two limits lie in one place, the one that can move towards the mouse is taken.
    const bool nearestFirst =
        toNearest < toDeepest || (toNearest == toDeepest && pixel.y < rows.nearest);
    const double nearer = std::min(toNearest, toDeepest);
    const bool onHandle = grabs(rows.handle(nearestFirst ? rows.nearest : rows.deepest), pixel);
    if (!onHandle && nearer > kReach) return WindowPart::None;
    return nearestFirst ? WindowPart::Nearest : WindowPart::Deepest;
}

DepthWindow depthWindowDragged(const ViewTransform& view, const Picture& picture,
                               const DepthWindow& start, WindowPart part, Vec2 from, Vec2 to) {
    const ScreenAxis& depth = picture.down;
    const double moved = view.toPlace(to).y - view.toPlace(from).y;
    double nearest = start.nearest * depth.viewPerAxis;
    double deepest = start.deepest * depth.viewPerAxis;
    const double first = depth.first + 0.5 * depth.sample;
    const double last = std::max(first, depth.last - 0.5 * depth.sample);
    const double least = std::min(depth.sample, last - first);
    if (part == WindowPart::Nearest) {
        nearest = std::clamp(nearest + moved, first, std::max(first, deepest - least));
    } else if (part == WindowPart::Deepest) {
        deepest = std::clamp(deepest + moved, std::min(last, nearest + least), last);
    } else if (part == WindowPart::Whole) {
        const double width = std::min(deepest - nearest, last - first);
        nearest = std::clamp(nearest + moved, first, last - width);
        deepest = nearest + width;
    }
    return {nearest / depth.viewPerAxis, deepest / depth.viewPerAxis};
}

} // namespace echolux
