// SPDX-License-Identifier: GPL-3.0-or-later
// clutter_filter: removes what hardly changes over the F frames of an ensemble, such as tissue:
//   y[f][p] = sum over g of x[g][p] M[g][f]
// M is I - Q Q^T for polynomials and cosines, a high-pass filter, or the projection on a range of
// singular vectors (gpu/flow).
#include "gpu/flow/clutter_matrices.hpp"
#include "gpu/flow/frame_mixing.hpp"
#include "gpu/flow/leading_subspace.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/doppler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace echolux {
namespace {

constexpr const char* kClutterFilterId = "clutter_filter";

/// Up to so many frames all singular vectors are found by rotations.
constexpr int kMostRotated = 128;

enum class Clutter { Polynomial, Cosines, HighPass, SingularValues };
enum class HighPassDesign { Butterworth, Fir };

struct ClutterFilterParams : flow::DopplerParams {
    Clutter method = Clutter::Polynomial;
    std::int64_t order = 1;
    std::int64_t components = 2;
    HighPassDesign design = HighPassDesign::Butterworth;
    std::int64_t filterOrder = 2;
    double cutoffMps = 0.02;
    std::int64_t first = 2;
    std::int64_t last = kMostEnsembleFrames;
};

/// The order that the filter is computed with: linear phase that passes half the rate wants an odd
/// number of taps.
int usedOrder(const ClutterFilterParams& values) {
    const auto order = static_cast<int>(values.filterOrder);
    return values.design == HighPassDesign::Fir ? order + order % 2 : order;
}

/// The highest velocity that is told from its opposite, in m/s.
double nyquistMps(const ClutterFilterParams& values, double frameTimeS) {
    return std::numbers::pi * flow::metresPerSecondPerRadian(values, frameTimeS);
}

std::vector<Complex> clutterMatrix(const ClutterFilterParams& values, int frames,
                                   double frameTimeS) {
    if (values.method == Clutter::Polynomial)
        return flow::withoutPolynomials(frames, static_cast<int>(values.order));
    if (values.method == Clutter::Cosines)
        return flow::withoutCosines(frames, static_cast<int>(values.components));
    const double cutoff = values.cutoffMps / nyquistMps(values, frameTimeS);
    return flow::filtered(frames, values.design == HighPassDesign::Fir
                                      ? flow::windowedHighPass(usedOrder(values), cutoff)
                                      : flow::butterworthHighPass(usedOrder(values), cutoff));
}

void checkCutoff(const ClutterFilterParams& values, double frameTimeS) {
    if (frameTimeS <= 0.0)
        throw Error("clutter_filter: the time between frames is unknown, so a cut-off in m/s means "
                    "nothing; describe 'signal.frame_rate', or take another 'method'.");
    const double most = nyquistMps(values, frameTimeS);
    if (values.cutoffMps >= most)
        throw Error(fmt::format("clutter_filter: 'cutoff' is {:.3g} m/s, and frames at this rate "
                                "tell velocities below {:.3g} m/s apart; lower it.",
                                values.cutoffMps, most));
}

/// What the filter takes from each pixel, counted in frames, and the parameter that says so.
struct Removed {
    std::int64_t frames;
    const char* key;
    std::int64_t value;
};
Removed removedBy(const ClutterFilterParams& values) {
    switch (values.method) {
    case Clutter::Polynomial: return {values.order + 1, "order", values.order};
    case Clutter::Cosines: return {values.components, "components", values.components};
    case Clutter::HighPass: return {usedOrder(values), "filter_order", values.filterOrder};
    case Clutter::SingularValues: break;
    }
    return {values.first - 1, "first", values.first};
}

/// How the parts of `first` to `last` are found.
struct SingularPart {
    int first;   ///< from 0
    int end;     ///< one beyond the last
    int leading; ///< so many of the strongest vectors suffice; else all are computed
    bool few;    ///< `leading` are few enough for leadingSubspace()
};
SingularPart singularPart(const ClutterFilterParams& values, int frames) {
    const auto end = static_cast<int>(std::min<std::int64_t>(values.last, frames));
    const auto first = static_cast<int>(std::min<std::int64_t>(values.first - 1, end));
    if (first >= end) return {0, 0, 0, true}; // not what rounding would leave, but nothing
    const bool weakerToo = end == frames;
    const int leading = weakerToo ? first : end;
    // The weakest of few vectors is the least exact, so that all are computed where that is fast.
    const bool few = leading <= flow::kMostLeading && (weakerToo || frames > kMostRotated);
    return {first, end, leading, few};
}

/// For any `first` and `last`, which are live.
std::size_t singularBytes(const FrameSpec& input) {
    const auto frames = static_cast<int>(input.axes.front().size);
    const std::int64_t pixels = input.count() / frames;
    const int leading = std::min(frames, flow::kMostLeading);
    const std::size_t few = aligned(flow::leadingSize(frames, leading) * sizeof(Complex)) +
                            flow::leadingBytes(frames, pixels, leading);
    const auto count = static_cast<std::size_t>(frames);
    const std::size_t all =
        aligned(count * count * sizeof(Complex)) + flow::subspaceBytes(frames, pixels);
    return frames <= kMostRotated ? std::max(few, all) : few;
}

void checkSingular(const ClutterFilterParams& values, std::int64_t frames) {
    const SingularPart part = singularPart(values, static_cast<int>(frames));
    if (part.few || frames <= kMostRotated) return;
    throw Error(fmt::format(
        "clutter_filter: of {} frames at most {} singular values are told apart, and 'first' = {}, "
        "'last' = {} ask for more; let 'last' be {} or more and 'first' at most {}, or 'last' at "
        "most {}.",
        frames, flow::kMostLeading, values.first, values.last, frames, flow::kMostLeading + 1,
        flow::kMostLeading));
}

class ClutterFilter final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<ClutterFilterParams>();
        const auto frames = input.axes.front().size;
        StagePlan plan{.outputs = {input}};
        const auto count = static_cast<std::size_t>(frames);
        if (values.method == Clutter::HighPass) checkCutoff(values, flow::frameTimeS(input));
        if (values.method == Clutter::SingularValues) {
            checkSingular(values, frames);
            plan.workspaceBytes = singularBytes(input);
        } else {
            plan.heldBytes = count * count * sizeof(Complex);
        }
        const Removed removed = removedBy(values);
        if (removed.frames >= frames)
            plan.warnings.push_back(fmt::format("'{}' = {} leaves nothing of an ensemble of {} "
                                                "frames; lower it or image more frames together.",
                                                removed.key, removed.value, frames));
        else if (values.method == Clutter::SingularValues && values.first > values.last)
            plan.warnings.push_back(fmt::format("No singular value is kept: 'first' = {} is behind "
                                                "'last' = {}; lower it.",
                                                values.first, values.last));
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        m_frames = static_cast<int>(input.axes.front().size);
        m_frameTimeS = flow::frameTimeS(input);
        const auto count = static_cast<std::size_t>(m_frames);
        if (params.as<ClutterFilterParams>().method != Clutter::SingularValues)
            m_matrix.allocate(exec, count * count);
    }

    void update(const Exec& exec, const Params& params) override {
        m_values = params.as<ClutterFilterParams>();
        if (m_values.method != Clutter::SingularValues)
            m_matrix.set(exec, clutterMatrix(m_values, m_frames, m_frameTimeS));
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const flow::MixedFrames ensemble{input.as<Complex>(), output.as<Complex>(), m_frames,
                                         input.spec->count() / m_frames};
        if (m_values.method == Clutter::SingularValues)
            keepSingular(exec, ensemble, workspace.data);
        else
            flow::mixFrames(exec, kClutterFilterId, ensemble, m_matrix.data());
    }

