// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the shipped pipeline for a kind of frames, and adapts it to a recording; declared in
// snapshot.hpp.
#include "app/pipeline/linked_config.hpp"
#include "app/pipeline/snapshot.hpp"
#include "gpu/core/aligned_channels.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"
#include "gpu/stages/vector_flow.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

constexpr const char* kScanConversion = "scan_conversion";

bool isChannelData(const FrameSpec& spec) { return spec.find(AxisName::Channel) != nullptr; }

/// True where the carrier and its mirror image would overlap after sampling with real numbers.
bool isBandPassSampled(const FrameSpec& spec) {
    return spec.samplingFrequencyHz() < 2.0 * spec.centreFrequencyHz;
}

/// True for stages that filter RF or make it an analytic signal. IQ data do not need them. False
/// for such a stage where the pipeline gives it a value, because then the stage is wanted.
bool isForRfAlone(const StageConfig& stage) {
    constexpr std::array kTypes{"dc_removal", "bandpass", "analytic", "iq_demod"};
    return stage.values.empty() && std::ranges::find(kTypes, stage.type) != kTypes.end();
}

PipelineConfig withoutRfStages(const PipelineConfig& config) {
    std::vector<std::string> ids;
    for (const StageConfig& stage : config.stages)
        if (isForRfAlone(stage)) ids.push_back(stage.id);
    if (ids.empty()) return config;
    PipelineConfig result = linked(config);
    for (const std::string& id : ids) takeOut(result, id);
    return result;
}

bool isAlongBeams(const FrameSpec& frame) {
    return frame.sector != nullptr && frame.dtype == DType::F32 && frame.axes.size() == 2;
}

/// Collects the images along beams that `source` shows. For a comparison it collects the inputs, so
/// that the images do not differ beside the sector.
void addAlongBeams(const Snapshot& snapshot, Source source, std::vector<Source>& found) {
    source.ofFrameBefore = false;
    if (!isAlongBeams(snapshot.outputOf(source))) return;
    if (!source.isRecording() && snapshot.stages[source.stage].type->id == "compare") {
        for (const Source input : snapshot.stages[source.stage].sources)
            addAlongBeams(snapshot, input, found);
        return;
    }
    if (std::ranges::find(found, source) == found.end()) found.push_back(source);
}

/// The name of a scan conversion: "scan_conversion" behind a stage that is named by its type, else
/// with the name of the branch, as "scan_conversion_plain" behind "log_plain".
std::string nameBehind(const PortName& output, const PipelineConfig& config) {
    const auto at = std::ranges::find(config.stages, output.stage, &StageConfig::id);
    const bool isBranch = at != config.stages.end() && at->id != at->type;
    std::string name = kScanConversion;
    if (isBranch) name += '_' + at->id.substr(at->id.rfind('_') + 1);
    while (std::ranges::find(config.stages, name, &StageConfig::id) != config.stages.end())
        name += "_2";
    return name;
}

void convert(PipelineConfig& config, const PortName& output) {
    const std::string id = nameBehind(output, config);
    const auto isComparison = [&](const std::string& stage) {
        const auto at = std::ranges::find(config.stages, stage, &StageConfig::id);
        return at != config.stages.end() && at->type == "compare";
    };
    const PortName converted{kOutputPort, id};
    for (LinkConfig& link : config.links)
        if (link.from == output && isComparison(link.to.stage)) link.from = converted;
    for (ViewConfig& view : config.views)
        if (view.from == output) view.from = converted;
    config.stages.push_back({.id = id, .type = kScanConversion});
    config.links.push_back({output, {"in", id}, {}});
}

/// Vector flow compares the first and the last wave of a frame: it learns their steering.
void setSteering(const FrameSpec& input, PipelineConfig& shipped) {
    if (input.acquisition == nullptr || input.acquisition->transmits.empty()) return;
    const auto& transmits = input.acquisition->transmits;
    for (StageConfig& stage : shipped.stages) {
        const bool isGiven = std::ranges::any_of(stage.values, [](const auto& value) {
            return value.first == "first" || value.first == "second";
        });
        if (!stageType(stage.type).has<VectorFlowParams>() || isGiven) continue;
        stage.values.emplace_back("first", transmits.front().angleRad);
        stage.values.emplace_back("second", transmits.back().angleRad);
    }
}

} // namespace

std::string_view defaultPipelineName(const FrameSpec& input) {
    if (input.spectrometer != nullptr) return "oct";
    switch (input.recordedForm) {
    case RecordedForm::Signals: break;
    case RecordedForm::Beamformed: return "beamformed";
    case RecordedForm::Envelope: return "envelope";
    case RecordedForm::Decibels:
    case RecordedForm::Picture: return "recorded_image";
    }
    if (!isChannelData(input)) {
        throw Error("There is no default pipeline for frames that are neither channel data nor "
                    "spectra nor images; name one.");
    }
    if (isComplex(input.dtype)) return "iq";
    if (input.acquisition != nullptr && alignedOn(*input.acquisition)) return "aligned";
    return isBandPassSampled(input) ? "demodulated" : "rf";
}

PipelineConfig withStagesFor(const FrameSpec& input, PipelineConfig shipped) {
    if (isChannelData(input) && isComplex(input.dtype)) shipped = withoutRfStages(shipped);
    setSteering(input, shipped);
    if (input.spectrometer == nullptr || !input.spectrometer->sinusoidalScan) return shipped;
    for (StageConfig& stage : shipped.stages)
        if (stage.type == "scan_correction") stage.bypass = false;
    return shipped;
}

PipelineConfig withScanConversion(const FrameSpec& input, PipelineConfig shipped) {
    std::vector<PortName> outputs;
    bool isChainEnd = false;
    try {
        const SnapshotPtr snapshot = instantiate(shipped, input);
        std::vector<Source> found;
        for (const ViewState& view : snapshot->views) addAlongBeams(*snapshot, view.source, found);
        for (const Source source : found) outputs.push_back(outputName(*snapshot, source));
        isChainEnd = shipped.views.empty() && found.size() == 1 &&
                     found.front() == snapshot->views.front().source;
    } catch (const OutOfMemory&) {
        throw;
    } catch (const Error&) { // running the pipeline gives this error
        return shipped;
    }
    if (outputs.empty()) return shipped;
    if (isChainEnd) {
        shipped.stages.push_back(
            {.id = nameBehind(outputs.front(), shipped), .type = kScanConversion});
        return shipped;
    }
    shipped = linked(shipped);
    for (const PortName& output : outputs) convert(shipped, output);
    return shipped;
}

PipelineConfig fittedPipeline(std::string_view name, const FrameSpec& input) {
    return withScanConversion(input, withStagesFor(input, shippedPipeline(name)));
}

PipelineConfig defaultPipeline(const FrameSpec& input) {
    return fittedPipeline(defaultPipelineName(input), input);
}

} // namespace echolux
