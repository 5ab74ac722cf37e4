// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a recording as channel data before the beamformer, and their spectra.
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
    std::optional<AberrationTruth> screens; ///< screens that the pipeline put before the array
};

/// Runs frames `first` to `last` (from 0, both included) through the stages before the pipeline's
/// first `aberration` or `beamform`. Throws Error, a sentence, where the recording is no channel
/// data or the pipeline has no beamformer.
ChannelFrames channelFrames(Recording& recording, const PipelineConfig& pipeline, Backend backend,
                            std::int64_t first, std::int64_t last);

/// defaultFocus() for everything that the array images, with points about five wavelengths apart
/// across and three in depth.
FocusParams wholeImage(const FrameSpec& spec);
/// The number of points for such a region.
std::int64_t pointsFor(const FocusParams& params);

/// focusedSpectra() of all frames, one point after the other.
Spectra spectraOf(const ChannelFrames& channels, const FocusParams& params);

} // namespace echolux::aberration
