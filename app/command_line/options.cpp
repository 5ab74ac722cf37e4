// SPDX-License-Identifier: GPL-3.0-or-later
// Declares and interprets the shared options.
#include "app/command_line/options.hpp"

#include "app/command_line/command_tree.hpp"

#include "app/command_line/command_names.hpp"
#include "app/command_line/voice.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "app/pipeline/parameter_words.hpp"
#include "app/pipeline/plugins.hpp"
#include "app/session/engine.hpp"
#include "gpu/core/error.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/registry.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

namespace echolux {
namespace {

constexpr int kMostGpus = 64;

bool isShipped(const std::string& name) {
    const auto shipped = shippedPipelines();
    return std::ranges::find(shipped, name) != shipped.end();
}

/// Reads a pipeline from a file or takes a shipped one.
PipelineConfig namedPipeline(const std::string& name) {
    if (isShipped(name)) return shippedPipeline(name);
    std::error_code ignored;
    const bool isPlainWord = name.find_first_of("/.") == std::string::npos;
    if (isPlainWord && !std::filesystem::exists(name, ignored)) {
        throw Error(fmt::format("There is no pipeline '{}', neither shipped nor as a file; {}"
                                "'echolux pipelines' lists the shipped ones.",
                                name, didYouMean(name, shippedPipelines())));
    }
    return loadPipeline(name);
}

/// The edits of `config` from the command line, each with the name of its stage.
class Edits {
public:
    explicit Edits(const ImagingOptions& options) {
        for (const std::string& setting : options.settings)
            m_edits.push_back({setting.substr(0, setting.find('.')), setting, false});
        for (const std::string& id : options.used) m_edits.push_back({id, {}, false});
        for (const std::string& id : options.bypassed) m_edits.push_back({id, {}, true});
    }

