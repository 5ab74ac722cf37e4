// SPDX-License-Identifier: GPL-3.0-or-later
// A recording whose samples are one n-dimensional array with named axes, in any order.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/recording/recording.hpp"

#include <array>
#include <memory>
#include <vector>

namespace echolux {

/// Transmit, Channel and Sample are those of channel data; Elevation, Depth and Lateral those of
/// images.
enum class ArrayAxis { Frame, Transmit, Channel, Sample, Iq, Elevation, Depth, Lateral };
constexpr std::size_t kArrayAxes = 8;
std::string_view nameOf(ArrayAxis axis); ///< "frame", "transmit", "channel", "sample", "iq", ...

struct ArrayMapping {
    std::vector<ArrayAxis> axes; ///< of the source's shape, in index order
    bool conjugate = false;      ///< complex samples are delivered conjugated
    double pairOffset = 0.0;     ///< taken off both parts of complex samples
};

/// Extents of the axes; 1 where the array lacks one. A complex element counts as an iq axis. Of
/// images `transmits` counts planes of elevation, `channels` depths, `samples` lateral positions.
struct ArrayExtents {
    std::int64_t frames = 1;
    std::int64_t transmits = 1;
    std::int64_t channels = 1;
    std::int64_t samples = 1;
    bool pairs = false;
};
/// Throws where axes are named twice, lack samples or channels, or do not fit the shape.
ArrayExtents extentsOf(const std::filesystem::path& path, const ArrayLayout& layout,
                       const ArrayMapping& mapping);

/// The spec of one frame of such an array, without geometry.
FrameSpec frameSpecOf(const ArrayLayout& layout, const ArrayExtents& extents,
                      double samplingFrequencyHz);

/// The same of an image [depth][lateral] or volume [elevation][depth][lateral], without places.
FrameSpec imageSpecOf(const ArrayLayout& layout, const ArrayExtents& extents, RecordedForm form);

/// Refuses to read a frame that is not there or into a buffer of another size.
void checkFrameRequest(const RecordingInfo& info, std::int64_t index, std::size_t bytes);

/// Refuses what no image can be made of: no elements, positions or times that are not finite,
/// counts that contradict each other. Every reader calls it last.
void checkRecording(const RecordingInfo& info);

/// `info.frame` and `info.frameCount` must come from the functions above.
std::unique_ptr<Recording>
makeArrayRecording(RecordingInfo info, std::unique_ptr<ArraySource> source, ArrayMapping mapping);

} // namespace echolux
