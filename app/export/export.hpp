// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a recording, as they are or as a pipeline makes them, into files of other programs.
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

/// How values become a picture, for endings that hold pictures.
struct ExportLook {
    std::string colourMap = "gray";
    /// Values that are black and white; else what the pipeline says, else those of the first frame.
    std::optional<std::pair<double, double>> range = {};
    double gamma = 1.0; ///< of the position between them, > 0
    bool inverted = false;
    bool scaleBar = false;
    bool colourBar = false;
    bool axes = false; ///< labelled edges, true to the places
    /// Of .png and .tif: 8 = colours; 16 = grey, from black to white; 32 = the values themselves,
    /// .tif only.
    int depthBits = 8;
};

/// Frames are counted from 0 here; people count from 1.
struct ExportFrames {
    std::int64_t first = 0;
    std::int64_t last = 0; ///< this one too
};

struct ExportRequest {
    std::filesystem::path file; ///< the recording
    OpenOptions open = {};
    /// In place of the shipped pipeline that suits the data.
    std::optional<PipelineConfig> pipeline = {};
    /// The same once the data is known; goes before `pipeline`.
    std::function<PipelineConfig(const FrameSpec& raw)> choosePipeline = {};
    /// Facts of the spectrometer in place of the recording's own.
    std::shared_ptr<const Spectrometer> spectrometer = {};
    std::optional<ExportFrames> frames = {}; ///< else as many as usual for the ending
    /// "recording" (raw frames), a stage or a view by name, or one of a stage's outputs,
    /// "transmits@beamform"; else the first view.
    std::string outputOf = {};
    std::filesystem::path target; ///< its ending says what is written
    bool replace = false;         ///< a file that exists; never the recording
    ExportLook look = {};
    double framesPerSecond = 0.0;       ///< of cines; 0: the recording's
    std::optional<double> columnM = {}; ///< of .csv, a lateral place; else the middle column
    Backend backend = Backend::Cpu;
    std::string program = "Echolux"; ///< name and version of what writes
};

struct ExportResult {
    bool cancelled = false;                   ///< nothing was left behind then
    std::vector<std::filesystem::path> files; ///< as they stand now
    std::int64_t frames = 0;
    std::string what;                 ///< "H.264 cine", "NRRD image", ...
    std::vector<std::string> remarks; ///< full sentences: of the recording, of what was left out
};

/// Told after each frame; false gives up.
using ExportProgress = std::function<bool(std::int64_t done, std::int64_t of)>;

/// Writes `request.target` whole or not at all. May be called on any thread; frames are written by
/// a thread of its own. Throws Error where something is refused or fails, with nothing half-written
/// left.
ExportResult exportRecording(const ExportRequest& request, const ExportProgress& progress = {});

/// One row per ending that can be written.
struct ExportEnding {
    std::string ending;    ///< ".nii.gz"
    std::string what;      ///< "NIfTI image or volume"
    bool hasLook = false;  ///< is a picture: ExportLook says how it looks
    bool available = true; ///< false: this build lacks a library for it
};
std::vector<ExportEnding> exportEndings();

} // namespace echolux
