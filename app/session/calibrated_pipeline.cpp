// SPDX-License-Identifier: GPL-3.0-or-later
// The stages and values that a calibration sets.
#include "app/session/calibrated_pipeline.hpp"

#include "app/pipeline/graph_edits.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/registry.hpp"

#include <algorithm>
#include <array>

namespace echolux {
namespace {

constexpr std::array kTerms = {"c1", "c2", "c3"};

/// Switches the stages with the parameters P on and sets a value.
template <class P>
void use(PipelineConfig& config, const std::string& key, const ParamValue& value) {
    for (StageConfig& stage : config.stages) {
        if (!stageType(stage.type).has<P>()) continue;
        stage.bypass = false;
        setValue(stage, key, value);
    }
}

void setTerms(PipelineConfig& config, const DispersionTerms& terms) {
    use<oct::DispersionParams>(config, "terms", std::string("three"));
    for (std::size_t i = 0; i < terms.size(); ++i)
        use<oct::DispersionParams>(config, kTerms[i], terms[i]);
}

bool any(const DispersionTerms& terms) {
    return std::ranges::any_of(terms, [](double term) { return term != 0.0; });
}

} // namespace

PipelineConfig usingCalibration(const Snapshot& from, const Calibration& brought) {
    PipelineConfig config = toConfig(from);
    if (!brought.resampling.empty())
        use<oct::KLinearizeParams>(config, "curve", std::string("recording"));
    if (!brought.background.empty())
        use<oct::BackgroundParams>(config, "source", std::string("recording"));
    if (!brought.dispersionRad.empty() || brought.dispersionTerms) {
        use<oct::DispersionParams>(config, "use_recorded", true);
        setTerms(config, {});
    }
    return config;
}

PipelineConfig usingTerms(const Snapshot& from, const DispersionTerms& terms) {
    PipelineConfig config = toConfig(from);
    use<oct::DispersionParams>(config, "use_recorded", false);
    setTerms(config, terms);
    return config;
}

std::optional<DispersionTerms> termsAlone(const Snapshot& from) {
    const StageState* stage = from.findWith<oct::DispersionParams>();
    if (stage == nullptr) return std::nullopt;
    const auto& params = stage->params.as<oct::DispersionParams>();
    if (!params.recordedIn(from.input).empty() || params.hasHigherTerms()) return std::nullopt;
    return DispersionTerms{params.c1, params.c2, params.c3};
}

PipelineConfig takenBack(const Snapshot& now, const Snapshot& before, const Snapshot& after) {
    PipelineConfig config = toConfig(now);
    for (StageConfig& stage : config.stages) {
        const auto same = [&](const StageState& each) { return each.id == stage.id; };
        const auto was = std::ranges::find_if(before.stages, same);
        const auto became = std::ranges::find_if(after.stages, same);
        if (was == before.stages.end() || became == after.stages.end()) continue;
        if (was->bypass != became->bypass) stage.bypass = was->bypass;
        if (was->onCpu != became->onCpu) stage.onCpu = was->onCpu;
        if (was->alone != became->alone) stage.alone = was->alone;
        for (const ParamRow& row : was->type->table.rows()) {
            const ParamValue value = was->params.get(row.key);
            if (value != became->params.get(row.key)) setValue(stage, row.key, value);
        }
    }
    return config;
}

Calibration calibrationIn(const Spectrometer& facts) {
    return {.resampling = facts.resampling,
            .dispersionRad = facts.dispersionRad,
            .background = facts.background,
            .centreWavelengthM = facts.centreWavelengthM,
            .bandwidthM = facts.bandwidthM};
}

Calibration calibrationOf(const Snapshot& now) {
    const FrameSpec& raw = now.input;
    const std::int64_t samples = raw.sizeOf(AxisName::Sample);
    Calibration result = raw.spectrometer ? calibrationIn(*raw.spectrometer) : Calibration{};
    if (const StageState* stage = now.findWith<oct::KLinearizeParams>()) {
        const auto& params = stage->params.as<oct::KLinearizeParams>();
        const std::array<double, 4> c = params.coefficientsFor(samples);
        const bool bent = std::ranges::any_of(c, [](double term) { return term != 0.0; });
        if (params.curve == oct::ResamplingCurve::Polynomial && bent)
            result.resampling = oct::polynomialCurve(samples, c);
    }
    const StageState* stage = now.findWith<oct::DispersionParams>();
    if (stage == nullptr) return result;
    const auto& params = stage->params.as<oct::DispersionParams>();
    const DispersionTerms terms{params.c1, params.c2, params.c3};
    if (!any(terms) && !params.hasHigherTerms()) return result;
    if (termsAlone(now) && !params.keepDepth) {
        result.dispersionRad.clear();
        result.dispersionTerms = terms;
    } else {
        result.dispersionRad = oct::phaseOf(params, params.recordedIn(raw),
                                            oct::evenPositions(samples, samples), samples);
    }
    return result;
}

} // namespace echolux
