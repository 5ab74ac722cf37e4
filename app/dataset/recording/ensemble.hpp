// SPDX-License-Identifier: GPL-3.0-or-later
// How a recording's frames make ensembles: windows of N frames that follow one another from the
// first frame on. Frames after the last whole window belong to none.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace echolux {

struct EnsembleWindows {
    std::int64_t each = 1;   ///< frames of one
    std::int64_t frames = 0; ///< of the recording, `each` or more

    std::int64_t count() const { return frames / each; }
    std::int64_t whole() const { return count() * each; } ///< frames that belong to one
    /// First frame of the window that holds `frame`, else of the nearest.
    std::int64_t firstOf(std::int64_t frame) const;
    std::int64_t lastOf(std::int64_t frame) const { return firstOf(frame) + each - 1; }
};

/// Throws Error where the recording is shorter than one ensemble, of `frames`, of the pipeline.
EnsembleWindows windowsOf(const RecordingInfo& info, std::int64_t frames,
                          std::string_view pipeline);

/// Frames `first` and following, one behind the other, as many as fill `out`. Throws Error where
/// one cannot be read.
void readFrames(Recording& recording, std::int64_t first, std::span<std::byte> out);

} // namespace echolux
