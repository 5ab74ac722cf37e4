// SPDX-License-Identifier: GPL-3.0-or-later
// bandpass: FIR h of T <= 255 taps, symmetric or not; x = 0 outside the record. Forward and then
// backward is one convolution with its autocorrelation r, without delay: y[n] = r[0] x[n] +
// sum_{k=1}^{T-1} r[k] (x[n-k] + x[n+k]), gain |H(f)|^2 (van Bavel 2013, section 2.2.2). Forward
// only: y[n] = sum_{k=0}^{T-1} h[k] x[n-k], gain |H(f)|, delayed by (T-1)/2 samples where h is
// symmetric.
#include "gpu/core/multiply_add.hpp"
#include "gpu/dsp/fir_design.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/bandpass_response.hpp"
#include "gpu/stages/bandpass_work.hpp"
#include "gpu/stages/front_end_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

enum class Design { Edges, Coefficients };
enum class CoefficientForm { HalfEven, HalfOdd, AllTaps };
enum class Direction { Both, Forward };

struct BandpassParams {
    Design design = Design::Edges;
    double lowHz = 2.5e6;
    double highHz = 7.5e6;
    std::int64_t taps = 63;
    FirWindow window = FirWindow::Hamming;
    std::vector<double> coefficients = {-0.0049, 0.1007, 0.4761};
    CoefficientForm form = CoefficientForm::HalfEven;
    Direction direction = Direction::Both;
};

constexpr int kBandpassTapsMax = 255;
constexpr int kUnroll = 8;
constexpr int kBandpassReachMax = (kBandpassTapsMax - 1 + kUnroll - 1) / kUnroll * kUnroll;

/// Right half of a symmetric filter, by value; zeros from `reach` (a multiple of kUnroll) on.
struct SymmetricFir {
    float tap[kBandpassReachMax + 1] = {1.0F};
    int reach = 0;
};

/// One tile of kTile outputs per index, so that the inner loops run over neighbours.
struct FilterTile {
    static constexpr int kTile = 256;
    const float* in;
    float* out;
    std::int64_t samples;
    std::int64_t tilesPerLine;
    SymmetricFir fir;

    ECHOLUX_HD void operator()(std::int64_t index) const {
        const std::int64_t line = index / tilesPerLine;
        const std::int64_t first = index % tilesPerLine * kTile;
        const float* x = in + line * samples;
        float seen[kTile + 2 * kBandpassReachMax];
        for (int i = 0; i < kTile + 2 * fir.reach; ++i) {
            const std::int64_t n = first - fir.reach + i;
            seen[i] = n >= 0 && n < samples ? x[n] : 0.0F;
        }
        float sum[kTile];
        const float* middle = seen + fir.reach;
        for (int i = 0; i < kTile; ++i) sum[i] = fir.tap[0] * middle[i];
        for (int k = 1; k <= fir.reach; ++k) {
            const float tap = fir.tap[k];
            const float* before = middle - k;
            const float* after = middle + k;
            for (int i = 0; i < kTile; ++i) sum[i] = multiplyAdd(tap, before[i] + after[i], sum[i]);
        }
        const std::int64_t count = samples - first < kTile ? samples - first : kTile;
        for (std::int64_t i = 0; i < count; ++i) out[line * samples + first + i] = sum[i];
    }
};

/// A filter that need not be symmetric, by value.
struct CausalFir {
    float tap[kBandpassTapsMax] = {1.0F};
    int taps = 1;
};

/// kTile outputs per index. With many outputs the inner loop runs over neighbours; kTile may also
/// be 1.
template <int kTile> struct ForwardTile {
    const float* in;
    float* out;
    std::int64_t samples;
    std::int64_t tilesPerLine;
    CausalFir fir;

    ECHOLUX_HD void operator()(std::int64_t index) const {
        const std::int64_t first = index % tilesPerLine * kTile;
        const std::int64_t at = index / tilesPerLine * samples + first;
        const int count = samples - first < kTile ? static_cast<int>(samples - first) : kTile;
        float sum[kTile] = {};
        for (int k = 0; k < fir.taps; ++k) {
            const float tap = fir.tap[k];
            for (int i = first < k ? static_cast<int>(k - first) : 0; i < count; ++i)
                sum[i] = multiplyAdd(tap, in[at - k + i], sum[i]);
        }
        for (int i = 0; i < count; ++i) out[at + i] = sum[i];
    }
};

