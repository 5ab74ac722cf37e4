// SPDX-License-Identifier: GPL-3.0-or-later
// The mean spectrum of raw frames, in their own codes: used to capture a background.
#pragma once

#include "app/pipeline/runner.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace echolux {

class LineMean {
public:
    /// `raw` is the specification of frames of spectra.
    explicit LineMean(const FrameSpec& raw);
    /// Adds the lines of a frame, or its first `most` lines. Throws Error where the frame is not as
    /// long as `raw` says.
    void add(std::span<const std::byte> frame,
             std::int64_t most = std::numeric_limits<std::int64_t>::max());
    std::int64_t lines() const { return m_lines; } ///< number of lines added so far
    /// Mean of all lines of all frames. Throws Error where no frame was added, and where the mean
    /// is constant or not finite, because it would be no useful background.
    std::vector<float> mean() const;

private:
    SnapshotPtr m_toCodes;
    Runner m_runner;
    Buffer m_raw;
    Buffer m_codes;
    std::vector<double> m_sum;
    std::int64_t m_lines = 0;
};

} // namespace echolux
