// SPDX-License-Identifier: GPL-3.0-or-later
// aberration_correction: moves the echoes of each channel to where they would be without a screen,
// by the delays (and amplitudes) that `aberration` found (Herikstad 2009, section 2.5). With d the
// delay of the element that channel k listens to, times `strength`:
//   y_tk(n) = g x_tk(n + d fs), of IQ data turned by exp(+2 pi j fd d)
// where g is 1, 1 / a or a, with a the amplitude of the element. Where single elements fire, the
// delay of the firing element is added, which corrects the transmit as well. Several patches become
// an ensemble with one frame each, and `patch_blend` joins them after the beamformer. Delays of 0
// with amplitudes of 0, as before the first estimate, change nothing.
#include "gpu/aberration/channel_shift.hpp"
#include "gpu/aberration/channel_shift_work.hpp"
#include "gpu/aberration/per_element.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/stage.hpp"

#include <fmt/format.h>

namespace echolux {

using aberration::isPerElement;
using aberration::Weights;

namespace {

constexpr const char* kAberrationCorrectionId = "aberration_correction";

struct CorrectionParams {
    double strength = 1.0;
    Weights weights = Weights::None;
    bool transmit = true;
};

std::int64_t elementsOf(const FrameSpec& input) {
    return std::ssize(input.acquisition->probe.elements);
}

bool knowsFilter(InputSpecs inputs) {
    return isPerElement(inputs[1], elementsOf(inputs[0])) && inputs[2].sameLayout(inputs[1]);
}

class AberrationCorrection final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params&) {
        const FrameSpec& input = inputs[0];
        if (!input.acquisition) {
            throw Error(
                "Stage 'aberration_correction' takes channel data that knows its array, but "
                "this recording tells none.");
        }
        for (std::size_t port = 1; port <= 2; ++port) {
            // A fed-back input is planned as the first input until its stage is planned.
            if (isPerElement(inputs[port], elementsOf(input)) || inputs[port].sameLayout(input))
                continue;
            throw Error(fmt::format(
                "Stage 'aberration_correction' takes a number for each of {} elements at '{}', but "
                "what reaches it is {}; link it to an 'aberration' stage.",
                elementsOf(input), port == 1 ? "delays" : "amplitudes", inputs[port].describe()));
        }
        const bool known = knowsFilter(inputs);
        StagePlan plan{.outputs = {ensembleOf(input, known ? inputs[1].axes[0].size : 1)}};
        if (!known) {
            plan.warnings = {
                "Stage 'aberration_correction' gets signals in the place of delays and "
                "amplitudes and corrects nothing; link its other inputs to an "
                "'aberration' stage."};
        }
        plan.heldBytes = aberration::ChannelShift::heldBytes(input);
        return plan;
    }

    void prepare(const Exec& exec, InputSpecs inputs, const StagePlan&, const Params&) override {
        m_input = inputs[0];
        m_knowsFilter = knowsFilter(inputs);
        m_patches = m_knowsFilter ? inputs[1].axes[0].size : 1;
        m_shift.prepare(exec, m_input);
    }

    void update(const Exec& exec, const Params& params) override {
        m_params = params.as<CorrectionParams>();
        m_shift.set(exec, m_params.transmit);
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace&) override {
        if (!m_knowsFilter)
            return copyWithin(exec, outputs[0].data, inputs[0].data, m_input.bytes());
        m_shift.run(exec, kAberrationCorrectionId, inputs[0].data,
                    {inputs[1].as<float>(), inputs[2].as<float>(),
                     static_cast<float>(m_params.strength), m_params.weights},
                    outputs[0].data, m_patches);
    }

private:
    FrameSpec m_input;
    std::int64_t m_patches = 1;
    bool m_knowsFilter = false;
    CorrectionParams m_params;
    aberration::ChannelShift m_shift;
};

/// Without a filter the channels are copied.
std::vector<model::Kernel> aberrationCorrectionWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    if (!knowsFilter(stage.inputs)) return {copyWork(kAberrationCorrectionId, input.bytes())};
    return aberration::channelShiftWork(stage.backend, kAberrationCorrectionId, input,
                                        stage.params.as<CorrectionParams>().transmit,
                                        stage.inputs[1].axes[0].size);
}

} // namespace

namespace stages {
const StageType& aberration_correction() {
    static const StageType kType{
        .id = kAberrationCorrectionId,
        .label = "Aberration correction",
        .help =
            "Corrects the delays that 'aberration' found: shifts each channel's echoes in time.",
        .work = aberrationCorrectionWork,
        .table =
            ParamTable::of<CorrectionParams>()
                .real(&CorrectionParams::strength,
                      {.key = "strength",
                       .label = "Strength",
                       .min = 0.0,
                       .max = 1.0,
                       .step = 0.05,
                       .help = "Part of the correction that is applied: 0 none, 1 all of it."})
                .choice(
                    &CorrectionParams::weights,
                    {{"none", "Delays alone"}, {"equalised", "Equalised"}, {"matched", "Matched"}},
                    {.key = "weights",
                     .label = "Amplitudes",
                     .help = "Equalised: faint channels are raised, by 20 dB at most. Matched: "
                             "loud channels weigh more."})
                .flag(&CorrectionParams::transmit,
                      {.key = "transmit",
                       .label = "Transmit too",
                       .help = "For recordings in which single elements fire: the delay of the "
                               "firing element is corrected, too."})
                .build(),
        .inputs = {{{DType::F32, DType::ComplexF32},
                    {AxisName::Transmit, AxisName::Channel, AxisName::Sample}},
                   {.dtypes = {DType::F32, DType::ComplexF32}, .name = "delays"},
                   {.dtypes = {DType::F32, DType::ComplexF32}, .name = "amplitudes"}},
        .tolerance = {1e-3, 0.0, 0.02},
        .role = Role::CorrectsAberration,
        .code = codeOf<AberrationCorrection>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