template <int kTile> void filterForward(const Exec& exec, const float* in, float* out,
                                        std::int64_t lines, std::int64_t samples,
                                        const CausalFir& fir) {
    const std::int64_t tilesPerLine = (samples + kTile - 1) / kTile;
    forEach(exec, "bandpass", lines * tilesPerLine,
            ForwardTile<kTile>{in, out, samples, tilesPerLine, fir});
}

#if defined(__CUDACC__)
/// Tier C: the tile lies in shared memory. Each thread computes kUnroll neighbouring outputs. For
/// kUnroll taps at a time it holds the samples from each side in registers (30 loads for 64
/// products). One float of padding in eight keeps the threads of a warp in different banks.
constexpr int kThreadsMax = 128;

__device__ constexpr int padded(int i) { return i + i / kUnroll; }

__global__ void filterKernel(const float* in, float* out, std::int64_t samples,
                             std::int64_t tilesPerLine, SymmetricFir fir) {
    __shared__ float seen[padded(kThreadsMax * kUnroll + 2 * kBandpassReachMax) + 1];
    const int tile = static_cast<int>(blockDim.x) * kUnroll;
    const std::int64_t line = blockIdx.x / tilesPerLine;
    const std::int64_t first = blockIdx.x % tilesPerLine * tile;
    const float* x = in + line * samples;
    for (int i = static_cast<int>(threadIdx.x); i < tile + 2 * fir.reach;
         i += static_cast<int>(blockDim.x)) {
        const std::int64_t n = first - fir.reach + i;
        seen[padded(i)] = n >= 0 && n < samples ? x[n] : 0.0F;
    }
    __syncthreads();

    const int mine = static_cast<int>(threadIdx.x) * kUnroll + fir.reach;
    float sum[kUnroll];
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) sum[i] = fir.tap[0] * seen[padded(mine + i)];
    for (int k = 0; k < fir.reach; k += kUnroll) {
        float before[2 * kUnroll - 1];
        float after[2 * kUnroll - 1];
#pragma unroll
        for (int j = 0; j < 2 * kUnroll - 1; ++j) {
            before[j] = seen[padded(mine - k - kUnroll + j)];
            after[j] = seen[padded(mine + k + 1 + j)];
        }
#pragma unroll
        for (int u = 0; u < kUnroll; ++u) {
            const float tap = fir.tap[k + 1 + u];
#pragma unroll
            for (int i = 0; i < kUnroll; ++i)
                sum[i] += tap * (before[kUnroll - 1 - u + i] + after[u + i]);
        }
    }

    __syncthreads(); // the tile is read; its memory now holds the outputs, so that stores are
                     // coalesced
#pragma unroll
    for (int i = 0; i < kUnroll; ++i)
        seen[padded(static_cast<int>(threadIdx.x) * kUnroll + i)] = sum[i];
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < tile && first + i < samples;
         i += static_cast<int>(blockDim.x)) {
        out[line * samples + first + i] = seen[padded(i)];
    }
}

void filterOnDevice(const Exec& exec, const float* in, float* out, std::int64_t lines,
                    std::int64_t samples, const SymmetricFir& fir) {
    constexpr std::int64_t kWarp = 32;
    const std::int64_t wanted = (samples + kUnroll * kWarp - 1) / (kUnroll * kWarp) * kWarp;
    const std::int64_t threads = std::min<std::int64_t>(wanted, kThreadsMax);
    const std::int64_t tilesPerLine = (samples + threads * kUnroll - 1) / (threads * kUnroll);
    filterKernel<<<static_cast<unsigned>(lines * tilesPerLine), static_cast<unsigned>(threads), 0,
                   static_cast<cudaStream_t>(exec.stream)>>>(in, out, samples, tilesPerLine, fir);
    device::checkLaunch("bandpass");
}
#endif

