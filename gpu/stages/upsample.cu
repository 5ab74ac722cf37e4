// SPDX-License-Identifier: GPL-3.0-or-later
// upsample: factor L of 2 to 4, filters of T <= 31 taps that delay by fractions of a sample
// (Gronvold 2008, sections 2.6.7, 2.6.8 and 4.2.2). Outside the record of each line x = 0:
//   y[L n] = x[n],  y[L n + p] = sum_j h_p[j] x[n + first_p + j] ~ x(n + p / L),  0 < p < L,
// h_p: FractionalDelay::tapsAt. fs becomes L fs; sample 0 keeps its time. 0 dB: gain 1.
#include "gpu/dsp/upsampling.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace echolux {
namespace {

struct UpsampleParams {
    std::int64_t factor = 4;
    std::int64_t taps = 11;
    FractionalDesign design = FractionalDesign::Sinc;
    double bandwidth = 0.6;
};

constexpr double kLeastBandwidth = 0.05;
constexpr double kMostBandwidth = 2.0;

constexpr int kUpThreads = 256;
constexpr int kSamples = 4; ///< of a thread
constexpr int kBlockSamples = kUpThreads * kSamples;
constexpr int kHostTile = 256; ///< samples that the CPU handles at once

#if defined(__CUDACC__)
/// Tier C: a block's samples lie in shared memory. Where the outputs of one sample fill 16 bytes,
/// their thread stores them. Otherwise shared memory collects the outputs, so that they are stored
/// in their order.
template <class Sample, int kFactor> struct alignas(16) Interleaved { Sample at[kFactor]; };
template <class Sample, int kFactor> constexpr bool kStoredAtOnce = sizeof(Sample) * kFactor % 16 ==
                                                                    0;

/// kCount: taps of the filters, or 0 for any number.
template <class Sample, int kFactor, int kCount> __global__ void __launch_bounds__(kUpThreads)
    upsampleKernel(const Sample* in, Sample* out, std::int64_t samples, PhaseFirs firs) {
    constexpr bool kAtOnce = kStoredAtOnce<Sample, kFactor>;
    constexpr int kShared =
        kAtOnce ? kBlockSamples + PhaseFirs::kMostTaps : kBlockSamples * kFactor;
    static_assert(kShared >= kBlockSamples + PhaseFirs::kMostTaps);
    alignas(16) __shared__ unsigned char shared[kShared * sizeof(Sample)];
    auto* seen = reinterpret_cast<Sample*>(shared);
    const int thread = static_cast<int>(threadIdx.x);
    const std::int64_t line = blockIdx.x;
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * kBlockSamples;
    const Sample* x = in + line * samples;
    for (int i = thread; i < kBlockSamples + firs.count; i += kUpThreads) {
        const std::int64_t n = first - firs.before + i;
        seen[i] = n >= 0 && n < samples ? x[n] : Sample{};
    }
    __syncthreads();

    Interleaved<Sample, kFactor> sum[kSamples];
#pragma unroll
    for (int s = 0; s < kSamples; ++s) {
        sum[s].at[0] = seen[firs.before + thread + s * kUpThreads];
#pragma unroll
        for (int p = 1; p < kFactor; ++p) sum[s].at[p] = Sample{};
    }
    constexpr int kUnrolled = kCount > 0 ? kCount : 1;
    const int count = kCount > 0 ? kCount : firs.count;
#pragma unroll kUnrolled
    for (int j = 0; j < count; ++j) {
#pragma unroll
        for (int s = 0; s < kSamples; ++s) {
            const Sample value = seen[thread + s * kUpThreads + j];
#pragma unroll
            for (int p = 1; p < kFactor; ++p)
                sum[s].at[p] = sum[s].at[p] + firs.tap[p - 1][j] * value;
        }
    }
    Sample* y = out + (line * samples + first) * kFactor;
    if constexpr (kAtOnce) {
#pragma unroll
        for (int s = 0; s < kSamples; ++s) {
            const int n = thread + s * kUpThreads;
            if (first + n < samples)
                *reinterpret_cast<Interleaved<Sample, kFactor>*>(y + n * kFactor) = sum[s];
        }
    } else {
        __syncthreads(); // the samples are read; their memory now holds the outputs
#pragma unroll
        for (int s = 0; s < kSamples; ++s) {
#pragma unroll
            for (int p = 0; p < kFactor; ++p)
                seen[(thread + s * kUpThreads) * kFactor + p] = sum[s].at[p];
        }
        __syncthreads();
        const std::int64_t rest = (samples - first) * kFactor;
        const int outputs =
            rest < kBlockSamples * kFactor ? static_cast<int>(rest) : kBlockSamples * kFactor;
        for (int i = thread; i < outputs; i += kUpThreads) y[i] = seen[i];
    }
}

template <class Sample> void upsampleOnDevice(const Exec& exec, const Sample* in, Sample* out,
                                              std::int64_t lines, std::int64_t samples,
                                              const PhaseFirs& firs) {
    const std::int64_t blocksPerLine = (samples + kBlockSamples - 1) / kBlockSamples;
    const dim3 blocks(static_cast<unsigned>(lines), static_cast<unsigned>(blocksPerLine));
    const auto stream = static_cast<cudaStream_t>(exec.stream);
    constexpr int kUsual = 12; // for 11 taps
    const auto go = [&]<int kFactor>() {
        const auto kernel = firs.count == kUsual ? upsampleKernel<Sample, kFactor, kUsual>
                                                 : upsampleKernel<Sample, kFactor, 0>;
        kernel<<<blocks, kUpThreads, 0, stream>>>(in, out, samples, firs);
    };
    switch (firs.factor) {
    case 2: go.template operator()<2>(); break;
    case 3: go.template operator()<3>(); break;
    default: go.template operator()<4>(); break;
    }
    device::checkLaunch("upsample");
}
#endif

template <class Sample> void upsample(const Exec& exec, const Sample* in, Sample* out,
                                      std::int64_t lines, std::int64_t samples,
                                      const PhaseFirs& firs) {
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda) return upsampleOnDevice(exec, in, out, lines, samples, firs);
#endif
    const std::int64_t tilesPerLine = (samples + kHostTile - 1) / kHostTile;
    forEach(exec, "upsample", lines * tilesPerLine,
            UpsampleTile<Sample, kHostTile>{in, out, samples, tilesPerLine, firs});
}

