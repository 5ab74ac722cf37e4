// SPDX-License-Identifier: GPL-3.0-or-later
// Measures times of functions and pipelines for `echolux bench`, and provides their data.
#pragma once

#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"

#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

constexpr int kBenchWarmUps = 3;

/// Greatest difference of results from what is expected, relative to the greatest expected
/// magnitude.
class Deviation {
public:
    /// `magnitude` is that of the expected value, `difference` that of the error. An error that is
    /// not a number counts as the greatest that there is.
    void add(double magnitude, double difference);
    double relative() const; ///< 1 where nothing but zeros was expected

private:
    double m_greatest = 0.0;
    double m_worst = 0.0;
};

/// Greatest difference between `got` and `expected(i)`, at some of the places, relative to the
/// greatest magnitude.
template <class Expected>
double deviationAt(const std::vector<float>& got, const Expected& expected) {
    constexpr std::size_t kComparedPlaces = 1500;
    const std::size_t stride = std::max<std::size_t>(1, got.size() / kComparedPlaces) | 1;
    Deviation deviation;
    for (std::size_t i = 0; i < got.size(); i += stride) {
        const double wanted = expected(static_cast<std::int64_t>(i));
        deviation.add(std::abs(wanted), std::abs(wanted - double{got[i]}));
    }
    return deviation.relative();
}

/// Appends a stage whose id is its type.
void addStage(PipelineConfig& config, const char* type,
              std::vector<std::pair<std::string, ParamValue>> values = {});

/// Median over `repeat` timed frames, after kBenchWarmUps untimed ones. Frames run one at a time,
/// and the upload is not counted.
double medianProcessingMs(Runner& runner, const FrameJob& job, int repeat);

struct StepMedians {
    std::vector<double> stepMs; ///< one per step: the median
    double processingMs = 0.0;  ///< of all: the median
};
/// The same with the time of each step.
StepMedians stepMedians(Runner& runner, const FrameJob& job, int repeat);
/// The same for frames of about `time`, at least kFewestTimed.
StepMedians stepMedians(Runner& runner, const FrameJob& job, std::chrono::milliseconds time);
constexpr int kFewestTimed = 5;

double medianOf(std::vector<double> values); ///< at least one value

/// Limits the host to one thread while it lives.
using OneThread = tbb::global_control;
OneThread oneThread();

/// Milliseconds of one call of `work`, which enqueues on `exec`: median over `repeat` series of
/// `calls` calls. kBenchWarmUps series before them are untimed (one on the CPU). CUDA times come
/// from events.
double medianWorkMs(const Exec& exec, int repeat, int calls, const std::function<void()>& work);

/// The times themselves, in milliseconds of one call.
std::vector<double> workMs(const Exec& exec, int repeat, int calls,
                           const std::function<void()>& work);

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
