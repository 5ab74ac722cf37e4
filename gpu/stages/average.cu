// SPDX-License-Identifier: GPL-3.0-or-later
// average: means of neighbouring A-scans and of B-scans. A-scans: each `a_lines` neighbours of a
// B-scan become one. A rest is dropped; where `a_lines` exceeds the number of lines, all become
// one. B-scans: in a stack, each `b_scans` neighbours become one likewise. Frames of one B-scan
// each are averaged over time, y += (x - y) / min(frames so far, b_scans). This is the plain mean
// of the first `b_scans` frames, and afterwards older frames fade. It averages its input as it is:
// decibels after magnitude_log, complex A-scans before it.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/oct/oct_formula.hpp"
#include "gpu/stage/function_work.hpp"
#include "gpu/stage/stage.hpp"

#include <algorithm>

namespace echolux {
namespace {

struct AverageParams {
    std::int64_t aLines = 1;
    std::int64_t bScans = 1;
};

constexpr const char* kAverageId = "average";

/// Sizes of the frame and of the blocks that become one.
struct Blocks {
    std::int64_t lines = 1; ///< per B-scan of the input
    std::int64_t depths = 1;
    std::int64_t linesOut = 1;
    std::int64_t bscansOut = 1;
    std::int64_t perLine = 1;
    std::int64_t perBscan = 1;
    bool stacked = false;

    Blocks() = default;
    Blocks(const FrameSpec& input, const AverageParams& values)
        : lines(input.sizeOf(AxisName::Lateral)), depths(input.axes.back().size),
          stacked(input.find(AxisName::Elevation) != nullptr) {
        const std::int64_t bscans = input.sizeOf(AxisName::Elevation);
        perLine = std::min(values.aLines, lines);
        perBscan = stacked ? std::min(values.bScans, bscans) : 1;
        linesOut = lines / perLine;
        bscansOut = bscans / perBscan;
    }
};

ECHOLUX_HD inline float scaled(float value, float factor) { return value * factor; }
ECHOLUX_HD inline Complex scaled(Complex value, float factor) { return factor * value; }

/// The values kept over time: the mean, then the number of frames in it.
template <class T> struct Kept {
    T* mean;
    std::int32_t* frames;

    Kept(void* state, std::int64_t count)
        : mean(static_cast<T*>(state)),
          frames(state == nullptr ? nullptr : reinterpret_cast<std::int32_t*>(mean + count)) {}
};

template <class T> struct BlockMean {
    const T* in;
    T* out;
    Blocks blocks;
    Kept<T> past;        ///< null: no previous frame
    Kept<T> next;        ///< null: no averaging over time
    std::int32_t frames; ///< most frames averaged over time

    /// `line` counts through the whole output.
    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t z) const {
        const std::int64_t i = line * blocks.depths + z;
        out[i] = meanAt(line, z);
        if (next.mean == nullptr) return;
        std::int32_t seen = 0;
        if (past.mean != nullptr) {
            seen = *past.frames < frames ? *past.frames : frames - 1;
            // A past that is not finite counts as none, so NaN in the data does not stay for ever.
            const T before = oct::isFinite(past.mean[i]) ? past.mean[i] : out[i];
            out[i] = before + scaled(out[i] - before, 1.0F / static_cast<float>(seen + 1));
        }
        next.mean[i] = out[i];
        if (i == 0) *next.frames = seen + 1;
    }

private:
    ECHOLUX_HD T meanAt(std::int64_t line, std::int64_t z) const {
        const std::int64_t firstBscan = line / blocks.linesOut * blocks.perBscan;
        const std::int64_t firstLine = line % blocks.linesOut * blocks.perLine;
        T sum{};
        for (std::int64_t b = 0; b < blocks.perBscan; ++b) {
            const std::int64_t start = (firstBscan + b) * blocks.lines + firstLine;
            for (std::int64_t a = 0; a < blocks.perLine; ++a)
                sum = sum + in[(start + a) * blocks.depths + z];
        }
        return scaled(sum, 1.0F / static_cast<float>(blocks.perBscan * blocks.perLine));
    }
};

class Average final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<AverageParams>();
        const Blocks blocks(input, values);
        StagePlan plan{.outputs = {input}};
        for (Axis& axis : plan.outputs[0].axes) {
            if (axis.name == AxisName::Lateral) shrink(axis, blocks.linesOut, blocks.perLine);
            if (axis.name == AxisName::Elevation) shrink(axis, blocks.bscansOut, blocks.perBscan);
        }
        if (framesOf(blocks, values) > 1)
            plan.stateBytes = plan.outputs[0].bytes() + sizeof(std::int32_t);
        plan.mixesBscans = blocks.perBscan > 1;
        return plan;
    }

    void prepare(const Exec&, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        const auto& values = params.as<AverageParams>();
        m_blocks = Blocks(input, values);
        m_frames = framesOf(m_blocks, values);
    }

    void update(const Exec&, const Params&) override {}

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        if (isComplex(input.spec->dtype)) {
            average<Complex>(exec, input, output, workspace);
        } else {
            average<float>(exec, input, output, workspace);
        }
    }

