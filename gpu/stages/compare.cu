// SPDX-License-Identifier: GPL-3.0-or-later
// compare: joins two frames of one layout. Difference: y = gain (A - B), gain 1 to 1e5 without
// unit. Its display range is centred on 0 and as wide as A's range, so that a diverging colour map
// shows the sign. Checkerboard: A and B alternate in squares. The square at the origin is A's, and
// `squares` of them make the image's width. Split: A left of `position` of the width, B right of
// it. NaN stays NaN.
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>

namespace echolux {
namespace {

enum class Mode { Difference, Checkerboard, Split };

struct CompareParams {
    Mode mode = Mode::Difference;
    double gain = 1.0;
    std::int64_t squares = 8;
    double position = 0.5;
};

/// One axis of a frame as it lies in memory: index of element i is i / stride % size.
struct Run {
    std::int64_t size = 1;
    std::int64_t stride = 1;

    ECHOLUX_HD std::int64_t at(std::int64_t i) const { return i / stride % size; }
};

/// The axes in which squares lie, and the step along `down` in units of the width. Where both axes
/// have the same unit, squares are square in this unit, otherwise in elements.
struct Picture {
    Run across;
    Run down;
    double widthsPerStepDown = 0.0; ///< part of the image's width
};

Picture pictureOf(const FrameSpec& spec) {
    const auto firstOf = [&](std::initializer_list<AxisName> names) -> const Axis* {
        for (const AxisName name : names) {
            if (const Axis* axis = spec.find(name)) return axis;
        }
        return nullptr;
    };
    const Axis* across = firstOf({AxisName::Lateral, AxisName::Channel});
    if (across == nullptr) across = &spec.axes.back();
    const Axis* down = firstOf({AxisName::Depth, AxisName::Sample, AxisName::Elevation});
    const auto runOf = [&](const Axis& along) {
        Run run{along.size, 1};
        for (const Axis& axis : spec.axes) {
            if (&axis > &along) run.stride *= axis.size;
        }
        return run;
    };
    Picture picture;
    picture.across = runOf(*across);
    if (down == nullptr || down == across) return picture;
    picture.down = runOf(*down);
    const double ratio = across->unit.empty() || across->unit != down->unit
                             ? 1.0
                             : std::fabs(down->spacing / across->spacing);
    if (std::isfinite(ratio)) picture.widthsPerStepDown = ratio / static_cast<double>(across->size);
    return picture;
}

struct Difference {
    const float* a;
    const float* b;
    float* out;
    float gain;

    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = gain * (a[i] - b[i]); }
};

struct Checkerboard {
    const float* a;
    const float* b;
    float* out;
    Run across;
    Run down;
    std::int64_t squares;
    float squaresPerStepDown;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t column = across.at(i) * squares / across.size;
        const auto row =
            static_cast<std::int64_t>(squaresPerStepDown * static_cast<float>(down.at(i)));
        out[i] = (column + row) % 2 == 0 ? a[i] : b[i];
    }
};

struct Split {
    const float* a;
    const float* b;
    float* out;
    Run across;
    std::int64_t first; ///< first column of B

    ECHOLUX_HD void operator()(std::int64_t i) const {
        out[i] = across.at(i) < first ? a[i] : b[i];
    }
};

