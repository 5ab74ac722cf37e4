// SPDX-License-Identifier: GPL-3.0-or-later
// unwrap: velocities that appear with the wrong sign because they are too fast get whole periods P
// back, chosen by their neighbours.
//   w = v + P round(k),  k minimises  sum over neighbours i, j of (k[j] - k[i] - n[i, j])^2
//   n[i, j] = -round((v[j] - v[i]) / P)
// so that neighbours differ by at most half a period wherever that is possible for all. It is the
// unwrapping of phases by least squares (Ghiglia and Romero, Robust two-dimensional weighted and
// unweighted phase unwrapping that uses fast transforms and iterative methods, J. Opt. Soc. Am. A
// 11, 1994), solved by multigrid cycles (Pritt, Phase unwrapping by means of multigrid techniques
// for interferometric SAR, IEEE Trans. Geosci. Remote Sens. 34, 1996), with k in place of the
// phase. Pixels without flow, 0, take no part and stay. Where flow ends at what surrounds it, k is
// pulled to 0 weakly, since blood at a wall is slow; single pixels without flow within the flow do
// not pull. At most `turns` periods are added or taken away.
#include "gpu/exec/for_each.hpp"
#include "gpu/flow/unwrapping.hpp"
#include "gpu/stage/memory_parts.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace echolux {
namespace {

constexpr const char* kUnwrapId = "unwrap";
constexpr int kCycles = 3; ///< two suffice for the tests' pictures
constexpr int kSweeps = 2; ///< before and after the coarser levels
constexpr int kCoarsestSweeps = 8;
constexpr std::int64_t kCoarsest = 4; ///< rows and columns

struct UnwrapParams {
    double period = 0.0;
    std::int64_t turns = 1;
};

double periodOf(const FrameSpec& input, const UnwrapParams& values) {
    if (values.period > 0.0) return values.period;
    if (input.valueKind == ValueKind::Cyclic) return input.cycle;
    return input.valueRange ? input.valueRange->max - input.valueRange->min : 0.0;
}

/// The levels of the solver, from the finest to the coarsest, in a workspace.
struct UnwrapLevels {
    static constexpr int kMost = 20;
    std::array<flow::UnwrapLevel, kMost> level;
    int count = 0;
    std::size_t bytes = 0;

    UnwrapLevels(std::int64_t rows, std::int64_t columns, void* workspace) {
        MemoryParts parts(workspace);
        while (true) {
            flow::UnwrapLevel& made = level[static_cast<std::size_t>(count++)];
            made.rows = rows;
            made.columns = columns;
            made.rhs = parts.take<std::int64_t>(rows * columns);
            for (std::int32_t** part : {&made.right, &made.down, &made.diagonal, &made.turns})
                *part = parts.take<std::int32_t>(rows * columns);
            if (std::max(rows, columns) <= kCoarsest || count == kMost) break;
            rows = (rows + 1) / 2;
            columns = (columns + 1) / 2;
        }
        bytes = parts.bytes();
    }
    const flow::UnwrapLevel& operator[](int at) const {
        return level[static_cast<std::size_t>(at)];
    }
};

/// Calls relax(level), restrict(level) and correct(level) in the order of the solver; the last two
/// name the finer one of their levels.
template <class Relax, class Restrict, class Correct>
void inCycles(int levels, const Relax& relax, const Restrict& restrict, const Correct& correct) {
    const auto sweep = [&](int level, int times) {
        for (int i = 0; i < times; ++i) relax(level);
    };
    for (int cycle = 0; cycle < kCycles; ++cycle) {
        for (int level = 0; level + 1 < levels; ++level) {
            sweep(level, kSweeps);
            restrict(level);
        }
        sweep(levels - 1, kCoarsestSweeps);
        for (int level = levels - 1; level-- > 0;) {
            correct(level);
            sweep(level, kSweeps);
        }
    }
}

class Unwrap final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<UnwrapParams>();
        const double period = periodOf(input, values);
        if (!(period > 0.0))
            throw Error("unwrap: the range of the velocities is unknown; set 'period' to its "
                        "width, twice the largest velocity.");
        FrameSpec output = input;
        const double more = static_cast<double>(values.turns) * period;
        const ValueRange measured =
            input.valueRange.value_or(ValueRange{-0.5 * period, 0.5 * period, "", ""});
        output.valueRange =
            ValueRange{measured.min - more, measured.max + more, measured.unit, measured.reference};
        output.valueKind = ValueKind::Plain;
        output.cycle = 0.0;
        return {.outputs = {output},
                .workspaceBytes =
                    UnwrapLevels(input.axes[0].size, input.axes[1].size, nullptr).bytes};
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<UnwrapParams>();
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const FrameSpec& spec = *input.spec;
        const UnwrapLevels levels(spec.axes[0].size, spec.axes[1].size, workspace.data);
        const double period = periodOf(spec, m_values);
        const auto each = [&exec](std::int64_t count, const auto& functor) {
            forEach(exec, kUnwrapId, count, functor);
        };
        each(spec.count(),
             flow::UnwrapEdges{input.as<float>(), static_cast<float>(1.0 / period), levels[0]});
        for (int i = 1; i < levels.count; ++i)
            each(levels[i].cells(), flow::UnwrapCoarse{levels[i - 1], levels[i]});
        inCycles(
            levels.count,
            [&](int level) {
                for (const int colour : {0, 1}) {
                    const flow::UnwrapRelax relax{levels[level], colour};
                    each(relax.count(), relax);
                }
            },
            [&](int level) {
                each(levels[level + 1].cells(),
                     flow::UnwrapRestrict{levels[level], levels[level + 1]});
            },
            [&](int level) {
                each(levels[level].cells(), flow::UnwrapCorrect{levels[level], levels[level + 1]});
            });
        each(spec.count(), flow::UnwrapResult{input.as<float>(), levels[0].turns,
                                              output.as<float>(), static_cast<float>(period),
                                              static_cast<std::int32_t>(m_values.turns)});
    }

