// SPDX-License-Identifier: GPL-3.0-or-later
// Measures times of functions and pipelines for `echolux bench`, and provides their data.
#pragma once

#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"

#include <functional>
#include <vector>

namespace echolux {

constexpr int kBenchWarmUps = 3;

/// Median over `repeat` timed frames, after kBenchWarmUps untimed ones. Frames run one at a time,
/// and the upload is not counted.
double medianProcessingMs(Runner& runner, const FrameJob& job, int repeat);

struct StepMedians {
    std::vector<double> stepMs; ///< one per step: the median
    double processingMs = 0.0;  ///< of all: the median
};
/// The same with the time of each step.
StepMedians stepMedians(Runner& runner, const FrameJob& job, int repeat);

double medianOf(std::vector<double> values); ///< at least one value

/// Milliseconds of one call of `work`, which enqueues on `exec`: median over `repeat` series of
/// `calls` calls. kBenchWarmUps series before them are untimed (one on the CPU). CUDA times come
/// from events.
double medianWorkMs(const Exec& exec, int repeat, int calls, const std::function<void()>& work);

/// Seconds per frame with all slots in flight. It waits for a slot only when it needs it again.
/// Runs `repeat` frames per slot.
double streamingSeconds(Runner& runner, const FrameJob& job, int repeat);

/// A copy of `values` in compute memory, complete on return.
template <class T> Buffer inComputeMemory(const Exec& exec, const std::vector<T>& values) {
    Buffer buffer(computeMemory(exec.backend), values.size() * sizeof(T));
    upload(exec, buffer.data(), values.data(), buffer.bytes());
    if (exec.backend == Backend::Cuda) device::synchronize(exec.stream);
    return buffer;
}

/// Copies floats from compute memory.
std::vector<float> onHost(const Exec& exec, const Buffer& floats);

/// Uniform in -1 to 1, with a fixed seed.
std::vector<float> randomNumbers(std::size_t count);

} // namespace echolux
