// SPDX-License-Identifier: GPL-3.0-or-later
// m_mode: one line of the image over time, y[z][t] = x of frame now - (lines - 1 - t) at depth z on
// the line nearest to `lateral`. The newest line stands at the right edge, at time 0, and the
// picture scrolls to the left by one line per frame. Lines that have not come yet have the lowest
// value of the input's range. In beam space the line is the one that passes `lateral` in the middle
// of the depth.
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/image_place.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/m_mode.hpp"

namespace echolux {
namespace {

constexpr const char* kMModeId = "m_mode";

struct ScrollLines {
    const float* line; ///< depth 0 of the newest line
    const float* past; ///< null: first frame
    float* next;
    float* out;
    std::int64_t lines;
    std::int64_t step; ///< in the image, from depth to depth
    float empty;

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t t) const {
        const std::int64_t at = z * lines + t;
        const float value = t + 1 == lines    ? line[z * step]
                            : past != nullptr ? past[at + 1]
                                              : empty;
        out[at] = value;
        next[at] = value;
    }
};

PixelPlace linePlace(const FrameSpec& input, double lateralM) {
    return pixelAt(input, lateralM, middleOf(*input.find(AxisName::Depth)));
}

class MMode final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<MModeParams>();
        const bool timed = input.frameIntervalS > 0.0;
        const double step = timed ? input.frameIntervalS : 1.0;
        FrameSpec output = input;
        output.axes = {*input.find(AxisName::Depth),
                       {AxisName::SlowTime, values.lines, step,
                        -static_cast<double>(values.lines - 1) * step, timed ? "s" : ""}};
        output.sector = nullptr;
        output.within = nullptr;
        output.pose = nullptr;
        output.stack = {};
        StagePlan plan{.outputs = {output}, .stateBytes = output.bytes()};
        if (!hasPlaces(input))
            plan.warnings.push_back("The image has no scale in metres, so 'm_mode' shows its "
                                    "middle line whatever 'lateral' is; describe the scale.");
        return plan;
    }

    void prepare(const Exec&, const FrameSpec& input, const StagePlan&, const Params&) override {
        m_input = input;
    }

    void follow(const Exec&, const FrameSpec& input) override { m_input = input; }

    void update(const Exec&, const Params& params) override {
        const auto& values = params.as<MModeParams>();
        m_lines = values.lines;
        m_line = linePlace(m_input, values.lateralM).lateral;
        m_empty = m_input.valueRange ? static_cast<float>(m_input.valueRange->min) : 0.0F;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const bool rows = input.spec->axes.back().name == AxisName::Lateral;
        const std::int64_t depths = input.spec->sizeOf(AxisName::Depth);
        const std::int64_t first = rows ? m_line : m_line * depths;
        forEachInLines(exec, kMModeId, depths, m_lines,
                       ScrollLines{input.as<float>() + first,
                                   static_cast<const float*>(workspace.past),
                                   static_cast<float*>(workspace.next), output.as<float>(), m_lines,
                                   rows ? input.spec->sizeOf(AxisName::Lateral) : 1, m_empty});
    }

private:
    FrameSpec m_input;
    std::int64_t m_lines = 1;
    std::int64_t m_line = 0;
    float m_empty = 0.0F;
};

/// The middle of the image.
Params mModeDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    const Axis* lateral = input.find(AxisName::Lateral);
    if (lateral != nullptr && lateral->unit == "m")
        params.as<MModeParams>().lateralM = middleOf(*lateral);
    return params;
}

/// Counts ScrollLines: each value comes from the past, or from the image in the newest line, and is
/// written twice. The branch keeps the CPU's loop from filling vectors.
std::vector<model::Kernel> mModeWork(const PlannedStage& stage) {
    return {
        forEachInLinesWork(stage.backend, kMModeId, stage.plan.outputs[0].count(),
                           {.bytesRead = 4.0, .bytesWritten = 8.0, .counts = {.offsets = 8.0}})};
}

} // namespace

namespace stages {
const StageType& m_mode() {
    static const StageType kType{
        .id = kMModeId,
        .label = "M-mode",
        .help = "One line of the image over time; the newest stands at the right.",
        .work = mModeWork,
        .table = ParamTable::of<MModeParams>()
                     .real(&MModeParams::lateralM,
                           {.key = "lateral",
                            .label = "Lateral",
                            .unit = "m",
                            .min = -1.0,
                            .max = 1.0,
                            .step = 1e-4,
                            .help = "Position of the line. Beyond the image it is the outermost "
                                    "one. Lines that are shown already stay.",
                            .displayUnit = "mm",
                            .displayFactor = 1e3})
                     .integer(&MModeParams::lines,
                              {.key = "lines",
                               .label = "Lines",
                               .min = 16,
                               .max = 4096,
                               .scale = ParamScale::Log,
                               .kind = ParamKind::Structural,
                               .help = "Number of lines that are shown, the newest included: one "
                                       "per frame."})
                     .build(),
        .inputs = {{.dtypes = {DType::F32},
                    .axes = {AxisName::Depth, AxisName::Lateral},
                    .otherAxes = {{AxisName::Lateral, AxisName::Depth}}}},
        .bypassable = false,
        .tolerance = {0.0, 0.0},
        .role = Role::WatchesMotion,
        .defaults = mModeDefaults,
        .shown = {.spans = placeSpans,
                  .box = ImageBox{.label = "M line", .lateral = "lateral", .drawnWidthM = 3e-4}},
        .code = codeOf<MMode>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
