// SPDX-License-Identifier: GPL-3.0-or-later
// The mean spectrum of raw frames, in their own codes: used to capture a background.
#pragma once

#include "app/pipeline/runner.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

class LineMean {
public:
    /// `raw` is the specification of frames of spectra.
    explicit LineMean(const FrameSpec& raw);
    /// Throws Error where the frame is not as long as `raw` says.
    void add(std::span<const std::byte> frame);
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
