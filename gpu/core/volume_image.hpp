// SPDX-License-Identifier: GPL-3.0-or-later
// Distinguishes images with an elevation axis: an ultrasound volume, or several OCT B-scans.
#pragma once

#include "gpu/core/frame_spec.hpp"

namespace echolux {

/// True where one frame is a whole ultrasound volume, [elevation][depth][lateral]. Several OCT
/// B-scans in one frame have another order of axes, [elevation][lateral][depth].
inline bool isWholeVolume(const FrameSpec& image) {
    return image.axes.size() == 3 && image.axes[0].name == AxisName::Elevation &&
           image.axes[1].name == AxisName::Depth && image.axes[2].name == AxisName::Lateral;
}

} // namespace echolux