/// The frequency that `frequency` has after sampling: folded into 0 to half the sampling frequency.
double folded(double frequency, double samplingFrequency) {
    return std::abs(frequency - samplingFrequency * std::round(frequency / samplingFrequency));
}

/// The edges may be given in either order. The upper edge stops at half the sampling frequency,
/// where the filter becomes a high-pass. A band is at least a thousandth of the spectrum wide.
FirBand bandOf(const BandpassParams& values, double samplingFrequencyHz) {
    constexpr double kLeastWidth = 5e-4;
    const double lower = std::min(values.lowHz, values.highHz) / samplingFrequencyHz;
    const double upper = std::max(values.lowHz, values.highHz) / samplingFrequencyHz;
    FirBand band{std::min(lower, 0.5 - kLeastWidth), std::min(upper, 0.5)};
    band.high = std::max(band.high, band.low + kLeastWidth);
    return band;
}

std::vector<double> tapsOf(const BandpassParams& values, double samplingFrequencyHz) {
    if (values.design == Design::Edges)
        return designFir(values.taps, bandOf(values, samplingFrequencyHz), values.window);
    std::vector<double> taps = values.coefficients;
    if (values.form == CoefficientForm::AllTaps) return taps;
    const auto skipped = values.form == CoefficientForm::HalfOdd ? 1 : 0;
    const std::vector<double> mirrored(taps.rbegin() + skipped, taps.rend());
    taps.insert(taps.end(), mirrored.begin(), mirrored.end());
    return taps;
}

std::vector<double> zeroPhaseTaps(const Params& params, double samplingFrequencyHz) {
    return autocorrelation(tapsOf(params.as<BandpassParams>(), samplingFrequencyHz));
}

void checkCoefficients(const BandpassParams& values) {
    if (values.design != Design::Coefficients) return;
    const std::size_t taps = values.coefficients.empty() ? 0 : tapsOf(values, 1.0).size();
    if (taps == 0 || taps > kBandpassTapsMax) {
        throw Error(fmt::format("Stage 'bandpass': parameter 'coefficients' stands for {} taps; "
                                "give coefficients for 1 to {} taps, or set 'design' to 'edges'.",
                                taps, kBandpassTapsMax));
    }
}

void checkEdges(const BandpassParams& values, double samplingFrequencyHz,
                double centreFrequencyHz) {
    if (values.design != Design::Edges) return;
    if (!(samplingFrequencyHz > 0.0)) {
        throw Error("Stage 'bandpass': the recording does not tell its sampling frequency, so that "
                    "band edges mean nothing; set 'design' to 'coefficients' or bypass the stage.");
    }
    const double half = samplingFrequencyHz / 2.0;
    const double lower = std::min(values.lowHz, values.highHz);
    if (lower < half) return;
    std::string fold;
    if (centreFrequencyHz >= half) {
        fold = fmt::format(" (the recording is band-pass sampled: its {:g} MHz appear at {:g} MHz)",
                           centreFrequencyHz / 1e6,
                           folded(centreFrequencyHz, samplingFrequencyHz) / 1e6);
    }
    throw Error(fmt::format(
        "Stage 'bandpass': the band 'low' to 'high' begins at {:g} MHz, but samples taken at {:g} "
        "MHz hold only frequencies below {:g} MHz{}; choose a lower band.",
        lower / 1e6, samplingFrequencyHz / 1e6, half / 1e6, fold));
}

