// SPDX-License-Identifier: GPL-3.0-or-later
// dc_removal: subtracts each line's mean over the record. y[n] = x[n] - (1/N) sum_k x[k], any unit,
// any N >= 1 (van Bavel 2013, section 2.2.1).
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

namespace echolux {
namespace {

struct DcRemovalParams {};

/// One line per index. The sum is a double, so that long records lose no precision.
struct SubtractMean {
    const float* in;
    float* out;
    std::int64_t samples;

    ECHOLUX_HD void operator()(std::int64_t line) const {
        const float* x = in + line * samples;
        float* y = out + line * samples;
        double sum = 0.0;
        for (std::int64_t n = 0; n < samples; ++n) sum += x[n];
        const float mean = static_cast<float>(sum / static_cast<double>(samples));
        for (std::int64_t n = 0; n < samples; ++n) y[n] = x[n] - mean;
    }
};

#if defined(__CUDACC__)
/// Tier C: one block per line, so that neighbouring threads read neighbouring samples.
constexpr int kMeanThreads = 256;

__global__ void subtractMeanKernel(const float* in, float* out, std::int64_t samples) {
    __shared__ double partial[kMeanThreads];
    const float* x = in + static_cast<std::int64_t>(blockIdx.x) * samples;
    float* y = out + static_cast<std::int64_t>(blockIdx.x) * samples;
    double sum = 0.0;
    for (std::int64_t n = threadIdx.x; n < samples; n += kMeanThreads) sum += x[n];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = kMeanThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    const float mean = static_cast<float>(partial[0] / static_cast<double>(samples));
    for (std::int64_t n = threadIdx.x; n < samples; n += kMeanThreads) y[n] = x[n] - mean;
}
#endif

class DcRemoval final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) { return {.outputs = {input}}; }
    void update(const Exec&, const Params&) override {}
    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const std::int64_t samples = input.spec->axes.back().size;
        const std::int64_t lines = input.spec->count() / samples;
#if defined(__CUDACC__)
        if (exec.backend == Backend::Cuda) {
            subtractMeanKernel<<<static_cast<unsigned>(lines), kMeanThreads, 0,
                                 static_cast<cudaStream_t>(exec.stream)>>>(
                input.as<float>(), output.as<float>(), samples);
            device::checkLaunch("dc_removal");
            return;
        }
#endif
        forEach(exec, "dc_removal", lines,
                SubtractMean{input.as<float>(), output.as<float>(), samples});
    }
};

/// Both forms read a line twice, the second time from a cache. An addition in double precision
/// counts as two: half the rate of single precision, as on the A100 and H100; other cards are
/// slower.
std::vector<model::Kernel> dcRemovalWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const auto count = static_cast<double>(input.count());
    const double lines = count / static_cast<double>(input.axes.back().size);
    return {{"dc_removal",
             {lines, 256.0, 24.0, 2048.0},
             {{.name = "sum",
               .globalBytes = 4.0 * count,
               .fadd = 2.0 * count,
               .offsets = 5.0 * count, // conversion to double, index, comparison, address
               .barriers = 9.0},
              {.name = "subtract",
               .globalBytes = 8.0 * count,
               .distinctBytes = 4.0 * count,
               .fadd = count,
               .offsets = 5.0 * count}}}};
}

} // namespace

namespace stages {
const StageType& dc_removal() {
    static const StageType kType{
        .id = "dc_removal",
        .label = "DC removal",
        .help = "Subtracts each channel's mean over the record.",
        .work = dcRemovalWork,
        .table = ParamTable::of<DcRemovalParams>().build(),
        .inputs = {orEnsembles(
            {{DType::F32}, {AxisName::Transmit, AxisName::Channel, AxisName::Sample}})},
        .tolerance = {1e-5, 0.0},
        .code = codeOf<DcRemoval>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
