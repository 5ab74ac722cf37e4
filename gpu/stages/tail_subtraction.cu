// SPDX-License-Identifier: GPL-3.0-or-later
// tail_subtraction: removes the tails below vessels of an angiogram F >= 0, which light makes that
// passed their blood. Along each line, downwards, with G the gap and z' <= z - G:
//   subtract:   max(0, F[z] - share max over z' of F[z'] exp(-(z - z') / length))
//   attenuate:  F[z] exp(-(sum over z' of F[z'] D) / (gamma F1))
//     (after the step-down exponential filter: Mahmud et al., Review of speckle and phase variance
//     optical coherence tomography to visualize microvascular networks, J. Biomed. Opt. 18, 2013.
//     There the sum is of values that were weakened themselves; here it is of F, so that a tail
//     counts as its vessel does, and deep vessels lose more.)
//   resolve:    F[z] where it exceeds share max over z' of F[z'], else 0
//     (projection-resolved: Zhang et al., Projection-resolved optical coherence tomographic
//     angiography, Biomed. Opt. Express 7, 2016, with a share of 1 and no gap)
// G, length and gamma are in m; D is the height of a pixel, F1 the top of the angiogram's range. So
// gamma is the thickness of a vessel with F = F1 that weakens what is below it to 1 / e, whatever
// the size of the pixels and the unit of F. G is rounded to pixels and is at least one. Where the
// depth has no scale, a pixel counts as 1 um. Values that are not above 0, and NaN, cast no tail.
#include "gpu/exec/line_scan.hpp"
#include "gpu/oct/oct_tables.hpp"
#include "gpu/stage/function_work.hpp"
#include "gpu/stage/stage.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr const char* kTailSubtractionId = "tail_subtraction";
constexpr double kMicro = 1e-6;

enum class TailMethod { Subtract, Attenuate, Resolve };

struct TailSubtractionParams {
    TailMethod method = TailMethod::Subtract;
    double gapM = 20e-6;
    double share = 0.7;
    double lengthM = 300e-6;
    double gammaM = 20e-6;
};

/// F[z] of the line, as it counts for depths below it. Element n of a scan is pixel n - gap + 1, so
/// that the elements before z are the pixels up to z - gap.
struct VesselsAbove {
    const float* in;
    std::int64_t depths;
    std::int64_t gap; ///< at least 1

    ECHOLUX_HD double at(std::int64_t line, std::int64_t n) const {
        const std::int64_t z = n - gap + 1;
        if (z < 0) return 0.0;
        const float value = in[line * depths + z];
        return value > 0.0F ? static_cast<double>(value) : 0.0;
    }
};

/// A maximum that fades from element to element, of some elements in a row.
struct FadingMaximum {
    double largest; ///< as it counts at the last of them
    double fading;  ///< of what stands before them
};

struct SubtractTail {
    using Value = FadingMaximum;
    VesselsAbove above;
    float* out;
    double fading;  ///< from pixel to pixel
    double share;   ///< at the gap's end
    bool subtracts; ///< else resolves

    ECHOLUX_HD Value none() const { return {0.0, 1.0}; }
    ECHOLUX_HD Value value(std::int64_t line, std::int64_t n) const {
        return {above.at(line, n), fading};
    }
    ECHOLUX_HD Value joined(Value a, Value b) const {
        const double faded = a.largest * b.fading;
        return {faded > b.largest ? faded : b.largest, a.fading * b.fading};
    }
    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t z, Value before) const {
        const std::int64_t i = line * above.depths + z;
        const double own = above.in[i];
        const double rest = own - share * before.largest;
        out[i] = rest > 0.0 ? static_cast<float>(subtracts ? rest : own) : 0.0F;
    }
};

struct AttenuateTail {
    using Value = double;
    VesselsAbove above;
    float* out;
    double perSum; ///< D / (gamma F1)

    ECHOLUX_HD Value none() const { return 0.0; }
    ECHOLUX_HD Value value(std::int64_t line, std::int64_t n) const { return above.at(line, n); }
    ECHOLUX_HD Value joined(Value a, Value b) const { return a + b; }
    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t z, Value before) const {
        const std::int64_t i = line * above.depths + z;
        out[i] = above.in[i] * expf(static_cast<float>(-perSum * before));
    }
};

bool hasScale(const FrameSpec& input) {
    return input.axes.back().unit == "m" && input.axes.back().spacing > 0.0;
}