void checkLines(const FrameSpec& input) {
    if (input.axes.back().name == AxisName::Sample && input.spectrometer == nullptr) return;
    throw Error(
        fmt::format("Stage 'upsample' works along samples over time, but what reaches it "
                    "is {}; place it before 'beamform', on channel data.",
                    input.spectrometer != nullptr ? "a frame of spectra" : input.describe()));
}

class Upsample final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        checkLines(input);
        StagePlan plan{.outputs = {input}};
        const std::int64_t factor = params.as<UpsampleParams>().factor;
        Axis& axis = plan.outputs[0].axes.back();
        axis.size *= factor;
        axis.spacing /= static_cast<double>(factor);
        return plan;
    }

    void prepare(const Exec&, const FrameSpec& input, const StagePlan&, const Params&) override {
        m_input = input;
    }

    void update(const Exec&, const Params& params) override {
        const auto& values = params.as<UpsampleParams>();
        const FractionalDelay delay(values.design, values.taps,
                                    echoBand(m_input, values.bandwidth));
        m_firs = upsamplingFirs(delay, values.taps, static_cast<int>(values.factor));
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const std::int64_t samples = input.spec->axes.back().size;
        const std::int64_t lines = input.spec->count() / samples;
        if (isComplex(input.spec->dtype)) {
            upsample(exec, input.as<Complex>(), output.as<Complex>(), lines, samples, m_firs);
        } else {
            upsample(exec, input.as<float>(), output.as<float>(), lines, samples, m_firs);
        }
    }

private:
    FrameSpec m_input;
    PhaseFirs m_firs;
};

Params upsampleDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    params.as<UpsampleParams>().bandwidth =
        std::clamp(usualBandwidth(input), kLeastBandwidth, kMostBandwidth);
    return params;
}

