// SPDX-License-Identifier: GPL-3.0-or-later
// A recording whose samples are one n-dimensional array with named axes in any order.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/recording/recording.hpp"

#include <array>
#include <memory>
#include <vector>

namespace echolux {

/// Transmit, Channel and Sample are axes of channel data; Elevation, Depth and Lateral are axes of
/// images.
enum class ArrayAxis { Frame, Transmit, Channel, Sample, Iq, Elevation, Depth, Lateral };
constexpr std::size_t kArrayAxes = 8;
std::string_view nameOf(ArrayAxis axis); ///< "frame", "transmit", "channel", "sample", "iq", ...

struct ArrayMapping {
    std::vector<ArrayAxis> axes; ///< names of the source's axes, in index order
    bool conjugate = false;      ///< complex samples are delivered conjugated
    double pairOffset = 0.0;     ///< subtracted from both parts of complex samples
};

/// Extents of the axes; 1 for an axis that the array lacks. A complex element counts as an iq axis.
/// For images `transmits` counts planes of elevation, `channels` depths and `samples` lateral
/// positions.
struct ArrayExtents {
    std::int64_t frames = 1;
    std::int64_t transmits = 1;
    std::int64_t channels = 1;
    std::int64_t samples = 1;
    bool pairs = false;
};
/// Throws where an axis is named twice, where samples or channels (of images: depth or lateral) are
/// missing, or where the axes do not fit the shape.
ArrayExtents extentsOf(const std::filesystem::path& path, const ArrayLayout& layout,
                       const ArrayMapping& mapping);

/// The specification of one frame of such an array, without geometry.
FrameSpec frameSpecOf(const ArrayLayout& layout, const ArrayExtents& extents,
                      double samplingFrequencyHz);

/// The same for an image [depth][lateral] or a volume [elevation][depth][lateral], without
/// coordinates.
FrameSpec imageSpecOf(const ArrayLayout& layout, const ArrayExtents& extents, RecordedForm form);

/// Throws where the frame does not exist or the buffer has another size.
void checkFrameRequest(const RecordingInfo& info, std::int64_t index, std::size_t bytes);

/// Throws where no image can be made: without elements, with positions or times that are not
/// finite, or with contradictory counts. Every reader calls it last.
void checkRecording(const RecordingInfo& info);

/// `info.frame` and `info.frameCount` must come from the functions above.
std::unique_ptr<Recording>
makeArrayRecording(RecordingInfo info, std::unique_ptr<ArraySource> source, ArrayMapping mapping);

} // namespace echolux
