// SPDX-License-Identifier: GPL-3.0-or-later
// What the readouts show: rates over the last second, latency percentiles, times per stage.
#pragma once

#include "app/dataset/recording/live_frames.hpp"
#include "app/pipeline/runner.hpp"
#include "app/session/stream/ring.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// Milliseconds per frame over the latest frames that were timed; 0 where there are none.
struct StepTimes {
    double last = 0.0;
    double mean = 0.0;
    double percentile99 = 0.0;
    std::size_t frames = 0; ///< so many were timed
    bool operator==(const StepTimes&) const = default;
};

/// Duration of a step: of one stage, or of several that run as one.
struct StageDuration {
    std::vector<std::string> ids; ///< ids of the stages, in the order of the data
    StepTimes ms;
    std::size_t heldBytes = 0; ///< of its tables in compute memory
    bool operator==(const StageDuration&) const = default;
};

struct Statistics {
    std::uint64_t framesRead = 0;
    std::uint64_t framesProcessed = 0;
    std::uint64_t framesShown = 0;
    std::uint64_t framesDropped = 0;
    std::uint64_t framesLate = 0;
    double readPerS = 0.0;
    double processedPerS = 0.0;
    double shownPerS = 0.0;
    double megabytesPerS = 0.0; ///< raw data, 1e6 bytes
    // Processed, of OCT spectra; else 0.
    double ascansPerS = 0.0;
    double bscansPerS = 0.0;
    double volumesPerS = 0.0; ///< processed, OCT and ultrasound; 0 where there are no volumes
    double latencyMedianMs =
        0.0; ///< frame in host memory to picture on screen, of the last 512 shown
    double latency99Ms = 0.0;
    double processingMedianMs = 0.0; ///< first part of the latency: from frame in host memory to
                                     ///< image published
    double waitingMedianMs = 0.0;    ///< second part: until the GL thread acquires it
    double drawingMedianMs = 0.0;    ///< third part: until it is swapped to the screen
    StepTimes frame;                 ///< from upload to end, on the backend's clock
    StepTimes upload;
    std::vector<StageDuration> stages;    ///< in the order of the steps
    bool isSeparate = false;              ///< no stages run as one, because of
                                          ///< Engine::timeSeparately()
    bool hasFusions = false;              ///< some stages run as one, or would without isSeparate
    Crossings crossings;                  ///< per frame
    std::uint64_t deviceToHostCopies = 0; ///< of images, since the counters were reset
    std::uint64_t linesToHost = 0;        ///< copies of single lines for the plots, since the
                                          ///< counters were reset
    std::uint64_t allocations = 0;        ///< since the counters were reset
    std::uint64_t gpuBytesHeld = 0;
    std::uint64_t recordingBytesKept = 0; ///< raw frames that stay in staging memory
    std::optional<LiveCounters> live;     ///< of a live source
    bool operator==(const Statistics&) const = default;
};

/// Computes the rates of OCT from processedPerS and the contents of one raw frame.
void addOctRates(Statistics& statistics, const FrameSpec& raw);
/// Computes the rate of ultrasound volumes from the image's form and the number of images in a
/// volume.
void addVolumeRate(Statistics& statistics, const Snapshot& snapshot);

/// The percentile by nearest rank: the smallest of `values` that `fraction` of them do not exceed.
/// Changes their order. 0 where there are no values.
double percentileOf(std::span<double> values, double fraction);

/// The latest kMost values, in memory of fixed size.
template <std::size_t kMost> class LatestValues {
public:
    void add(double value) { m_values[m_count++ % kMost] = value; }
    void clear() { m_count = 0; }
    double percentile(double fraction) const { ///< 0 with no values
        std::array<double, kMost> values = m_values;
        return percentileOf(std::span(values).first(filled()), fraction);
    }
    StepTimes times() const {
        if (m_count == 0) return {};
        const auto end = m_values.begin() + static_cast<std::ptrdiff_t>(filled());
        return {m_values[(m_count - 1) % kMost],
                std::accumulate(m_values.begin(), end, 0.0) / static_cast<double>(filled()),
                percentile(0.99), filled()};
    }

private:
    std::size_t filled() const { return std::min(m_count, kMost); }

    std::array<double, kMost> m_values{};
    std::size_t m_count = 0;
};

using LatencyWindow = LatestValues<512>;
/// 128 values follow a change within seconds and are enough for a 99 % percentile.
using StepWindow = LatestValues<128>;

/// Events per second over a sliding window of about one second.
class RateMeter {
public:
    double update(std::uint64_t total, Clock::time_point now);

private:
    struct Sample {
        Clock::time_point at;
        std::uint64_t total = 0;
    };
    std::vector<Sample> m_samples;
};

} // namespace echolux
