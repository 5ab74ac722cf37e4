// SPDX-License-Identifier: GPL-3.0-or-later
// The speed of sound of raw frames, as they were recorded (gpu/sound_speed).
#pragma once

#include "app/pipeline/runner.hpp"
#include "gpu/sound_speed/speed_search.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace echolux {

/// What is done to raw frames before channels are compared: a wide band-pass and analytic signals.
/// Single elements become plane waves, and focused waves single elements first. Throws Error, a
/// sentence, for what is no ultrasound channel data, and for sound that travels one way.
PipelineConfig soundSpeedChain(const FrameSpec& raw);

/// Used by one thread at a time.
class SoundSpeedEstimator {
public:
    /// Throws Error, a sentence, where no speed can be estimated from such frames.
    SoundSpeedEstimator(Backend backend, const FrameSpec& raw, const sound_speed::Search& search);

    sound_speed::Estimate estimate(std::span<const std::byte> raw);

private:
    Runner m_runner;
    Buffer m_raw;
    std::unique_ptr<sound_speed::SpeedSearch> m_search;
};

/// Of several frames: the median of those that are not doubted, else of all.
struct SoundSpeedOfFrames {
    double speedMps = 0.0;
    double errorMps = 0.0; ///< the median one
    std::size_t sure = 0;  ///< frames
    std::size_t frames = 0;
    std::string doubt; ///< of the last frame, where none is sure
};
SoundSpeedOfFrames ofFrames(std::span<const sound_speed::Estimate> estimates);

} // namespace echolux
