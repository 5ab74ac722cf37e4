// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a recording, imaged and measured without a window: for `echolux measure` and `echolux
// sweep`.
#pragma once

#include "app/command_line/options.hpp"
#include "app/measure/measurement.hpp"
#include "app/sweep/frame_imager.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace echolux {

/// --measure FILE, --phantom NAME, --at X,Z, --view NAME.
struct MeasureOptions {
    std::string file;    ///< of measurements; empty: the one beside the recording
    std::string phantom; ///< its targets are measured in place of a file; empty: none
    std::string at;      ///< place of its first target; empty: as the phantom says
    std::string view;    ///< empty: the first one

    void addTo(CLI::App& command);
    bool isNamed() const { return !file.empty() || !phantom.empty(); }
    /// Throws Error where the file or the phantom cannot be read, or the file holds no measurement.
    std::vector<measure::Measurement> measurements(const std::string& recording) const;
};

/// A recording with the pipeline of the options. The constructor prints warnings of both, and
/// throws Error where either is refused.
struct OpenedRecording {
    explicit OpenedRecording(const ImagingOptions& imaging);

    std::unique_ptr<Recording> recording;
    PipelineConfig config;
    SnapshotPtr snapshot;
};

/// Where figures go: -o OUT.csv or OUT.json, "-o -" (CSV) or --json on standard output.
struct FigureOutput : OutputOptions {
    bool json = false;

    void addTo(CLI::App& command, const std::string& what);
    bool isGiven() const { return json || !path.empty(); }
    /// Called before the work. Throws Error where the output is neither .csv nor .json, is the
    /// recording, or exists and must not be replaced.
    void check(const std::string& recording) const;
    bool isJson() const;
    bool isPrinted() const { return path.empty() || path == "-"; }
    void write(const std::string& text) const; ///< throws Error
};

/// Images frames of a recording, see FrameImager. The same raw frame is read once.
class MeasuredFrames {
public:
    /// `phasors`: see FrameImager.
    MeasuredFrames(Recording& recording, const BackendChoice& place, const SnapshotPtr& snapshot,
                   const std::string& view, bool phasors = false);
    /// The image of frame `index` (0-based), or of the ensemble that holds it. A view over time is
    /// imaged after all frames before it. Throws Error where there is no such frame, and as
    /// FrameImager::image().
    measure::MeasuredImage image(const SnapshotPtr& snapshot, std::int64_t index);

private:
    void read(std::int64_t first, const Snapshot& snapshot);

    Recording& m_recording;
    Backend m_backend;
    FrameImager m_imager;
    Buffer m_raw;
    std::int64_t m_first = -1;    ///< the frame in m_raw
    std::int64_t m_imaged = -1;   ///< the latest frame of a view over time
    SnapshotPtr m_imagedSnapshot; ///< its pipeline
};

} // namespace echolux
