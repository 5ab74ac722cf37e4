// SPDX-License-Identifier: GPL-3.0-or-later
// analytic: y[n] = (x[n] + j xh[n]) exp(-2 pi j f n / fs), the analytic signal of each record
// turned down to baseband at its full rate. So `beamform` interpolates a slow signal, and turns the
// phase back for each delay. xh is the Hilbert transform by FIR,
//   xh[n] = sum over odd m <= reach of h[m] (x[n - m] - x[n + m]), h[m] = 2 w[m] / (pi m),
// reach = (taps - 1) / 2, w Blackman's window, 0 beside the taps, x = 0 outside the record
// (Oppenheim and Schafer, Discrete-Time Signal Processing, section 12.4). f and fs in Hz. Where
// sampling folds f to below 0 (band-pass sampling), h changes its sign, so that the side with f
// remains. The phase is 0 at a record's first sample. |gain of h| is 1 within 1e-3 from 1.6 / taps
// to 1/2 - 1.6 / taps of fs.
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

struct AnalyticParams {
    double frequencyHz = 5e6;
    std::int64_t taps = 47;
};

constexpr int kAnalyticTapsMax = 255;
constexpr int kAnalyticReachMax = kAnalyticTapsMax / 2;

/// h[2 i + 1], i = 0 .. count - 1.
struct HilbertFir {
    float tap[(kAnalyticReachMax + 1) / 2] = {};
    int count = 0;

    ECHOLUX_HD int reach() const { return 2 * count; } ///< one more than the farthest tap
};

/// One tile of kTile outputs per index, so that the inner loops run over neighbours.
struct AnalyticTile {
    static constexpr int kTile = 256;
    const float* in;
    Complex* out;
    const Complex* mix; ///< exp(-2 pi j f n / fs) of each sample
    std::int64_t samples;
    std::int64_t tilesPerLine;
    HilbertFir fir;

    ECHOLUX_HD void operator()(std::int64_t index) const {
        const std::int64_t line = index / tilesPerLine;
        const std::int64_t first = index % tilesPerLine * kTile;
        const float* x = in + line * samples;
        float seen[kTile + 4 * ((kAnalyticReachMax + 1) / 2)];
        for (int i = 0; i < kTile + 2 * fir.reach(); ++i) {
            const std::int64_t n = first - fir.reach() + i;
            seen[i] = n >= 0 && n < samples ? x[n] : 0.0F;
        }
        const float* middle = seen + fir.reach();
        float hilbert[kTile] = {};
        for (int k = 0; k < fir.count; ++k) {
            const float tap = fir.tap[k];
            const float* before = middle - (2 * k + 1);
            const float* after = middle + (2 * k + 1);
            for (int i = 0; i < kTile; ++i)
                hilbert[i] = multiplyAdd(tap, before[i] - after[i], hilbert[i]);
        }
        const std::int64_t rest = samples - first;
        const int count = static_cast<int>(rest < kTile ? rest : kTile);
        Complex* y = out + line * samples + first;
        for (int i = 0; i < count; ++i) y[i] = Complex{middle[i], hilbert[i]} * mix[first + i];
    }
};

#if defined(__CUDACC__)
/// Tier C: a block's samples lie in shared memory; neighbouring threads make neighbouring outputs.
constexpr int kAnalyticThreads = 256;
constexpr int kOutputs = 4; ///< of a thread

__global__ void __launch_bounds__(kAnalyticThreads)
    analyticKernel(const float* in, Complex* out, const Complex* mix, std::int64_t samples,
                   std::int64_t blocksPerLine, HilbertFir fir) {
    constexpr int kTile = kAnalyticThreads * kOutputs;
    __shared__ float seen[kTile + 4 * ((kAnalyticReachMax + 1) / 2)];
    const std::int64_t line = blockIdx.x / blocksPerLine;
    const std::int64_t first = blockIdx.x % blocksPerLine * kTile;
    const float* x = in + line * samples;
    for (int i = static_cast<int>(threadIdx.x); i < kTile + 2 * fir.reach();
         i += kAnalyticThreads) {
        const std::int64_t n = first - fir.reach() + i;
        seen[i] = n >= 0 && n < samples ? x[n] : 0.0F;
    }
    __syncthreads();
    const float* middle = seen + fir.reach() + threadIdx.x;
    float hilbert[kOutputs] = {};
    for (int k = 0; k < fir.count; ++k) {
        const float tap = fir.tap[k];
#pragma unroll
        for (int i = 0; i < kOutputs; ++i) {
            hilbert[i] += tap * (middle[i * kAnalyticThreads - (2 * k + 1)] -
                                 middle[i * kAnalyticThreads + (2 * k + 1)]);
        }
    }
#pragma unroll
    for (int i = 0; i < kOutputs; ++i) {
        const std::int64_t n = first + i * kAnalyticThreads + threadIdx.x;
        if (n < samples)
            out[line * samples + n] = Complex{middle[i * kAnalyticThreads], hilbert[i]} * mix[n];
    }
}

