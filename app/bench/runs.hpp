// SPDX-License-Identifier: GPL-3.0-or-later
// What benches share: their data, deviations from what is expected, and streaming.
#pragma once

#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"

#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

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

/// Limits the host to one thread while the result lives.
tbb::global_control oneThread();

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
