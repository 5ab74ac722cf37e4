// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of an export, for exports of whole files, of parts, and from parts.
#pragma once

#include "app/export/export.hpp"
#include "app/export/frame_flow.hpp"
#include "app/export/subject.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace echolux {

struct OpenedExport {
    std::unique_ptr<Recording> recording;
    FrameSpec raw;
    std::optional<PipelineConfig> pipeline; ///< empty: raw frames
    SnapshotPtr snapshot;                   ///< its first view is exported; null: raw frames
};

/// Opens the recording and plans the pipeline. `isNative`: where no output is named, the raw frames
/// are exported. Throws Error.
OpenedExport openExport(const ExportRequest& request, bool isNative);

/// Passes frames from `flow` to `writer` and finishes it. Each has its own thread. False where the
/// work was given up.
bool passFrames(FrameFlow& flow, const ExportFrames& frames, std::int64_t of, FrameWriter& writer,
                const ExportProgress& progress);

/// Frames in place of those that the export would compute.
struct OtherFrames {
    FrameFlow* flow = nullptr; ///< delivers them
    ExportFrames frames;       ///< their numbers in this flow
};
/// Asked once, after everything else has been checked. `whole` is what the export would compute,
/// `frames` the raw frames that it would take.
using AskOtherFrames = std::function<OtherFrames(const OpenedExport& opened, const FrameFlow& whole,
                                                 const ExportFrames& frames)>;

/// exportRecording() with other frames.
ExportResult runExport(const ExportRequest& request, const ExportProgress& progress,
                       const AskOtherFrames& ask);

} // namespace echolux
