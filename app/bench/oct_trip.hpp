// SPDX-License-Identifier: GPL-3.0-or-later
// The way of B-scans through the chain of Tschupp 2019: from the host to the device, through the
// stages and back to the host, as his two programs do it.
#pragma once

#include "app/bench/oct.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"

#include <vector>

namespace echolux {

enum class TripMemory { Pinned, Pageable };

/// How a program works.
struct TripWay {
    Fusing fusing = Fusing::Allowed;
    const char* dcRemoval = "moving_average"; ///< a method of dc_removal_moving
    TripMemory memory = TripMemory::Pinned;
    int streams = 4;
};
/// Section 2.2: a kernel per step, DC removal by deleted Fourier bins, one buffer at a time.
inline constexpr TripWay kTschuppOriginal{Fusing::Never, "fourier_bins", TripMemory::Pageable, 1};

/// Microseconds per part of one buffer's way, and buffers per second.
struct TripTimes {
    double upUs = 0.0;
    double processingUs = 0.0;
    double downUs = 0.0;
    double totalUs = 0.0;
    double perSecond = 0.0;
};

class RoundTrip {
public:
    RoundTrip(const Exec& exec, const OctProblem& problem, const TripWay& way);

    /// Medians over `repeat` buffers with nothing else in flight. perSecond stays 0.
    TripTimes parts(int repeat);
    /// Buffers per second with all streams in use, from `buffers` of them.
    double perSecond(int buffers);
    /// The image of one buffer.
    std::vector<float> image();

private:
    int start();

    SnapshotPtr m_snapshot;
    bool m_onCuda;
    Runner m_runner;
    Buffer m_raw;
    std::vector<Buffer> m_images; ///< per slot
    std::vector<Event> m_back;    ///< per slot: the image is on the host
    std::vector<Event> m_computed;
    int m_started = 0;
};

/// parts() and perSecond() of one way.
TripTimes tripTimes(const Exec& exec, const OctProblem& problem, const TripWay& way, int repeat,
                    int buffers);

} // namespace echolux
