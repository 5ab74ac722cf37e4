// SPDX-License-Identifier: GPL-3.0-or-later
// iq_demod: y[m] = 2 sum_k h[k] x[n + k] exp(-2 pi j f (t0 + (n + k) / fs)), n = m * decimation,
// h a low-pass of unit gain, x = 0 outside the record, t0 the transmit's first sample on the common
// clock, f and fs in Hz. |y| is the envelope of x. Mixing uses the true f even where it lies above
// fs / 2 (band-pass sampling). The only condition is that f and -f do not meet when folded by fs.
#include "gpu/core/complex.hpp"
#include "gpu/core/multiply_add.hpp"
#include "gpu/dsp/fir_design.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/front_end_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

struct IqDemodParams {
    double frequencyHz = 5e6;
    double bandwidthHz = 4e6;
    std::int64_t decimation = 4;
    std::int64_t taps = 63;
};

constexpr int kDemodTapsMax = 255;
constexpr int kLanes = 8;

/// 2 h[k] exp(-2 pi j f k / fs) for k = -reach .. reach, then zeros up to a multiple of kLanes.
struct MixingFir {
    float re[kDemodTapsMax + 1] = {};
    float im[kDemodTapsMax + 1] = {};
    int reach = 0;
};

struct MixFilterDecimate {
    const float* in;
    Complex* out;
    const double* startTurns; ///< f * t0 of each frame's transmits, without whole turns
    std::int64_t samplesIn;
    std::int64_t samplesOut;
    std::int64_t channels;
    std::int64_t decimation;
    double turnsPerSample; ///< f / fs
    MixingFir fir;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t line = i / samplesOut;
        const std::int64_t n = i % samplesOut * decimation;
        const Complex mixed = filtered(in + line * samplesIn, n - fir.reach);
        // In double, the phase is exact to 1e-9 of a turn even after 1e6 turns.
        double turns = startTurns[line / channels] + static_cast<double>(n) * turnsPerSample;
        turns -= floor(turns);
        const float angle = -6.28318530718F * static_cast<float>(turns);
        out[i] = mixed * Complex{cosf(angle), sinf(angle)};
    }

private:
    ECHOLUX_HD Complex filtered(const float* x, std::int64_t first) const {
        const int taps = 2 * fir.reach + 1;
        const int rounded = (taps + kLanes - 1) / kLanes * kLanes;
        if (first >= 0 && first + rounded <= samplesIn)
            return inLanes(rounded, [=](int k) { return x[first + k]; });
        return inLanes(rounded, [=, samples = samplesIn](int k) {
            const std::int64_t n = first + k;
            return n >= 0 && n < samples ? x[n] : 0.0F;
        });
    }

    /// Independent sums that a CPU computes side by side. They fix the order of addition for every
    /// sample; the order in a plain sum would depend on where in memory the line begins.
    template <typename SampleAt>
    ECHOLUX_HD Complex inLanes(int taps, const SampleAt& sampleAt) const {
        float re[kLanes] = {};
        float im[kLanes] = {};
        for (int k = 0; k < taps; k += kLanes) {
            for (int lane = 0; lane < kLanes; ++lane) {
                const float sample = sampleAt(k + lane);
                re[lane] = multiplyAdd(fir.re[k + lane], sample, re[lane]);
                im[lane] = multiplyAdd(fir.im[k + lane], sample, im[lane]);
            }
        }
        Complex sum;
        for (int lane = 0; lane < kLanes; ++lane) sum = sum + Complex{re[lane], im[lane]};
        return sum;
    }
};

/// Distance in Hz from 0 to the mirror image of -f after mixing, folded by sampling.
double imageDistance(double frequencyHz, double samplingHz) {
    return std::abs(2.0 * frequencyHz - samplingHz * std::round(2.0 * frequencyHz / samplingHz));
}

double wholeTurnsOff(double turns) { return turns - std::floor(turns); }

/// 2 h[k] exp(-2 pi j f k / fs), k = -taps / 2 .. taps / 2. The decimated spectrum is fs /
/// decimation wide, so h must not pass anything beyond it.
std::vector<Complex> mixingTaps(const IqDemodParams& values, double samplingHz) {
    const double widest = samplingHz / static_cast<double>(values.decimation);
    const double cutOff = 0.5 * std::min(values.bandwidthHz, widest) / samplingHz;
    const std::vector<double> lowPass =
        designFir(values.taps, {0.0, std::min(cutOff, 0.5)}, FirWindow::Hamming);
    std::vector<Complex> taps;
    for (std::size_t k = 0; k < lowPass.size(); ++k) {
        const double sample = static_cast<double>(k) - static_cast<double>(values.taps / 2);
        const double angle = -2.0 * std::numbers::pi * values.frequencyHz / samplingHz * sample;
        taps.push_back({static_cast<float>(2.0 * lowPass[k] * std::cos(angle)),
                        static_cast<float>(2.0 * lowPass[k] * std::sin(angle))});
    }
    return taps;
}

