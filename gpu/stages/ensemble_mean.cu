// SPDX-License-Identifier: GPL-3.0-or-later
// ensemble_mean: the mean over the F >= 1 frames of an ensemble, in the samples' own unit,
//   y[...] = (1/F) sum_f x[f][...], or (1/F) sum_f |x[f][...]|
// of samples or of their magnitudes. The mean of samples leaves 1 / sqrt(F) of noise that differs
// from frame to frame.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/function_work.hpp"
#include "gpu/stage/stage.hpp"

#include <cmath>

namespace echolux {
namespace {

constexpr const char* kEnsembleMeanId = "ensemble_mean";

enum class MeanOf { Samples, Magnitudes };

struct EnsembleMeanParams {
    MeanOf of = MeanOf::Samples;
};

/// The sum is a double, so that 256 frames lose no precision.
struct RealMean {
    const float* in;
    float* out;
    std::int64_t frames;
    std::int64_t each; ///< samples of one frame
    bool magnitudes;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        double sum = 0.0;
        for (std::int64_t f = 0; f < frames; ++f) {
            const float x = in[f * each + i];
            sum += magnitudes ? fabsf(x) : x;
        }
        out[i] = static_cast<float>(sum / static_cast<double>(frames));
    }
};

struct ComplexMean {
    const Complex* in;
    Complex* out;
    std::int64_t frames;
    std::int64_t each;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        double re = 0.0;
        double im = 0.0;
        for (std::int64_t f = 0; f < frames; ++f) {
            re += in[f * each + i].re;
            im += in[f * each + i].im;
        }
        const auto count = static_cast<double>(frames);
        out[i] = {static_cast<float>(re / count), static_cast<float>(im / count)};
    }
};

struct ComplexMagnitudeMean {
    const Complex* in;
    float* out;
    std::int64_t frames;
    std::int64_t each;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        double sum = 0.0;
        for (std::int64_t f = 0; f < frames; ++f) sum += sqrtf(norm(in[f * each + i]));
        out[i] = static_cast<float>(sum / static_cast<double>(frames));
    }
};

class EnsembleMean final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        FrameSpec output = oneFrameOf(input);
        if (params.as<EnsembleMeanParams>().of == MeanOf::Samples) return {.outputs = {output}};
        output.dtype = DType::F32;
        output.demodulationFrequencyHz = 0.0;
        return {.outputs = {output}};
    }

    void update(const Exec&, const Params& params) override {
        m_magnitudes = params.as<EnsembleMeanParams>().of == MeanOf::Magnitudes;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const std::int64_t frames = input.spec->axes.front().size;
        const std::int64_t each = output.spec->count();
        if (!isComplex(input.spec->dtype)) {
            forEach(exec, kEnsembleMeanId, each,
                    RealMean{input.as<float>(), output.as<float>(), frames, each, m_magnitudes});
        } else if (m_magnitudes) {
            forEach(exec, kEnsembleMeanId, each,
                    ComplexMagnitudeMean{input.as<Complex>(), output.as<float>(), frames, each});
        } else {
            forEach(exec, kEnsembleMeanId, each,
                    ComplexMean{input.as<Complex>(), output.as<Complex>(), frames, each});
        }
    }

private:
    bool m_magnitudes = false;
};

/// Counts RealMean, ComplexMean and ComplexMagnitudeMean. NOTE: sums are of doubles, which the
/// model knows no rate of; each counts as a float. Cards for games take longer.
std::vector<model::Kernel> ensembleMeanWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const FrameSpec& output = stage.plan.outputs[0];
    const Backend backend = stage.backend;
    const auto frames = static_cast<double>(input.axes.front().size);
    const double bytes = bytesPerSample(input);
    const bool complex = isComplex(input.dtype);
    const bool roots = complex && !isComplex(output.dtype);
    const double sums = complex && !roots ? 2.0 : 1.0;
    // Load, address, loop and conversions; the CPU loads as it converts.
    const bool cuda = backend == Backend::Cuda;
    model::Part frame{.fadd = sums, .offsets = (cuda ? 4.0 : 3.0) + sums};
    if (roots) {
        frame.ffma += 1.0;
        frame.fmul += 1.0;
    }
    frame = oneByOne(backend, frame);
    if (roots) frame = addedUp({frame, rootWork(backend)});
    // A division of doubles has about three times the steps of one of floats; the CPU has an
    // instruction for it.
    const model::Part mean = divisionWork(backend).times(cuda ? 3.0 * sums : sums);
    return {forEachWork(backend, kEnsembleMeanId, output.count(),
                        {.bytesRead = bytes * frames,
                         .bytesWritten = bytesPerSample(output),
                         .counts = addedUp({frame.times(frames), mean})})};
}

} // namespace

namespace stages {
const StageType& ensemble_mean() {
    static const StageType kType{
        .id = kEnsembleMeanId,
        .label = "Ensemble mean",
        .help = "Averages the frames of an ensemble to calm noise.",
        .work = ensembleMeanWork,
        .table = ParamTable::of<EnsembleMeanParams>()
                     .choice(&EnsembleMeanParams::of,
                             {{"samples", "Samples"}, {"magnitudes", "Magnitudes"}},
                             {.key = "of",
                              .label = "Mean of",
                              .kind = ParamKind::Structural,
                              .help = "Samples: coherent mean, with sign or phase; moving parts "
                                      "fade. Magnitudes: mean of the magnitudes."})
                     .build(),
        .inputs = {{.dtypes = {DType::F32, DType::ComplexF32},
                    .axes = {AxisName::Frame, AxisName::Transmit, AxisName::Channel,
                             AxisName::Sample},
                    .otherAxes = {{AxisName::Frame, AxisName::Depth, AxisName::Lateral},
                                  {AxisName::Frame, AxisName::Lateral, AxisName::Depth},
                                  {AxisName::Frame, AxisName::Elevation, AxisName::Depth,
                                   AxisName::Lateral}}}},
        .bypassable = false,
        .tolerance = {1e-6, 0.0},
        .code = codeOf<EnsembleMean>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
