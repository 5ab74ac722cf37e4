// SPDX-License-Identifier: GPL-3.0-or-later
// transmit_synthesis: computes what an array would hear of waves that all its elements send, from
// recordings in which each element fires alone (full matrix, synthetic aperture). It adds up the
// recorded sound. With x_e the record of element e's firing, tau_we and a_we the time and strength
// of element e in wave w, and d_e its delay by a screen:
//   y_w(t) = sum_e a_we x_e(t - tau_we + d_e)
// So a wave can be sent again, corrected by what its echoes showed: `aberration` estimates from
// this frame, the next frame is sent corrected, and so on until nothing changes (Herikstad 2009,
// section 2.5, figures 2.11 and 2.12). IQ data are turned with their delays.
#include "gpu/aberration/per_element.hpp"
#include "gpu/beamform/beamform_formula.hpp"
#include "gpu/beamform/beamform_reading.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/decoding/firings.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/transmit_synthesis_table.hpp"
#include "gpu/stages/transmit_synthesis_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr const char* kTransmitSynthesisId = "transmit_synthesis";
constexpr int kTaps = 10;

/// How one firing is read for one wave: from sample offset `first` on, by one row of the table of
/// taps, times `gain`.
struct Reading {
    std::int32_t first = 0;
    std::int32_t row = 0;
    Complex gain = {};
};

/// How one firing enters one wave, without the delays that come with the frame.
struct Shift {
    float samples = 0.0F; ///< it is read this many samples later
    float turnS = 0.0F;   ///< IQ data: the phase turns by turnS * demodulationHz
    float weight = 0.0F;  ///< 0: silent
    std::int32_t patch = 0;
};

struct Prepare {
    const Shift* shift;         ///< [wave][transmit]
    const std::int32_t* sender; ///< [transmit]
    const float* delayS;        ///< [patch][element]; null: no delays
    Reading* reading;           ///< [wave][transmit]
    std::int64_t transmits;
    std::int64_t elements;
    float samplingHz;
    float demodulationHz;
    float strength;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        constexpr float kLatestS = 1e-5F; // a longer delay is no estimate
        const Shift& s = shift[i];
        float delay = 0.0F;
        if (delayS != nullptr) {
            const float own = delayS[s.patch * elements + sender[i % transmits]];
            delay = std::fabs(own) < kLatestS ? strength * own : 0.0F;
        }
        const float at = std::fma(delay, samplingHz, s.samples);
        const float whole = std::floor(at);
        reading[i] = {static_cast<std::int32_t>(whole) - (kTaps - 1) / 2,
                      static_cast<std::int32_t>(std::fma(at - whole, das::kReadPositions, 0.5F)),
                      s.weight * das::unitPhasor((s.turnS + delay) * demodulationHz)};
    }
};

ECHOLUX_HD inline float times(Complex gain, float value) { return gain.re * value; }
ECHOLUX_HD inline Complex times(Complex gain, Complex value) { return gain * value; }

template <class Sample> struct Synthesise {
    const Sample* in; ///< [transmit][channel][sample]
    const Reading* reading;
    const float* taps; ///< [row][kTaps]
    Sample* out;       ///< [wave][channel][sample]
    std::int64_t transmits;
    std::int64_t channels;
    std::int64_t samples;

    /// Computes one sample.
    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n) const {
        Sample sum{};
        for (std::int64_t t = 0; t < transmits; ++t) {
            const Reading& r = reading[line / channels * transmits + t];
            if (norm(r.gain) == 0.0F) continue;
            const Sample* record = in + (t * channels + line % channels) * samples;
            const float* weight = taps + std::int64_t{r.row} * kTaps;
            Sample own{};
            for (int j = 0; j < kTaps; ++j) {
                const std::int64_t at = n + r.first + j;
                if (at >= 0 && at < samples) own = own + weight[j] * record[at];
            }
            sum = sum + times(r.gain, own);
        }
        out[line * samples + n] = sum;
    }

    /// Computes a whole line, tap by tap.
    ECHOLUX_HD void operator()(std::int64_t line) const {
        Sample* sums = out + line * samples;
        for (std::int64_t n = 0; n < samples; ++n) sums[n] = Sample{};
        for (std::int64_t t = 0; t < transmits; ++t) {
            const Reading& r = reading[line / channels * transmits + t];
            if (norm(r.gain) == 0.0F) continue;
            const Sample* record = in + (t * channels + line % channels) * samples;
            for (int j = 0; j < kTaps; ++j) {
                const Complex weight = taps[std::int64_t{r.row} * kTaps + j] * r.gain;
                const std::int64_t by = r.first + j;
                const std::int64_t begin = by < 0 ? -by : 0;
                const std::int64_t end = by > 0 ? samples - by : samples;
                for (std::int64_t n = begin; n < end; ++n)
                    sums[n] = sums[n] + times(weight, record[n + by]);
            }
        }
    }
};

