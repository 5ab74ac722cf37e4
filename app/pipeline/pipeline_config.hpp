// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline as written in a file: environment, recording, stages, links, views, parameter values.
#pragma once

#include "gpu/stage/stage.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {

/// Position in a file, counted from 1; line 0: unknown.
struct Place {
    int line = 0;
    int column = 0;
};

/// A named port of a stage, "in@envelope" or "transmits@beamform". The recording is a source with
/// the port "frame".
struct PortName {
    std::string port;
    std::string stage;
    bool operator==(const PortName&) const = default;
};
inline constexpr const char* kRecording = "recording";
inline constexpr const char* kRecordingPort = "frame";

std::string toText(const PortName& name);
/// "in@envelope", or "envelope" for its port `usual`; empty where it is neither.
std::optional<PortName> toPortName(std::string_view text, std::string_view usual);

struct LinkConfig {
    PortName from; ///< an output
    PortName to;   ///< an input
    Place place = {};
    bool ofFrameBefore = false; ///< delivers what `from` gave for the previous frame; zeros where
                                ///< there is none
};

struct StageConfig {
    std::string id;   ///< of the instance; the type's id unless the file names it
    std::string type; ///< see stageType()
    bool bypass = false;
    /// Values that differ from the defaults.
    std::vector<std::pair<std::string, ParamValue>> values = {};
    Place place = {};
    bool onCpu = false; ///< even where the other stages run on CUDA
    bool alone = false; ///< no fusion comprises it
};

/// A view: it shows the image at an output.
struct ViewConfig {
    std::string id;
    std::string label; ///< on screen; empty: the id
    PortName from;
    Place place = {};
    std::string over = {}; ///< id of the view whose image is drawn beneath; empty: none
    bool main = false;     ///< no other view is shown larger
};

/// Where the pipeline asks to run.
struct EnvironmentConfig {
    std::string backend; ///< "cpu", "cuda", or empty: whichever there is
    std::optional<std::int64_t> device;
    bool operator==(const EnvironmentConfig&) const = default;
};

/// How the recording's frames reach the stages.
struct RecordingConfig {
    std::int64_t ensemble = 1; ///< frames that go through the stages at once, 1 to
                               ///< kMostEnsembleFrames
    /// Not 0: ensembles are all B-scans of a place, as many as the recording tells, or this number
    /// where it tells none. Then `ensemble` counts in a Snapshot alone.
    std::int64_t repeats = 0;
    bool operator==(const RecordingConfig&) const = default;
};

/// A library with stages that the pipeline needs.
struct PluginConfig {
    std::filesystem::path library; ///< absolute
    bool operator==(const PluginConfig&) const = default;
};

/// A graph. Each of its cycles has a link of the frame before. A chain needs no links: where no
/// link names a stage's first input, the stage takes the output of the stage before it, and the
/// first stage takes the recording. Where there is no view, the last stage's output is shown.
struct PipelineConfig {
    std::string name;
    std::vector<StageConfig> stages;
    std::vector<LinkConfig> links = {};
    std::vector<ViewConfig> views = {};
    EnvironmentConfig environment = {};
    RecordingConfig recording = {};
    std::vector<PluginConfig> plugins = {}; ///< loaded: see usePlugin()
    std::string origin = {};                ///< the file, for messages
    bool inFilterLanguage = false;          ///< written as filter_text.hpp says
};

/// Most views that a pipeline may have.
inline constexpr std::size_t kMostViews = 4;

/// "demo.toml, line 3, column 1: ", as far as it is known.
std::string whereIs(const PipelineConfig& config, const Place& place);

/// Reads TOML, or the language of van Bavel's framework where the text begins with its
/// `environment`. Throws Error naming `origin`, line and column where known, and what to change.
/// Loads the plugins that the text names; their paths are relative to `folder` (empty: the current
/// folder).
PipelineConfig parsePipeline(std::string_view text, const std::string& origin,
                             const std::filesystem::path& folder = {});
PipelineConfig loadPipeline(const std::filesystem::path& path);
/// Bytes; a longer file is refused.
inline constexpr std::size_t kLongestPipeline = std::size_t{1} << 20;
/// `full` is the same pipeline with every value. Values that only `full` has are written as
/// comments, in the order of their table.
std::string toToml(const PipelineConfig& config, const PipelineConfig* full = nullptr);

/// The pipelines that come with the program, by file name without its ending.
std::vector<std::string> shippedPipelines();
PipelineConfig shippedPipeline(std::string_view name);

} // namespace echolux
