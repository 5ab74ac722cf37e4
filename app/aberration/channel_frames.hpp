// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a recording as channel data in front of the beamformer, and their spectra.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/known_screen.hpp"
#include "gpu/aberration/aberration_params.hpp"
#include "gpu/aberration/host_estimate.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace echolux::aberration {

struct ChannelFrames {
    FrameSpec spec; ///< f32 or complex_f32, [transmit][channel][sample]
    std::vector<std::vector<std::byte>> frames;
    std::optional<AberrationTruth> screens; ///< that the pipeline put before the array
};

/// Frames `first` to `last` (0-based, both included) through the pipeline's stages before its
/// first `aberration` or `beamform`. Throws Error, a sentence, for recordings of anything else than
/// channel data and for pipelines without a beamformer.
ChannelFrames channelFrames(Recording& recording, const PipelineConfig& pipeline, Backend backend,
                            std::int64_t first, std::int64_t last);

/// defaultFocus(): all that an array images, on points about five wavelengths apart across and
/// three in depth.
FocusParams wholeImage(const FrameSpec& spec);
/// How many points such a region wants.
std::int64_t pointsFor(const FocusParams& params);

/// focusedSpectra() of all frames, point after point.
Spectra spectraOf(const ChannelFrames& channels, const FocusParams& params);

} // namespace echolux::aberration
