// SPDX-License-Identifier: GPL-3.0-or-later
// The mean spectrum of raw frames, in their own codes: a background that is captured.
#pragma once

#include "app/pipeline/runner.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

class LineMean {
public:
    /// `raw`: frames of spectra.
    explicit LineMean(const FrameSpec& raw);
    /// Throws Error where the frame is not as long as `raw` says.
    void add(std::span<const std::byte> frame);
    /// Mean of all lines of all frames. Throws Error where there is none, or where it is the same
    /// everywhere or no number: nothing could be taken off by it.
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
