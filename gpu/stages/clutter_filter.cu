// SPDX-License-Identifier: GPL-3.0-or-later
// clutter_filter: removes what hardly changes over the F frames of an ensemble, such as tissue:
//   y[f][p] = sum over g of x[g][p] M[g][f]
// M is I - Q Q^T for polynomials and cosines, a high-pass filter (which may go on from ensemble to
// ensemble instead, gpu/flow/continued_filter.hpp), or the projection on a range of
// singular vectors (gpu/flow), whose ends are given or found in each ensemble.
#include "gpu/flow/clutter_matrices.hpp"
#include "gpu/flow/continued_filter.hpp"
#include "gpu/flow/frame_mixing.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/clutter_filter_singular.hpp"
#include "gpu/stages/clutter_filter_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace echolux {
namespace {

constexpr const char* kClutterFilterId = "clutter_filter";

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

bool continues(const ClutterFilterParams& values) {
    return values.method == Clutter::HighPass && values.continues;
}

flow::DigitalFilter highPass(const ClutterFilterParams& values, double frameTimeS) {
    const double cutoff = values.cutoffMps / nyquistMps(values, frameTimeS);
    return values.design == HighPassDesign::Fir
               ? flow::windowedHighPass(usedOrder(values), cutoff)
               : flow::butterworthHighPass(usedOrder(values), cutoff);
}

std::vector<Complex> clutterMatrix(const ClutterFilterParams& values, int frames,
                                   double frameTimeS) {
    if (values.method == Clutter::Polynomial)
        return flow::withoutPolynomials(frames, static_cast<int>(values.order));
    if (values.method == Clutter::Cosines)
        return flow::withoutCosines(frames, static_cast<int>(values.components));
    return flow::filtered(frames, highPass(values, frameTimeS));
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

void checkContinuing(const FrameSpec& input) {
    if (input.slides)
        throw Error("clutter_filter: the windows of gather overlap, so a filter cannot go on from "
                    "one to the next; set 'continue' to false, or write ensemble under "
                    "[recording] in place of gather.");
}

void warnOfCutHz(const ClutterFilterParams& values, double frameTimeS, StagePlan& plan) {
    if (values.thresholds != flow::ChosenBy::Limits || values.cutHz == 0.0) return;
    if (frameTimeS <= 0.0)
        plan.warnings.push_back("The time between frames is unknown, so 'cut_hz' of "
                                "'clutter_filter' in Hz has no effect; describe "
                                "'signal.frame_rate'.");
    else if (values.cutHz > 0.5 / frameTimeS)
        plan.warnings.push_back(fmt::format("No singular value is kept: 'cut_hz' is {:.6g} Hz, and "
                                            "frames at this rate show frequencies up to {:.6g} "
                                            "Hz; lower it.",
                                            values.cutHz, 0.5 / frameTimeS));
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
    if (values.thresholds != flow::ChosenBy::Number) return {1, "thresholds", 0};
    return {values.first - 1, "first", values.first};
}

void warnOfNothing(const ClutterFilterParams& values, const FrameSpec& input, StagePlan& plan) {
    const std::int64_t frames = input.axes.front().size;
    const Removed removed = removedBy(values);
    const bool chosen = values.method == Clutter::SingularValues;
    const bool byNumber = values.thresholds == flow::ChosenBy::Number;
    if (chosen && !byNumber && frames == 1)
        plan.warnings.push_back("One frame has one singular value, which is tissue, so nothing is "
                                "left of it; image more frames together ('ensemble').");
    else if (removed.frames >= frames)
        plan.warnings.push_back(fmt::format("'{}' = {} leaves nothing of an ensemble of {} "
                                            "frames; lower it or image more frames together.",
                                            removed.key, removed.value, frames));
    else if (chosen && byNumber && values.first > values.last)
        plan.warnings.push_back(fmt::format("No singular value is kept: 'first' = {} is behind "
                                            "'last' = {}; lower it.",
                                            values.first, values.last));
    if (!chosen || !byNumber) return;
    const flow::ImageBlocks blocks = blocksOf(values, input);
    if (blocks.count() > 1 && blocks.fewestPixels() <= removed.frames)
        plan.warnings.push_back(fmt::format("Blocks of {} pixels have no more singular values than "
                                            "'first' = {} removes, so nothing is left of them; let "
                                            "'block_depth' or 'block_lateral' be larger.",
                                            blocks.fewestPixels(), values.first));
}

class ClutterFilter final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto values = flow::asHeard(params.as<ClutterFilterParams>(), input);
        const auto frames = input.axes.front().size;
        StagePlan plan{.outputs = {input}};
        const auto count = static_cast<std::size_t>(frames);
        if (values.method == Clutter::HighPass) checkCutoff(values, flow::frameTimeS(input));
        if (values.method == Clutter::SingularValues) {
            checkSingular(values, input);
            warnOfCutHz(values, flow::frameTimeS(input), plan);
            plan.workspaceBytes = singularBytes(values, input);
        } else if (continues(values)) {
            checkContinuing(input);
            plan.stateBytes = flow::continuedBytes(input.count() / frames);
            return plan;
        } else {
            plan.heldBytes = count * count * sizeof(Complex);
        }
        warnOfNothing(values, input, plan);
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        m_frames = static_cast<int>(input.axes.front().size);
        m_input = input;
        m_blocks = blocksOf(params.as<ClutterFilterParams>(), input);
        const auto count = static_cast<std::size_t>(m_frames);
        const auto& values = params.as<ClutterFilterParams>();
        if (values.method != Clutter::SingularValues && !continues(values))
            m_matrix.allocate(exec, count * count);
    }

