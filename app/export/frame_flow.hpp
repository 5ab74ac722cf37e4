// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a recording in order, as they were recorded or as a pipeline makes them.
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

/// The pipeline with one view, of what `outputOf` names (see ExportRequest); null for raw frames.
/// Throws Error where it names nothing.
SnapshotPtr snapshotOf(const PipelineConfig& config, const FrameSpec& raw,
                       const std::string& outputOf);

/// How far `source` of the snapshot is processed, from the stages that lead to it.
RecordedForm formOf(const Snapshot& snapshot);

/// Speed of sound of the last beamformer on the way to the first view, m/s; 0 where there is none.
double beamformedAtMps(const Snapshot& snapshot);

/// Stages that carry a state begin with the first frame asked for.
class FrameFlow {
public:
    /// `snapshot` null: raw frames. Both outlive the flow. Throws Error where the recording is
    /// shorter than an ensemble.
    FrameFlow(Recording& recording, SnapshotPtr snapshot, Backend backend);
    ~FrameFlow();

    const FrameSpec& frame() const { return m_frame; } ///< of one that is delivered
    double frameRateHz() const;                        ///< 0 = unknown
    /// Frames delivered for those from `first` to `last`, which are widened to whole ensembles.
    std::int64_t count(std::int64_t first, std::int64_t last) const;
    /// Throws Error where there are no such frames.
    void check(std::int64_t first, std::int64_t last) const;
    std::int64_t frameCount() const { return m_windows.whole(); } ///< of the recording
    /// Until `take` returns false.
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
