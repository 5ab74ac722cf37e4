// SPDX-License-Identifier: GPL-3.0-or-later
// Axes and sizes of volumes.
#include "app/session/volume/made_volume.hpp"

#include "app/session/stream/mailbox.hpp"
#include "gpu/core/decibels.hpp"
#include "gpu/core/volume_image.hpp"

#include <algorithm>

namespace echolux {
namespace {

/// True where the last two axes are depth and lateral, in either order.
bool isOfLinesAndDepths(const FrameSpec& image) {
    if (image.dtype != DType::F32 || image.axes.size() < 2) return false;
    const AxisName last = image.axes.back().name;
    const AxisName before = image.axes[image.axes.size() - 2].name;
    return (last == AxisName::Depth && before == AxisName::Lateral) ||
           (last == AxisName::Lateral && before == AxisName::Depth);
}

Axis elevationAxis(const FrameSpec& image, const VolumeStack& stack, std::int64_t bscans) {
    if (isWholeVolume(image)) return image.axes.front();
    if (stack.spacingM > 0.0) return {AxisName::Elevation, bscans, stack.spacingM, 0.0, "m"};
    const Axis* known = image.find(AxisName::Elevation);
    Axis axis = known != nullptr ? *known : Axis{AxisName::Elevation, 1, 1.0, 0.0, ""};
    axis.size = bscans;
    return axis;
}

} // namespace

std::string MadeVolume::howToShrink() const {
    if (!turned) return "record fewer of them, or pad less";
    return layout.perFrame > 1
               ? "make pixel_elevation, pixel_lateral or pixel_depth of beamform greater"
               : "make pixel_lateral or pixel_depth of beamform greater";
}

BscanLayout bscanLayout(const FrameSpec& image, const VolumeStack& stack, std::int64_t ensemble) {
    return {bscansIn(image), stack.repeats * ensemble, ensemble};
}

MadeVolume madeVolume(const FrameSpec& image, const VolumeStack& stack, std::int64_t ensemble) {
    MadeVolume made;
    made.layout = bscanLayout(image, stack, ensemble);
    const std::int64_t perFrame = made.layout.perFrame;
    const std::int64_t bscans =
        isWholeVolume(image) ? perFrame : std::max(stack.places(), perFrame);
    if (!isOfLinesAndDepths(image) || bscans < 2) return made;
    made.turned = image.axes.back().name == AxisName::Lateral;
    if (made.turned && !image.valueRange) {
        made.problem = "There is no volume and no C-plane of amplitudes without a limit; switch on "
                       "log_compression or linear_map.";
        return made;
    }
    made.shape = {bscans, image.sizeOf(AxisName::Lateral), image.sizeOf(AxisName::Depth)};
    made.spec = image;
    made.spec.axes = {elevationAxis(image, stack, bscans), *image.find(AxisName::Lateral),
                      *image.find(AxisName::Depth)};
    made.empty = image.valueRange && image.valueRange->unit == "dB" ? kNothingDb : 0.0F;
    return made;
}

} // namespace echolux
