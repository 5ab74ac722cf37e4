// SPDX-License-Identifier: GPL-3.0-or-later
// Options that several commands share: recording, pipeline, backend.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/snapshot.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace echolux {

struct ImagingOptions {
    std::string file;
    std::string sidecar;
    std::string calibration;
    int track = 0;                     ///< counted from 1; 0: the reader chooses
    std::string pipeline;              ///< file or shipped name; empty: suited to the data
    std::vector<std::string> settings; ///< stage.key=value
    std::vector<std::string> used;     ///< stage ids
    std::vector<std::string> bypassed; ///< stage ids
    std::string backend = "auto";
    int gpu = 0; ///< number of the GPU; unused with addBackendTo()

    void addTo(CLI::App& command, bool fileRequired = true);
    // Parts of addTo().
    void addFileTo(CLI::App& command, bool required);
    void addPipelineTo(CLI::App& command); ///< --pipeline
    /// The argument PIPELINE in place of --pipeline, for commands that need one.
    void addPipelineArgumentTo(CLI::App& command);
    void addEditsTo(CLI::App& command);
    /// Adds --backend and --device, which override the pipeline's environment. `backend` is empty
    /// where --backend is not given.
    void addBackendTo(CLI::App& command, std::optional<int>& device);
    OpenOptions openOptions() const;
    bool choosesPipeline() const; ///< --pipeline, --set, --use or --bypass was given
    /// Environment of the named pipeline; empty without one.
    EnvironmentConfig environment() const;
    /// The named pipeline, or the shipped one that suits the data, with the settings applied.
    PipelineConfig config(const FrameSpec& raw) const;
};

/// --track: number of a recording in a file that holds several, counted from 1. 0: the reader
/// chooses.
void addTrackTo(CLI::App& command, int& track);
std::optional<std::size_t> trackIndex(int track);

/// --plugin: libraries whose readers and live sources may open what the command shows (repeatable).
/// They are loaded while the command line is read. Throws Error as usePlugin() does.
void addPluginsTo(CLI::App& command);

/// --device: number of the GPU, from 0.
void addDeviceTo(CLI::App& command, int& gpu);

/// --slots: number of frames in flight on CUDA.
void addSlotsTo(CLI::App& command, int& inFlight);

/// Output file of a command: -o, and --force to replace an existing file.
struct OutputOptions {
    std::string path;
    bool force = false;

    void addTo(CLI::App& command, const std::string& what);
    /// Throws Error where the file exists and --force was not given.
    void refuseExisting(const std::filesystem::path& file) const;
};

/// Throws Error where `out` is the recording itself. Not even --force replaces it.
void refuseRecording(const std::filesystem::path& out, const std::filesystem::path& recording);

/// Prints each sentence on a line of stderr.
void printWarnings(const std::vector<std::string>& sentences);

/// Frame number of a recording: counted from 1 in the option, from 0 in the program.
struct FrameOption {
    std::int64_t number = 1;

    void addTo(CLI::App& command, const std::string& what);
    std::int64_t index() const { return number - 1; }
};

/// Accepts and checks --backend and --device on a command that does not use them, so that scripts
/// can always pass them.
void acceptBackend(CLI::App& command);

/// Throws Error, which lists the existing stages, where there is no stage `id`.
StageConfig& stageIn(PipelineConfig& config, const std::string& id);

/// Parses "stage.key=value", checks it against the stage's table, sets it in `config`, and switches
/// the stage on.
void applySetting(PipelineConfig& config, const std::string& setting);

} // namespace echolux
