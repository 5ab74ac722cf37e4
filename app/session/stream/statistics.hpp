// SPDX-License-Identifier: GPL-3.0-or-later
// What the readouts show: rates over the last second, latency percentiles, times per stage.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/stream/ring.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// Milliseconds per frame, of the latest frames that were timed; 0 where there were none.
struct StepTimes {
    double last = 0.0;
    double mean = 0.0;
    double percentile99 = 0.0;
    bool operator==(const StepTimes&) const = default;
};

/// Of stages that run as one, mostly a single one.
struct StageDuration {
    std::vector<std::string> ids; ///< of the stages, in the order of the data
    StepTimes ms;
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
    // Of OCT spectra, processed; else 0.
    double ascansPerS = 0.0;
    double bscansPerS = 0.0;
    double volumesPerS = 0.0; ///< processed, also of echoes; 0 where the recording makes none
    double latencyMedianMs =
        0.0; ///< frame in host memory to picture on screen, of the last 512 shown
    double latency99Ms = 0.0;
    double processingMedianMs = 0.0; ///< its parts: frame in host memory to image published,
    double waitingMedianMs = 0.0;    ///< to fetched by the GL thread,
    double drawingMedianMs = 0.0;    ///< to swapped to the screen
    StepTimes frame;                 ///< from upload to end, on the backend's clock
    StepTimes upload;
    std::vector<StageDuration> stages;    ///< in the order of the steps
    bool isSeparate = false;              ///< no stages run as one, by Engine::timeSeparately()
    bool hasFusions = false;              ///< some do, or would
    Crossings crossings;                  ///< per frame
    std::uint64_t deviceToHostCopies = 0; ///< of images, since the counters were reset
    std::uint64_t linesToHost = 0;        ///< single lines for the plots, the same
    std::uint64_t allocations = 0;        ///< since the counters were reset
    std::uint64_t gpuBytesHeld = 0;
    std::uint64_t recordingBytesKept = 0; ///< raw frames that stay in staging memory
    bool operator==(const Statistics&) const = default;
};

/// From processedPerS and what one raw frame holds.
void addOctRates(Statistics& statistics, const FrameSpec& raw);
/// The same of echoes, from what an image is and how many of them make a volume.
void addVolumeRate(Statistics& statistics, const Snapshot& snapshot);

/// The smallest of `values` that so much of them does not exceed, by nearest rank; changes their
/// order. 0 of none.
double percentileOf(std::span<double> values, double fraction);

/// The latest values; fixed size.
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
                percentile(0.99)};
    }

private:
    std::size_t filled() const { return std::min(m_count, kMost); }

    std::array<double, kMost> m_values{};
    std::size_t m_count = 0;
};

using LatencyWindow = LatestValues<512>;
/// Few enough to follow a change within seconds, enough for the slowest of a hundred.
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
