// SPDX-License-Identifier: GPL-3.0-or-later
// What the readouts show: rates over the last second, latency percentiles, times per stage.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/stream/ring.hpp"

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace echolux {

struct StageDuration {
    std::string id;
    double ms = 0.0; ///< smoothed over about 16 frames
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
    double volumesPerS = 0.0; ///< 0 where the recording makes none
    double latencyMedianMs =
        0.0; ///< frame in host memory to picture on screen, of the last 512 shown
    double latency99Ms = 0.0;
    double processingMedianMs = 0.0; ///< its parts: frame in host memory to image published,
    double waitingMedianMs = 0.0;    ///< to fetched by the GL thread,
    double drawingMedianMs = 0.0;    ///< to swapped to the screen
    double frameMs = 0.0;            ///< whole chain with upload, on the backend's clock, smoothed
    double uploadMs = 0.0;
    std::vector<StageDuration> stages;
    std::uint64_t deviceToHostCopies = 0; ///< of images, since the counters were reset
    std::uint64_t linesToHost = 0;        ///< single lines for the plots, the same
    std::uint64_t allocations = 0;        ///< since the counters were reset
    std::uint64_t gpuBytesHeld = 0;
    std::uint64_t recordingBytesKept = 0; ///< raw frames that stay in staging memory
};

/// From processedPerS and what one raw frame holds.
void addOctRates(Statistics& statistics, const FrameSpec& raw);

/// Median and 99th percentile of the latest values; fixed size.
class LatencyWindow {
public:
    void add(double ms);
    double percentile(double fraction) const; ///< 0 with no values
    void clear() { m_count = 0; }

private:
    std::array<double, 512> m_values{};
    std::size_t m_count = 0;
};

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