class TailSubtraction final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) {
        if (input.valueRange && input.valueRange->unit == "dB")
            throw Error("Stage 'tail_subtraction': what reaches it is in dB, in which tails do "
                        "not add to what they cover; put it behind 'angiography'.");
        if (input.valueRange && input.valueRange->min < 0.0)
            throw Error("Stage 'tail_subtraction': what reaches it has values below 0, which no "
                        "angiogram has; put it behind 'angiography'.");
        StagePlan plan{.outputs = {input}};
        if (!hasScale(input))
            plan.warnings.push_back(
                "The depth has no scale in metres, so 'tail_subtraction' takes each um of 'gap', "
                "'length' and 'gamma' as a pixel; set 'centre_wavelength' and 'bandwidth' of "
                "'inverse_fft'.");
        return plan;
    }

    void prepare(const Exec&, const FrameSpec& input, const StagePlan&, const Params&) override {
        m_pixelM = hasScale(input) ? input.axes.back().spacing : kMicro;
        m_top = input.valueRange && input.valueRange->max > 0.0 ? input.valueRange->max : 1.0;
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<TailSubtractionParams>();
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const oct::Lines lines = oct::linesOf(*input.spec);
        const std::int64_t gap = std::max<std::int64_t>(1, std::llround(m_values.gapM / m_pixelM));
        const VesselsAbove above{input.as<float>(), lines.length, gap};
        auto* out = output.as<float>();
        if (m_values.method == TailMethod::Attenuate) {
            scanLines(exec, kTailSubtractionId, lines.count, lines.length,
                      AttenuateTail{above, out, m_pixelM / (m_values.gammaM * m_top)});
            return;
        }
        const bool subtracts = m_values.method == TailMethod::Subtract;
        const double perPixel = subtracts ? m_pixelM / m_values.lengthM : 0.0;
        scanLines(exec, kTailSubtractionId, lines.count, lines.length,
                  SubtractTail{above, out, std::exp(-perPixel),
                               m_values.share * std::exp(-perPixel * static_cast<double>(gap)),
                               subtracts});
    }

private:
    double m_pixelM = kMicro;
    double m_top = 1.0;
    TailSubtractionParams m_values;
};

ParamRow length(const char* key, const char* label, double min, ParamScale scale, const char* help,
                ParamCondition onlyWith = {}) {
    return {.key = key,
            .label = label,
            .unit = "m",
            .min = min,
            .max = 5e-3,
            .step = kMicro,
            .scale = scale,
            .help = help,
            .displayUnit = "um",
            .displayFactor = 1e6,
            .onlyWith = std::move(onlyWith)};
}

ParamTable tailSubtractionTable() {
    using P = TailSubtractionParams;
    return ParamTable::of<P>()
        .choice(&P::method,
                {{"subtract", "Subtract"}, {"attenuate", "Attenuate"}, {"resolve", "Resolve"}},
                {.key = "method",
                 .label = "Method",
                 .help = "Subtract: takes away a share of the strongest flow above. Attenuate: "
                         "weakens each pixel by the sum of the flow above it. Resolve: keeps a "
                         "pixel where it exceeds a share of the strongest flow above, else it is "
                         "0."})
        .real(&P::gapM, length("gap", "Gap", 0.0, ParamScale::Linear,
                               "Depth below a pixel in which it casts no tail, about the "
                               "thickness of a vessel. It is at least one pixel."))
        .real(&P::share, {.key = "share",
                          .label = "Share",
                          .min = 0.0,
                          .max = 1.5,
                          .step = 0.01,
                          .help = "Strength of a tail, as a share of its vessel. It has no effect "
                                  "on the method Attenuate."})
        .real(&P::lengthM, length("length", "Length", kMicro, ParamScale::Log,
                                  "Depth in which a tail fades to 1 / e.", {"method", "subtract"}))
        .real(&P::gammaM, length("gamma", "Gamma", kMicro, ParamScale::Log,
                                 "Thickness of a vessel, as bright as the top of the angiogram's "
                                 "range, that weakens what is below it to 1 / e.",
                                 {"method", "attenuate"}))
        .build();
}

/// Counts the scan of SubtractTail or AttenuateTail.
std::vector<model::Kernel> tailSubtractionWork(const PlannedStage& stage) {
    const oct::Lines lines = oct::linesOf(stage.inputs[0]);
    const auto& values = stage.params.as<TailSubtractionParams>();
    const bool sums = values.method == TailMethod::Attenuate;
    ElementWork each{.bytesRead = 8.0,
                     .bytesWritten = 4.0,
                     .distinctRead = 4.0,
                     .counts =
                         oneByOne(stage.backend, {.ffma = 1.0, .fadd = 2.0, .offsets = 14.0})};
    if (sums)
        each.counts = addedUp({oneByOne(stage.backend, {.fmul = 2.0, .fadd = 1.0, .offsets = 14.0}),
                               exponentialWork(stage.backend)});
    const ScanWork scan = sums ? ScanWork{.bytes = sizeof(double), .joined = {.fadd = 1.0}}
                               : ScanWork{.bytes = sizeof(FadingMaximum),
                                          .joined = {.fmul = 2.0, .fadd = 1.0, .offsets = 1.0}};
    return {
        scanLinesWork(stage.backend, kTailSubtractionId, lines.count, lines.length, each, scan)};
}

} // namespace

namespace stages {
const StageType& tail_subtraction() {
    static const StageType kType{
        .id = kTailSubtractionId,
        .label = "Tail subtraction",
        .help = "Removes the tails that vessels of an angiogram cast on what is below them.",
        .work = tailSubtractionWork,
        .table = tailSubtractionTable(),
        .inputs = {{{DType::F32}, {AxisName::Lateral, AxisName::Depth}, true}},
        .tolerance = {1e-5, 0.0},
        .code = codeOf<TailSubtraction>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
