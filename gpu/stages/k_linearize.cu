// SPDX-License-Identifier: GPL-3.0-or-later
// k_linearize: brings spectra from the spectrometer's own sampling to equal steps in wavenumber.
// Linear, Catmull-Rom cubic and Lanczos interpolation: y[m] = sum_t w[t][m] x[first[m] + t], the
// weights from the curve. With NUFFT gridding the samples stay as they are, and the stage only
// states where they lie. Window and dispersion act on them there. Then inverse_fft brings them to a
// grid of M = oversampling * n points, so that its transform is the sum over the samples themselves
// (oct_tables.hpp has the formulas).
#include "gpu/core/multiply_add.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/oct/oct_limits.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using oct::KLinearizeParams;
using Curve = oct::ResamplingCurve;

constexpr const char* kKLinearizeId = "k_linearize";
constexpr const char* kOwner = "Stage 'k_linearize'";

struct Gather {
    const float* in;
    float* out;
    const std::int32_t* first;
    const float* weights;
    std::int64_t samples;
    std::int64_t taps;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t m) const {
        const float* x = in + line * samples + first[m];
        float sum = 0.0F;
        for (std::int64_t t = 0; t < taps; ++t)
            sum = multiplyAdd(weights[t * samples + m], x[t], sum);
        out[line * samples + m] = sum;
    }
};

class KLinearize final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<KLinearizeParams>();
        const oct::Lines lines = oct::linesOf(input);
        check(input, lines, values);
        StagePlan plan{.outputs = {input}};
        plan.outputs[0].spectralGrid.isLinear = true;
        if (values.method == oct::ResamplingMethod::Nufft) {
            plan.outputs[0].spectralGrid = oct::spectralGridOf(input, values);
            return plan;
        }
        const std::int64_t perSample = 1 + oct::mostTaps(plan.outputs[0], values);
        plan.heldBytes = static_cast<std::size_t>(lines.length * perSample) * sizeof(float);
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan& plan,
                 const Params& params) override {
        const auto& values = params.as<KLinearizeParams>();
        m_input = input;
        m_isGridded = values.method == oct::ResamplingMethod::Nufft;
        if (m_isGridded) return;
        const std::int64_t samples = oct::linesOf(input).length;
        const std::int64_t taps = oct::mostTaps(plan.outputs[0], values);
        m_first.allocate(exec, static_cast<std::size_t>(samples));
        m_weights.allocate(exec, static_cast<std::size_t>(samples * taps));
    }

    void update(const Exec& exec, const Params& params) override {
        if (m_isGridded) return;
        oct::GatherTable table = oct::gatherTable(m_input, m_input, params.as<KLinearizeParams>());
        m_taps = table.taps;
        m_first.set(exec, std::move(table.first));
        m_weights.set(exec, std::move(table.weights));
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        if (m_isGridded) return copyWithin(exec, output.data, input.data, input.spec->bytes());
        const oct::Lines lines = oct::linesOf(*input.spec);
        forEachInLines(exec, kKLinearizeId, lines.count, lines.length,
                       Gather{input.as<float>(), output.as<float>(), m_first.data(),
                              m_weights.data(), lines.length, m_taps});
    }

private:
    static void check(const FrameSpec& input, const oct::Lines& lines,
                      const KLinearizeParams& values) {
        if (input.spectralGrid.isLinear) {
            throw Error("Stage 'k_linearize': the spectra have been resampled already; take the "
                        "second k_linearize out.");
        }
        if (lines.length < 2) {
            throw Error("Stage 'k_linearize': spectra of a single sample cannot be resampled; open "
                        "the recording with its true number of samples per line.");
        }
        if (values.curve != Curve::Recording) return;
        if (input.spectrometer == nullptr || input.spectrometer->resampling.empty()) {
            throw Error("Stage 'k_linearize': the recording has no resampling curve; load a "
                        "calibration, or choose curve = polynomial.");
        }
        oct::checkCurve(kOwner, input.spectrometer->resampling, lines.length);
    }

    FrameSpec m_input;
    bool m_isGridded = false;
    std::int64_t m_taps = 0;
    ComputeTable<std::int32_t> m_first;
    ComputeTable<float> m_weights;
};

