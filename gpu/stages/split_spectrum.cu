// SPDX-License-Identifier: GPL-3.0-or-later
// split_spectrum: each frame of an ensemble as M bands of its spectrum show it, for angiography
// with less noise and less sensitivity to motion along the beam (SSADA; Jia et al., Split-spectrum
// amplitude-decorrelation angiography with optical coherence tomography, Opt. Express 20, 2012).
//   y[f M + b][p] = g_b(k) x[f][p],  g_b(k) = a_b exp(-4 ln 2 ((k / (n - 1) - c_b) / w)^2)
// Band b has its middle at c_b = (b + 1/2) / M of the spectrum and is w = width / M wide at half
// maximum. k is the place of sample p in wavenumber. a_b makes the mean of each band over
// wavenumber 1, so that inverse_fft keeps amplitudes. Bands resolve about M / width times less in
// depth.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/oct/oct_tables.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr const char* kSplitSpectrumId = "split_spectrum";

struct SplitSpectrumParams {
    std::int64_t bands = 4;
    double width = 1.0;
};

template <class T> struct SplitLine {
    const T* in;
    const float* weights; ///< [band][sample]
    T* out;
    std::int64_t bands;
    std::int64_t lines; ///< of a frame
    std::int64_t length;

    /// `row` counts the lines of the output, [frame][band][lateral].
    ECHOLUX_HD void operator()(std::int64_t row, std::int64_t p) const {
        const std::int64_t frame = row / (bands * lines);
        const std::int64_t band = row / lines % bands;
        const std::int64_t line = frame * lines + row % lines;
        out[row * length + p] = weights[band * length + p] * in[line * length + p];
    }
};

/// [band][sample]
std::vector<float> bandWeights(const FrameSpec& input, const SplitSpectrumParams& params) {
    const std::vector<double> positions = oct::positionsOf(input);
    const auto samples = static_cast<double>(oct::linesOf(input).length);
    const double last = std::max(samples - 1.0, 1.0);
    const auto count = static_cast<double>(params.bands);
    std::vector<float> all;
    for (std::int64_t band = 0; band < params.bands; ++band) {
        const double centre = (static_cast<double>(band) + 0.5) / count;
        std::vector<float> weights;
        for (const double k : positions) {
            const double widths = (k / last - centre) * count / params.width;
            weights.push_back(
                static_cast<float>(std::exp(-4.0 * std::numbers::ln2 * widths * widths)));
        }
        const double mean = oct::windowMean(weights, positions);
        for (const float weight : weights)
            all.push_back(mean > 0.0 ? static_cast<float>(weight / mean) : 0.0F);
    }
    return all;
}

class SplitSpectrum final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const std::int64_t bands = params.as<SplitSpectrumParams>().bands;
        const std::int64_t frames = input.axes.front().size;
        if (frames * bands > kMostEnsembleFrames)
            throw Error(fmt::format("Stage '{}': parameter 'bands' is {}, but {} frames in so many "
                                    "bands are more than {}; choose fewer bands, or lower "
                                    "'ensemble'.",
                                    kSplitSpectrumId, bands, frames, kMostEnsembleFrames));
        StagePlan plan{.outputs = {input}};
        plan.outputs[0].axes.front().size = frames * bands;
        plan.outputs[0].bands = bands;
        plan.heldBytes =
            static_cast<std::size_t>(bands * oct::linesOf(input).length) * sizeof(float);
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan& plan,
                 const Params&) override {
        m_input = input;
        m_weights.allocate(exec, plan.heldBytes / sizeof(float));
    }

    void follow(const Exec&, const FrameSpec& input) override { m_input = input; }

    void update(const Exec& exec, const Params& params) override {
        m_values = params.as<SplitSpectrumParams>();
        m_weights.set(exec, bandWeights(m_input, m_values));
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        if (isComplex(input.spec->dtype)) {
            split(exec, input.as<Complex>(), output.as<Complex>(), *output.spec);
        } else {
            split(exec, input.as<float>(), output.as<float>(), *output.spec);
        }
    }

private:
    template <class T>
    void split(const Exec& exec, const T* in, T* out, const FrameSpec& output) const {
        const oct::Lines all = oct::linesOf(output);
        forEachInLines(exec, kSplitSpectrumId, all.count, all.length,
                       SplitLine<T>{in, m_weights.data(), out, m_values.bands,
                                    all.count / output.axes.front().size, all.length});
    }

    FrameSpec m_input;
    SplitSpectrumParams m_values;
    ComputeTable<float> m_weights;
};

/// Counts SplitLine: a sample, read by every band, times a weight. Three divisions find frame, band
/// and line, which the CPU makes once per line.
std::vector<model::Kernel> splitSpectrumWork(const PlannedStage& stage) {
    const double bytes = bytesPerSample(stage.inputs[0]);
    const auto bands = static_cast<double>(stage.params.as<SplitSpectrumParams>().bands);
    return {forEachInLinesWork(stage.backend, kSplitSpectrumId, stage.plan.outputs[0].count(),
                               {.bytesRead = bytes + 4.0,
                                .bytesWritten = bytes,
                                .distinctRead = bytes / bands,
                                .counts = {.fmul = bytes / 4.0},
                                .divisions = stage.backend == Backend::Cuda ? 3.0 : 0.0})};
}

} // namespace

namespace stages {
const StageType& split_spectrum() {
    static const StageType kType{
        .id = kSplitSpectrumId,
        .label = "Split spectrum",
        .help = "Splits each spectrum of an ensemble into bands, for angiography with less noise.",
        .work = splitSpectrumWork,
        .table = ParamTable::of<SplitSpectrumParams>()
                     .integer(&SplitSpectrumParams::bands,
                              {.key = "bands",
                               .label = "Bands",
                               .min = 2,
                               .max = 16,
                               .step = 1,
                               .kind = ParamKind::Structural,
                               .help = "Number of bands. More bands calm noise and resolve less "
                                       "in depth."})
                     .real(&SplitSpectrumParams::width,
                           {.key = "width",
                            .label = "Width",
                            .min = 0.25,
                            .max = 4.0,
                            .step = 0.05,
                            .help = "Width of a band at half maximum, divided by the distance of "
                                    "neighbouring bands."})
                     .build(),
        .inputs = {{.dtypes = {DType::F32, DType::ComplexF32},
                    .axes = {AxisName::Frame, AxisName::Lateral, AxisName::Sample}}},
        .bypassable = false,
        .tolerance = {1e-6, 0.0},
        .code = codeOf<SplitSpectrum>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
