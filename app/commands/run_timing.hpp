// SPDX-License-Identifier: GPL-3.0-or-later
// What each step of a pipeline took, frame by frame.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/stream/statistics.hpp"

#include <string>
#include <vector>

namespace echolux {

/// Of one step over all frames, in milliseconds. Without the first frame, in which caches and
/// clocks warm up, where there are others.
StepTimes summaryOf(std::vector<double> milliseconds);

/// Times of frames in the order of their numbers.
class RunTiming {
public:
    /// Names of the columns: upload, the steps' labels, total.
    explicit RunTiming(const Runner& runner);
    void add(const FrameTiming& timing);

    /// As lines of text: name, last, mean, 99th percentile, in milliseconds; then why steps are not
    /// fused that might be, or not tuned.
    std::string table() const;
    /// One row per frame; milliseconds.
    std::string csv() const;
    std::string json() const;

private:
    std::vector<std::string> m_names;
    std::string m_remarks;
    std::vector<std::vector<double>> m_columns;
};

} // namespace echolux
