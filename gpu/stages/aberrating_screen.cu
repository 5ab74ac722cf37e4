// SPDX-License-Identifier: GPL-3.0-or-later
// aberrating_screen: computes the channel data that would be recorded behind a thin screen on the
// elements, with known random delays d and amplitudes a (formulas: gpu/echoes/random_screens.hpp):
//   y_tk(n) = a x_tk(n - d fs), of IQ data turned by exp(-2 pi j fd d)
// with d and a of the element that channel k listens to. Where one element fired alone, its d and a
// are applied as well, because the sound passes the screen both ways. Waves of several elements
// were already sent without a screen, so for them the screen acts only on the way back.
#include "gpu/stages/aberrating_screen.hpp"

#include "gpu/aberration/channel_shift.hpp"
#include "gpu/aberration/channel_shift_work.hpp"
#include "gpu/aberration/per_element.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"

namespace echolux {
namespace {

constexpr const char* kAberratingScreenId = "aberrating_screen";

echoes::ScreenDesign designOf(const AberratingScreenParams& p) {
    return {.delayRmsS = p.delayRmsS,
            .gainRmsDb = p.gainRmsDb,
            .lengthXM = p.lengthM,
            .lengthYM = p.elevationLengthM > 0.0 ? p.elevationLengthM : p.lengthM,
            .seed = static_cast<std::uint64_t>(p.seed)};
}

class AberratingScreen final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& input = inputs[0];
        const Probe& probe = aberration::probeOf(input, kAberratingScreenId);
        echoes::checkGrain(designOf(params.as<AberratingScreenParams>()), probe);
        const auto elements = std::ssize(probe.elements);
        StagePlan plan{.outputs = {input, aberration::delaysPerElement(1, elements),
                                   aberration::amplitudesPerElement(1, elements)}};
        plan.heldBytes =
            aberration::ChannelShift::heldBytes(input) + 3 * probe.elements.size() * sizeof(float);
        return plan;
    }

    void prepare(const Exec& exec, InputSpecs inputs, const StagePlan&, const Params&) override {
        m_probe = inputs[0].acquisition->probe;
        m_shift.prepare(exec, inputs[0]);
        for (ComputeTable<float>* table : {&m_delays, &m_shifts, &m_amplitudes})
            table->allocate(exec, m_probe.elements.size());
    }

    void update(const Exec& exec, const Params& params) override {
        const auto& p = params.as<AberratingScreenParams>();
        m_shift.set(exec, p.transmit);
        const echoes::ElementScreen screen = screenBefore(m_probe, p);
        std::vector<float> delays(screen.delayS.begin(), screen.delayS.end());
        std::vector<float> shifts;
        for (const float delay : delays) shifts.push_back(-delay);
        m_delays.set(exec, std::move(delays));
        m_shifts.set(exec, std::move(shifts));
        m_amplitudes.set(exec, {screen.amplitude.begin(), screen.amplitude.end()});
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace&) override {
        if (outputs[0].data != nullptr)
            m_shift.run(exec, kAberratingScreenId, inputs[0].data,
                        {.delayS = m_shifts.data(),
                         .amplitude = m_amplitudes.data(),
                         .weights = aberration::Weights::Matched},
                        outputs[0].data);
        aberration::handOn(exec, outputs[1], m_delays);
        aberration::handOn(exec, outputs[2], m_amplitudes);
    }

private:
    Probe m_probe;
    aberration::ChannelShift m_shift;
    ComputeTable<float> m_delays;
    ComputeTable<float> m_shifts; ///< the delays with the sign of a correction
    ComputeTable<float> m_amplitudes;
};

ParamTable screenTable() {
    using P = AberratingScreenParams;
    const auto length = [](const char* key, const char* label, double min, ParamScale scale,
                           const char* help) {
        return ParamRow{.key = key,
                        .label = label,
                        .unit = "m",
                        .min = min,
                        .max = 30e-3,
                        .step = 1e-4,
                        .scale = scale,
                        .help = help,
                        .displayUnit = "mm",
                        .displayFactor = 1e3};
    };
    return ParamTable::of<P>()
        .real(&P::delayRmsS, {.key = "delay_rms",
                              .label = "Delays",
                              .unit = "s",
                              .min = 0.0,
                              .max = 300e-9,
                              .step = 1e-9,
                              .help = "RMS over the elements.",
                              .displayUnit = "ns",
                              .displayFactor = 1e9})
        .real(&P::gainRmsDb, {.key = "amplitude_rms",
                              .label = "Amplitudes",
                              .unit = "dB",
                              .min = 0.0,
                              .max = 10.0,
                              .step = 0.1,
                              .help = "RMS over the elements."})
        .real(
            &P::lengthM,
            length("correlation_length", "Correlation length", 0.3e-3, ParamScale::Log,
                   "Distance along the array at which the screen's correlation has fallen to 1/e."))
        .real(
            &P::elevationLengthM,
            length("correlation_length_elevation", "Correlation across", 0.0, ParamScale::Linear,
                   "Matrix arrays: correlation length across the array; 0: the same as along it."))
        .integer(&P::seed, {.key = "seed",
                            .label = "Seed",
                            .min = 1,
                            .max = 1000,
                            .step = 1,
                            .help = "Each number gives another random screen."})
        .flag(&P::transmit, {.key = "transmit",
                             .label = "Transmit too",
                             .help = "For recordings in which single elements fire: the "
                                     "transmitted sound passes through the screen, too."})
        .build();
}

/// The shifted channels, and copies of both tables.
std::vector<model::Kernel> aberratingScreenWork(const PlannedStage& stage) {
    std::vector<model::Kernel> kernels;
    if (stage.wants(0))
        kernels = aberration::channelShiftWork(stage.backend, kAberratingScreenId, stage.inputs[0],
                                               stage.params.as<AberratingScreenParams>().transmit);
    for (std::size_t port = 1; port < stage.plan.outputs.size(); ++port)
        if (stage.wants(port))
            kernels.push_back(copyWork(kAberratingScreenId, stage.plan.outputs[port].bytes()));
    return kernels;
}

} // namespace

echoes::ElementScreen screenBefore(const Probe& probe, const AberratingScreenParams& params) {
    return echoes::screenOnElements(designOf(params), probe);
}

namespace stages {
const StageType& aberrating_screen() {
    static const StageType kType{
        .id = kAberratingScreenId,
        .label = "Aberrating screen",
        .help = "Puts a known random screen in front of the array, to test how well it is "
                "estimated and corrected.",
        .work = aberratingScreenWork,
        .table = screenTable(),
        .inputs = {{{DType::F32, DType::ComplexF32},
                    {AxisName::Transmit, AxisName::Channel, AxisName::Sample}}},
        .outputs = {{kOutputPort},
                    {"delays", "How much later the echoes of each element come, "
                               "[lateral 1][channel]."},
                    {"amplitudes", "Amplitude of each element, 1 without a screen, "
                                   "[lateral 1][channel]."}},
        .tolerance = {1e-3, 0.0, 0.02},
        .role = Role::AddsScreen,
        .code = codeOf<AberratingScreen>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
