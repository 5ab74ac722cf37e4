// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of bubbles: F32 [bubble][property] for one image, [frame][bubble][property] for an
// ensemble. The brightest bubble of a frame comes first; rows behind the last one are zeros.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <cstdint>

namespace echolux::flow {

/// One row of a list. Positions are in the units of the image's axes. An amplitude of 0 marks an
/// unused row.
struct Bubble {
    float depth = 0.0F;
    float lateral = 0.0F;
    float amplitude = 0.0F; ///< of the brightest pixel
    float width = 0.0F;     ///< standard deviation of the spot, see localise.cu
};
inline constexpr std::int64_t kBubbleProperties = sizeof(Bubble) / sizeof(float);

/// The list of at most `most` bubbles per frame, of an image or an ensemble of images.
inline FrameSpec bubbleListOf(const FrameSpec& images, std::int64_t most) {
    FrameSpec list;
    list.dtype = DType::F32;
    if (images.isEnsemble()) list.axes.push_back(images.axes.front());
    list.axes.push_back({AxisName::Bubble, most, 1.0, 0.0, ""});
    list.axes.push_back({AxisName::Property, kBubbleProperties, 1.0, 0.0, ""});
    list.centreFrequencyHz = images.centreFrequencyHz;
    list.frameIntervalS = images.frameIntervalS;
    list.recordedForm = images.recordedForm;
    return list;
}

} // namespace echolux::flow