private:
    void keepSingular(const Exec& exec, const flow::MixedFrames& ensemble, void* workspace) const {
        const SingularPart part = singularPart(m_values, m_frames);
        auto* found = static_cast<Complex*>(workspace);
        const auto scratchBehind = [&](std::size_t numbers) {
            return static_cast<std::byte*>(workspace) + aligned(numbers * sizeof(Complex));
        };
        const auto count = static_cast<std::size_t>(m_frames);
        if (!part.few) {
            flow::keepSubspace(exec, kClutterFilterId, ensemble, part.first, part.end,
                               scratchBehind(count * count), found);
            flow::mixFrames(exec, kClutterFilterId, ensemble, found);
            return;
        }
        if (part.leading > 0)
            flow::leadingSubspace(exec, kClutterFilterId, ensemble, part.leading,
                                  scratchBehind(flow::leadingSize(m_frames, part.leading)), found);
        const bool weakerToo = part.end == m_frames;
        flow::keepPart(exec, kClutterFilterId, ensemble, found, part.leading,
                       weakerToo ? flow::KeptPart{0, part.first, true}
                                 : flow::KeptPart{part.first, part.end, false});
    }

    int m_frames = 1;
    double m_frameTimeS = 0.0;
    ClutterFilterParams m_values;
    ComputeTable<Complex> m_matrix;
};

/// Counts the products with a matrix [frames][frames], or those with `leading` vectors there and
/// back and the Gram matrix before. What turns a Gram matrix to vectors is not counted: it waits
/// for its own steps.
std::vector<model::Kernel> clutterWork(const PlannedStage& stage) {
    constexpr double kSample = sizeof(Complex);
    constexpr double kTogether = 8.0; // frames or vectors that an item handles
    const auto& values = stage.params.as<ClutterFilterParams>();
    const FrameSpec& input = stage.inputs[0];
    const auto frames = static_cast<double>(input.axes.front().size);
    const std::int64_t pixels = input.count() / input.axes.front().size;
    std::vector<model::Kernel> kernels;
    double vectors = frames;
    if (values.method == Clutter::SingularValues) {
        const SingularPart part = singularPart(values, static_cast<int>(frames));
        const double tiles = std::ceil(frames / kTogether);
        // Of each pair of tiles on or beside the diagonal: a complex product per pair of frames.
        const double pairs = tiles * (tiles + 1.0) / 2.0;
        kernels.push_back(forEachWork(stage.backend, kClutterFilterId, pixels,
                                      {.bytesRead = pairs * 2.0 * kTogether * kSample,
                                       .distinctRead = frames * kSample,
                                       .counts = {.ffma = pairs * 4.0 * kTogether * kTogether,
                                                  .offsets = pairs * 2.0 * kTogether},
                                       .registers = 168.0}));
        if (part.few) vectors = 2.0 * part.leading;
    }
    const double groups = std::ceil(vectors / kTogether);
    kernels.push_back(forEachWork(
        stage.backend, kClutterFilterId, pixels,
        {.bytesRead = groups * frames * kSample,
         .bytesWritten = frames * kSample,
         .distinctRead = std::min(groups, 1.0) * frames * kSample, // 0: nothing is kept
         .counts = {.ffma = 4.0 * vectors * frames, .offsets = groups * frames * kTogether * 1.5},
         .registers = 40.0}));
    return kernels;
}