Params kLinearizeDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    if (input.spectrometer != nullptr && !input.spectrometer->resampling.empty())
        params.as<KLinearizeParams>().curve = Curve::Recording;
    return params;
}

constexpr std::array kCoefficients{"c0", "c1", "c2", "c3"};

/// The grid of NUFFT gridding, with the range of oversampling values that give the same grid.
std::string gridLabel(const ParamTable& table, std::int64_t samples, double oversampling) {
    const ParamRow& row = *table.find("oversampling");
    const std::int64_t points = oct::gridPoints(samples, oversampling);
    double lowest = oversampling;
    double highest = oversampling;
    for (double other = row.min; other <= row.max; other += row.step) {
        if (oct::gridPoints(samples, other) != points) continue;
        lowest = std::min(lowest, other);
        highest = std::max(highest, other);
    }
    return fmt::format("sample; grid of {} ({:g}{}\xC3\x97)", points, lowest,
                       highest > lowest ? fmt::format(" to {:g}", highest) : "");
}

std::vector<StageCurve> resamplingCurves(const ShownStage& stage) {
    const auto& params = stage.params.as<KLinearizeParams>();
    std::vector<double> positions;
    if (params.curve == Curve::Polynomial || stage.input.spectrometer)
        positions = oct::resamplingCurve(stage.input, params);
    for (std::size_t m = 0; m < positions.size(); ++m) positions[m] -= static_cast<double>(m);
    StageCurve curve = oct::curveAroundZero(positions, "samples from linear");
    if (params.method == oct::ResamplingMethod::Nufft)
        curve.xLabel =
            gridLabel(stage.params.table(), oct::linesOf(stage.input).length, params.oversampling);
    return {curve};
}

/// The coefficients move samples by up to half of a line of the length that they are given for.
std::vector<SliderSpan> coefficientSpans(const ShownStage& stage) {
    const std::int64_t own = oct::linesOf(stage.input).length;
    const std::int64_t given = stage.params.as<KLinearizeParams>().lineLength;
    const double half = 0.5 * static_cast<double>(given > 0 ? given : own);
    std::vector<SliderSpan> spans{{"line_length", 0.0, 4.0 * static_cast<double>(own)}};
    for (const char* key : kCoefficients) spans.push_back({key, -half, half, true});
    return spans;
}

/// A coefficient states the length of the lines that it was set for, so that a preset gives the
/// same curve on lines of another length.
std::vector<CompanionValue> lengthWithCoefficient(const ShownStage& stage, std::string_view key) {
    if (std::ranges::find(kCoefficients, key) == kCoefficients.end() ||
        stage.params.as<KLinearizeParams>().lineLength != 0)
        return {};
    return {{"line_length", oct::linesOf(stage.input).length}};
}

ParamRow coefficient(const char* key, const char* label, const char* help) {
    constexpr double kMost = 0.5 * oct::kLongestLine;
    return {.key = key,
            .label = label,
            .min = -kMost,
            .max = kMost,
            .step = 0.1,
            .help = help,
            .displayUnit = "samples",
            .onlyWith = {"curve", "polynomial"}};
}

