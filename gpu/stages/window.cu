// SPDX-License-Identifier: GPL-3.0-or-later
// window: y[p] = h(k) x[p]. h is one of the usual windows over the part of the spectrum that centre
// and fill choose, and 0 outside it. k is the place of sample p in wavenumber. The window's mean is
// passed on, so that inverse_fft can undo the loss of amplitude.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

namespace echolux {
namespace {

using oct::WindowParams;
using oct::WindowShape;

template <class T> struct Weigh {
    const T* in;
    const float* window;
    T* out;
    std::int64_t length;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t k) const {
        const std::int64_t i = line * length + k;
        out[i] = window[k] * in[i];
    }
};

class Window final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        StagePlan plan{.outputs = {input}};
        plan.heldBytes = static_cast<std::size_t>(oct::linesOf(input).length) * sizeof(float);
        plan.outputs[0].spectralGrid.windowMean *=
            oct::windowMean(tableOf(input, params.as<WindowParams>()), oct::positionsOf(input));
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params&) override {
        m_input = input;
        m_lines = oct::linesOf(input);
        m_table.allocate(exec, static_cast<std::size_t>(m_lines.length));
    }

    void follow(const Exec&, const FrameSpec& input) override { m_input = input; }

    void update(const Exec& exec, const Params& params) override {
        m_table.set(exec, tableOf(m_input, params.as<WindowParams>()));
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        if (isComplex(input.spec->dtype)) {
            weigh(exec, input.as<Complex>(), output.as<Complex>());
        } else {
            weigh(exec, input.as<float>(), output.as<float>());
        }
    }

private:
    static std::vector<float> tableOf(const FrameSpec& input, const WindowParams& params) {
        return oct::windowTable(oct::positionsOf(input), oct::linesOf(input).length, params);
    }

    template <class T> void weigh(const Exec& exec, const T* in, T* out) const {
        forEachInLines(exec, "window", m_lines.count, m_lines.length,
                       Weigh<T>{in, m_table.data(), out, m_lines.length});
    }

    FrameSpec m_input;
    oct::Lines m_lines;
    ComputeTable<float> m_table;
};

ParamTable windowTable() {
    using P = WindowParams;
    return ParamTable::of<P>()
        .choice(&P::shape,
                {{"hann", "Hann"},
                 {"hamming", "Hamming"},
                 {"tukey", "Tukey"},
                 {"gauss", "Gauss"},
                 {"blackman", "Blackman"},
                 {"rectangular", "Rectangular"}},
                {.key = "shape",
                 .label = "Shape",
                 .help = "Smoother windows have lower side lobes but broader peaks."})
        .real(&P::centre, {.key = "centre",
                           .label = "Centre",
                           .min = 0.0,
                           .max = 1.0,
                           .step = 0.01,
                           .help = "Middle of the window, as a fraction of the spectrum."})
        .real(&P::fill, {.key = "fill",
                         .label = "Fill",
                         .min = 0.05,
                         .max = 2.0,
                         .step = 0.01,
                         .help = "Width of the window, as a fraction of the spectrum."})
        .real(&P::tukeyTaper, {.key = "taper",
                               .label = "Taper",
                               .min = 0.0,
                               .max = 1.0,
                               .step = 0.05,
                               .help = "Fraction of the window that rises and falls.",
                               .onlyWith = {"shape", "tukey"}})
        .real(&P::gaussSigma, {.key = "sigma",
                               .label = "Sigma",
                               .min = 0.05,
                               .max = 1.0,
                               .step = 0.01,
                               .help = "Standard deviation, as a fraction of the width.",
                               .onlyWith = {"shape", "gauss"}})
        .build();
}

/// Over wavenumber, wherever the samples lie.
std::vector<StageCurve> windowCurve(const ShownStage& stage) {
    const std::int64_t samples = oct::linesOf(stage.input).length;
    const std::vector<float> window = oct::windowTable(oct::evenPositions(samples, samples),
                                                       samples, stage.params.as<WindowParams>());
    StageCurve curve = oct::lineCurve({window.begin(), window.end()}, 1.0, "weight");
    curve.yMax = 1.3;
    return {curve};
}

/// Counts Weigh: a product per real number.
std::vector<model::Kernel> windowWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const double bytes = bytesPerSample(input);
    return {forEachInLinesWork(stage.backend, "window", input.count(),
                               {.bytesRead = bytes + 4.0,
                                .bytesWritten = bytes,
                                .distinctRead = bytes,
                                .counts = {.fmul = bytes / 4.0}})};
}

} // namespace

namespace stages {
const StageType& window() {
    static const StageType kType{
        .id = "window",
        .label = "Window",
        .help = "Fades the spectrum out towards its ends, which lowers side lobes.",
        .work = windowWork,
        .table = windowTable(),
        .inputs = {orEnsembles(
            {{DType::F32, DType::ComplexF32}, {AxisName::Lateral, AxisName::Sample}, true})},
        .tolerance = {1e-6, 0.0},
        .shown = {.curves = windowCurve},
        .code = codeOf<Window>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
