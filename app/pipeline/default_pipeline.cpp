// SPDX-License-Identifier: GPL-3.0-or-later
// Which shipped pipeline suits which frames; declared in snapshot.hpp.
#include "app/pipeline/snapshot.hpp"

#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/beamform/beamform_grid.hpp"

namespace echolux {
namespace {

bool isChannelData(const FrameSpec& spec) { return spec.find(AxisName::Channel) != nullptr; }

/// Whether the recording holds beams that fan out, or `beamform` answers with them, as a curved or
/// phased array wants.
bool imagesSector(const FrameSpec& input) {
    if (input.sector != nullptr) return true;
    return isChannelData(input) && input.acquisition != nullptr &&
           das::fansOut(input, das::defaultParams(input));
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
    const bool bandPassSampled = input.samplingFrequencyHz() < 2.0 * input.centreFrequencyHz;
    return bandPassSampled ? "demodulated" : "rf";
}

PipelineConfig defaultPipeline(const FrameSpec& input) {
    PipelineConfig config = shippedPipeline(defaultPipelineName(input));
    if (imagesSector(input))
        config.stages.push_back({.id = "scan_conversion", .type = "scan_conversion"});
    if (input.spectrometer == nullptr || !input.spectrometer->sinusoidalScan) return config;
    for (StageConfig& stage : config.stages)
        if (stage.type == "scan_correction") stage.bypass = false;
    return config;
}

} // namespace echolux