ParamTable upsampleTable() {
    using P = UpsampleParams;
    return ParamTable::of<P>()
        .integer(&P::factor, {.key = "factor",
                              .label = "Factor",
                              .min = 2,
                              .max = kMaxUpsampling,
                              .step = 1,
                              .kind = ParamKind::Structural,
                              .help = "Number of output samples per input sample; 4 adds samples a "
                                      "quarter, a half and three quarters of a sample later."})
        .choice(&P::design,
                {{"sinc", "Truncated sinc"},
                 {"lagrange", "Lagrange"},
                 {"least_squares", "Least squares"}},
                {.key = "design",
                 .label = "Design",
                 .help = "Design of the filters: truncated sinc suits all frequencies alike, "
                         "Lagrange the lowest, least squares the echoes' spectrum."})
        .integer(&P::taps, {.key = "taps",
                            .label = "Taps",
                            .min = 3,
                            .max = kMaxUpsamplingTaps,
                            .step = 1,
                            .help = "Number of samples that each filter uses; an odd number is "
                                    "centred on the nearest sample."})
        .real(&P::bandwidth, {.key = "bandwidth",
                              .label = "Bandwidth",
                              .min = kLeastBandwidth,
                              .max = kMostBandwidth,
                              .step = 0.05,
                              .help = "Bandwidth of the echoes at -6 dB, divided by their centre "
                                      "frequency; the least-squares filters are made for it.",
                              .onlyWith = {"design", "least_squares"}})
        .build();
}

/// Counts upsampleKernel on CUDA and UpsampleTile on the CPU. On CUDA a thread loads a sample from
/// shared memory for each tap of all its filters, with one FFMA per filter. Where outputs do not
/// fill 16 bytes, they pass through shared memory. On the CPU each tap loads sample and sum and
/// stores the sum; a product and a sum are not contracted; outputs lie apart, one by one.
std::vector<model::Kernel> upsampleWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const auto& values = stage.params.as<UpsampleParams>();
    const double bytes = bytesPerSample(input);
    const double reals = bytes / 4.0;
    const auto factor = static_cast<double>(values.factor);
    const auto taps = static_cast<double>(values.taps + values.taps % 2);
    const std::int64_t samples = input.axes.back().size;
    const double lines = static_cast<double>(input.count()) / static_cast<double>(samples);
    const bool cuda = stage.backend == Backend::Cuda;
    const double block = cuda ? kBlockSamples : kHostTile;
    const double blocks = lines * std::ceil(static_cast<double>(samples) / block);
    const double fetched = blocks * (block + taps);
    const double handled = blocks * block; // also beyond the line's end
    const double sums = handled * (factor - 1.0) * taps * reals;
    const auto outputs = static_cast<double>(stage.plan.outputs[0].count());
    model::Part fetch{.name = "fetch",
                      .globalBytes = bytes * fetched,
                      .distinctBytes = static_cast<double>(input.bytes()),
                      .sharedBytes = bytes * fetched,
                      .offsets = (cuda ? 9.0 : 4.0) * fetched,
                      .barriers = 1.0,
                      .storesPerLoad = 1.0};
    fetch.globalBytes = std::max(fetch.globalBytes, fetch.distinctBytes);
    model::Part compute{.name = "compute"};
    model::Part store{.name = "store", .globalBytes = bytes * outputs};
    if (cuda) {
        const bool atOnce = static_cast<std::int64_t>(bytes * factor) % 16 == 0;
        compute.sharedBytes = bytes * handled * (taps + 1.0);
        compute.ffma = sums;
        compute.offsets = handled * taps * (values.taps == 11 ? 1.0 : 2.0 + factor);
        compute.independent = kSamples * (factor - 1.0);
        store.offsets = (atOnce ? 8.0 : 0.0) * handled + (atOnce ? 0.0 : 6.0) * outputs;
        store.sharedBytes = atOnce ? 0.0 : 2.0 * bytes * outputs;
        store.barriers = atOnce ? 0.0 : 2.0;
        const double shared = bytes * (atOnce ? block + PhaseFirs::kMostTaps : block * factor);
        return {{"upsample", {blocks, kUpThreads, 64.0, shared}, {fetch, compute, store}}};
    }
    compute.sharedBytes = 3.0 * 4.0 * sums;
    compute.fmul = sums;
    compute.fadd = sums;
    store.offsets = 3.0 * outputs;
    return {{"upsample", {blocks, 1.0, 0.0, 0.0}, {fetch, compute, store}}};
}

} // namespace

namespace stages {
const StageType& upsample() {
    static const StageType kType{
        .id = "upsample",
        .label = "Upsample",
        .help = "Raises the sampling frequency 2 to 4 times by filters that delay by fractions of "
                "a sample.",
        .work = upsampleWork,
        .table = upsampleTable(),
        .inputs = {{{DType::F32, DType::ComplexF32}}},
        .tolerance = {1e-5, 1e-6},
        .role = Role::Upsamples,
        .defaults = upsampleDefaults,
        .code = codeOf<Upsample>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
