// SPDX-License-Identifier: GPL-3.0-or-later
// inverse_fft: spectra to depth, X[z] = s(z) sum_g y[g] exp(+2 pi j g z / L) over lines padded with
// zeros to L = padding * M. Lines that k_linearize left as recorded (FrameSpec::spectralGrid) are
// gridded first, y[g] = sum_t w[t][g] x[first[g] + t]; for others y = x. s undoes the number of
// points, the window's mean and the taper of the gridding kernel, so that a fringe of amplitude A,
// in the input's unit, gives |X| = A. The output has the n * padding / 2 bins from zero delay on,
// or all n * padding bins with zero delay in the middle.
#include "gpu/core/complex.hpp"
#include "gpu/core/multiply_add.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/fft/fft_work.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace echolux {
namespace {

using oct::InverseFftParams;
using Range = oct::DepthRange;

constexpr const char* kInverseFftId = "inverse_fft";

std::int64_t paddingOf(const InverseFftParams& values) {
    return std::int64_t{1} << static_cast<int>(values.padding);
}

template <class T> struct PadLine {
    const T* in;
    T* out;
    std::int64_t length;
    std::int64_t padded;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t k) const {
        out[line * padded + k] = k < length ? in[line * length + k] : T{};
    }
};

/// Brings a line onto the grid and adds zeros behind it.
template <class T> struct GridLine {
    const T* in;
    T* out;
    const std::int32_t* first;
    const float* weights;
    std::int64_t length;
    std::int64_t points;
    std::int64_t taps;
    std::int64_t padded;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t g) const {
        T sum{};
        if (g < points) {
            const T* x = in + line * length + first[g];
            for (std::int64_t t = 0; t < taps; ++t)
                sum = multiplyAdd(weights[t * points + g], x[t], sum);
        }
        out[line * padded + g] = sum;
    }
};

/// Picks the bins of the output. For real spectra there is the first half of the forward transform;
/// the inverse transform is its conjugate.
struct PickDepths {
    const Complex* bins;
    const float* scale;
    Complex* out;
    std::int64_t stride; ///< bins per line: L, or L / 2 + 1 of real spectra
    oct::DepthGrid grid;
    float factor; ///< 1 / mean of the window
    bool real;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t d) const {
        const std::int64_t z = grid.firstBin + d;
        const Complex* from = bins + line * stride;
        Complex value;
        if (real) {
            value = z < 0 ? from[-z] : conj(from[z]);
        } else {
            value = from[z < 0 ? z + grid.transform : z];
        }
        out[line * grid.depths + d] = (factor * scale[d]) * value;
    }
};

/// The shapes of the transform, and where the buffers lie in the workspace.
struct TransformLayout {
    oct::Lines lines;
    oct::DepthGrid grid;
    bool real;
    std::int64_t stride;
    FftShape shape;
    bool gridded;
    std::size_t binsAt = 0; ///< behind the lines of the transform, where these are not the input's
    std::size_t workAt = 0;
    std::size_t bytes = 0;

    TransformLayout(const FrameSpec& input, const InverseFftParams& values)
        : lines(oct::linesOf(input)),
          grid(oct::depthGrid(lines, paddingOf(values), values.range == Range::Full)),
          real(!isComplex(input.dtype)), stride(real ? grid.transform / 2 + 1 : grid.transform),
          shape{real ? FftKind::RealToComplex : FftKind::ComplexInverse,
                grid.transform,
                lines.count,
                {1, grid.transform},
                {1, stride}},
          gridded(input.spectralGrid.points > 0) {
        const auto count = static_cast<std::size_t>(lines.count);
        if (isStaged()) binsAt = aligned(bytesOf(input.dtype, count * size(grid.transform)));
        workAt = binsAt + aligned(count * size(stride) * sizeof(Complex));
        bytes = workAt + fftWorkspaceBytes(shape);
    }
    bool isStaged() const { return gridded || grid.transform != lines.length; }

private:
    static std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }
};

