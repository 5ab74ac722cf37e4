// SPDX-License-Identifier: GPL-3.0-or-later
// What every reader delivers: frames of raw samples in canonical order, and all that is known of
// them.
#pragma once

#include "app/dataset/recording/aberration_truth.hpp"
#include "app/dataset/recording/frame_part.hpp"
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

struct RecordingInfo {
    std::filesystem::path path;
    std::string format; ///< "MUST .mat", "Bristol exp_data", "Echolux recording", "NumPy .npy +
                        ///< sidecar", ...
    FrameSpec frame;    ///< of one raw frame, [transmit][channel][sample] or a B-scan
                        ///< [lateral][sample], in the file's own sample type
    /// What the recording itself says, where a calibration took its place in `frame`; else null.
    std::shared_ptr<const Spectrometer> uncalibrated = {};
    std::int64_t frameCount = 0;
    double frameRateHz = 0.0; ///< at which it was recorded (of spectra: B-scans); 0 = unknown
    std::vector<std::pair<std::string, std::string>>
        notes;                         ///< further facts (name, text with unit)
    std::vector<std::string> warnings; ///< full sentences: what was assumed or looks odd
    bool firstFrameSound = true;       ///< otherwise a warning tells what it lacks
    /// Of a file that holds several recordings: what people call them, and which one this is.
    std::vector<std::string> tracks = {};
    std::size_t track = 0;
    std::shared_ptr<const AberrationTruth> aberration = {}; ///< null: unknown
};

/// An open recording. Not thread-safe: one thread reads at a time.
class Recording {
public:
    virtual ~Recording() = default;
    const RecordingInfo& info() const { return m_info; }
    /// Writes frame `index` (0-based) to `out`, info().frame.bytes() long, as
    /// info().frame.axes say. Throws Error where the file fails to deliver it.
    virtual void readFrame(std::int64_t index, std::span<std::byte> out) = 0;
    /// Parts that together are frame `index` as readFrame() delivers it, valid as long as the
    /// recording; none where it takes readFrame(). Throws Error as that does.
    virtual std::vector<FramePart> partsOf(std::int64_t /*index*/) const { return {}; }
    /// Frame `index` will be read soon: a hint, which returns at once and never fails.
    virtual void foresee(std::int64_t /*index*/) const {}
    /// Part of opening: warns of samples in the first frame that are no numbers and of spectra
    /// that give no image, says whether spectra are codes, and throws Error where no sample is a
    /// number.
    void inspectFirstFrame();
    void suggest(const SuggestedLevels& levels) { m_info.frame.suggestedLevels = levels; }
    /// Largest magnitude of a sample, a physical value; see FrameSpec::recordedPeak.
    void setRecordedPeak(double peak) { m_info.frame.recordedPeak = peak; }
    /// Puts what the calibration in `file` says in place of the recording's own. Throws Error where
    /// it does not fit, or where this is no recording of spectra.
    void calibrate(const std::filesystem::path& file);

protected:
    RecordingInfo m_info;
};

struct OpenOptions {
    std::optional<std::filesystem::path> sidecar = {}; ///< overrides the look-up of a sidecar
    std::optional<std::filesystem::path> calibration =
        {}; ///< of spectra; overrides the recording's
    /// RecordingInfo::tracks that is wanted, from 0; else the reader's choice.
    std::optional<std::size_t> track = {};
};

/// Detects the format by content, never by extension, and opens the file. Throws Error with one
/// sentence (what, where, what to do) where the file is missing, empty, truncated, foreign or
/// contradictory.
std::unique_ptr<Recording> openRecording(const std::filesystem::path& path,
                                         const OpenOptions& options = {});

} // namespace echolux
