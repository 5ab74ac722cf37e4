// SPDX-License-Identifier: GPL-3.0-or-later
// Measures times of functions and pipelines: medians of many runs, in milliseconds.
#pragma once

#include "app/pipeline/runner.hpp"

#include <chrono>
#include <functional>
#include <vector>

namespace echolux {

constexpr int kWarmUps = 3;
constexpr int kFewestTimed = 5;

double medianOf(std::vector<double> values); ///< at least one value

/// Median over `repeat` timed frames, after kWarmUps untimed ones. Frames run one at a time, and
/// the upload is not counted.
double medianProcessingMs(Runner& runner, const FrameJob& job, int repeat);

struct StepMedians {
    std::vector<double> stepMs; ///< one per step: the median
    double processingMs = 0.0;  ///< of all: the median
};
/// The same with the time of each step.
StepMedians stepMedians(Runner& runner, const FrameJob& job, int repeat);
/// The same for frames of about `time`, at least kFewestTimed.
StepMedians stepMedians(Runner& runner, const FrameJob& job, std::chrono::milliseconds time);

/// Milliseconds of one call of `work`, which enqueues on `exec`: median over `repeat` series of
/// `calls` calls. kWarmUps series before them are untimed (one on the CPU). CUDA times come from
/// events.
double medianWorkMs(const Exec& exec, int repeat, int calls, const std::function<void()>& work);

/// The times themselves, in milliseconds of one call.
std::vector<double> workMs(const Exec& exec, int repeat, int calls,
                           const std::function<void()>& work);

} // namespace echolux