    void update(const Exec& exec, const Params& params) override {
        m_values = flow::asHeard(params.as<ClutterFilterParams>(), m_input);
        if (continues(m_values))
            m_filter = highPass(m_values, flow::frameTimeS(m_input));
        else if (m_values.method != Clutter::SingularValues)
            m_matrix.set(exec, clutterMatrix(m_values, m_frames, flow::frameTimeS(m_input)));
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const flow::MixedFrames ensemble{input.as<Complex>(), output.as<Complex>(), m_frames,
                                         input.spec->count() / m_frames};
        if (continues(m_values))
            flow::continueFilter(exec, kClutterFilterId, ensemble, m_filter, workspace.past,
                                 workspace.next);
        else if (m_values.method != Clutter::SingularValues)
            flow::mixFrames(exec, kClutterFilterId, ensemble, m_matrix.data());
        else if (m_blocks.count() > 1)
            keepSingularOfBlocks(exec, kClutterFilterId, m_values, ensemble,
                                 flow::frameTimeS(m_input), m_blocks, workspace.data);
        else
            keepSingular(exec, kClutterFilterId, m_values, ensemble, flow::frameTimeS(m_input),
                         workspace.data);
    }

private:
    int m_frames = 1;
    FrameSpec m_input;
    flow::ImageBlocks m_blocks;
    ClutterFilterParams m_values;
    ComputeTable<Complex> m_matrix;
    flow::DigitalFilter m_filter; ///< of a filter that goes on
};

/// Counts the products with a matrix [frames][frames], or those with `leading` vectors there and
/// back and the Gram matrix before; of blocks for each block that holds a pixel. What turns a Gram
/// matrix to vectors is not counted: it waits
/// for its own steps.
std::vector<model::Kernel> clutterWork(const PlannedStage& stage) {
    constexpr double kSample = sizeof(Complex);
    constexpr double kTogether = 8.0; // frames or vectors that an item handles
    const auto& values = stage.params.as<ClutterFilterParams>();
    const FrameSpec& input = stage.inputs[0];
    const auto frames = static_cast<double>(input.axes.front().size);
    const std::int64_t pixels = input.count() / input.axes.front().size;
    if (continues(values)) {
        // Double precision; each order takes two products and two sums, real and imaginary.
        const auto order = static_cast<double>(usedOrder(values));
        return {forEachWork(stage.backend, kClutterFilterId, pixels,
                            {.bytesRead = frames * kSample + order * 16.0,
                             .bytesWritten = frames * kSample + flow::kContinuedParts * 8.0,
                             .counts = {.fmul = frames * order * 8.0,
                                        .fadd = frames * order * 8.0,
                                        .offsets = frames * 4.0},
                             .registers = 96.0})};
    }
    std::vector<model::Kernel> kernels;
    double vectors = frames;
    double blocks = 1.0; // that hold a pixel
    bool similar = false;
    if (values.method == Clutter::SingularValues) {
        const SingularPart part = singularPart(values, static_cast<int>(frames));
        const flow::ImageBlocks cut = blocksOf(values, input);
        blocks = cut.perPixel();
        const double tiles = std::ceil(frames / kTogether);
        // Of each pair of tiles on or beside the diagonal: a complex product per pair of frames.
        const double pairs = blocks * tiles * (tiles + 1.0) / 2.0;
        const auto gram = forEachWork(stage.backend, kClutterFilterId, pixels,
                                      {.bytesRead = pairs * 2.0 * kTogether * kSample,
                                       .distinctRead = frames * kSample,
                                       .counts = {.ffma = pairs * 4.0 * kTogether * kTogether,
                                                  .offsets = pairs * 2.0 * kTogether},
                                       .registers = 168.0});
        kernels.push_back(gram);
        if (part.few)
            vectors = 2.0 * part.leading * blocks;
        else if (cut.count() > 1)
            vectors = 2.0 * (part.end - part.first) * blocks;
        similar = values.thresholds == flow::ChosenBy::Similarity;
        if (similar) kernels.push_back(gram); // of magnitudes
    }
    const double groups = std::ceil(vectors / kTogether);
    const auto mix = forEachWork(
        stage.backend, kClutterFilterId, pixels,
        {.bytesRead = groups * frames * kSample,
         .bytesWritten = frames * kSample,
         .distinctRead = std::min(groups, 1.0) * frames * kSample, // 0: nothing is kept
         .counts = {.ffma = 4.0 * vectors * frames, .offsets = groups * frames * kTogether * 1.5},
         .registers = 40.0});
    kernels.push_back(mix);
    if (similar) kernels.push_back(mix); // to spatial vectors
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
    static const StageType kType{
        .id = kClutterFilterId,
        .label = "Clutter filter",
        .help = "Removes what hardly changes over the frames of an ensemble, such as tissue.",
        .work = clutterWork,
        .table = clutterFilterTable(),
        .inputs = {{.dtypes = {DType::ComplexF32},
                    .axes = {AxisName::Frame, AxisName::Depth, AxisName::Lateral},
                    .otherAxes = {{AxisName::Frame, AxisName::Elevation, AxisName::Depth,
                                   AxisName::Lateral}}}},
        .tolerance = {1e-3, 1e-6}, // where all is removed, rounding is left
        .defaults = clutterDefaults,
        .shown = {.kept = KeptNumbers{.onlyWith = {"method", "svd"},
                                      .byNumber = {"thresholds", "numbers"},
                                      .first = "first",
                                      .last = "last"}},
        .code = codeOf<ClutterFilter>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