ParamTable kLinearizeTable() {
    using P = KLinearizeParams;
    return ParamTable::of<P>()
        .choice(&P::method,
                {{"nufft", "NUFFT gridding"},
                 {"linear", "Linear"},
                 {"cubic", "Cubic"},
                 {"lanczos", "Lanczos"}},
                {.key = "method",
                 .label = "Method",
                 .kind = ParamKind::Structural,
                 .help = "Gridding is the most exact; linear weakens deep layers."})
        .integer(&P::kernelWidth, {.key = "kernel_width",
                                   .label = "Kernel width",
                                   .min = 2,
                                   .max = 8,
                                   .step = 1,
                                   .kind = ParamKind::Structural,
                                   .help = "Grid points that one sample is spread over.",
                                   .displayUnit = "points",
                                   .onlyWith = {"method", "nufft"}})
        .real(&P::oversampling,
              {.key = "oversampling",
               .label = "Oversampling",
               .min = 1.0,
               .max = 2.0,
               .step = 0.125,
               .kind = ParamKind::Structural,
               .help = "Grid points per sample: more keep deep layers exact, fewer are faster. The "
                       "grid is rounded up to a length with a fast FFT, so neighbouring values may "
                       "give the same grid; the axis below the curve shows its length.",
               .onlyWith = {"method", "nufft"}})
        .integer(&P::lobes, {.key = "lobes",
                             .label = "Lobes",
                             .min = 3,
                             .max = 4,
                             .step = 1,
                             .kind = ParamKind::Structural,
                             .help = "Lobes of the Lanczos kernel on either side.",
                             .onlyWith = {"method", "lanczos"}})
        .choice(&P::curve, {{"recording", "From the recording"}, {"polynomial", "Polynomial"}},
                {.key = "curve",
                 .label = "Curve",
                 .kind = ParamKind::Structural,
                 .help = "Where the samples lie in wavenumber: as calibrated, or by the sliders."})
        .real(&P::c0, coefficient("c0", "c0", "Shift of the whole curve."))
        .real(&P::c1,
              coefficient("c1", "c1", "Stretch of the curve; 0 leaves its length as it is."))
        .real(&P::c2, coefficient("c2", "c2", "Quadratic bend of the curve."))
        .real(&P::c3, coefficient("c3", "c3", "Cubic bend of the curve."))
        .integer(&P::lineLength,
                 {.key = "line_length",
                  .label = "Line length",
                  .min = 0,
                  .max = oct::kLongestLine,
                  .step = 1,
                  .help = "Length of the lines that c0 to c3 are given for. On longer or shorter "
                          "lines they grow or shrink with the length, so that the curve keeps its "
                          "shape. 0: c0 to c3 are taken as they are.",
                  .displayUnit = "samples",
                  .onlyWith = {"curve", "polynomial"}})
        .build();
}

/// Counts Gather: an FFMA, a sample and a weight per tap. With gridding the samples are only
/// copied.
std::vector<model::Kernel> kLinearizeWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const auto& values = stage.params.as<KLinearizeParams>();
    if (values.method == oct::ResamplingMethod::Nufft)
        return {copyWork(kKLinearizeId, input.bytes())};
    const oct::Lines lines = oct::linesOf(input);
    const auto taps = static_cast<double>(oct::mostTaps(stage.plan.outputs[0], values));
    return {forEachInLinesWork(stage.backend, kKLinearizeId, lines.count * lines.length,
                               {.bytesRead = 4.0 + 8.0 * taps,
                                .bytesWritten = 4.0,
                                .distinctRead = 4.0,
                                .counts = {.ffma = taps, .offsets = 4.0 * taps}})};
}

} // namespace

namespace stages {
const StageType& k_linearize() {
    static const StageType kType{
        .id = kKLinearizeId,
        .label = "k-linearization",
        .help = "Resamples spectra to equal steps in wavenumber, which makes layers sharp.",
        .work = kLinearizeWork,
        .table = kLinearizeTable(),
        .inputs = {orEnsembles({{DType::F32}, {AxisName::Lateral, AxisName::Sample}, true})},
        .tolerance = {1e-5, 1e-6},
        .tap = Tap::Spectrum,
        .role = Role::Resamples,
        .defaults = kLinearizeDefaults,
        .shown = {.curves = resamplingCurves,
                  .spans = coefficientSpans,
                  .companions = lengthWithCoefficient},
        .code = codeOf<KLinearize>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
