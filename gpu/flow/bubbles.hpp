// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of bubbles: F32 [bubble][property] for one image, [frame][bubble][property] for an
// ensemble. Of plain lists the brightest bubble of a frame comes first; rows behind the last one
// are zeros. In lists with tracks each row has the track of one place in the tracker's memory.
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

/// One row of a list with tracks, see track.cu. Where the amplitude is 0, the track has no bubble
/// in this frame, or too few to count: then `bubble` is where it is expected, and the row counts
/// nowhere. Velocities are per second, or per frame where the time between frames is unknown.
struct TrackedBubble {
    Bubble bubble;             ///< its place is that of the filter
    float track = 0.0F;        ///< number, from 1; 0: the row is unused. Exact up to 2^24
    float depthSpeed = 0.0F;   ///< away from the probe
    float lateralSpeed = 0.0F; ///< to the right
    float age = 0.0F;          ///< frames since its first bubble
    float fromDepth = 0.0F;    ///< the place of its last row that counted, else of its first bubble
    float fromLateral = 0.0F;  ///< likewise
    float begins = 0.0F;       ///< 1: the first row of this track that counts
};
inline constexpr std::int64_t kTrackProperties = sizeof(TrackedBubble) / sizeof(float);

inline bool hasTracks(const FrameSpec& list) {
    return list.sizeOf(AxisName::Property) == kTrackProperties;
}

/// The list of at most `most` bubbles per frame, of an image or an ensemble of images. Its property
/// axis has the unit of the places.
inline FrameSpec bubbleListOf(const FrameSpec& images, std::int64_t most) {
    FrameSpec list;
    list.dtype = DType::F32;
    if (images.isEnsemble()) list.axes.push_back(images.axes.front());
    list.axes.push_back({AxisName::Bubble, most, 1.0, 0.0, ""});
    const Axis* depth = images.find(AxisName::Depth);
    list.axes.push_back(
        {AxisName::Property, kBubbleProperties, 1.0, 0.0, depth != nullptr ? depth->unit : ""});
    list.centreFrequencyHz = images.centreFrequencyHz;
    list.frameIntervalS = images.frameIntervalS;
    list.recordedForm = images.recordedForm;
    return list;
}

} // namespace echolux::flow