class Compare final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& a = inputs[0];
        const FrameSpec& b = inputs[1];
        if (!a.sameLayout(b)) {
            throw Error(fmt::format(
                "Stage 'compare' takes frames of one shape, but what reaches 'in' is {} and what "
                "reaches 'in2' is {}; give the stages before both the same grid.",
                a.describe(), b.describe()));
        }
        StagePlan plan{.outputs = {a}};
        plan.outputs[0].hasGaps = a.hasGaps || b.hasGaps;
        if (params.as<CompareParams>().mode == Mode::Difference) {
            const double width = a.valueRange ? a.valueRange->max - a.valueRange->min : 0.0;
            // Two images differ by a small part of their own range.
            const double span = width > 0.0 ? 0.25 * width : 1.0;
            const std::string unit = a.valueRange ? a.valueRange->unit : "";
            plan.outputs[0].valueRange = {-span, span, unit, unit.empty() ? "" : "no difference"};
            plan.outputs[0].valueKind = ValueKind::Plain;
            plan.outputs[0].cycle = 0.0;
        }
        return plan;
    }

    void prepare(const Exec&, InputSpecs inputs, const StagePlan&, const Params&) override {
        m_picture = pictureOf(inputs[0]);
    }

    void update(const Exec&, const Params& params) override {
        m_params = params.as<CompareParams>();
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace&) override {
        const TensorView& output = outputs.front();
        const auto* a = inputs[0].as<float>();
        const auto* b = inputs[1].as<float>();
        auto* out = output.as<float>();
        const auto write = [&](const auto& functor) {
            forEach(exec, "compare", output.spec->count(), functor);
        };
        switch (m_params.mode) {
        case Mode::Difference:
            return write(Difference{a, b, out, static_cast<float>(m_params.gain)});
        case Mode::Checkerboard:
            return write(Checkerboard{a, b, out, m_picture.across, m_picture.down, m_params.squares,
                                      static_cast<float>(static_cast<double>(m_params.squares) *
                                                         m_picture.widthsPerStepDown)});
        case Mode::Split: {
            const double width = static_cast<double>(m_picture.across.size);
            return write(
                Split{a, b, out, m_picture.across, std::llround(m_params.position * width)});
        }
        }
    }

private:
    CompareParams m_params;
    Picture m_picture;
};

ParamTable compareTable() {
    using P = CompareParams;
    return ParamTable::of<P>()
        .choice(
            &P::mode,
            {{"difference", "Difference"}, {"checkerboard", "Checkerboard"}, {"split", "Split"}},
            {.key = "mode",
             .label = "Mode",
             .help = "Difference: the first frame less the second. Checkerboard: both in alternate "
                     "squares. Split: side by side."})
        .real(&P::gain, {.key = "gain",
                         .label = "Gain",
                         .min = 1.0,
                         .max = 1e5,
                         .step = 0.01,
                         .scale = ParamScale::Log,
                         .help = "Factor on the difference, to make small ones visible.",
                         .onlyWith = {"mode", "difference"}})
        .integer(&P::squares, {.key = "squares",
                               .label = "Squares",
                               .min = 2,
                               .max = 64,
                               .step = 1,
                               .help = "Number of squares across the image.",
                               .onlyWith = {"mode", "checkerboard"}})
        .real(&P::position, {.key = "position",
                             .label = "Position",
                             .min = 0.0,
                             .max = 1.0,
                             .step = 0.01,
                             .help = "Part of the width that shows the first frame.",
                             .onlyWith = {"mode", "split"}})
        .build();
}

/// Counts Difference, Checkerboard (five divisions for column and row; only one of the two frames
/// is read) and Split (two divisions). Divisions keep the CPU's loops from filling vectors.
std::vector<model::Kernel> compareWork(const PlannedStage& stage) {
    ElementWork each{.bytesRead = 4.0, .bytesWritten = 4.0};
    switch (stage.params.as<CompareParams>().mode) {
    case Mode::Difference:
        each.bytesRead = 8.0;
        each.counts = {.fmul = 1.0, .fadd = 1.0};
        break;
    case Mode::Checkerboard:
        each.counts = oneByOne(stage.backend, {.fmul = 1.0, .offsets = 14.0});
        each.divisions = 5.0;
        break;
    case Mode::Split:
        each.counts.offsets = 6.0;
        each.divisions = 2.0;
        break;
    }
    return {forEachWork(stage.backend, "compare", stage.plan.outputs[0].count(), each)};
}

} // namespace

namespace stages {
const StageType& compare() {
    static const StageType kType{
        .id = "compare",
        .label = "Compare",
        .help = "Two frames of the same shape in one picture: their difference, a checkerboard of "
                "both, or split.",
        .work = compareWork,
        .table = compareTable(),
        .inputs = {{{DType::F32}}, {.dtypes = {DType::F32}, .name = "in2"}},
        .tolerance = {1e-6, 0.0},
        .code = codeOf<Compare>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
