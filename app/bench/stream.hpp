// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux bench stream`: plays a recording as fast as possible, as the window does but without
// drawing.
#pragma once

#include "app/session/engine.hpp"

#include <memory>

namespace CLI {
class App;
}

namespace echolux {

struct StreamResult {
    double seconds = 0.0;    ///< duration of the measurement
    double framesPerS = 0.0; ///< imaged frames
    /// The same while the window would send edits of a slider that is dragged; 0: not measured.
    double framesPerSEdited = 0.0;
    double editsPerS = 0.0;        ///< meanwhile, as many as were sent
    double ascansPerS = 0.0;       ///< OCT spectra only; otherwise 0
    double gigabytesPerS = 0.0;    ///< raw data, 1e9 bytes
    std::int64_t framesPerRun = 1; ///< frames that are imaged at once
    /// Bytes of the recording kept in staging memory; 0: the file is read again.
    std::uint64_t keptBytes = 0;
    std::uint64_t copiesToHost = 0; ///< during the measurement
    std::uint64_t allocations = 0;  ///< during the measurement
    double frameMs = 0.0;           ///< mean time of one frame, on the backend's clock
    double uploadMs = 0.0;          ///< upload's part of frameMs
    std::vector<StageDuration> stages;
};

/// Plays the recording once, then measures for `seconds`. Where `edited` is given, measures as long
/// again while both snapshots are posted in turn, 60 times per second. Throws Error where imaging
/// fails.
StreamResult streamRecording(std::unique_ptr<Recording> recording, SnapshotPtr snapshot,
                             Backend backend, double seconds, SnapshotPtr edited = nullptr);

/// Adds `bench stream FILE`.
void addBenchStream(CLI::App& bench);

} // namespace echolux
