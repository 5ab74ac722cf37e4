// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and handles over an image that can be dragged: the crosshair that links the views of a
// volume, and the depth window of the en face image. These functions tell what to draw, what is
// under the mouse, and what dragging does. The widget paints the rectangles and passes mouse
// positions on.
#pragma once

#include "render/view/orbit.hpp"
#include "render/view/screen_axis.hpp"
#include "render/view/view_transform.hpp"

#include <vector>

namespace echolux {

enum class OverlayInk {
    Line,
    Handle,
    Grabbed, ///< for the part that is being dragged
    Shade    ///< translucent
};

/// A filled rectangle in the pixels of the ViewTransform. Its edges lie on device pixels.
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

/// The point of a crosshair in a picture (B-scan, en face), in view units, and the crosshair moved
/// to a point. Coordinates that the picture does not show stay as they are.
Vec2 placeIn(const Picture& picture, const Crosshair& crosshair);
Crosshair movedTo(const Picture& picture, Crosshair crosshair, Vec2 place); ///< the result stays
                                                                            ///< within the picture
/// The crosshair as fractions, as in VolumeScene::slicesAt.
Vec3 fractionsIn(const VolumeBox& box, const Crosshair& crosshair);
/// The sample of `axis` nearest to `at`, which is in the axis' unit.
std::int64_t sampleAt(const Axis& axis, double at);

enum class CrosshairPart { None, Upright, Level, Both };
/// Two lines across the image, one device pixel wide, with a gap at their intersection.
std::vector<OverlayShape> crosshairShapes(const ViewTransform& view, Vec2 place, double deviceRatio,
                                          CrosshairPart grabbed = CrosshairPart::None);
CrosshairPart crosshairPartAt(const ViewTransform& view, Vec2 place, Vec2 pixel);
/// The point of the crosshair after a drag to `pixel`.
Vec2 crosshairDragged(const ViewTransform& view, Vec2 place, CrosshairPart part, Vec2 pixel);

/// Depths nearest <= deepest, in the unit of the depth axis.
struct DepthWindow {
    double nearest = 0.0;
    double deepest = 0.0;
    bool operator==(const DepthWindow&) const = default;
};
enum class WindowPart { None, Nearest, Deepest, Whole };
/// Shapes over a picture whose vertical axis is depth: both limits, a band between them, a handle
/// at the left of each limit, and a handle between them that moves both.
std::vector<OverlayShape> depthWindowShapes(const ViewTransform& view, const Picture& picture,
                                            const DepthWindow& window, double deviceRatio,
                                            WindowPart grabbed = WindowPart::None);
/// The part under the mouse. Handles take precedence over lines. A click elsewhere hits no part, so
/// it still picks a place.
WindowPart depthWindowPartAt(const ViewTransform& view, const Picture& picture,
                             const DepthWindow& window, Vec2 pixel);
/// The window after a drag from `from` to `to`. `start` is the window at the begin of the drag.
/// Limits stay within the image and at least a sample apart. When the whole window is dragged it
/// keeps its width.
DepthWindow depthWindowDragged(const ViewTransform& view, const Picture& picture,
                               const DepthWindow& start, WindowPart part, Vec2 from, Vec2 to);

} // namespace echolux