void analyticOnDevice(const Exec& exec, const AnalyticTile& work, std::int64_t lines) {
    constexpr std::int64_t kTile = kAnalyticThreads * kOutputs;
    const std::int64_t blocksPerLine = (work.samples + kTile - 1) / kTile;
    analyticKernel<<<static_cast<unsigned>(lines * blocksPerLine), kAnalyticThreads, 0,
                     static_cast<cudaStream_t>(exec.stream)>>>(
        work.in, work.out, work.mix, work.samples, blocksPerLine, work.fir);
    device::checkLaunch("analytic");
}
#endif

/// The frequency that `frequency` has after sampling, -1/2 to 1/2 of the sampling frequency.
double foldedTurns(double frequencyHz, double samplingHz) {
    const double turns = frequencyHz / samplingHz;
    return turns - std::round(turns);
}

/// Distance of the folded frequency `turns` from 0 or 1/2, whichever is nearer. There the bands
/// round f and -f meet. [cycles per sample]
double roomAround(double turns) { return std::min(std::abs(turns), 0.5 - std::abs(turns)); }

constexpr double kLeastRoom = 0.01;

/// Taps h[1], h[3], ... of the Hilbert transform. Their sign keeps the half of the spectrum,
/// positive or negative, that contains the frequency `turnsPerSample`.
std::vector<float> hilbertTaps(const AnalyticParams& values, double turnsPerSample) {
    const auto reach = static_cast<int>(values.taps / 2);
    std::vector<float> taps;
    for (int m = 1; m <= reach; m += 2) {
        const double u = 0.5 + 0.5 * m / (reach + 1.0);
        const double h = 2.0 * firWindow(FirWindow::Blackman, u) / (std::numbers::pi * m);
        taps.push_back(static_cast<float>(turnsPerSample < 0.0 ? -h : h));
    }
    return taps;
}

/// exp(-2 pi j f n / fs) of each sample.
std::vector<Complex> phasesOf(std::int64_t samples, double turnsPerSample) {
    std::vector<Complex> phases(static_cast<std::size_t>(samples));
    for (std::size_t n = 0; n < phases.size(); ++n)
        phases[n] = front::mixingPhase(turnsPerSample * static_cast<double>(n));
    return phases;
}

class Analytic final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<AnalyticParams>();
        check(input, values);
        FrameSpec output = input;
        output.dtype = DType::ComplexF32;
        output.demodulationFrequencyHz = values.frequencyHz;
        if (input.acquisition != nullptr) {
            auto acquisition = std::make_shared<Acquisition>(*input.acquisition);
            for (Transmit& transmit : acquisition->transmits)
                transmit.iqPhaseZeroS = transmit.firstSampleS;
            output.acquisition = acquisition;
        }
        return {.outputs = {output}, .heldBytes = mixBytes(input)};
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        m_turnsPerSample =
            foldedTurns(params.as<AnalyticParams>().frequencyHz, input.samplingFrequencyHz());
        m_mix = Buffer(computeMemory(exec.backend), mixBytes(input));
        m_onHost = phasesOf(input.sizeOf(AxisName::Sample), m_turnsPerSample);
        upload(exec, m_mix.data(), m_onHost.data(), m_mix.bytes());
    }

    void update(const Exec&, const Params& params) override {
        const std::vector<float> taps = hilbertTaps(params.as<AnalyticParams>(), m_turnsPerSample);
        m_fir = {};
        m_fir.count = static_cast<int>(taps.size());
        std::ranges::copy(taps, m_fir.tap);
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const std::int64_t samples = input.spec->axes.back().size;
        const std::int64_t lines = input.spec->count() / samples;
        const std::int64_t tilesPerLine = (samples + AnalyticTile::kTile - 1) / AnalyticTile::kTile;
        const AnalyticTile work{input.as<float>(), output.as<Complex>(), m_mix.as<Complex>(),
                                samples,           tilesPerLine,         m_fir};
#if defined(__CUDACC__)
        if (exec.backend == Backend::Cuda) return analyticOnDevice(exec, work, lines);
#endif
        forEach(exec, "analytic", lines * tilesPerLine, work);
    }

private:
    static std::size_t mixBytes(const FrameSpec& input) {
        return static_cast<std::size_t>(input.sizeOf(AxisName::Sample)) * sizeof(Complex);
    }

    static void check(const FrameSpec& input, const AnalyticParams& values) {
        const double samplingHz = input.samplingFrequencyHz();
        if (!(samplingHz > 0.0)) {
            throw Error("Stage 'analytic': the recording does not tell its sampling frequency, "
                        "which mixing needs; name it in a sidecar or choose the pipeline "
                        "'rf_sum'.");
        }
        if (roomAround(foldedTurns(values.frequencyHz, samplingHz)) >= kLeastRoom) return;
        throw Error(fmt::format(
            "Stage 'analytic': parameter 'frequency' cannot be {:g} MHz: in samples taken at {:g} "
            "MHz it falls onto its own mirror image; choose a frequency away from multiples of "
            "{:g} MHz.",
            values.frequencyHz / 1e6, samplingHz / 1e6, samplingHz / 2e6));
    }

    double m_turnsPerSample = 0.25;
    std::vector<Complex> m_onHost; ///< data on its way to m_mix
    Buffer m_mix;
    HilbertFir m_fir;
};

