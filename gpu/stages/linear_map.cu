// SPDX-License-Identifier: GPL-3.0-or-later
// linear_map: y = 255 min(|a| / max, 1), the linear gray map of van Bavel 2013, Eq. 2.8. max is a
// fixed amplitude or the running maximum. max = 0 and NaN give 0; NaN stays NaN in images where it
// means no data. Channel data shows one transmit.
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/one_transmit.hpp"
#include "gpu/stage/running_maximum.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

enum class Maximum { Running, Fixed };

struct LinearMapParams {
    Maximum reference = Maximum::Running;
    double max = 1.0;
    std::int64_t transmit = 1;
};

struct MapLinearly {
    const float* in;
    float* out;
    const float* runningMaximum; ///< null: fixedMaximum
    float fixedMaximum;
    bool hasGaps;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float maximum = runningMaximum != nullptr ? *runningMaximum : fixedMaximum;
        const float ratio = fabsf(in[i]) / maximum;
        const float level = maximum > 0.0F && ratio > 0.0F ? 255.0F * fminf(ratio, 1.0F) : 0.0F;
        out[i] = hasGaps && std::isnan(in[i]) ? in[i] : level;
    }
};

class LinearMap final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        FrameSpec output = shownOf("linear_map", input, params.as<LinearMapParams>().transmit);
        output.valueRange = {0.0, 255.0, "", ""};
        output.valueKind = ValueKind::Amplitude;
        output.cycle = 0.0;
        output.converterRange.reset();
        output.recordedPeak = 0.0;
        return {.outputs = {output},
                .workspaceBytes = runningMaximumWorkspaceBytes(),
                .stateBytes = kRunningMaximumStateBytes};
    }

    void update(const Exec&, const Params& params) override {
        const auto& values = params.as<LinearMapParams>();
        m_running = values.reference == Maximum::Running;
        m_fixedMaximum = static_cast<float>(values.max);
        m_transmit = values.transmit;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        constexpr float kDecay = 0.99F; // per frame; slow enough that the brightness does not pump
        const std::int64_t count = output.spec->count();
        const float* shown = input.as<float>() + shownFrom(*input.spec, m_transmit);
        const float* running = nullptr;
        if (m_running) {
            running = followMaximum(exec, "linear_map", shown, count, kDecay, workspace);
        } else {
            keepMaximum(exec, "linear_map", workspace);
        }
        forEach(
            exec, "linear_map", count,
            MapLinearly{shown, output.as<float>(), running, m_fixedMaximum, input.spec->hasGaps});
    }

private:
    bool m_running = true;
    float m_fixedMaximum = 1.0F;
    std::int64_t m_transmit = 1; ///< from 1
};

/// A fixed maximum is full scale of the converter where that is known, else the recording's largest
/// sample.
Params linearMapDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    const ParamRow& row = *type.table.find("max");
    const double fullScale = input.converterRange
                                 ? std::max(std::fabs(input.converterRange->lowest),
                                            std::fabs(input.converterRange->highest))
                                 : input.recordedPeak;
    auto& values = params.as<LinearMapParams>();
    if (fullScale >= row.min && fullScale <= row.max) values.max = fullScale;
    values.transmit = usualTransmit(input);
    return params;
}

/// Counts MapLinearly: a division (reciprocal and four FFMA), a product, comparisons.
std::vector<model::Kernel> linearMapWork(const PlannedStage& stage) {
    const std::int64_t count = stage.plan.outputs[0].count();
    std::vector<model::Kernel> kernels;
    if (stage.params.as<LinearMapParams>().reference == Maximum::Running)
        kernels = followMaximumWork(stage.backend, "linear_map", count);
    kernels.push_back(forEachWork(
        stage.backend, "linear_map", count,
        {.bytesRead = 4.0,
         .bytesWritten = 4.0,
         .counts = {.ffma = 4.0, .fmul = 1.0, .fadd = 3.0, .special = 1.0, .offsets = 2.0}}));
    return kernels;
}

} // namespace

namespace stages {
const StageType& linear_map() {
    static const StageType kType{
        .id = "linear_map",
        .label = "Linear map",
        .help = "Amplitude as gray levels 0 to 255, without a logarithm.",
        .work = linearMapWork,
        .table = ParamTable::of<LinearMapParams>()
                     .choice(&LinearMapParams::reference,
                             {{"running_maximum", "Running maximum"}, {"fixed", "Fixed"}},
                             {.key = "reference",
                              .label = "255 is",
                              .help = "Amplitude that counts as 255: that of the brightest pixel "
                                      "so far, or a fixed value."})
                     .real(&LinearMapParams::max,
                           {.key = "max",
                            .label = "Maximum",
                            .min = 1e-12,
                            .max = 1e12,
                            .step = 0.01,
                            .scale = ParamScale::Log,
                            .help = "Amplitude shown as 255 where 255 is fixed; larger amplitudes "
                                    "are shown as 255, too. The default is the converter's full "
                                    "scale where it is known, else the recording's largest sample.",
                            .onlyWith = {"reference", "fixed"}})
                     .integer(&LinearMapParams::transmit, transmitRow())
                     .build(),
        .inputs = {{{DType::F32}}},
        .tolerance = {1e-5, 0.0},
        .form = RecordedForm::Picture,
        .defaults = linearMapDefaults,
        .code = codeOf<LinearMap>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