/// Place i of `count` places, spread evenly over `span` round 0.
double placeOf(std::int64_t i, std::int64_t count, double span) {
    if (count < 2) return 0.0;
    return span * (static_cast<double>(i) / static_cast<double>(count - 1) - 0.5);
}

Transmit planeWave(const SynthesisParams& p, std::int64_t i) {
    Transmit wave;
    wave.angleRad = placeOf(i, p.waves, p.spanRad);
    return wave;
}

Transmit focusedWave(const SynthesisParams& p, std::int64_t i, const Probe& probe) {
    const double x = placeOf(i, p.waves, p.spanM);
    Transmit wave;
    wave.wave = Wave::Focused;
    wave.source = {x, 0.0, p.focusM};
    wave.origin = {x, 0.0, 0.0};
    const double half = 0.5 * p.focusM / p.fNumber;
    for (const Point& e : probe.elements)
        wave.apodization.push_back(std::fabs(e.x - x) <= half ? 1.0F : 0.0F);
    return wave;
}

Transmit divergingFrom(const SynthesisParams& p, std::int64_t i) {
    Transmit wave;
    wave.wave = Wave::Diverging;
    wave.source = {placeOf(i, p.waves, p.sourceSpanM), 0.0, -p.behindM};
    wave.origin = {wave.source.x, 0.0, 0.0};
    return wave;
}

std::vector<Transmit> wavesOf(const SynthesisParams& p, const Acquisition& acquisition) {
    double firstSampleS = acquisition.transmits.front().firstSampleS;
    for (const Transmit& fired : acquisition.transmits)
        firstSampleS = std::min(firstSampleS, fired.firstSampleS);
    std::vector<Transmit> waves;
    for (std::int64_t i = 0; i < p.waves; ++i) {
        Transmit wave = p.wave == SentWave::Plane     ? planeWave(p, i)
                        : p.wave == SentWave::Focused ? focusedWave(p, i, acquisition.probe)
                                                      : divergingFrom(p, i);
        wave.firstSampleS = firstSampleS;
        wave.iqPhaseZeroS = acquisition.transmits.front().iqPhaseZeroS;
        waves.push_back(std::move(wave));
    }
    return waves;
}

void checkInput(const FrameSpec& input) {
    if (!input.acquisition || input.acquisition->transmits.empty()) {
        throw Error("Stage 'transmit_synthesis' takes channel data that knows its array, but this "
                    "recording tells none.");
    }
    const Acquisition& acquisition = *input.acquisition;
    if (!allAre(acquisition, Wave::Element)) {
        throw Error(
            fmt::format("Stage 'transmit_synthesis' takes recordings of each element "
                        "firing alone (full matrix, synthetic aperture), but in this one "
                        "{}.",
                        isOneWay(acquisition) ? "nothing is sent" : "several fire at once"));
    }
    const auto& heard = acquisition.receiveElements;
    const auto channels = static_cast<std::size_t>(input.sizeOf(AxisName::Channel));
    if (!decoding::isSameForEach(heard, channels)) {
        throw Error("Stage 'transmit_synthesis' adds up what each channel hears, but in this "
                    "recording channels listen to another element from transmit to transmit.");
    }
}

