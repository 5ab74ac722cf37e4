// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that the performance panel shows, about four times a second.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace echolux {

/// Per frame, of the latest frames that were timed.
struct Milliseconds {
    double last = 0.0;
    double mean = 0.0;
    double percentile99 = 0.0;
};

struct StageTime {
    QString label; ///< unique in a list
    Milliseconds ms = {};
    QStringList stages = {}; ///< that run as one, by their labels; empty: it is a single one
    QString apart = {};      ///< why it runs apart from others; empty: nothing to tell
};

/// Against the probe that recorded: see the tooltips of these readings.
struct RealTimeReadouts {
    double computing = 0.0; ///< times real time, by the time that one frame takes
    double playing = 0.0;   ///< by the frames that are imaged now
    double probeMegabytesPerS = 0.0;
    double pulseFramesPerS = 0.0;
    double depthMm = 0.0; ///< that the last samples come from
};

struct Readouts {
    /// Of the recording: readings that do not apply are not shown.
    enum class Kind { Ultrasound, UltrasoundVolume, Oct, OctVolume };
    Kind kind = Kind::Ultrasound;
    double timeS = 0.0; ///< steady clock of the measurement, for the history
    std::int64_t read = 0, processed = 0, shown = 0; ///< frames so far
    double readPerS = 0.0, processedPerS = 0.0, shownPerS = 0.0;
    std::int64_t dropped = 0, late = 0;              ///< frames so far
    double latencyMedianMs = 0.0, latency99Ms = 0.0; ///< frame in host memory to pixels drawn
    double megabytesPerS = 0.0;
    std::optional<RealTimeReadouts> realTime = {}; ///< of channel data
    double ascansPerS = 0.0, bscansPerS = 0.0,
           volumesPerS = 0.0;            ///< processed; of OCT, volumes also of echoes
    std::int64_t deviceBytes = 0;        ///< GPU memory in use; 0 on the CPU
    std::int64_t deviceTotalBytes = 0;   ///< 0 on the CPU
    std::int64_t recordingBytesKept = 0; ///< in host memory, of the raw frames
    double copiesToHostPerFrame = 0.0;
    std::int64_t crossingBytesPerFrame = 0; ///< between host and device, for stages on the host
    double allocationsPerFrame = 0.0;
    Milliseconds frame = {};       ///< from upload to end
    std::vector<StageTime> stages; ///< in pipeline order, the upload first
    bool separately = false;       ///< no stages run as one
    QString notSeparately = {};    ///< why that cannot be had; empty: it can
};

} // namespace echolux
