// SPDX-License-Identifier: GPL-3.0-or-later
// aberration_correction: each channel's echoes moved to where they had come without a screen, by
// the delays (and amplitudes) that `aberration` found (Herikstad 2009, section 2.5). With d the
// delay of the element that channel k listens to, times `strength`:
//   y_tk(n) = g x_tk(n + d fs), of IQ data turned by exp(+2 pi j fd d)
// where g is 1, 1 / a or a of the element's amplitude a. Where single elements fire, the delay of
// the one that fired is added, which corrects the transmit as well. Several patches make an
// ensemble, a frame for each, which `patch_blend` ends after the beamformer. Delays of 0 with
// amplitudes of 0, as there are before the first estimate, correct nothing.
#include "gpu/beamform/beamform_formula.hpp"
#include "gpu/beamform/beamform_reading.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr const char* kId = "aberration_correction";
constexpr int kTaps = 10;

enum class Weights { None, Equalised, Matched };

struct CorrectionParams {
    double strength = 1.0;
    Weights weights = Weights::None;
    bool transmit = true;
};

template <class Sample> struct Correct {
    das::LineReading reading;
    const Sample* in;
    const float* delayS;          ///< [patch][element]
    const float* amplitude;       ///< [patch][element]
    const std::int32_t* receiver; ///< [transmit][channel] element, -1: none
    const std::int32_t* sender;   ///< [transmit] element that fired alone, -1: none is corrected
    Sample* out;
    std::int64_t lines; ///< of a frame
    std::int64_t channels;
    std::int64_t elements;
    float samplingHz;
    float demodulationHz;
    float strength;
    Weights weights;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n) const {
        const std::int64_t of = line % lines; // of the frame
        const std::int64_t patch = line / lines;
        float delay = 0.0F;
        float gain = 1.0F;
        add(patch, receiver[of], delay, gain);
        add(patch, sender[of / channels], delay, gain);
        const float at = std::fma(delay, samplingHz, static_cast<float>(n));
        const Sample* record = in + of * reading.samples;
        // What needs no reading between samples stays as it is.
        const Sample value =
            delay == 0.0F
                ? record[n]
                : das::interpolate<Sample, DelayInterpolation::LeastSquares>(reading, record, at);
        out[line * reading.samples + n] =
            gain * das::turned(value, das::unitPhasor(delay * demodulationHz));
    }

    ECHOLUX_HD void add(std::int64_t patch, std::int32_t element, float& delay, float& gain) const {
        if (element < 0) return;
        constexpr float kFaintest = 0.1F; // is lifted by 20 dB at most
        constexpr float kLatestS = 1e-5F; // what is beyond is no estimate
        const float own = strength * delayS[patch * elements + element];
        const float size = amplitude[patch * elements + element];
        if (!(std::fabs(own) < kLatestS) || !(size > 0.0F)) return;
        delay += own;
        float weight = 1.0F;
        if (weights == Weights::Matched) weight = size;
        if (weights == Weights::Equalised) weight = 1.0F / (size > kFaintest ? size : kFaintest);
        gain *= std::fma(strength, weight - 1.0F, 1.0F);
    }
};

bool isFilter(const FrameSpec& spec, std::int64_t elements) {
    return spec.dtype == DType::F32 && spec.axes.size() == 2 &&
           spec.axes[0].name == AxisName::Lateral && spec.axes[1].name == AxisName::Channel &&
           spec.axes[1].size == elements;
}

std::int64_t elementsOf(const FrameSpec& input) {
    return std::ssize(input.acquisition->probe.elements);
}

bool knowsFilter(InputSpecs inputs) {
    return isFilter(inputs[1], elementsOf(inputs[0])) && inputs[2].sameLayout(inputs[1]);
}

class AberrationCorrection final : public Stage {
public:
    StagePlan plan(InputSpecs inputs, const Params&) const override {
        const FrameSpec& input = inputs[0];
        if (!input.acquisition) {
            throw Error(
                "Stage 'aberration_correction' takes channel data that knows its array, but "
                "this recording tells none.");
        }
        for (std::size_t port = 1; port <= 2; ++port) {
            // What is fed back is planned as the first input until its stage is planned.
            if (isFilter(inputs[port], elementsOf(input)) || inputs[port].sameLayout(input))
                continue;
            throw Error(fmt::format(
                "Stage 'aberration_correction' takes a number for each of {} elements at '{}', but "
                "what reaches it is {}; link it to an 'aberration' stage.",
                elementsOf(input), port == 1 ? "delays" : "amplitudes", inputs[port].describe()));
        }
        const bool known = knowsFilter(inputs);
        StagePlan plan{.output = ensembleOf(input, known ? inputs[1].axes[0].size : 1)};
        if (!known) {
            plan.warnings = {
                "Stage 'aberration_correction' gets signals in the place of delays and "
                "amplitudes and corrects nothing; link its further inputs to an "
                "'aberration' stage."};
        }
        const std::size_t transmits = input.acquisition->transmits.size();
        plan.heldBytes = das::kMostReadTableBytes +
                         transmits * sizeof(std::int32_t) *
                             (1 + static_cast<std::size_t>(input.sizeOf(AxisName::Channel)));
        return plan;
    }

