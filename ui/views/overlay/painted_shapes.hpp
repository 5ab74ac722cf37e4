// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "render/view/overlay_shapes.hpp"

#include <vector>

class QColor;
class QPainter;

namespace echolux {

/// Fills the rectangles: handles in `tool`, lines in a weaker `tool`, what is held in the text's
/// colour. Shades are left out, because the image keeps its colours.
void paintShapes(QPainter& painter, const std::vector<OverlayShape>& shapes, const QColor& tool);

} // namespace echolux
