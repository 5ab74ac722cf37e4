// SPDX-License-Identifier: GPL-3.0-or-later
// What overlays show over a view.
#pragma once

#include "ui/views/image_view.hpp"
#include "ui/views/overlay/box_overlay.hpp"
#include "ui/views/overlay/shapes_overlay.hpp"
#include "ui/views/overlay/sketch_overlay.hpp"

#include <optional>
#include <vector>

namespace echolux::testing_support {

/// The uppermost one that has a box; null: none.
inline BoxOverlay* boxOn(const ImageView& view) {
    BoxOverlay* found = nullptr;
    for (Overlay* each : view.overlays())
        if (auto* box = dynamic_cast<BoxOverlay*>(each); box != nullptr && box->box()) found = box;
    return found;
}
inline std::vector<NamedShape> shapesOn(const ImageView& view,
                                        Overlay::Layer layer = Overlay::Layer::Shape) {
    std::vector<NamedShape> shapes;
    for (Overlay* each : view.overlays())
        if (auto* of = dynamic_cast<ShapesOverlay*>(each); of != nullptr && of->layer() == layer)
            shapes.insert(shapes.end(), of->shapes().begin(), of->shapes().end());
    return shapes;
}
/// Null: nothing is drawn.
inline const ViewSketch* sketchOn(const ImageView& view) {
    for (Overlay* each : view.overlays())
        if (auto* of = dynamic_cast<SketchOverlay*>(each); of != nullptr && of->sketch())
            return &*of->sketch();
    return nullptr;
}

} // namespace echolux::testing_support
