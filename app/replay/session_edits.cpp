// SPDX-License-Identifier: GPL-3.0-or-later
// Turns texts into options, pipelines and facts.
#include "app/replay/session_edits.hpp"

#include "app/dataset/calibration/calibration.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "app/pipeline/parameter_words.hpp"
#include "app/session/prepared_engine.hpp"
#include "gpu/core/error.hpp"

namespace echolux {

OpenOptions optionsOf(const SessionRecording& recording) {
    OpenOptions options;
    if (!recording.sidecar.empty()) options.sidecar = recording.sidecar;
    if (!recording.calibration.empty()) options.calibration = recording.calibration;
    if (recording.track > 0) options.track = static_cast<std::size_t>(recording.track - 1);
    return options;
}

PipelineConfig pipelineCalled(const std::string& name, const FrameSpec& raw) {
    const bool isFile = name.find('/') != std::string::npos;
    return isFile ? loadPipeline(name) : fittedPipeline(name, raw);
}

PipelineConfig pipelineBelow(const std::string& toml) {
    return parsePipeline(toml, "the pipeline below this line");
}

PipelineConfig withChanges(const Snapshot& from, const std::vector<ParameterChange>& changes) {
    PipelineConfig config = toConfig(from);
    for (const ParameterChange& change : changes) {
        const std::size_t at = from.indexOf(change.stage);
        StageConfig& stage = config.stages[at];
        if (change.value)
            setValue(stage, change.key,
                     valueFromText(stage.id, *from.stages[at].type, change.key, *change.value));
        else
            std::erase_if(stage.values, [&](const auto& each) { return each.first == change.key; });
    }
    return config;
}

std::shared_ptr<const Spectrometer> factsBelow(const std::string& toml, const FrameSpec& raw) {
    if (!raw.spectrometer)
        throw Error("the recording holds no spectra, so no calibration belongs to it");
    if (toml.empty()) return raw.spectrometer;
    return calibrated(*raw.spectrometer, parseCalibration(toml, "the calibration below this line"),
                      raw);
}

} // namespace echolux