private:
    UnwrapParams m_values;
};

/// Counts the functors of unwrapping.hpp for an image that flows everywhere.
std::vector<model::Kernel> unwrapWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const UnwrapLevels levels(input.axes[0].size, input.axes[1].size, nullptr);
    std::vector<model::Kernel> kernels;
    const auto add = [&](std::int64_t count, const ElementWork& each) {
        kernels.push_back(forEachWork(stage.backend, kUnwrapId, count, each));
    };
    add(input.count(), {.bytesRead = 36.0,
                        .bytesWritten = 24.0,
                        .distinctRead = 4.0,
                        .counts = {.fmul = 4.0, .fadd = 8.0, .special = 4.0, .offsets = 80.0},
                        .divisions = 1.0});
    for (int i = 1; i < levels.count; ++i)
        add(levels[i].cells(), {.bytesRead = 112.0,
                                .bytesWritten = 12.0,
                                .distinctRead = 48.0,
                                .counts = {.offsets = 150.0},
                                .divisions = 1.0});
    inCycles(
        levels.count,
        [&](int level) {
            for (const int colour : {0, 1})
                add(flow::UnwrapRelax{levels[level], colour}.count(), {.bytesRead = 44.0,
                                                                       .bytesWritten = 4.0,
                                                                       .distinctRead = 32.0,
                                                                       .counts = {.offsets = 40.0},
                                                                       .divisions = 2.0});
        },
        [&](int level) {
            add(levels[level + 1].cells(), {.bytesRead = 192.0,
                                            .bytesWritten = 12.0,
                                            .distinctRead = 96.0,
                                            .counts = {.offsets = 150.0},
                                            .divisions = 1.0});
        },
        [&](int level) {
            add(levels[level].cells(), {.bytesRead = 12.0,
                                        .bytesWritten = 4.0,
                                        .distinctRead = 9.0,
                                        .counts = {.offsets = 12.0},
                                        .divisions = 1.0});
        });
    add(input.count(), {.bytesRead = 8.0,
                        .bytesWritten = 4.0,
                        .counts = {.fmul = 1.0, .fadd = 1.0, .offsets = 8.0}});
    return kernels;
}

} // namespace

namespace stages {
const StageType& unwrap() {
    static const StageType kType{
        .id = kUnwrapId,
        .label = "Unwrap velocity",
        .help = "Gives velocities that wrapped their whole periods back, by their neighbours.",
        .work = unwrapWork,
        .table = ParamTable::of<UnwrapParams>()
                     .real(&UnwrapParams::period,
                           {.key = "period",
                            .label = "Period",
                            .min = 0,
                            .max = 1e6,
                            .step = 0.1,
                            .help = "Width of the range in which velocities wrap, in their unit. "
                                    "0: what the stage before says, or the width of the "
                                    "input's range."})
                     .integer(&UnwrapParams::turns,
                              {.key = "turns",
                               .label = "Most periods",
                               .min = 1,
                               .max = 8,
                               .help = "Most periods that a velocity gets back. The range of the "
                                       "output is wider by as many on both sides."})
                     .build(),
        .inputs = {{.dtypes = {DType::F32},
                    .axes = {AxisName::Depth, AxisName::Lateral},
                    .otherAxes = {{AxisName::Lateral, AxisName::Depth}}}},
        .tolerance = {1e-6, 0.0},
        .code = codeOf<Unwrap>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
