// SPDX-License-Identifier: GPL-3.0-or-later
// How frames of a recording form ensembles: consecutive windows of N frames, beginning with the
// first frame. Frames after the last whole window belong to no ensemble.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace echolux {

struct EnsembleWindows {
    std::int64_t each = 1;   ///< frames per window
    std::int64_t frames = 0; ///< frames of the recording, at least `each`

    std::int64_t count() const { return frames / each; }
    std::int64_t whole() const {
        return count() * each;
    } ///< number of frames that belong to a
      ///< window
    /// First frame of the window that contains `frame`, or of the nearest window.
    std::int64_t firstOf(std::int64_t frame) const;
    std::int64_t lastOf(std::int64_t frame) const { return firstOf(frame) + each - 1; }
};

/// Windows of `frames` frames. Throws Error that names the pipeline where the recording is shorter
/// than one window.
EnsembleWindows windowsOf(const RecordingInfo& info, std::int64_t frames,
                          std::string_view pipeline);

/// Reads as many consecutive frames as `out` holds, from `first` on. Throws Error where a frame
/// cannot be read.
void readFrames(Recording& recording, std::int64_t first, std::span<std::byte> out);

} // namespace echolux
