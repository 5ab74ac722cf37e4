// SPDX-License-Identifier: GPL-3.0-or-later
// dc_removal_moving. By a moving average: y[n] = x[n] - mean of x over `window` samples around n.
// `window` is 3 to 1024; odd windows are centred, even ones reach one sample farther back. At the
// ends of the line the mean takes only samples inside. By Fourier bins: the FFT of the line, with
// bins 0 to `bins` - 1 and their mirror set to 0, `bins` 1 to 512, and back. In a line of N samples
// bin k is a wave of N / k samples.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/fft/fft_work.hpp"
#include "gpu/oct/oct_formula.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <algorithm>

namespace echolux {
namespace {

using oct::DcMethod;
using oct::DcRemovalMovingParams;

constexpr const char* kDcRemovalMovingId = "dc_removal_moving";

/// Computes one output sample, as a thread of a GPU does.
struct SubtractAround {
    const float* in;
    float* out;
    std::int64_t length;
    std::int64_t window;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float* x = in + i / length * length;
        const std::int64_t n = i % length;
        const oct::Span span = oct::movingSpan(n, window, length);
        float sum = 0.0F;
        for (std::int64_t k = span.first; k <= span.last; ++k) sum += x[k] - x[n];
        out[i] = -sum / static_cast<float>(span.last - span.first + 1);
    }
};

/// Computes one line with a running sum, a double so that it loses no precision along the line.
struct SubtractAlong {
    const float* in;
    float* out;
    std::int64_t length;
    std::int64_t window;

    ECHOLUX_HD void operator()(std::int64_t line) const {
        const float* x = in + line * length;
        float* y = out + line * length;
        double sum = 0.0;
        oct::Span held{0, -1};
        for (std::int64_t n = 0; n < length; ++n) {
            const oct::Span span = oct::movingSpan(n, window, length);
            while (held.last < span.last) sum += x[++held.last];
            while (held.first < span.first) sum -= x[held.first++];
            const auto count = static_cast<double>(span.last - span.first + 1);
            y[n] = static_cast<float>(x[n] - sum / count);
        }
    }
};

/// Removes the low bins, and scales the others for the inverse transform.
struct CutBins {
    Complex* spectra;
    std::int64_t stride;
    std::int64_t first; ///< first bin that stays
    float scale;        ///< 1 / FFT length

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t bin) const {
        Complex& value = spectra[line * stride + bin];
        value = bin < first ? Complex{} : scale * value;
    }
};

/// Both transforms, and where their buffers lie in the workspace: spectra first.
struct Transforms {
    oct::Lines lines;
    std::int64_t stride; ///< bins per line
    FftShape forward;
    FftShape inverse;
    std::size_t workAt;
    std::size_t bytes;

    explicit Transforms(const FrameSpec& input)
        : lines(oct::linesOf(input)), stride(lines.length / 2 + 1), forward{FftKind::RealToComplex,
                                                                            lines.length,
                                                                            lines.count,
                                                                            {1, lines.length},
                                                                            {1, stride}},
          inverse{
              FftKind::ComplexToReal, lines.length, lines.count, {1, stride}, {1, lines.length}} {
        const auto bins = static_cast<std::size_t>(lines.count * stride);
        workAt = aligned(bins * sizeof(Complex));
        bytes = workAt + std::max(fftWorkspaceBytes(forward), fftWorkspaceBytes(inverse));
    }
};

class DcRemovalMoving final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        StagePlan plan{.outputs = {input}};
        if (params.as<DcRemovalMovingParams>().method == DcMethod::FourierBins)
            plan.workspaceBytes = Transforms(input).bytes;
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        m_method = params.as<DcRemovalMovingParams>().method;
        m_forward.reset();
        m_inverse.reset();
        if (m_method != DcMethod::FourierBins) return;
        const Transforms transforms(input);
        m_forward = makeFft(exec.backend, transforms.forward);
        m_inverse = makeFft(exec.backend, transforms.inverse);
    }

    void update(const Exec&, const Params& params) override {
        m_window = params.as<DcRemovalMovingParams>().window;
        m_bins = params.as<DcRemovalMovingParams>().bins;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        if (m_method == DcMethod::FourierBins) {
            cutBins(exec, input, output, workspace);
        } else {
            subtractAverage(exec, input, output);
        }
    }

