// SPDX-License-Identifier: GPL-3.0-or-later
// The volume that the images of a recording make: OCT B-scans, ultrasound slices, or whole
// ultrasound volumes.
#pragma once

#include "app/session/volume/volume_rows.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/volume/volume.hpp"

#include <cstdint>
#include <string>

namespace echolux {

/// How frames hold the B-scans of a volume; arguments as for madeVolume().
BscanLayout bscanLayout(const FrameSpec& image, const VolumeStack& stack, std::int64_t ensemble);

struct MadeVolume {
    FrameSpec spec;      ///< axes elevation, lateral, depth
    VolumeShape shape;   ///< empty: the images make no volume
    BscanLayout layout;  ///< a frame that is a whole volume holds all B-scans
    bool turned = false; ///< images are [depth][lateral], as in ultrasound
    float empty = 0.0F;  ///< value of voxels whose B-scan has not come yet
    std::string problem; ///< one sentence where only a parameter prevents a volume

    /// Advice for a volume that needs more memory than there is.
    std::string howToShrink() const;
};

/// `image` is the image of `ensemble` frames. OCT: [lateral][depth] or [elevation][lateral][depth].
/// Ultrasound: [depth][lateral], which `stack` puts together, or [elevation][depth][lateral], where
/// each frame is a volume. `stack` is that of whole ensembles, see stackOfEnsembles().
MadeVolume madeVolume(const FrameSpec& image, const VolumeStack& stack, std::int64_t ensemble = 1);

} // namespace echolux
