// SPDX-License-Identifier: GPL-3.0-or-later
// From copied pixels to an image that is measured.
#pragma once

#include "app/measure/measured_image.hpp"
#include "app/session/pixels_look.hpp"

#include <memory>

namespace echolux {

/// With its samples along the beams where they are known. Throws Error where it cannot be measured.
inline measure::MeasuredImage measuredImage(const ImagePixels& pixels) {
    using measure::MeasuredImage;
    MeasuredImage image = MeasuredImage::of(pixels.spec, pixels.wholeRange());
    if (const auto& lines = pixels.lines)
        image.lines = std::make_shared<const MeasuredImage>(
            MeasuredImage::ofLines(lines->spec, lines->wholeRange()));
    return image;
}

} // namespace echolux
