// SPDX-License-Identifier: GPL-3.0-or-later
// How long work and pipelines take, and what they work on, for `echolux bench`.
#pragma once

#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"

#include <functional>
#include <vector>

namespace echolux {

constexpr int kBenchWarmUps = 3;

/// Of `repeat` timed frames after kBenchWarmUps, one at a time; the upload is left out.
double medianProcessingMs(Runner& runner, const FrameJob& job, int repeat);

double medianOf(std::vector<double> values); ///< of one or more

/// Milliseconds of one call of `work`, which enqueues on `exec`: the median of `repeat` series of
/// `calls` after untimed ones (one on the CPU); by events on CUDA.
double medianWorkMs(const Exec& exec, int repeat, int calls, const std::function<void()>& work);

/// Seconds per frame with all slots in flight, waiting for a slot only when it is needed again, of
/// `repeat` frames for each slot.
double streamingSeconds(Runner& runner, const FrameJob& job, int repeat);

/// A copy of `values`, there when it returns.
template <class T> Buffer inComputeMemory(const Exec& exec, const std::vector<T>& values) {
    Buffer buffer(computeMemory(exec.backend), values.size() * sizeof(T));
    upload(exec, buffer.data(), values.data(), buffer.bytes());
    if (exec.backend == Backend::Cuda) device::synchronize(exec.stream);
    return buffer;
}

/// Floats from compute memory.
std::vector<float> onHost(const Exec& exec, const Buffer& floats);

/// Uniform in -1 to 1; seeded.
std::vector<float> randomNumbers(std::size_t count);

} // namespace echolux