    void prepare(const Exec& exec, InputSpecs inputs, const StagePlan&, const Params&) override {
        m_input = inputs[0];
        m_knowsFilter = knowsFilter(inputs);
        m_patches = m_knowsFilter ? inputs[1].axes[0].size : 1;
        const auto channels = m_input.sizeOf(AxisName::Channel);
        const Acquisition& acquisition = *m_input.acquisition;
        m_receivers.allocate(exec,
                             acquisition.transmits.size() * static_cast<std::size_t>(channels));
        m_senders.allocate(exec, acquisition.transmits.size());
        m_table.allocate(exec, das::kMostReadTableBytes / sizeof(float));
        m_receivers.set(exec, receivers());
        m_table.set(exec, das::readTable(kTaps, echoBand(m_input, usualBandwidth(m_input))));
    }

    void update(const Exec& exec, const Params& params) override {
        m_params = params.as<CorrectionParams>();
        m_senders.set(exec, senders());
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace&) override {
        if (!m_knowsFilter)
            return copyWithin(exec, outputs[0].data, inputs[0].data, m_input.bytes());
        isComplex(m_input.dtype) ? correct<Complex>(exec, inputs, outputs[0])
                                 : correct<float>(exec, inputs, outputs[0]);
    }

private:
    std::vector<std::int32_t> receivers() const {
        const Acquisition& acquisition = *m_input.acquisition;
        if (!acquisition.receiveElements.empty()) return acquisition.receiveElements;
        const auto channels = static_cast<std::size_t>(m_input.sizeOf(AxisName::Channel));
        std::vector<std::int32_t> elements(acquisition.transmits.size() * channels);
        for (std::size_t i = 0; i < elements.size(); ++i)
            elements[i] = static_cast<std::int32_t>(i % channels);
        return elements;
    }

    std::vector<std::int32_t> senders() const {
        const Acquisition& acquisition = *m_input.acquisition;
        std::vector<std::int32_t> elements;
        for (const Transmit& transmit : acquisition.transmits)
            elements.push_back(m_params.transmit ? firedAlone(acquisition, transmit) : -1);
        return elements;
    }

    template <class Sample> void correct(const Exec& exec, std::span<const ConstTensorView> inputs,
                                         const TensorView& output) const {
        const std::int64_t samples = m_input.sizeOf(AxisName::Sample);
        const std::int64_t lines = m_input.count() / samples;
        das::LineReading reading;
        reading.samples = static_cast<std::int32_t>(samples);
        reading.interpolation = DelayInterpolation::LeastSquares;
        reading.leastSquaresTaps = kTaps;
        reading.readTable = m_table.data();
        const double fd = isComplex(m_input.dtype) ? m_input.demodulationFrequencyHz : 0.0;
        forEachInLines(exec, kId, lines * m_patches, samples,
                       Correct<Sample>{reading, inputs[0].as<Sample>(), inputs[1].as<float>(),
                                       inputs[2].as<float>(), m_receivers.data(), m_senders.data(),
                                       output.as<Sample>(), lines,
                                       m_input.sizeOf(AxisName::Channel), elementsOf(m_input),
                                       static_cast<float>(m_input.samplingFrequencyHz()),
                                       static_cast<float>(fd),
                                       static_cast<float>(m_params.strength), m_params.weights});
    }

    FrameSpec m_input;
    std::int64_t m_patches = 1;
    bool m_knowsFilter = false;
    CorrectionParams m_params;
    ComputeTable<std::int32_t> m_receivers;
    ComputeTable<std::int32_t> m_senders;
    ComputeTable<float> m_table;
};

} // namespace

namespace stages {
const StageType& aberration_correction() {
    static const StageType kType{
        .id = kId,
        .label = "Aberration correction",
        .help = "Undoes what 'aberration' found: moves each channel's echoes in time.",
        .table =
            ParamTable::of<CorrectionParams>()
                .real(&CorrectionParams::strength,
                      {.key = "strength",
                       .label = "Strength",
                       .min = 0.0,
                       .max = 1.0,
                       .step = 0.05,
                       .help = "0 leaves the channels as they are, 1 corrects them whole."})
                .choice(
                    &CorrectionParams::weights,
                    {{"none", "Delays alone"}, {"equalised", "Equalised"}, {"matched", "Matched"}},
                    {.key = "weights",
                     .label = "Amplitudes",
                     .help = "Equalised lifts faint channels (by 20 dB at most), matched trusts "
                             "loud ones more."})
                .flag(&CorrectionParams::transmit,
                      {.key = "transmit",
                       .label = "Transmit too",
                       .help = "Where single elements fire, corrects the one that fired as well."})
                .build(),
        .input = {{DType::F32, DType::ComplexF32},
                  {AxisName::Transmit, AxisName::Channel, AxisName::Sample}},
        .furtherInputs = {{.dtypes = {DType::F32, DType::ComplexF32}, .name = "delays"},
                          {.dtypes = {DType::F32, DType::ComplexF32}, .name = "amplitudes"}},
        .tolerance = {1e-3, 0.0, 0.02},
        .create = [] { return std::unique_ptr<Stage>(std::make_unique<AberrationCorrection>()); },
    };
    return kType;
}
} // namespace stages
} // namespace echolux