Params clutterDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    flow::followFrames(params.as<ClutterFilterParams>(), input);
    return params;
}

} // namespace

namespace stages {
const StageType& clutter_filter() {
    static const ParamCondition kOfHighPass{"method", "high_pass"};
    static const StageType kType{
        .id = kClutterFilterId,
        .label = "Clutter filter",
        .help = "Removes what hardly changes over the frames of an ensemble, such as tissue.",
        .work = clutterWork,
        .table =
            ParamTable::of<ClutterFilterParams>()
                .choice(&ClutterFilterParams::method,
                        {{"polynomial", "Polynomial"},
                         {"cosines", "Cosines"},
                         {"high_pass", "High-pass"},
                         {"svd", "Singular values"}},
                        {.key = "method",
                         .label = "Method",
                         .kind = ParamKind::Structural,
                         .help = "Polynomial: subtracts a polynomial over time from each pixel. "
                                 "Cosines: subtracts the slowest cosines over time. High-pass: "
                                 "removes velocities below a cut-off. Singular values: leaves out "
                                 "the parts that the whole image has in common, strongest first; "
                                 "better where tissue moves."})
                .integer(&ClutterFilterParams::order,
                         {.key = "order",
                          .label = "Order",
                          .min = 0,
                          .max = 4,
                          .help = "Degree of the polynomial. 0 removes the mean; higher orders "
                                  "remove slow motion of tissue, and slow flow.",
                          .onlyWith = {"method", "polynomial"}})
                .integer(&ClutterFilterParams::components,
                         {.key = "components",
                          .label = "Removed cosines",
                          .min = 1,
                          .max = 32,
                          .help = "How many cosines are subtracted, slowest first; the first one "
                                  "is the mean.",
                          .onlyWith = {"method", "cosines"}})
                .real(&ClutterFilterParams::cutoffMps,
                      {.key = "cutoff",
                       .label = "Cut-off",
                       .unit = "m/s",
                       .min = 1e-4,
                       .max = 10,
                       .step = 1e-3,
                       .scale = ParamScale::Log,
                       .help = "Velocities below this are removed, of tissue and of slow blood.",
                       .displayUnit = "cm/s",
                       .displayFactor = 100.0,
                       .onlyWith = kOfHighPass})
                .choice(&ClutterFilterParams::design,
                        {{"butterworth", "Butterworth"}, {"fir", "FIR, linear phase"}},
                        {.key = "design",
                         .label = "Filter",
                         .help = "Both begin from the state that leaves the least energy, so that "
                                 "no transient of the tissue is left.",
                         .onlyWith = kOfHighPass})
                .integer(&ClutterFilterParams::filterOrder,
                         {.key = "filter_order",
                          .label = "Filter order",
                          .min = 1,
                          .max = 16,
                          .help = "Higher orders cut more sharply and take more from short "
                                  "ensembles. FIR filters take the next even number.",
                          .onlyWith = kOfHighPass})
                .real(&ClutterFilterParams::frequencyHz, flow::frequencyRow(kOfHighPass))
                .real(&ClutterFilterParams::soundSpeedMps, flow::soundSpeedRow(kOfHighPass))
                .integer(&ClutterFilterParams::first,
                         {.key = "first",
                          .label = "First kept",
                          .min = 1,
                          .max = kMostEnsembleFrames,
                          .help = "The strongest singular value that is kept, counted from 1. "
                                  "Those before are tissue.",
                          .onlyWith = {"method", "svd"}})
                .integer(&ClutterFilterParams::last,
                         {.key = "last",
                          .label = "Last kept",
                          .min = 1,
                          .max = kMostEnsembleFrames,
                          .help = "The weakest singular value that is kept. Those behind are "
                                  "noise. Numbers beyond the frames of an ensemble count as the "
                                  "last one.",
                          .onlyWith = {"method", "svd"}})
                .build(),
        .inputs = {{.dtypes = {DType::ComplexF32},
                    .axes = {AxisName::Frame, AxisName::Depth, AxisName::Lateral}}},
        .tolerance = {1e-3, 0.0},
        .defaults = clutterDefaults,
        .code = codeOf<ClutterFilter>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
