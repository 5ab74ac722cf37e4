// SPDX-License-Identifier: GPL-3.0-or-later
// Which volume the images of a recording make: of light from A-scans, of echoes from slices or
// whole.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/volume/volume.hpp"

#include <cstdint>
#include <string>

namespace echolux {

struct MadeVolume {
    FrameSpec spec;            ///< axes elevation, lateral, depth
    VolumeShape shape;         ///< none: the images make no volume
    std::int64_t perFrame = 1; ///< B-scans that each frame holds; of whole volumes all
    bool turned = false;       ///< images are [depth][lateral], as echoes are
    float empty = 0.0F;        ///< what voxels count as before their B-scan has come: nothing
    std::string problem;       ///< one sentence where there could be one but for a parameter

    /// What to do where it needs more memory than there is.
    std::string howToShrink() const;
};

/// `image`: of one frame, [lateral][depth] or [elevation][lateral][depth] of light, [depth]
/// [lateral] of echoes that `stack` puts together, or [elevation][depth][lateral], a volume a
/// frame.
MadeVolume madeVolume(const FrameSpec& image, const VolumeStack& stack);

} // namespace echolux
