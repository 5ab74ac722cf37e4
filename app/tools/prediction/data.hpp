// SPDX-License-Identifier: GPL-3.0-or-later
// What the dock "Prediction" shows.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace echolux {

/// A part of a stage's longest kernel: fetch, compute, store.
struct PredictedPart {
    QString name;
    double lowMs = 0.0; ///< at the rates that the device reaches, beside nothing else
    double highMs = 0.0;
};

struct PredictedStage {
    QString label;
    double lowMs = 0.0; ///< of the predicted interval
    double highMs = 0.0;
    std::optional<double> measuredMs = {}; ///< where the device is here and works so
    QString bound = {};                    ///< what rules the time: "memory", ...
    double operations = 0.0;               ///< per frame
    double globalBytes = 0.0;              ///< per frame
    QList<PredictedPart> parts = {};
    QString occupancy = {}; ///< a sentence; empty on a processor

    double middleMs() const { return (lowMs + highMs) / 2.0; }
};

/// Of one device; rates per second.
struct PredictedRoofs {
    double operations = 0.0;       ///< reached
    double bytes = 0.0;            ///< reached
    double theoryOperations = 0.0; ///< as the vendor states it
    double theoryBytes = 0.0;
    /// The utilisation roof (van Bavel 2013, figure 5.1): what the pipeline's mix of operations and
    /// of memories can reach of theory. 0: it does not compute, or uses no global memory.
    double mixedOperations = 0.0;
    double mixedBytes = 0.0; ///< of global memory, while shared memory takes its time, too
};

struct PredictedPipeline {
    QString device;
    QList<PredictedStage> stages;
    PredictedRoofs roofs;
    double lowFps = 0.0; ///< frames per second: slowest and fastest of the interval
    double highFps = 0.0;
    double latencyMs = 0.0; ///< of one frame alone
    double uploadMs = 0.0;
    QString bound;
    double bytes = 0.0; ///< of memory that the pipeline needs
    bool fits = true;
};

/// A line of the list of devices.
struct PredictedRate {
    QString device;
    double lowFps = 0.0;
    double highFps = 0.0;
    QString bound;
    QString refusal = {}; ///< why the pipeline cannot run there; empty: it can
    bool isHere = false;  ///< the device that the pipeline runs on now
};

} // namespace echolux