    /// Applies the edits of stages that `config` has, and keeps the others.
    void applyKnown(PipelineConfig& config) {
        std::erase_if(m_edits, [&](const Edit& edit) {
            const bool isKnown = std::ranges::find(config.stages, edit.stage, &StageConfig::id) !=
                                 config.stages.end();
            if (isKnown) apply(config, edit);
            return isKnown;
        });
    }
    /// Applies the remaining edits. Throws Error where `config` has no such stage.
    void applyAll(PipelineConfig& config) const {
        for (const Edit& edit : m_edits) apply(config, edit);
    }

private:
    struct Edit {
        std::string stage;
        std::string setting; ///< empty: the edit switches the stage on or off
        bool bypass = false;
    };
    static void apply(PipelineConfig& config, const Edit& edit) {
        if (!edit.setting.empty()) return applySetting(config, edit.setting);
        stageIn(config, edit.stage).bypass = edit.bypass;
    }
    std::vector<Edit> m_edits;
};

/// Throws Error where a file or the command line sets min_db to max_db or higher. In the window the
/// two sliders may cross while they move.
void refuseCrossedLimits(const PipelineConfig& config, const FrameSpec& raw) {
    const auto limits = [](const StageConfig& stage) {
        return stageType(stage.type).has<oct::MagnitudeLogParams>() &&
               std::ranges::any_of(stage.values, [](const auto& value) {
                   return value.first == "min_db" || value.first == "max_db";
               });
    };
    if (std::ranges::none_of(config.stages, limits)) return; // the defaults are valid
    const SnapshotPtr snapshot = instantiate(config, raw);
    for (const StageState& stage : snapshot->stages) {
        if (!stage.type->has<oct::MagnitudeLogParams>()) continue;
        const double min = std::get<double>(stage.params.get("min_db"));
        const double max = std::get<double>(stage.params.get("max_db"));
        if (min < max) continue;
        throw Error(
            fmt::format("Stage '{0}': min_db = {1:g} is not below max_db = {2:g}; set both, "
                        "for example --set {0}.min_db={1:g} --set {0}.max_db={3:g}.",
                        stage.id, min, max, min + 40.0));
    }
}

std::string pipelineHelp() { return fmt::format("Pipeline file, or {}", kNameOfAPipeline); }

} // namespace

StageConfig& stageIn(PipelineConfig& config, const std::string& id) {
    const auto at = std::ranges::find(config.stages, id, &StageConfig::id);
    if (at == config.stages.end()) {
        std::vector<std::string> ids;
        for (const StageConfig& stage : config.stages) ids.push_back(stage.id);
        throw Error(fmt::format("The pipeline '{}' has no stage '{}'; choose one of {}.",
                                config.name, id, fmt::join(ids, ", ")));
    }
    return *at;
}

void applySetting(PipelineConfig& config, const std::string& setting) {
    const auto dot = setting.find('.');
    const auto equals = setting.find('=');
    if (dot == std::string::npos || equals == std::string::npos || dot > equals) {
        throw Error(fmt::format(
            "'{}' is no setting; write stage.key=value, for example beamform.f_number=1.2.",
            setting));
    }
    StageConfig& stage = stageIn(config, setting.substr(0, dot));
    const std::string key = setting.substr(dot + 1, equals - dot - 1);
    setValue(stage, key,
             valueFromText(stage.id, stageType(stage.type), key, setting.substr(equals + 1)));
    stage.bypass = false; // a set value means that the stage is wanted
}

void ImagingOptions::addTo(CLI::App& command, bool fileRequired) {
    addFileTo(command, fileRequired);
    addPipelineTo(command);
    addEditsTo(command);
    command.add_option("--backend", backend, "auto, cuda or cpu")->capture_default_str();
    addDeviceTo(command, gpu);
}

void addDeviceTo(CLI::App& command, int& gpu) {
    command.add_option("--device", gpu, "Number of the GPU, from 0")
        ->check(CLI::Range(0, kMostGpus - 1))
        ->capture_default_str();
}

void ImagingOptions::addPipelineTo(CLI::App& command) {
    command.add_option("--pipeline", pipeline, pipelineHelp());
}

void ImagingOptions::addPipelineArgumentTo(CLI::App& command) {
    command.add_option("PIPELINE", pipeline, pipelineHelp())->required();
}

void ImagingOptions::addFileTo(CLI::App& command, bool required) {
    command.add_option("FILE", file, "Recording to open; its format is detected by content")
        ->required(required);
    command.add_option("--sidecar", sidecar,
                       "TOML file that describes the array in FILE, in place of the sidecar beside "
                       "FILE or kept for it");
    command.add_option("--calibration", calibration,
                       "Calibration of the spectrometer, in place of the recording's own");
    addTrackTo(command, track);
    addPluginsTo(command);
}

void addPluginsTo(CLI::App& command) {
    command
        .add_option_function<std::vector<std::string>>(
            "--plugin",
            [](const std::vector<std::string>& libraries) {
                for (const std::string& each : libraries) usePlugin(findPlugin(each, {}));
            },
            "Library with readers of files, live sources or views (repeatable; 'echolux help "
            "plugins')")
        ->allow_extra_args(false);
}

void addTrackTo(CLI::App& command, int& track) {
    command
        .add_option("--track", track,
                    "Which recording to open, if the file holds several, counted from 1")
        ->check(CLI::PositiveNumber);
}

std::optional<std::size_t> trackIndex(int track) {
    if (track == 0) return std::nullopt;
    return static_cast<std::size_t>(track - 1);
}

void ImagingOptions::addEditsTo(CLI::App& command) {
    command.add_option("--set", settings,
                       fmt::format("Parameter of a stage: {}, beamform.speed_of_sound=\"1.5 km/s\" "
                                   "(repeatable)",
                                   kSettingOfAParameter));
    command.add_option("--use", used,
                       "Stage to switch on (repeatable). --set also switches its stage on");
    command.add_option("--bypass", bypassed,
                       "Stage to switch off: data pass through it unchanged (repeatable)");
}

void ImagingOptions::addBackendTo(CLI::App& command, std::optional<int>& device) {
    backend.clear();
    command.add_option("--backend", backend,
                       "auto, cuda or cpu, in place of the pipeline's environment");
    command.add_option("--device", device,
                       "Number of the GPU, from 0, in place of the pipeline's environment");
}

void addSlotsTo(CLI::App& command, int& inFlight) {
    command.add_option("--slots", inFlight, "Frames computed at the same time on CUDA")
        ->check(CLI::Range(1, EnginePlace::kMostInFlight))
        ->capture_default_str();
}

OpenOptions ImagingOptions::openOptions() const {
    OpenOptions options;
    if (!sidecar.empty()) options.sidecar = sidecar;
    if (!calibration.empty()) options.calibration = calibration;
    options.track = trackIndex(track);
    return options;
}

void OutputOptions::addTo(CLI::App& command, const std::string& what) {
    command.add_option("-o,--output", path, what)->required();
    command.add_flag("--force", force, "Replace the file where it exists");
}

void OutputOptions::refuseExisting(const std::filesystem::path& file) const {
    std::error_code ignored;
    if (force || !std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) return;
    throw Error(fmt::format("Cannot write '{}': the file exists; choose another name, or replace "
                            "it with --force.",
                            file.string()));
}

void refuseRecording(const std::filesystem::path& out, const std::filesystem::path& recording) {
    std::error_code none;
    if (std::filesystem::equivalent(out, recording, none))
        throw Error(fmt::format(
            "Cannot write '{}': it is the recording itself; choose another name.", out.string()));
}

void printWarnings(const std::vector<std::string>& sentences) {
    if (isQuiet()) return;
    for (const std::string& sentence : sentences)
        std::fprintf(stderr, "echolux: warning: %s\n", sentence.c_str());
}

void FrameOption::addTo(CLI::App& command, const std::string& what) {
    command.add_option("--frame", number, what + ", counted from 1 as in the window")
        ->capture_default_str();
}

void acceptBackend(CLI::App& command) {
    command.add_option("--backend", "auto, cuda or cpu; without effect here")
        ->check(CLI::IsMember({"auto", "cuda", "cpu"}));
    command.add_option("--device", "Number of the GPU; without effect here");
}

bool ImagingOptions::choosesPipeline() const {
    return !pipeline.empty() || !settings.empty() || !used.empty() || !bypassed.empty();
}

EnvironmentConfig ImagingOptions::environment() const {
    return pipeline.empty() ? EnvironmentConfig{} : namedPipeline(pipeline).environment;
}

PipelineConfig ImagingOptions::config(const FrameSpec& raw) const {
    Edits edits(*this);
    PipelineConfig result;
    if (pipeline.empty() || isShipped(pipeline)) {
        const std::string name =
            pipeline.empty() ? std::string(defaultPipelineName(raw)) : pipeline;
        result = withStagesFor(raw, shippedPipeline(name));
        // A value may decide whether the image lies along beams.
        edits.applyKnown(result);
        result = withScanConversion(raw, std::move(result));
    } else {
        result = namedPipeline(pipeline);
    }
    edits.applyAll(result);
    refuseCrossedLimits(result, raw);
    return result;
}

} // namespace echolux
