// SPDX-License-Identifier: GPL-3.0-or-later
// What `echolux bench stream` measures: a recording played as fast as possible, as in the window
// but for the drawing.
#pragma once

#include "app/session/engine.hpp"

#include <memory>

namespace CLI {
class App;
}

namespace echolux {

struct StreamResult {
    double seconds = 0.0;           ///< measured
    double framesPerS = 0.0;        ///< imaged
    double ascansPerS = 0.0;        ///< of OCT spectra; else 0
    double gigabytesPerS = 0.0;     ///< raw data, 1e9 bytes
    std::int64_t framesPerRun = 1;  ///< imaged at once
    std::uint64_t keptBytes = 0;    ///< of the recording in staging memory; 0: it is read again
    std::uint64_t copiesToHost = 0; ///< while measured
    std::uint64_t allocations = 0;  ///< while measured
    double frameMs = 0.0;           ///< of one frame, on the backend's clock, in the mean
    double uploadMs = 0.0;          ///< its part
    std::vector<StageDuration> stages;
};

/// Plays the recording through once, then measures for `seconds`. Throws Error with what failed.
StreamResult streamRecording(std::unique_ptr<Recording> recording, SnapshotPtr snapshot,
                             Backend backend, double seconds);

/// Adds `bench stream FILE`.
void addBenchStream(CLI::App& bench);

} // namespace echolux
