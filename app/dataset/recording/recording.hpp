// SPDX-License-Identifier: GPL-3.0-or-later
// What every reader delivers: frames of raw samples in a fixed order of axes, and all known facts
// about them.
#pragma once

#include "app/dataset/recording/aberration_truth.hpp"
#include "app/dataset/recording/frame_part.hpp"
#include "app/dataset/recording/marks.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

class LiveFrames;

struct RecordingInfo {
    std::filesystem::path path;
    std::string format; ///< "MUST .mat", "Bristol exp_data", "Echolux recording", "NumPy .npy +
                        ///< sidecar", ...
    FrameSpec frame;    ///< one raw frame: [transmit][channel][sample], or a B-scan
                        ///< [lateral][sample], in the file's sample type
    /// The recording's own facts, where a calibration has replaced them in `frame`; else null.
    std::shared_ptr<const Spectrometer> uncalibrated = {};
    std::int64_t frameCount = 0;
    double frameRateHz = 0.0; ///< recorded frame rate (of spectra: B-scans per second); 0 = unknown
    std::vector<std::pair<std::string, std::string>>
        notes;                         ///< further facts (name, text with unit)
    std::vector<std::string> warnings; ///< full sentences about assumptions and oddities
    bool firstFrameSound = true;       ///< false: a warning says what is wrong with the first frame
    /// For a file with several recordings: their names for people, and which one this is.
    std::vector<std::string> tracks = {};
    std::size_t track = 0;
    std::shared_ptr<const AberrationTruth> aberration = {}; ///< null: unknown
    std::vector<RecordingMark> marks = {};                  ///< in the order of their frames
    bool live = false; ///< frames come by themselves, see Recording::live()
};

/// An open recording. Not thread-safe: only one thread reads at a time.
class Recording {
public:
    virtual ~Recording() = default;
    const RecordingInfo& info() const { return m_info; }
    /// Writes frame `index` (from 0) to `out`, which is info().frame.bytes() long, in the order of
    /// info().frame.axes. Throws Error where the frame cannot be read.
    virtual void readFrame(std::int64_t index, std::span<std::byte> out) = 0;
    /// Parts that together make frame `index` as readFrame() delivers it. Valid as long as the
    /// recording. Empty where readFrame() must be used. Throws Error as readFrame() does.
    virtual std::vector<FramePart> partsOf(std::int64_t /*index*/) const { return {}; }
    /// A hint that frame `index` will be read soon. Returns at once and never fails.
    virtual void foresee(std::int64_t /*index*/) const {}
    /// The frames of a live source; null for a file. Then readFrame() reads kept frames alone, and
    /// any thread may call it.
    virtual LiveFrames* live() { return nullptr; }
    /// Part of opening. Warns of samples in the first frame that are not finite, and of spectra
    /// that give no image. Decides whether spectra are codes. Throws Error where no sample is
    /// finite.
    void inspectFirstFrame();
    void suggest(const SuggestedLevels& levels) { m_info.frame.suggestedLevels = levels; }
    /// Sets the largest magnitude of a sample, a physical value; see FrameSpec::recordedPeak.
    void setRecordedPeak(double peak) { m_info.frame.recordedPeak = peak; }
    void takeMarks(); ///< those beside the file, see readMarks()
    /// Replaces the recording's own facts by those of the calibration in `file`. Throws Error where
    /// it does not fit, or where this is no recording of spectra.
    void calibrate(const std::filesystem::path& file);

protected:
    RecordingInfo m_info;
};

struct OpenOptions {
    std::optional<std::filesystem::path> sidecar = {}; ///< replaces the look-up of a sidecar
    std::optional<std::filesystem::path> calibration =
        {}; ///< for spectra; replaces the recording's own
    /// Index in RecordingInfo::tracks, from 0. Empty: the reader chooses.
    std::optional<std::size_t> track = {};
};

/// Detects the format by content, never by extension, and opens the file. Throws Error with one
/// sentence (what, where, what to do) where the file is missing, empty, truncated, of an unknown
/// format or contradictory.
std::unique_ptr<Recording> openRecording(const std::filesystem::path& path,
                                         const OpenOptions& options = {});

} // namespace echolux