private:
    template <class T> void average(const Exec& exec, const ConstTensorView& input,
                                    const TensorView& output, const Workspace& workspace) const {
        const std::int64_t count = output.spec->count();
        const bool overTime = m_frames > 1;
        void* past = overTime ? const_cast<void*>(workspace.past) : nullptr; // it is only read
        forEachInLines(exec, kAverageId, m_blocks.linesOut * m_blocks.bscansOut, m_blocks.depths,
                       BlockMean<T>{input.as<T>(), output.as<T>(), m_blocks, Kept<T>(past, count),
                                    Kept<T>(overTime ? workspace.next : nullptr, count),
                                    static_cast<std::int32_t>(m_frames)});
    }

    static std::int64_t framesOf(const Blocks& blocks, const AverageParams& values) {
        return blocks.stacked ? 1 : values.bScans;
    }

    static void shrink(Axis& axis, std::int64_t size, std::int64_t block) {
        axis.size = size;
        axis.origin += 0.5 * static_cast<double>(block - 1) * axis.spacing;
        axis.spacing *= static_cast<double>(block);
    }

    Blocks m_blocks;
    std::int64_t m_frames = 1; ///< averaged over time
};

ParamTable averageTable() {
    using P = AverageParams;
    return ParamTable::of<P>()
        .integer(&P::aLines, {.key = "a_lines",
                              .label = "A-scans",
                              .min = 1,
                              .max = 64,
                              .step = 1,
                              .kind = ParamKind::Structural,
                              .help = "Number of neighbouring A-scans that are averaged into one."})
        .integer(&P::bScans, {.key = "b_scans",
                              .label = "B-scans",
                              .min = 1,
                              .max = 64,
                              .step = 1,
                              .kind = ParamKind::Structural,
                              .help = "Number of B-scans that are averaged: neighbours in a "
                                      "volume, otherwise successive frames."})
        .build();
}

/// Counts BlockMean: per sample of the block a load and a sum of each real number; the block's
/// first sample takes two divisions, which the CPU makes once per line. Over time the mean of the
/// past is read, tested and written.
std::vector<model::Kernel> averageWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const FrameSpec& output = stage.plan.outputs[0];
    const auto& values = stage.params.as<AverageParams>();
    const Blocks blocks(input, values);
    const bool overTime = !blocks.stacked && values.bScans > 1;
    const double bytes = bytesPerSample(output);
    const double reals = bytes / 4.0;
    const auto block = static_cast<double>(blocks.perLine * blocks.perBscan);
    model::Part counts{.fmul = reals, .fadd = reals * block, .offsets = 4.0 * block + 6.0};
    if (overTime) {
        counts.fmul += reals;
        counts.fadd += 4.0 * reals;
        counts.offsets += 10.0;
    }
    counts = oneByOne(stage.backend, counts);
    if (overTime) counts = addedUp({counts, divisionWork(stage.backend)});
    const double past = overTime ? bytes : 0.0;
    return {forEachInLinesWork(stage.backend, kAverageId, output.count(),
                               {.bytesRead = bytes * block + past,
                                .bytesWritten = bytes + past,
                                .counts = counts,
                                .divisions = stage.backend == Backend::Cuda ? 2.0 : 0.0})};
}

} // namespace

namespace stages {
const StageType& average() {
    static const StageType kType{
        .id = kAverageId,
        .label = "Average",
        .help = "Averages A-scans and B-scans to calm noise and speckle.",
        .work = averageWork,
        .table = averageTable(),
        .inputs = {{{DType::F32, DType::ComplexF32}, {AxisName::Lateral, AxisName::Depth}, true}},
        .tolerance = {1e-5, 1e-6},
        .code = codeOf<Average>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
