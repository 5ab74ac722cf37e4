// SPDX-License-Identifier: GPL-3.0-or-later
// pulse_inversion: each wave was sent with P pulses, which differ in phase or amplitude. Their
// echoes x_k become one record,
//   y[n] = sum_k w_k x_k[n],
// in which what tissue or bubbles do not scatter linearly remains. For echoes a p + b p^2 + c p^3
// of the pulse p:
//   pulse inversion       p, -p            y = (x_0 + x_1) / 2 = b p^2, even harmonics
//                                          Simpson, Chin and Burns, IEEE Trans. UFFC 46(2), 1999
//   difference            p, -p            y = (x_0 - x_1) / 2 = a p + c p^3
//   amplitude modulation  p / 2, p, p / 2  y = x_1 - x_0 - x_2 = b p^2 / 2 + 3 c p^3 / 4
//                                          Brock-Fisher, Poland and Rafter, US patent 5577505
//   three phases          p at 2 pi k / 3  y = sum_k exp(-2 pi j k m / 3) x_k / 3, harmonic m of
//                                          analytic or IQ samples; for m = 3 the mean, of real
//                                          samples, too
// A wave takes the geometry of its transmits; that of amplitude modulation fires the elements of
// the full pulse. The centre frequency becomes that of the harmonic, so that the default bands of
// `bandpass` and later stages lie round it. IQ samples keep the frequency at which they were mixed,
// and hold the harmonic only if that lies in their band. What moved between pulses does not cancel.
#include "gpu/core/multiply_add.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/pulse_inversion_waves.hpp"

#include <algorithm>

namespace echolux {
namespace {

constexpr const char* kPulseInversionId = "pulse_inversion";

ECHOLUX_HD inline float addWeighted(Complex weight, float value, float sum) {
    return multiplyAdd(weight.re, value, sum);
}
ECHOLUX_HD inline Complex addWeighted(Complex weight, Complex value, Complex sum) {
    return multiplyAdd(weight.re, value, multiplyAdd(weight.im, Complex{-value.im, value.re}, sum));
}

/// `line` counts the channels of all waves and frames of the output.
template <class Sample> struct CombinePulses {
    const Sample* in; ///< [frame][transmit][channel][sample]
    Sample* out;      ///< [frame][wave][channel][sample]
    std::int64_t channels;
    std::int64_t samples;
    pulses::WaveOrder order;
    Complex weight[pulses::kMostPulses];

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n) const {
        const std::int64_t wave = line / channels % order.waves;
        const std::int64_t frame = line / channels / order.waves;
        const std::int64_t first = frame * order.waves * order.pulses + wave * order.ofWave();
        const std::int64_t step = order.ofPulse() * channels * samples;
        const Sample* x = in + (first * channels + line % channels) * samples + n;
        Sample sum{};
        for (std::int64_t k = 0; k < order.pulses; ++k)
            sum = addWeighted(weight[k], x[k * step], sum);
        out[line * samples + n] = sum;
    }
};

class PulseInversion final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<PulseInversionParams>();
        pulses::checkWeights(input, values);
        const pulses::WaveOrder order = pulses::orderOf(input, values);
        StagePlan plan{.outputs = {input}};
        FrameSpec& output = plan.outputs[0];
        output.axes[output.isEnsemble() ? 1 : 0].size = order.waves;
        output.centreFrequencyHz = pulses::harmonicOf(values) * pulses::sentHz(input);
        plan.warnings = pulses::warnings(input, output.centreFrequencyHz);
        if (input.acquisition == nullptr) return plan;
        pulses::checkGeometry(input, order);
        output.acquisition = pulses::combined(input, order, pulses::leadingPulse(values));
        return plan;
    }

    void prepare(const Exec&, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        m_order = pulses::orderOf(input, params.as<PulseInversionParams>());
        m_weights = pulses::weightsOf(params.as<PulseInversionParams>());
    }

    void update(const Exec&, const Params&) override {}

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        isComplex(input.spec->dtype) ? combine<Complex>(exec, input, output)
                                     : combine<float>(exec, input, output);
    }

private:
    template <class Sample>
    void combine(const Exec& exec, const ConstTensorView& input, const TensorView& output) const {
        const std::int64_t samples = output.spec->axes.back().size;
        CombinePulses<Sample> work{input.as<Sample>(),
                                   output.as<Sample>(),
                                   output.spec->sizeOf(AxisName::Channel),
                                   samples,
                                   m_order,
                                   {}};
        std::ranges::copy(m_weights, work.weight);
        forEachInLines(exec, kPulseInversionId, output.spec->count() / samples, samples, work);
    }

    pulses::WaveOrder m_order;
    std::vector<Complex> m_weights;
};

Params pulseInversionDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    pulses::suitOrder(input, params.as<PulseInversionParams>());
    return params;
}

/// Counts CombinePulses: an FFMA per pulse of real samples, four of complex ones. Three divisions
/// find channel, wave and frame, which the CPU makes once per line.
std::vector<model::Kernel> pulseInversionWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const FrameSpec& output = stage.plan.outputs[0];
    const bool cuda = stage.backend == Backend::Cuda;
    const double bytes = bytesPerSample(input);
    const double count = static_cast<double>(input.count()) / static_cast<double>(output.count());
    return {forEachInLinesWork(
        stage.backend, kPulseInversionId, output.count(),
        {.bytesRead = bytes * count,
         .bytesWritten = bytes,
         .counts = {.ffma = (isComplex(input.dtype) ? 4.0 : 1.0) * count, .offsets = 3.0 * count},
         .divisions = cuda ? 3.0 : 0.0})};
}

} // namespace

namespace stages {
const StageType& pulse_inversion() {
    static const StageType kType{
        .id = kPulseInversionId,
        .label = "Pulse inversion",
        .help = "Combines the pulses that each wave was sent with, so that harmonics remain.",
        .work = pulseInversionWork,
        .table = pulseInversionTable(),
        .inputs = {orEnsembles({{DType::F32, DType::ComplexF32},
                                {AxisName::Transmit, AxisName::Channel, AxisName::Sample}})},
        .bypassable = false,
        .tolerance = {1e-5, 1e-6},
        .defaults = pulseInversionDefaults,
        .code = codeOf<PulseInversion>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
