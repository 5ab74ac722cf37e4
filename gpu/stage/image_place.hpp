// SPDX-License-Identifier: GPL-3.0-or-later
// The pixel at a place, for stages that watch one place of the image over time.
#pragma once

#include "gpu/stage/shown_stage.hpp"

#include <cstdint>
#include <vector>

namespace echolux {

struct PixelPlace {
    std::int64_t depth = 0;   ///< index on the Depth axis
    std::int64_t lateral = 0; ///< index on the Lateral axis
    bool outside = false;     ///< the place lies outside the image; the pixel is the nearest one
};

/// The pixel nearest to x, z (m). In beam space it lies on the line that passes the place closest.
/// An axis without a scale in metres has its middle taken. Precondition: `image` has the axes Depth
/// and Lateral.
PixelPlace pixelAt(const FrameSpec& image, double xM, double zM);

/// True where a place in metres has a meaning on both axes.
bool hasPlaces(const FrameSpec& image);

/// Sliders of the rows `depth` and `lateral` span the image. In beam space the lines may reach as
/// far aside as deep.
std::vector<SliderSpan> placeSpans(const ShownStage& stage);

/// The coordinate in the middle of an axis.
double middleOf(const Axis& axis);

} // namespace echolux