class TransmitSynthesis final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& input = inputs[0];
        checkInput(input);
        const auto elements = std::ssize(input.acquisition->probe.elements);
        // A fed-back input is planned as the first input until its stage is planned.
        if (!aberration::isPerElement(inputs[1], elements) && !inputs[1].sameLayout(input)) {
            throw Error(fmt::format(
                "Stage 'transmit_synthesis' takes a number for each of {} elements at 'delays', "
                "but what reaches it is {}; link it to an 'aberration' stage.",
                elements, inputs[1].describe()));
        }
        const auto& p = params.as<SynthesisParams>();
        auto acquisition = std::make_shared<Acquisition>(*input.acquisition);
        acquisition->transmits = wavesOf(p, *input.acquisition);
        acquisition->receiveWeights.clear();
        if (!acquisition->receiveElements.empty()) {
            const auto& heard = input.acquisition->receiveElements;
            acquisition->receiveElements.clear();
            for (std::int64_t w = 0; w < p.waves; ++w)
                acquisition->receiveElements.insert(
                    acquisition->receiveElements.end(), heard.begin(),
                    heard.begin() + input.sizeOf(AxisName::Channel));
        }
        StagePlan plan{.outputs = {input}};
        plan.outputs[0].axes[0].size = p.waves;
        plan.outputs[0].acquisition = std::move(acquisition);
        const auto firings = static_cast<std::size_t>(p.waves * input.axes[0].size);
        plan.workspaceBytes = firings * sizeof(Reading);
        plan.heldBytes = das::kMostReadTableBytes + firings * sizeof(Shift) +
                         static_cast<std::size_t>(input.axes[0].size) * sizeof(std::int32_t);
        return plan;
    }

    void prepare(const Exec& exec, InputSpecs inputs, const StagePlan& plan,
                 const Params& params) override {
        m_input = inputs[0];
        m_waves = params.as<SynthesisParams>().waves;
        const auto elements = std::ssize(m_input.acquisition->probe.elements);
        m_knowsDelays = aberration::isPerElement(inputs[1], elements);
        m_patches = m_knowsDelays ? inputs[1].axes[0].size : 1;
        const Acquisition& fired = *m_input.acquisition;
        m_senders.allocate(exec, fired.transmits.size());
        m_shifts.allocate(exec, static_cast<std::size_t>(m_waves) * fired.transmits.size());
        m_taps.allocate(exec, das::kMostReadTableBytes / sizeof(float));
        m_taps.set(exec, das::readTable(kTaps, echoBand(m_input, usualBandwidth(m_input))));
        m_senders.set(exec, senders());
        m_shifts.set(exec, shifts(*plan.outputs[0].acquisition));
    }

    void update(const Exec&, const Params& params) override {
        m_strength = params.as<SynthesisParams>().strength;
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        auto* readings = static_cast<Reading*>(workspace.data);
        const double fd = isComplex(m_input.dtype) ? m_input.demodulationFrequencyHz : 0.0;
        const std::int64_t transmits = m_input.axes[0].size;
        forEach(exec, kTransmitSynthesisId, m_waves * transmits,
                Prepare{m_shifts.data(), m_senders.data(),
                        m_knowsDelays ? inputs[1].as<float>() : nullptr, readings, transmits,
                        std::ssize(m_input.acquisition->probe.elements),
                        static_cast<float>(m_input.samplingFrequencyHz()), static_cast<float>(fd),
                        static_cast<float>(m_strength)});
        isComplex(m_input.dtype) ? synthesise<Complex>(exec, inputs[0], readings, outputs[0])
                                 : synthesise<float>(exec, inputs[0], readings, outputs[0]);
    }

