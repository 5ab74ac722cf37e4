// SPDX-License-Identifier: GPL-3.0-or-later
// Writes frames of a recording into files of other programs: as recorded, or as a pipeline makes
// them.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "gpu/exec/exec.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// How values become a picture, for file types that hold pictures.
struct ExportLook {
    std::string colourMap = "gray";
    /// The values that are black and white. Empty: the range that the pipeline says, else the range
    /// of the first frame's values.
    std::optional<std::pair<double, double>> range = {};
    double gamma = 1.0; ///< exponent of the position between black and white, > 0
    bool inverted = false;
    bool scaleBar = false;
    bool colourBar = false;
    bool axes = false; ///< labelled axes at the picture's edges
    /// Pixels across the image, without axes and bars. 0: its own, made square.
    int width = 0;
    double dpi = 0.0; ///< resolution that the file states; 0: the image is to scale
    int labelsPx = 0; ///< height of the labels; 0: in proportion to the picture
    /// Bits of .png and .tif: 8 = colours; 16 = grey, from black to white; 32 = the values
    /// themselves, for .tif only.
    int depthBits = 8;
};

/// Frames are counted from 0 here; people count from 1.
struct ExportFrames {
    std::int64_t first = 0;
    std::int64_t last = 0; ///< included
};

struct ExportRequest {
    std::filesystem::path file; ///< the recording
    OpenOptions open = {};
    /// Empty: the shipped pipeline that suits the data.
    std::optional<PipelineConfig> pipeline = {};
    /// Chooses the pipeline once the data are known. Goes before `pipeline`.
    std::function<PipelineConfig(const FrameSpec& raw)> choosePipeline = {};
    /// Facts of the spectrometer that replace the recording's own.
    std::shared_ptr<const Spectrometer> spectrometer = {};
    std::optional<ExportFrames> frames = {}; ///< empty: the usual frames for the file type
    /// What is written: "recording" (raw frames), the name of a stage or view, or an output of a
    /// stage, "transmits@beamform". Empty: the first view.
    std::string outputOf = {};
    std::filesystem::path target; ///< its ending decides the file type
    bool replace = false;         ///< an existing file may be replaced, but never the recording
    ExportLook look = {};
    double framesPerSecond = 0.0;       ///< of cines; 0: the recording's rate
    std::optional<double> columnM = {}; ///< of .csv: lateral position of the column; empty: the
                                        ///< middle column
    Backend backend = Backend::Cpu;
    std::string program = "Echolux"; ///< name and version of the writing program
};

struct ExportResult {
    bool cancelled = false;                   ///< no file was left behind
    std::vector<std::filesystem::path> files; ///< the written files
    std::int64_t frames = 0;
    std::string what;                 ///< "H.264 cine", "NRRD image", ...
    std::vector<std::string> remarks; ///< full sentences about the recording and about what was
                                      ///< left out
};

/// Called after each frame. Returning false cancels the export.
using ExportProgress = std::function<bool(std::int64_t done, std::int64_t of)>;

/// Writes `request.target` whole or not at all. May be called on any thread. A thread of its own
/// writes the frames. Throws Error where something is refused or fails; then no partial file is
/// left.
ExportResult exportRecording(const ExportRequest& request, const ExportProgress& progress = {});

/// A file type that can be written.
struct ExportEnding {
    std::string ending;     ///< ".nii.gz"
    std::string what;       ///< "NIfTI image or volume"
    bool hasLook = false;   ///< it is a picture, and ExportLook applies
    bool available = true;  ///< false: this build lacks a library for it
    bool oneFrame = false;  ///< it holds one frame only
    bool allFrames = false; ///< it holds all frames where the request names none
};
std::vector<ExportEnding> exportEndings();

} // namespace echolux
