// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of the performance panel, updated about four times a second.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace echolux {

/// Per frame, over the latest timed frames.
struct Milliseconds {
    double last = 0.0;
    double mean = 0.0;
    double percentile99 = 0.0;
};

struct StageTime {
    QString label; ///< unique within a list
    Milliseconds ms = {};
    QStringList stages = {}; ///< labels of the stages that run as one; empty: a single stage
    QString apart = {};      ///< why it does not run as one with others; empty: no reason to show
    std::int64_t heldBytes = 0; ///< of tables that are kept between frames
};

/// Speed relative to the probe that recorded; the tooltips of these readouts say more.
struct RealTimeReadouts {
    double computing = 0.0; ///< multiple of real time, from the time of one frame
    double playing = 0.0;   ///< multiple of real time, from the frames that are imaged now
    std::int64_t cards = 0; ///< cards that keep up together, 0: unknown; on the CPU: processors
    double probeMegabytesPerS = 0.0;
    double pulseFramesPerS = 0.0;
    double depthMm = 0.0; ///< depth of the last samples
};

struct Readouts {
    /// Kind of recording. Readouts that do not apply are hidden.
    enum class Kind { Ultrasound, UltrasoundVolume, Oct, OctVolume };
    Kind kind = Kind::Ultrasound;
    double timeS = 0.0;                              ///< time of the measurement on a steady clock
    std::int64_t read = 0, processed = 0, shown = 0; ///< frames so far
    double readPerS = 0.0, processedPerS = 0.0, shownPerS = 0.0;
    std::int64_t dropped = 0, late = 0; ///< frames so far
    /// From a frame in host memory to drawn pixels.
    double latencyMedianMs = 0.0, latency99Ms = 0.0;
    double megabytesPerS = 0.0;
    std::optional<RealTimeReadouts> realTime = {}; ///< channel data only
    double ascansPerS = 0.0, bscansPerS = 0.0,
           volumesPerS = 0.0;            ///< processed; A-scans and B-scans of OCT only
    std::int64_t deviceBytes = 0;        ///< GPU memory in use; 0 on the CPU
    std::int64_t deviceTotalBytes = 0;   ///< 0 on the CPU
    std::int64_t recordingBytesKept = 0; ///< raw frames kept in host memory
    double copiesToHostPerFrame = 0.0;
    /// Between host and device, for stages that run on the host.
    std::int64_t crossingBytesPerFrame = 0;
    double allocationsPerFrame = 0.0;
    Milliseconds frame = {};       ///< from the start of the upload to the end of the last stage
    std::vector<StageTime> stages; ///< in pipeline order; the upload is first
    bool separately = false;       ///< every stage runs and is timed alone
    QString notSeparately = {};    ///< why this is unavailable; empty: it is available
};

} // namespace echolux