class Bandpass final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<BandpassParams>();
        checkCoefficients(values);
        checkEdges(values, input.samplingFrequencyHz(), input.centreFrequencyHz);
        return {.outputs = {input}};
    }

    void prepare(const Exec&, const FrameSpec& input, const StagePlan&, const Params&) override {
        m_samplingFrequencyHz = input.samplingFrequencyHz();
    }

    void update(const Exec&, const Params& params) override {
        const auto asFloat = [](double tap) { return static_cast<float>(tap); };
        m_isForward = !front::isZeroPhase(params);
        if (m_isForward) {
            const std::vector<double> h =
                tapsOf(params.as<BandpassParams>(), m_samplingFrequencyHz);
            m_causal.taps = static_cast<int>(h.size());
            std::ranges::transform(h, m_causal.tap, asFloat);
            return;
        }
        const std::vector<double> r = zeroPhaseTaps(params, m_samplingFrequencyHz);
        m_fir = {};
        m_fir.reach = (static_cast<int>(r.size()) - 1 + kUnroll - 1) / kUnroll * kUnroll;
        std::ranges::transform(r, m_fir.tap, asFloat);
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const std::int64_t samples = input.spec->axes.back().size;
        const std::int64_t lines = input.spec->count() / samples;
        if (m_isForward) {
            constexpr int kOnCpu = 256;
            const auto filter =
                exec.backend == Backend::Cuda ? filterForward<1> : filterForward<kOnCpu>;
            filter(exec, input.as<float>(), output.as<float>(), lines, samples, m_causal);
            return;
        }
#if defined(__CUDACC__)
        if (exec.backend == Backend::Cuda) {
            filterOnDevice(exec, input.as<float>(), output.as<float>(), lines, samples, m_fir);
            return;
        }
#endif
        const std::int64_t tilesPerLine = (samples + FilterTile::kTile - 1) / FilterTile::kTile;
        forEach(exec, "bandpass", lines * tilesPerLine,
                FilterTile{input.as<float>(), output.as<float>(), samples, tilesPerLine, m_fir});
    }

private:
    double m_samplingFrequencyHz = 0.0;
    bool m_isForward = false;
    SymmetricFir m_fir;
    CausalFir m_causal;
};

/// 0.5 and 1.5 of the centre frequency after sampling. In band-pass-sampled recordings (centre
/// above half the sampling frequency) it is folded.
Params bandpassDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    auto& values = params.as<BandpassParams>();
    const double samplingHz = input.samplingFrequencyHz();
    if (!(samplingHz > 0.0)) return params;
    const double half = samplingHz / 2.0;
    double centre = folded(input.centreFrequencyHz, samplingHz);
    if (!(centre > 0.02 * half && centre < 0.98 * half)) centre = half / 2.0;
    const ParamRow& row = *type.table.find("low");
    values.lowHz = std::clamp(0.5 * centre, row.min, row.max);
    values.highHz =
        std::clamp(std::min(1.5 * centre, 0.95 * half + 0.05 * centre), row.min, row.max);
    return params;
}

ParamRow edgeRow(const char* key, const char* label, const char* help) {
    return {.key = key,
            .label = label,
            .unit = "Hz",
            .min = 1e4,
            .max = 1e8,
            .step = 5e4,
            .scale = ParamScale::Log,
            .help = help,
            .displayUnit = "MHz",
            .displayFactor = 1e-6,
            .onlyWith = {"design", "edges"}};
}

