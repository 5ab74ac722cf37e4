// SPDX-License-Identifier: GPL-3.0-or-later
// The mean of the raw lines that a pipeline takes from now on: a background captured live.
#pragma once

#include "app/calibration/line_mean.hpp"
#include "app/session/stream/raw_sink.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <vector>

namespace echolux {

class Engine;

/// Sums frames on the thread that calls average(), while the pipeline goes on. Each frame counts
/// once. A frame is kept until it is summed, so a recording that plays faster than the sum waits
/// for it.
class LiveBackground final : public RawSink {
public:
    /// `raw` is the specification of one frame; `lines` is how many lines are averaged, at least 1.
    LiveBackground(const FrameSpec& raw, std::int64_t lines);

    void take(RawRef frames) override;
    void end() override;

    /// Called with the share of the lines that are summed, 0 to 1.
    using Progress = std::function<void(double)>;
    /// Waits for frames and sums them. True when all lines are summed; false after a request to
    /// stop, or where no more frames come.
    bool average(const std::stop_token& stop, const Progress& progress);
    /// In the recording's own codes; see LineMean::mean().
    std::vector<float> mean() const { return m_mean.mean(); }

private:
    RawRef next(const std::stop_token& stop);
    void sum(const RawFrame& frames);

    LineMean m_mean;
    std::int64_t m_wanted;        ///< lines
    std::int64_t m_linesPerFrame; ///< lines

    std::mutex m_mutex; ///< guards what follows
    std::condition_variable_any m_changed;
    std::deque<RawRef> m_waiting;
    std::int64_t m_taken = 0; ///< lines of all frames that were taken
    bool m_isSumming = false; ///< average() holds a frame
    bool m_ended = false;
};

/// The mean of the next `lines` lines that the engine's pipeline takes, in the recording's own
/// codes. Empty after a request to stop. Blocks; call it on a thread of its own. Throws Error where
/// the mean is no useful background.
std::vector<float> averageNextLines(Engine& engine, std::int64_t lines, const std::stop_token& stop,
                                    const LiveBackground::Progress& progress);

} // namespace echolux