private:
    std::vector<std::int32_t> senders() const {
        std::vector<std::int32_t> elements;
        for (const Transmit& transmit : m_input.acquisition->transmits)
            elements.push_back(firedAlone(*m_input.acquisition, transmit));
        return elements;
    }

    /// Focused waves use the patches in their order. Plane waves use the middle patch.
    std::int32_t patchOf(std::size_t wave, Wave kind) const {
        const auto index = static_cast<std::int64_t>(wave);
        return static_cast<std::int32_t>(kind == Wave::Focused ? index * m_patches / m_waves
                                                               : m_patches / 2);
    }

    std::vector<Shift> shifts(const Acquisition& sent) const {
        const Acquisition& fired = *m_input.acquisition;
        const std::vector<std::int32_t> elements = senders();
        std::vector<Shift> shifts;
        for (std::size_t w = 0; w < sent.transmits.size(); ++w) {
            const Transmit& wave = sent.transmits[w];
            for (std::size_t t = 0; t < fired.transmits.size(); ++t) {
                const auto element = static_cast<std::size_t>(elements[t]);
                const double firesS = idealDelay(wave, fired.probe.elements[element],
                                                 fired.soundSpeedMps, fired.steering);
                const Transmit& own = fired.transmits[t];
                const double later = wave.firstSampleS - own.firstSampleS - firesS;
                shifts.push_back({static_cast<float>(later * m_input.samplingFrequencyHz()),
                                  static_cast<float>(wave.iqPhaseZeroS - own.iqPhaseZeroS - firesS),
                                  wave.apodization.empty() ? 1.0F : wave.apodization[element],
                                  patchOf(w, wave.wave)});
            }
        }
        return shifts;
    }

    template <class Sample> void synthesise(const Exec& exec, const ConstTensorView& input,
                                            const Reading* readings,
                                            const TensorView& output) const {
        const std::int64_t channels = m_input.axes[1].size;
        const std::int64_t samples = m_input.axes[2].size;
        const Synthesise<Sample> functor{
            input.as<Sample>(),   readings, m_taps.data(), output.as<Sample>(),
            m_input.axes[0].size, channels, samples};
        if (exec.backend == Backend::Cuda)
            return forEachInLines(exec, kTransmitSynthesisId, m_waves * channels, samples, functor);
        forEach(exec, kTransmitSynthesisId, m_waves * channels, functor);
    }

    FrameSpec m_input;
    std::int64_t m_waves = 0;
    bool m_knowsDelays = false;
    std::int64_t m_patches = 1;
    double m_strength = 1.0;
    ComputeTable<std::int32_t> m_senders;
    ComputeTable<Shift> m_shifts;
    ComputeTable<float> m_taps;
};

/// Waves over the middle half of the array, focused at half of the recorded depth.
Params transmitSynthesisDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    if (!input.acquisition || input.acquisition->probe.elements.empty()) return params;
    const auto& elements = input.acquisition->probe.elements;
    const auto [left, right] = std::ranges::minmax(elements, {}, &Point::x);
    auto& p = params.as<SynthesisParams>();
    p.spanM = p.sourceSpanM = 0.5 * (right.x - left.x);
    const double endS = static_cast<double>(input.sizeOf(AxisName::Sample)) /
                        std::max(input.samplingFrequencyHz(), 1.0);
    p.focusM = std::clamp(0.25 * endS * input.acquisition->soundSpeedMps, 1e-3, 0.3);
    return params;
}

std::vector<model::Kernel> transmitSynthesisWork(const PlannedStage& stage) {
    return transmitSynthesisKernels(stage,
                                    {kTransmitSynthesisId, kTaps, sizeof(Shift), sizeof(Reading)});
}

} // namespace

namespace stages {
const StageType& transmit_synthesis() {
    static const StageType kType{
        .id = kTransmitSynthesisId,
        .label = "Transmit synthesis",
        .help = "Synthesizes waves of all elements from recordings in which each element fired "
                "alone; with the delays that 'aberration' found in the previous frame, the waves "
                "are sent corrected.",
        .work = transmitSynthesisWork,
        .table = synthesisTable(),
        .inputs = {{{DType::F32, DType::ComplexF32},
                    {AxisName::Transmit, AxisName::Channel, AxisName::Sample}},
                   {.dtypes = {DType::F32, DType::ComplexF32}, .name = "delays"}},
        .bypassable = false,
        .tolerance = {1e-3, 0.0, 0.02},
        .role = Role::SendsWaves,
        .defaults = transmitSynthesisDefaults,
        .code = codeOf<TransmitSynthesis>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
