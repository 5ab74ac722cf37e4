// SPDX-License-Identifier: GPL-3.0-or-later
// Times of each step of a pipeline, frame by frame.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/stream/statistics.hpp"

#include <string>
#include <vector>

namespace echolux {

/// Times of one step over all frames, in milliseconds. Leaves out the first frame, in which caches
/// and clocks warm up, where there are others.
StepTimes summaryOf(std::vector<double> milliseconds);

/// Collects times of frames in the order of their numbers.
class RunTiming {
public:
    /// Reads the names of the columns: upload, labels of the steps, total.
    explicit RunTiming(const Runner& runner);
    void add(const FrameTiming& timing);

    /// Lines of text: name, last, mean, 99th percentile, in milliseconds, megabytes of the tables
    /// that the step holds between frames; then reasons why steps are not fused or not tuned.
    std::string table() const;
    /// One row per frame, in milliseconds.
    std::string csv() const;
    std::string json() const;

private:
    std::vector<std::string> m_names;
    std::vector<std::size_t> m_heldBytes; ///< per name
    std::string m_remarks;
    std::vector<std::vector<double>> m_columns;
};

} // namespace echolux
