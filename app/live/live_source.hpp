// SPDX-License-Identifier: GPL-3.0-or-later
// A live source makes or receives raw frames, one after the other: a simulator, a scanner.
#pragma once

#include "app/dataset/recording/frame_stamp.hpp"
#include "app/dataset/recording/recording.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// A number of a source that can be changed while it runs.
struct LiveParameter {
    std::string key;
    std::string label;
    std::string unit; ///< empty: none
    std::string help; ///< one sentence
    double min = 0.0;
    double max = 1.0;
    double value = 0.0;
    int decimals = 1;
};

/// One thread calls next(); the other calls may come from any thread.
class LiveSource {
public:
    enum class Outcome {
        Frame,     ///< `out` holds a frame
        Nothing,   ///< none came within the source's patience (at most 0.1 s), or `stop` came
        Malformed, ///< a frame came that cannot be used; reason() says why
        Changed,   ///< frames of another layout come from now on
        Ended      ///< no frame will come
    };

    virtual ~LiveSource() = default;
    /// Format, layout, rate (0: unknown); `path` is the address.
    virtual const RecordingInfo& info() const = 0;
    /// Writes the next frame to `out`, info().frame.bytes() long, and to `stamp` what is known of
    /// it besides its arrival. Throws Error where the source fails for good.
    virtual Outcome next(std::span<std::byte> out, FrameStamp& stamp,
                         const std::stop_token& stop) = 0;
    /// Why the last next() returned Malformed, Changed or Ended. The thread of next() calls it.
    virtual std::string reason() const { return {}; }

    virtual std::vector<LiveParameter> parameters() const { return {}; }
    /// Values beyond the range are limited to it; unknown keys do nothing.
    virtual void setParameter(const std::string& /*key*/, double /*value*/) {}
    /// What the source tells besides its frames, by name: the place of a probe.
    virtual std::vector<std::pair<std::string, std::string>> readouts() const { return {}; }
};

} // namespace echolux