/// Transmits of all frames.
std::size_t transmitsIn(const FrameSpec& input) {
    return static_cast<std::size_t>(input.sizeOf(AxisName::Frame) *
                                    input.sizeOf(AxisName::Transmit));
}

/// f t0 of each frame's transmits, without whole turns.
std::vector<double> turnsAtStart(const FrameSpec& input, double frequencyHz) {
    std::vector<double> turns(transmitsIn(input), 0.0);
    const auto inFrame = static_cast<std::size_t>(input.sizeOf(AxisName::Transmit));
    for (std::size_t t = 0; t < turns.size() && input.acquisition != nullptr; ++t) {
        const Transmit& transmit = input.acquisition->transmits[t % inFrame];
        turns[t] = wholeTurnsOff(frequencyHz * transmit.firstSampleS);
    }
    return turns;
}

class IqDemod final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<IqDemodParams>();
        check(input, values);
        FrameSpec output = input;
        output.dtype = DType::ComplexF32;
        output.demodulationFrequencyHz = values.frequencyHz;
        Axis& axis = output.axes.back();
        axis.size = (axis.size + values.decimation - 1) / values.decimation;
        axis.spacing *= static_cast<double>(values.decimation);
        if (input.acquisition != nullptr) {
            auto acquisition = std::make_shared<Acquisition>(*input.acquisition);
            for (Transmit& transmit : acquisition->transmits) transmit.iqPhaseZeroS = 0.0;
            output.acquisition = acquisition;
        }
        return {.outputs = {output}, .heldBytes = startTurnsBytes(input)};
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        const auto& values = params.as<IqDemodParams>();
        m_samplingHz = input.samplingFrequencyHz();
        m_decimation = values.decimation;
        m_startTurns = turnsAtStart(input, values.frequencyHz);
        m_startTurnsCompute = Buffer(computeMemory(exec.backend), startTurnsBytes(input));
        upload(exec, m_startTurnsCompute.data(), m_startTurns.data(), m_startTurnsCompute.bytes());
    }

    void update(const Exec&, const Params& params) override {
        const auto& values = params.as<IqDemodParams>();
        m_turnsPerSample = values.frequencyHz / m_samplingHz;
        const std::vector<Complex> taps = mixingTaps(values, m_samplingHz);
        m_fir = {};
        m_fir.reach = static_cast<int>(values.taps / 2);
        for (std::size_t k = 0; k < taps.size(); ++k) {
            m_fir.re[k] = taps[k].re;
            m_fir.im[k] = taps[k].im;
        }
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        forEach(exec, "iq_demod", output.spec->count(),
                MixFilterDecimate{
                    input.as<float>(), output.as<Complex>(), m_startTurnsCompute.as<double>(),
                    input.spec->axes.back().size, output.spec->axes.back().size,
                    input.spec->sizeOf(AxisName::Channel), m_decimation, m_turnsPerSample, m_fir});
    }

private:
    static std::size_t startTurnsBytes(const FrameSpec& input) {
        return transmitsIn(input) * sizeof(double);
    }

    static void check(const FrameSpec& input, const IqDemodParams& values) {
        const double samplingHz = input.samplingFrequencyHz();
        if (!(samplingHz > 0.0)) {
            throw Error("Stage 'iq_demod': the recording does not tell its sampling frequency, "
                        "which mixing needs; name it in a sidecar or bypass the stage.");
        }
        if (imageDistance(values.frequencyHz, samplingHz) < 0.02 * samplingHz) {
            throw Error(fmt::format(
                "Stage 'iq_demod': parameter 'frequency' cannot be {:g} MHz: in samples taken at "
                "{:g} MHz it falls onto its own mirror image; choose a frequency away from "
                "multiples of {:g} MHz.",
                values.frequencyHz / 1e6, samplingHz / 1e6, samplingHz / 2e6));
        }
        const auto transmits = static_cast<std::size_t>(input.sizeOf(AxisName::Transmit));
        if (input.acquisition != nullptr && input.acquisition->transmits.size() != transmits) {
            throw Error(fmt::format("Stage 'iq_demod': the frame holds {} transmits, but its "
                                    "geometry describes {}; correct the recording's description.",
                                    transmits, input.acquisition->transmits.size()));
        }
    }

    double m_samplingHz = 0.0;
    double m_turnsPerSample = 0.0;
    std::int64_t m_decimation = 1;
    std::vector<double> m_startTurns;
    Buffer m_startTurnsCompute;
    MixingFir m_fir;
};

