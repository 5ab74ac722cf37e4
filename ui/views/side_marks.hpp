// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the sides of a patient at the edges of an image.
#pragma once

#include "render/view/side_letters.hpp"
#include "render/view/view_transform.hpp"

#include <QFont>

class QPainter;

namespace echolux {

/// Each letter lies within the visible part of the image, at the middle of its edge.
void drawSideLetters(QPainter& painter, const QFont& font, const ViewTransform& view,
                     const SideLetters& letters);

} // namespace echolux