class InverseFft final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<InverseFftParams>();
        if (oct::linesOf(input).length < 2) {
            throw Error("Stage 'inverse_fft': spectra of a single sample have no depth; open the "
                        "recording with its true number of samples per line.");
        }
        checkLight(values);
        const TransformLayout layout(input, values);
        StagePlan plan{.outputs = {input}, .workspaceBytes = layout.bytes};
        const std::int64_t gathered = input.spectralGrid.points * (1 + input.spectralGrid.mostTaps);
        plan.heldBytes = static_cast<std::size_t>(layout.grid.depths + gathered) * sizeof(float);
        plan.outputs[0].dtype = DType::ComplexF32;
        plan.outputs[0].spectralGrid = {};
        plan.outputs[0].axes.back() = depthAxis(layout, values);
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        m_layout = std::make_unique<TransformLayout>(input, params.as<InverseFftParams>());
        m_fft = makeFft(exec.backend, m_layout->shape);
        m_scale.allocate(exec, static_cast<std::size_t>(m_layout->grid.depths));
        m_scale.set(exec, oct::depthScale(m_layout->lines, input.spectralGrid, m_layout->grid));
        if (!m_layout->gridded) return;
        const SpectralGrid& grid = input.spectralGrid;
        m_first.allocate(exec, static_cast<std::size_t>(grid.points));
        m_weights.allocate(exec, static_cast<std::size_t>(grid.points * grid.mostTaps));
        follow(exec, input);
    }

    void follow(const Exec& exec, const FrameSpec& input) override {
        if (!m_layout->gridded) return;
        oct::GatherTable table = oct::griddingTable(input);
        m_taps = table.taps;
        m_first.set(exec, std::move(table.first));
        m_weights.set(exec, std::move(table.weights));
    }

    void update(const Exec&, const Params&) override {}

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        auto* base = static_cast<std::byte*>(workspace.data);
        auto* bins = reinterpret_cast<Complex*>(base + m_layout->binsAt);
        // NOTE: neither transform used here writes to its input.
        void* lines = const_cast<void*>(input.data);
        if (m_layout->isStaged()) {
            if (m_layout->real) {
                stage(exec, input.as<float>(), reinterpret_cast<float*>(base));
            } else {
                stage(exec, input.as<Complex>(), reinterpret_cast<Complex*>(base));
            }
            lines = base;
        }
        m_fft->run(exec, lines, bins, base + m_layout->workAt);
        // A live edit of an earlier stage changes the window's mean, so it comes with each frame.
        const float factor = oct::windowGain(*input.spec);
        forEachInLines(exec, kInverseFftId, m_layout->lines.count, m_layout->grid.depths,
                       PickDepths{bins, m_scale.data(), output.as<Complex>(), m_layout->stride,
                                  m_layout->grid, factor, m_layout->real});
    }

private:
    /// Writes the lines of the transform.
    template <class T> void stage(const Exec& exec, const T* in, T* out) const {
        const oct::Lines& lines = m_layout->lines;
        const std::int64_t padded = m_layout->grid.transform;
        if (m_layout->gridded) {
            forEachInLines(exec, kInverseFftId, lines.count, padded,
                           GridLine<T>{in, out, m_first.data(), m_weights.data(), lines.length,
                                       lines.grid, m_taps, padded});
        } else {
            forEachInLines(exec, kInverseFftId, lines.count, padded,
                           PadLine<T>{in, out, lines.length, padded});
        }
    }

    static void checkLight(const InverseFftParams& values) {
        if (values.centreWavelengthM <= 0.0 || values.bandwidthM < 2.0 * values.centreWavelengthM)
            return;
        throw Error(fmt::format(
            "Stage 'inverse_fft': a bandwidth of {:g} nm about a centre wavelength of {:g} nm "
            "reaches down to no wavelength at all; set bandwidth below twice centre_wavelength, or "
            "either to 0 to count depth in bins.",
            values.bandwidthM * 1e9, values.centreWavelengthM * 1e9));
    }

    static Axis depthAxis(const TransformLayout& layout, const InverseFftParams& values) {
        const double spacingM = oct::depthSpacingM(layout.lines.length, values.centreWavelengthM,
                                                   values.bandwidthM, values.refractiveIndex);
        Axis axis{AxisName::Depth, layout.grid.depths, 1.0, 0.0, ""};
        axis.spacing = (spacingM > 0.0 ? spacingM : 1.0) / static_cast<double>(paddingOf(values));
        axis.origin = axis.spacing * static_cast<double>(layout.grid.firstBin);
        if (spacingM > 0.0) axis.unit = "m";
        return axis;
    }

    std::unique_ptr<TransformLayout> m_layout;
    std::unique_ptr<Fft> m_fft;
    ComputeTable<float> m_scale;
    ComputeTable<std::int32_t> m_first; ///< of gridding
    ComputeTable<float> m_weights;
    std::int64_t m_taps = 0;
};