/// Bandwidth: 0.8 of the centre frequency, or the probe's bandwidth where that is wider, but within
/// 0.9 of the distance to the mirror image. Decimation: the largest factor up to 4 whose spectrum
/// still holds 1.25 times the bandwidth.
Params iqDemodDefaults(const StageType& type, const FrameSpec& input) {
    constexpr double kUsualDecimation = 4.0;
    Params params(type.table);
    auto& values = params.as<IqDemodParams>();
    const double samplingHz = input.samplingFrequencyHz();
    const double centreHz = input.centreFrequencyHz;
    const ParamRow& row = *type.table.find("frequency");
    if (!(samplingHz > 0.0) || !(centreHz >= row.min && centreHz <= row.max)) return params;
    const double probe =
        input.acquisition != nullptr ? input.acquisition->probe.fractionalBandwidth : 0.0;
    values.frequencyHz = centreHz;
    values.bandwidthHz = std::min(std::max(0.8, std::min(probe, 2.0)) * centreHz,
                                  0.9 * imageDistance(centreHz, samplingHz));
    values.bandwidthHz = std::clamp(values.bandwidthHz, row.min, row.max);
    // A little slack, so that 20 MHz counts as 4 times 1.25 times 4 MHz.
    const double fits = std::floor(samplingHz / (1.25 * values.bandwidthHz) + 1e-9);
    values.decimation = static_cast<std::int64_t>(std::clamp(fits, 1.0, kUsualDecimation));
    return params;
}

ParamTable iqDemodTable() {
    using P = IqDemodParams;
    return ParamTable::of<P>()
        .real(&P::frequencyHz,
              {.key = "frequency",
               .label = "Frequency",
               .unit = "Hz",
               .min = 1e4,
               .max = 1e8,
               .step = 5e4,
               .scale = ParamScale::Log,
               .kind = ParamKind::Structural,
               .help = "Frequency that becomes 0; the true one also for band-pass sampling.",
               .displayUnit = "MHz",
               .displayFactor = 1e-6})
        .real(&P::bandwidthHz,
              {.key = "bandwidth",
               .label = "Bandwidth",
               .unit = "Hz",
               .min = 1e4,
               .max = 1e8,
               .step = 5e4,
               .scale = ParamScale::Log,
               .help = "Width of the band that is kept, between its points of half gain; never "
                       "more than the decimated samples can hold.",
               .displayUnit = "MHz",
               .displayFactor = 1e-6})
        .integer(&P::decimation,
                 {.key = "decimation",
                  .label = "Decimation",
                  .min = 1,
                  .max = 16,
                  .step = 1,
                  .kind = ParamKind::Structural,
                  .help = "Keeps every n-th sample: less to compute, but a narrower band."})
        .integer(&P::taps, {.key = "taps",
                            .label = "Taps",
                            .min = 3,
                            .max = kDemodTapsMax,
                            .step = 2,
                            .help = "Length of the low-pass: more taps make steeper edges.",
                            .oddOnly = true})
        .build();
}

/// Counts MixFilterDecimate: two FFMA and a load per tap, in groups of kLanes; then the phase
/// (three operations in double precision, which count as two each), cosf and sinf (10 FFMA each),
/// and a complex product.
std::vector<model::Kernel> iqDemodWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const std::int64_t outputs = stage.plan.outputs[0].count();
    const double taps =
        std::ceil(static_cast<double>(stage.params.as<IqDemodParams>().taps) / kLanes) * kLanes;
    return {forEachWork(
        stage.backend, "iq_demod", outputs,
        {.bytesRead = 4.0 * taps,
         .bytesWritten = 8.0,
         .distinctRead = static_cast<double>(input.bytes()) / static_cast<double>(outputs),
         .counts = {.ffma = 2.0 * taps + 22.0, .fmul = 4.0, .fadd = 6.0, .offsets = taps + 10.0},
         .divisions = 3.0,
         .registers = 48.0})};
}

} // namespace

std::int64_t front::decimationOf(const Params& demodulation) {
    return demodulation.as<IqDemodParams>().decimation;
}

std::vector<Complex> front::demodulationTaps(const FrameSpec& input, const Params& demodulation) {
    return mixingTaps(demodulation.as<IqDemodParams>(), input.samplingFrequencyHz());
}

front::DemodulationPhases front::demodulationPhases(const FrameSpec& input,
                                                    const Params& demodulation) {
    const auto& values = demodulation.as<IqDemodParams>();
    const double turnsPerSample = values.frequencyHz / input.samplingFrequencyHz();
    DemodulationPhases phases;
    for (std::int64_t n = 0; n < input.axes.back().size; n += values.decimation)
        phases.samples.push_back(mixingPhase(static_cast<double>(n) * turnsPerSample));
    for (const double turns : turnsAtStart(input, values.frequencyHz))
        phases.transmits.push_back(mixingPhase(turns));
    return phases;
}

namespace stages {
const StageType& iq_demod() {
    static const StageType kType{
        .id = "iq_demod",
        .label = "IQ demodulation",
        .help = "Mixes RF samples to baseband, low-pass filters and decimates them.",
        .work = iqDemodWork,
        .table = iqDemodTable(),
        .inputs = {orEnsembles(
            {{DType::F32}, {AxisName::Transmit, AxisName::Channel, AxisName::Sample}})},
        .tolerance = {1e-5, 1e-6},
        .defaults = iqDemodDefaults,
        .code = codeOf<IqDemod>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
