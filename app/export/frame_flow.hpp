// SPDX-License-Identifier: GPL-3.0-or-later
// Delivers frames of a recording in order: as recorded, or as a pipeline makes them.
#pragma once

#include "app/dataset/recording/ensemble.hpp"
#include "app/pipeline/snapshot.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace echolux {

class Runner;

/// The pipeline with a single view of the output that `outputOf` names (see ExportRequest), or
/// unchanged where it is empty. Null for raw frames. Throws Error where there is no such output.
SnapshotPtr snapshotOf(const PipelineConfig& config, const FrameSpec& raw,
                       const std::string& outputOf);

/// How far the frames of the snapshot's first view are processed, found from the stages that lead
/// to it.
RecordedForm formOf(const Snapshot& snapshot, std::size_t view = 0);

/// Speed of sound of the last beamformer on the way to the first view, m/s; 0 where there is none.
double beamformedAtMps(const Snapshot& snapshot);

/// Stages with a state start with the first requested frame, except that windows of `gather` are
/// full by then.
class FrameFlow {
public:
    /// Null `snapshot`: raw frames. `recording` outlives the flow. Throws Error where the recording
    /// is shorter than an ensemble.
    FrameFlow(Recording& recording, SnapshotPtr snapshot, Backend backend);
    ~FrameFlow();

    const FrameSpec& frame() const { return m_frame; } ///< of a delivered frame
    double frameRateHz() const;                        ///< 0 = unknown
    /// Number of frames that run() delivers for raw frames `first` to `last`, which are extended to
    /// whole ensembles.
    std::int64_t count(std::int64_t first, std::int64_t last) const;
    /// Throws Error where the recording lacks some of these frames.
    void check(std::int64_t first, std::int64_t last) const;
    std::int64_t frameCount() const { return m_windows.whole(); } ///< of the recording
    const EnsembleWindows& windows() const { return m_windows; }
    /// Calls `take` with each frame until it returns false.
    void run(std::int64_t first, std::int64_t last,
             const std::function<bool(std::vector<std::byte> frame)>& take);

private:
    Recording& m_recording;
    SnapshotPtr m_snapshot;
    EnsembleWindows m_windows;
    FrameSpec m_output; ///< of one window
    FrameSpec m_frame;
    std::int64_t m_perWindow = 1;
    Backend m_backend;
};

} // namespace echolux
