// SPDX-License-Identifier: GPL-3.0-or-later
// Options that several commands share: which recording, which pipeline, which backend.
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
    int track = 0;                     ///< counted from 1; 0: the reader's choice
    std::string pipeline;              ///< file or shipped name; empty: by the data
    std::vector<std::string> settings; ///< stage.key=value
    std::vector<std::string> used;     ///< stage ids
    std::vector<std::string> bypassed; ///< stage ids
    std::string backend = "auto";
    int gpu = 0; ///< number of the GPU; not with addBackendTo()

    void addTo(CLI::App& command, bool fileRequired = true);
    // Parts of it.
    void addFileTo(CLI::App& command, bool required);
    void addPipelineTo(CLI::App& command);
    void addEditsTo(CLI::App& command);
    /// --backend and --device, which go before the pipeline's environment; `backend` is empty
    /// without.
    void addBackendTo(CLI::App& command, std::optional<int>& device);
    OpenOptions openOptions() const;
    bool choosesPipeline() const; ///< --pipeline, --set, --use or --bypass was given
    /// As the named pipeline says; nothing without one.
    EnvironmentConfig environment() const;
    /// The named pipeline, or the shipped one that suits the data, with the settings applied.
    PipelineConfig config(const FrameSpec& raw) const;
};

/// --track: of a file that holds several recordings, counted from 1; 0 is the reader's choice.
void addTrackTo(CLI::App& command, int& track);
std::optional<std::size_t> trackIndex(int track);

/// --device: number of the GPU, from 0.
void addDeviceTo(CLI::App& command, int& gpu);

/// --slots: frames in flight on CUDA.
void addSlotsTo(CLI::App& command, int& inFlight);

/// Where a command writes what it makes: -o, and --force to replace a file.
struct OutputOptions {
    std::string path;
    bool force = false;

    void addTo(CLI::App& command, const std::string& what);
    /// Throws Error where there is such a file and --force was not given.
    void refuseExisting(const std::filesystem::path& file) const;
};

/// Throws Error where `out` is the recording itself, which is not replaced even by force.
void refuseRecording(const std::filesystem::path& out, const std::filesystem::path& recording);

/// One line each on stderr.
void printWarnings(const std::vector<std::string>& sentences);

/// Which frame of a recording: people count from 1, the program from 0.
struct FrameOption {
    std::int64_t number = 1;

    void addTo(CLI::App& command, const std::string& what);
    std::int64_t index() const { return number - 1; }
};

/// Accepts --backend, checked, and --device on a command that computes nothing on it, so that
/// scripts may always give it.
void acceptBackend(CLI::App& command);

/// Throws Error naming the stages there are.
StageConfig& stageIn(PipelineConfig& config, const std::string& id);

/// Splits "stage.key=value", checks it against the stage's table, puts it into `config` and
/// switches the stage on.
void applySetting(PipelineConfig& config, const std::string& setting);

} // namespace echolux