ParamTable bandpassTable() {
    using P = BandpassParams;
    return ParamTable::of<P>()
        .choice(&P::design, {{"edges", "Band edges"}, {"coefficients", "Coefficients"}},
                {.key = "design",
                 .label = "Design",
                 .help = "A filter made from its band edges, or given by its coefficients."})
        .real(&P::lowHz, edgeRow("low", "Low edge",
                                 "Lower edge of the pass band, where the gain is -12 dB (forward "
                                 "only: -6 dB); a frequency as it appears in the samples."))
        .real(&P::highHz,
              edgeRow("high", "High edge",
                      "Upper edge of the pass band, where the gain is -12 dB (forward only: -6 "
                      "dB); at half the sampling frequency or above there is no upper edge."))
        .integer(&P::taps, {.key = "taps",
                            .label = "Taps",
                            .min = 3,
                            .max = kBandpassTapsMax,
                            .step = 2,
                            .help = "Length of the filter: more taps make steeper edges.",
                            .oddOnly = true,
                            .onlyWith = {"design", "edges"}})
        .choice(&P::window,
                {{"hamming", "Hamming"},
                 {"hann", "Hann"},
                 {"blackman", "Blackman"},
                 {"rectangular", "Rectangular"}},
                {.key = "window",
                 .label = "Window",
                 .help = "Window of a filter that is made from its band edges: smoother windows "
                         "give less ripple and less steep edges.",
                 .onlyWith = {"design", "edges"}})
        .list(&P::coefficients,
              {.key = "coefficients",
               .label = "Coefficients",
               .min = -2.0,
               .max = 2.0,
               .step = 1e-4,
               .help = "Coefficients of the filter, beginning with its first tap.",
               .onlyWith = {"design", "coefficients"}})
        .choice(&P::form,
                {{"half_even", "Half, even length"},
                 {"half_odd", "Half, odd length"},
                 {"all_taps", "All taps"}},
                {.key = "coefficient_form",
                 .label = "Coefficients are",
                 .help = "a b c stands for a b c c b a (even), a b c b a (odd), or a b c (all).",
                 .onlyWith = {"design", "coefficients"}})
        .choice(&P::direction, {{"both", "Forward and backward"}, {"forward", "Forward only"}},
                {.key = "direction",
                 .label = "Direction",
                 .kind = ParamKind::Structural,
                 .help = "Forward and backward: echoes stay in place. Forward only: echoes come "
                         "later by half the filter's length."})
        .build();
}

std::vector<model::Kernel> bandpassWork(const PlannedStage& stage) {
    return bandpassKernels(stage, {kUnroll, kBandpassReachMax, FilterTile::kTile});
}

} // namespace

std::vector<double> front::bandpassTaps(const FrameSpec& input, const Params& bandpass) {
    return zeroPhaseTaps(bandpass, input.samplingFrequencyHz());
}

bool front::isZeroPhase(const Params& bandpass) {
    return bandpass.as<BandpassParams>().direction == Direction::Both;
}

StageCurve bandpassResponse(const Params& params, double samplingFrequencyHz, int points) {
    const auto& values = params.as<BandpassParams>();
    checkCoefficients(values);
    checkEdges(values, samplingFrequencyHz, 0.0);
    constexpr double kFloor = 1e-10; // of the gain: -200 dB
    const std::vector<double> taps = tapsOf(values, samplingFrequencyHz);
    const double nyquistMHz = 0.5e-6 * samplingFrequencyHz;
    StageCurve response{.neutralX = {0.0, nyquistMHz},
                        .neutralY = {0.0, 0.0},
                        .xLabel = "MHz",
                        .yLabel = "dB",
                        .xMax = nyquistMHz,
                        .yMin = -80.0,
                        .yMax = 6.0};
    for (int i = 0; i < points; ++i) {
        const double share = static_cast<double>(i) / std::max(points - 1, 1);
        const double magnitude = firMagnitude(taps, 0.5 * share);
        response.x.push_back(share * nyquistMHz);
        const double gain = front::isZeroPhase(params) ? magnitude * magnitude : magnitude;
        response.y.push_back(20.0 * std::log10(std::max(gain, kFloor)));
    }
    return response;
}

namespace stages {
const StageType& bandpass() {
    static const StageType kType{
        .id = "bandpass",
        .label = "Band-pass",
        .help = "FIR filter along each channel: forward and backward, without delay, or once.",
        .work = bandpassWork,
        .table = bandpassTable(),
        .inputs = {orEnsembles(
            {{DType::F32}, {AxisName::Transmit, AxisName::Channel, AxisName::Sample}})},
        .tolerance = {1e-5, 1e-6},
        .role = Role::LimitsBand,
        .defaults = bandpassDefaults,
        .shown = {.curves =
                      [](const ShownStage& stage) {
                          return std::vector{
                              bandpassResponse(stage.params, stage.input.samplingFrequencyHz())};
                      }},
        .code = codeOf<Bandpass>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