/// Frequency: the centre frequency. Taps: enough that the transform is exact from a quarter of the
/// centre frequency on, after sampling.
Params analyticDefaults(const StageType& type, const FrameSpec& input) {
    constexpr double kTapsTimesEdge = 2.75; // Blackman's transition is 5.5 / taps wide
    Params params(type.table);
    auto& values = params.as<AnalyticParams>();
    const double samplingHz = input.samplingFrequencyHz();
    const ParamRow& row = *type.table.find("frequency");
    if (!(samplingHz > 0.0)) return params;
    double centreHz = input.centreFrequencyHz;
    if (!(centreHz > 0.0) || roomAround(foldedTurns(centreHz, samplingHz)) < kLeastRoom)
        centreHz = 0.25 * samplingHz;
    values.frequencyHz = std::clamp(centreHz, row.min, row.max);
    const double edge = 0.25 * roomAround(foldedTurns(values.frequencyHz, samplingHz));
    const double taps = edge > 0.0 ? kTapsTimesEdge / edge : kAnalyticTapsMax;
    // (taps - 1) / 2 is odd, so that the last tap counts.
    values.taps = 4 * static_cast<std::int64_t>(std::clamp(taps, 7.0, 251.0) / 4.0) + 3;
    return params;
}

ParamTable analyticTable() {
    using P = AnalyticParams;
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
               .help = "Frequency that becomes 0, the middle of the band; the true one also for "
                       "band-pass sampling.",
               .displayUnit = "MHz",
               .displayFactor = 1e-6})
        .integer(&P::taps, {.key = "taps",
                            .label = "Taps",
                            .min = 3,
                            .max = kAnalyticTapsMax,
                            .step = 2,
                            .help = "Length of the Hilbert transform: more taps reach lower "
                                    "frequencies.",
                            .oddOnly = true})
        .build();
}

/// Counts analyticKernel on CUDA and AnalyticTile on the CPU: each odd tap has a difference, an
/// FFMA and two loads per output; then the sample is turned by a complex product.
std::vector<model::Kernel> analyticWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const auto count = static_cast<double>(input.count());
    const auto samples = static_cast<double>(input.axes.back().size);
    const auto taps = static_cast<double>(front::analyticTaps(input, stage.params).size());
    const bool cuda = stage.backend == Backend::Cuda;
    const double tile = cuda ? 1024.0 : static_cast<double>(AnalyticTile::kTile);
    const double tiles = count / samples * std::ceil(samples / tile);
    const double fetched = tiles * (tile + 4.0 * taps);
    const double loads = cuda ? 2.0 : 4.0; // the CPU also loads and stores the sum
    return {{"analytic",
             {tiles, cuda ? 256.0 : 1.0, 32.0, cuda ? 5120.0 : 0.0},
             {{.name = "fetch",
               .globalBytes = 4.0 * fetched,
               .distinctBytes = 4.0 * count,
               .sharedBytes = 4.0 * fetched,
               .offsets = (cuda ? 7.0 : 1.0) * fetched,
               .barriers = 1.0,
               .storesPerLoad = 1.0},
              {.name = "compute",
               .sharedBytes = 4.0 * count * taps * loads,
               .ffma = count * taps,
               .fadd = count * taps,
               .offsets = cuda ? 0.5 * count * taps : 0.0},
              {.name = "store",
               .globalBytes = 16.0 * count, // the phase, and the result
               .distinctBytes = 8.0 * count + 8.0 * samples,
               .ffma = 2.0 * count,
               .fmul = 2.0 * count,
               .offsets = cuda ? 8.0 * count : 0.0}}}};
}

} // namespace

std::vector<float> front::analyticTaps(const FrameSpec& input, const Params& analytic) {
    const auto& values = analytic.as<AnalyticParams>();
    return hilbertTaps(values, foldedTurns(values.frequencyHz, input.samplingFrequencyHz()));
}

std::vector<Complex> front::analyticPhases(const FrameSpec& input, const Params& analytic) {
    const auto& values = analytic.as<AnalyticParams>();
    return phasesOf(input.axes.back().size,
                    foldedTurns(values.frequencyHz, input.samplingFrequencyHz()));
}

namespace stages {
const StageType& analytic() {
    static const StageType kType{
        .id = "analytic",
        .label = "Analytic signal",
        .help = "RF samples to complex baseband samples whose magnitude is the envelope.",
        .work = analyticWork,
        .table = analyticTable(),
        .inputs = {orEnsembles(
            {{DType::F32}, {AxisName::Transmit, AxisName::Channel, AxisName::Sample}})},
        .tolerance = {1e-5, 1e-6},
        .role = Role::MakesAnalytic,
        .defaults = analyticDefaults,
        .code = codeOf<Analytic>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
