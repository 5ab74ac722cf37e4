// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and handles that lie over an image and can be dragged: the crosshair that links the views
// of a volume, and the depth window of the en face image. What to draw, what is under the mouse,
// and what dragging does; the widget that hosts them paints rectangles and passes the mouse on.
#pragma once

#include "render/view/orbit.hpp"
#include "render/view/screen_axis.hpp"
#include "render/view/view_transform.hpp"

#include <vector>

namespace echolux {

enum class OverlayInk {
    Line,
    Handle,
    Grabbed, ///< of what is being dragged
    Shade    ///< translucent
};

/// A filled rectangle in the pixels of the ViewTransform, whose edges fall on device pixels.
struct OverlayShape {
    Rect pixels;
    OverlayInk ink = OverlayInk::Line;
};

/// A point of a volume, in the units of its axes: metres, or plain indices.
struct Crosshair {
    double lateral = 0.0;
    double depth = 0.0;
    double elevation = 0.0;
    bool operator==(const Crosshair&) const = default;
};

/// Where it crosses a picture (B-scan, en face), in view units, and moved there. What the picture
/// does not show stays.
Vec2 placeIn(const Picture& picture, const Crosshair& crosshair);
Crosshair movedTo(const Picture& picture, Crosshair crosshair, Vec2 place); ///< kept within
/// As VolumeScene::slicesAt.
Vec3 fractionsIn(const VolumeBox& box, const Crosshair& crosshair);
/// Nearest sample of `axis`; `at` in its unit.
std::int64_t sampleAt(const Axis& axis, double at);

enum class CrosshairPart { None, Upright, Level, Both };
/// Two lines across the image, one device pixel wide, with a gap where they would meet.
std::vector<OverlayShape> crosshairShapes(const ViewTransform& view, Vec2 place, double deviceRatio,
                                          CrosshairPart grabbed = CrosshairPart::None);
CrosshairPart crosshairPartAt(const ViewTransform& view, Vec2 place, Vec2 pixel);
/// The place after a drag to `pixel`.
Vec2 crosshairDragged(const ViewTransform& view, Vec2 place, CrosshairPart part, Vec2 pixel);

/// Depths nearest <= deepest, in the unit of the depth axis.
struct DepthWindow {
    double nearest = 0.0;
    double deepest = 0.0;
    bool operator==(const DepthWindow&) const = default;
};
enum class WindowPart { None, Nearest, Deepest, Whole };
/// Over a picture whose axis down is depth: both limits, a band between them, a handle at the right
/// of each limit, and one between them that moves both.
std::vector<OverlayShape> depthWindowShapes(const ViewTransform& view, const Picture& picture,
                                            const DepthWindow& window, double deviceRatio,
                                            WindowPart grabbed = WindowPart::None);
/// Handles come before lines, so that a click elsewhere still picks a place.
WindowPart depthWindowPartAt(const ViewTransform& view, const Picture& picture,
                             const DepthWindow& window, Vec2 pixel);
/// `start`: the window when the drag began at `from`. Limits stay within the image and a sample
/// apart; the whole window keeps its width.
DepthWindow depthWindowDragged(const ViewTransform& view, const Picture& picture,
                               const DepthWindow& start, WindowPart part, Vec2 from, Vec2 to);

} // namespace echolux