Params inverseFftDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    if (input.spectrometer == nullptr) return params;
    const auto take = [&](const char* key, double known, double& value) {
        const ParamRow& row = *type.table.find(key);
        if (known >= row.min && known <= row.max) value = known;
    };
    auto& values = params.as<InverseFftParams>();
    take("centre_wavelength", input.spectrometer->centreWavelengthM, values.centreWavelengthM);
    take("bandwidth", input.spectrometer->bandwidthM, values.bandwidthM);
    take("refractive_index", input.spectrometer->refractiveIndex, values.refractiveIndex);
    return params;
}

ParamRow wavelength(const char* key, const char* label, double mostM, const char* help) {
    return {.key = key,
            .label = label,
            .unit = "m",
            .min = 0.0,
            .max = mostM,
            .step = 1e-9,
            .kind = ParamKind::Structural,
            .help = help,
            .displayUnit = "nm",
            .displayFactor = 1e9};
}

ParamTable inverseFftTable() {
    using P = InverseFftParams;
    return ParamTable::of<P>()
        .choice(&P::padding, {{"none", "1x"}, {"twice", "2x"}, {"four_times", "4x"}},
                {.key = "padding",
                 .label = "Zero padding",
                 .kind = ParamKind::Structural,
                 .help = "Finer steps in depth, without more resolution."})
        .choice(&P::range, {{"half", "Half"}, {"full", "Full, zero delay in the middle"}},
                {.key = "range",
                 .label = "Depth range",
                 .kind = ParamKind::Structural,
                 .help = "Half: the depths on one side of zero delay. Full: those on both sides."})
        .real(&P::centreWavelengthM,
              wavelength("centre_wavelength", "Centre wavelength", 3e-6,
                         "In vacuum; 0 where unknown, and depth is counted in bins."))
        .real(&P::bandwidthM, wavelength("bandwidth", "Bandwidth", 1e-6,
                                         "Wavelengths from the first to the last sample; 0 where "
                                         "unknown."))
        .real(
            &P::refractiveIndex,
            {.key = "refractive_index",
             .label = "Refractive index",
             .min = 1.0,
             .max = 4.0,
             .step = 0.01,
             .kind = ParamKind::Structural,
             .help = "Refractive index of the sample, for its depth scale; tissue has about 1.38."})
        .build();
}

/// Counts GridLine (an FFMA, a sample and a weight per tap and real number) or PadLine, the
/// transform, and PickDepths.
std::vector<model::Kernel> inverseFftWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const TransformLayout layout(input, stage.params.as<InverseFftParams>());
    const std::int64_t points = layout.lines.count * layout.grid.transform;
    const double bytes = bytesPerSample(input);
    std::vector<model::Kernel> kernels;
    if (layout.gridded) {
        const auto taps = static_cast<double>(input.spectralGrid.mostTaps);
        kernels.push_back(forEachInLinesWork(
            stage.backend, kInverseFftId, points,
            {.bytesRead = 4.0 + (bytes + 4.0) * taps,
             .bytesWritten = bytes,
             .distinctRead = static_cast<double>(input.bytes()) / static_cast<double>(points),
             .counts = {.ffma = taps * bytes / 4.0, .offsets = 5.0 * taps}}));
    } else if (layout.isStaged()) {
        kernels.push_back(forEachInLinesWork(stage.backend, kInverseFftId, points,
                                             {.bytesRead = bytes, .bytesWritten = bytes}));
    }
    const auto transform = fftWork(stage.backend, layout.shape);
    kernels.insert(kernels.end(), transform.begin(), transform.end());
    kernels.push_back(forEachInLinesWork(stage.backend, kInverseFftId,
                                         layout.lines.count * layout.grid.depths,
                                         {.bytesRead = 12.0,
                                          .bytesWritten = 8.0,
                                          .distinctRead = 8.0,
                                          .counts = {.fmul = 3.0, .offsets = 6.0}}));
    return kernels;
}

} // namespace

namespace stages {
const StageType& inverse_fft() {
    static const StageType kType{
        .id = kInverseFftId,
        .label = "Inverse FFT",
        .help = "Turns spectra into depth.",
        .work = inverseFftWork,
        .table = inverseFftTable(),
        .inputs = {orBands(
            {{DType::F32, DType::ComplexF32}, {AxisName::Lateral, AxisName::Sample}, true})},
        .bypassable = false,
        .tolerance = {1e-5, 1e-6},
        .form = RecordedForm::Beamformed,
        .defaults = inverseFftDefaults,
        .code = codeOf<InverseFft>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