private:
    void cutBins(const Exec& exec, const ConstTensorView& input, const TensorView& output,
                 const Workspace& workspace) const {
        const Transforms transforms(*input.spec);
        auto* base = static_cast<std::byte*>(workspace.data);
        auto* spectra = reinterpret_cast<Complex*>(base);
        void* work = base + transforms.workAt;
        // NOTE: the forward transform does not write to its input.
        m_forward->run(exec, const_cast<void*>(input.data), spectra, work);
        forEachInLines(exec, kDcRemovalMovingId, transforms.lines.count, transforms.stride,
                       CutBins{spectra, transforms.stride, m_bins,
                               1.0F / static_cast<float>(transforms.lines.length)});
        m_inverse->run(exec, spectra, output.data, work);
    }

    void subtractAverage(const Exec& exec, const ConstTensorView& input,
                         const TensorView& output) const {
        const oct::Lines lines = oct::linesOf(*input.spec);
        const auto* in = input.as<float>();
        auto* out = output.as<float>();
        if (exec.backend == Backend::Cuda) {
            forEach(exec, kDcRemovalMovingId, lines.count * lines.length,
                    SubtractAround{in, out, lines.length, m_window});
        } else {
            forEach(exec, kDcRemovalMovingId, lines.count,
                    SubtractAlong{in, out, lines.length, m_window});
        }
    }

    DcMethod m_method = DcMethod::MovingAverage;
    std::int64_t m_window = 25;
    std::int64_t m_bins = 15;
    std::unique_ptr<Fft> m_forward;
    std::unique_ptr<Fft> m_inverse;
};

ParamTable dcRemovalMovingTable() {
    using P = DcRemovalMovingParams;
    return ParamTable::of<P>()
        .choice(&P::method,
                {{"moving_average", "Moving average"}, {"fourier_bins", "Fourier bins"}},
                {.key = "method",
                 .label = "Method",
                 .kind = ParamKind::Structural,
                 .help = "Subtracts a moving average along the spectrum, or cuts the lowest bins "
                         "of its Fourier transform."})
        .integer(&P::window,
                 {.key = "window",
                  .label = "Window",
                  .min = 3,
                  .max = 1024,
                  .step = 1,
                  .help = "Samples averaged; a short window also weakens shallow depths.",
                  .displayUnit = "samples",
                  .onlyWith = {"method", "moving_average"}})
        .integer(&P::bins,
                 {.key = "bins",
                  .label = "Bins",
                  .min = 1,
                  .max = 512,
                  .step = 1,
                  .help = "Number of lowest bins of the spectrum's Fourier transform that are cut; "
                          "about as many of the shallowest depths are lost with them.",
                  .onlyWith = {"method", "fourier_bins"}})
        .build();
}

/// Counts SubtractAround on CUDA (every sample of the window is read) and SubtractAlong on the CPU
/// (a running sum in double precision, whose additions count as two).
std::vector<model::Kernel> dcRemovalMovingWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const auto& values = stage.params.as<DcRemovalMovingParams>();
    const oct::Lines lines = oct::linesOf(input);
    if (values.method == DcMethod::FourierBins) {
        const Transforms transforms(input);
        std::vector<model::Kernel> kernels = fftWork(stage.backend, transforms.forward);
        kernels.push_back(
            forEachInLinesWork(stage.backend, kDcRemovalMovingId, lines.count * transforms.stride,
                               {.bytesRead = 8.0, .bytesWritten = 8.0, .counts = {.fmul = 2.0}}));
        const auto inverse = fftWork(stage.backend, transforms.inverse);
        kernels.insert(kernels.end(), inverse.begin(), inverse.end());
        return kernels;
    }
    const auto window = static_cast<double>(std::min(values.window, lines.length));
    if (stage.backend == Backend::Cpu) {
        return {forEachWork(stage.backend, kDcRemovalMovingId, lines.count * lines.length,
                            {.bytesRead = 4.0,
                             .bytesWritten = 4.0,
                             .counts = {.fadd = 6.0, .special = 1.0, .offsets = 10.0}})};
    }
    return {forEachWork(stage.backend, kDcRemovalMovingId, lines.count * lines.length,
                        {.bytesRead = 4.0 * window,
                         .bytesWritten = 4.0,
                         .distinctRead = 4.0,
                         .counts = {.ffma = 4.0,
                                    .fadd = 2.0 * window,
                                    .special = 1.0,
                                    .offsets = 3.0 * window + 8.0},
                         .divisions = 1.0})};
}

} // namespace

namespace stages {
const StageType& dc_removal_moving() {
    static const StageType kType{
        .id = kDcRemovalMovingId,
        .label = "DC removal",
        .help = "Removes the slowly varying part of each spectrum.",
        .work = dcRemovalMovingWork,
        .table = dcRemovalMovingTable(),
        .inputs = {orEnsembles({{DType::F32}, {AxisName::Lateral, AxisName::Sample}, true})},
        .tolerance = {1e-5, 0.0},
        .code = codeOf<DcRemovalMoving>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
