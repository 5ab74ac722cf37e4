// SPDX-License-Identifier: GPL-3.0-or-later
// Turns listed pixel positions into the axes of a rectangle or a sector.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace echolux {

/// Pixels of an image, [depth][lateral] or, with planes > 1, [depth][lateral][elevation].
struct ZeaPixels {
    std::size_t depths = 1;
    std::size_t laterals = 1;
    std::size_t planes = 1;

    std::size_t count() const { return depths * laterals * planes; }
};

/// Writes origin, spacing and unit of the axes of `image`, and its sector. `places` holds x, y, z
/// of each pixel in metres. Returns false and writes nothing unless the pixels form evenly spaced
/// rows and columns, or lie at even ranges along lines. The lines fan out from one point, or each
/// has a start of its own and none cross.
bool placePixels(const ZeaPixels& grid, std::span<const double> places, FrameSpec& image);

} // namespace echolux
