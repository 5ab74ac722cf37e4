// SPDX-License-Identifier: GPL-3.0-or-later
// average: means of neighbouring A-lines and of B-scans. A-lines: each `a_lines` neighbours of a
// B-scan become one (a rest is dropped; more than there are means all). B-scans: in a stack, each
// `b_scans` neighbours become one likewise; frames of one B-scan each are averaged over time, y +=
// (x - y) / min(frames so far, b_scans), which is the plain mean of the first `b_scans` frames and
// fades older ones afterwards. It averages what it is given: decibels after magnitude_log, complex
// A-lines before.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/compute_table.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

struct AverageParams {
    std::int64_t aLines = 1;
    std::int64_t bScans = 1;
};

constexpr const char* kId = "average";

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
ECHOLUX_HD inline bool isFinite(float value) { return std::isfinite(value); }
ECHOLUX_HD inline bool isFinite(Complex value) {
    return std::isfinite(value.re) && std::isfinite(value.im);
}

template <class T> struct BlockMean {
    const T* in;
    T* out;
    T* past; ///< null: this frame alone
    Blocks blocks;
    float weight; ///< of this frame against the past

    /// `line` counts through the whole output.
    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t z) const {
        const std::int64_t firstBscan = line / blocks.linesOut * blocks.perBscan;
        const std::int64_t firstLine = line % blocks.linesOut * blocks.perLine;
        T sum{};
        for (std::int64_t b = 0; b < blocks.perBscan; ++b) {
            const std::int64_t start = (firstBscan + b) * blocks.lines + firstLine;
            for (std::int64_t a = 0; a < blocks.perLine; ++a)
                sum = sum + in[(start + a) * blocks.depths + z];
        }
        const std::int64_t i = line * blocks.depths + z;
        const T mean = scaled(sum, 1.0F / static_cast<float>(blocks.perBscan * blocks.perLine));
        if (past == nullptr) {
            out[i] = mean;
            return;
        }
        // A past that is not finite counts as none: NaN in the data does not stay for ever.
        const T before = isFinite(past[i]) ? past[i] : mean;
        past[i] = before + scaled(mean - before, weight);
        out[i] = past[i];
    }
};

class Average final : public Stage {
public:
    StagePlan plan(const FrameSpec& input, const Params& params) const override {
        const Blocks blocks(input, params.as<AverageParams>());
        StagePlan plan{input, 0};
        for (Axis& axis : plan.output.axes) {
            if (axis.name == AxisName::Lateral) shrink(axis, blocks.linesOut, blocks.perLine);
            if (axis.name == AxisName::Elevation) shrink(axis, blocks.bscansOut, blocks.perBscan);
        }
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan& plan,
                 const Params& params) override {
        const auto& values = params.as<AverageParams>();
        m_blocks = Blocks(input, values);
        m_frames = m_blocks.stacked ? 1 : values.bScans;
        m_past = Buffer();
        if (m_frames > 1) m_past = Buffer(computeMemory(exec.backend), plan.output.bytes());
        reset(exec);
    }

    void update(const Exec&, const Params&) override {}

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        m_seen = std::min(m_seen + 1, m_frames);
        if (isComplex(input.spec->dtype)) {
            average<Complex>(exec, input, output);
        } else {
            average<float>(exec, input, output);
        }
    }

    void reset(const Exec& exec) override {
        constexpr int kNanByte = 0xFF; // four of them are a NaN
        m_seen = 0;
        if (m_frames > 1) fillBytes(exec, m_past.data(), kNanByte, m_past.bytes());
    }

private:
    template <class T>
    void average(const Exec& exec, const ConstTensorView& input, const TensorView& output) {
        forEachInLines(exec, kId, m_blocks.linesOut * m_blocks.bscansOut, m_blocks.depths,
                       BlockMean<T>{input.as<T>(), output.as<T>(), m_past.as<T>(), m_blocks,
                                    1.0F / static_cast<float>(m_seen)});
    }

    static void shrink(Axis& axis, std::int64_t size, std::int64_t block) {
        axis.size = size;
        axis.origin += 0.5 * static_cast<double>(block - 1) * axis.spacing;
        axis.spacing *= static_cast<double>(block);
    }

    Blocks m_blocks;
    std::int64_t m_frames = 1; ///< averaged over time
    std::int64_t m_seen = 0;
    Buffer m_past;
};

ParamTable table() {
    using P = AverageParams;
    return ParamTable::of<P>()
        .integer(&P::aLines, {.key = "a_lines",
                              .label = "A-lines",
                              .min = 1,
                              .max = 64,
                              .step = 1,
                              .kind = ParamKind::Structural,
                              .help = "Neighbouring A-lines that become one."})
        .integer(&P::bScans, {.key = "b_scans",
                              .label = "B-scans",
                              .min = 1,
                              .max = 64,
                              .step = 1,
                              .kind = ParamKind::Structural,
                              .help = "B-scans averaged: neighbours of a stack, else frames over "
                                      "time."})
        .build();
}

} // namespace

namespace stages {
const StageType& average() {
    static const StageType kType{
        .id = kId,
        .label = "Average",
        .help = "Averages A-lines and B-scans to calm noise and speckle.",
        .table = table(),
        .input = {{DType::F32, DType::ComplexF32}, {AxisName::Lateral, AxisName::Depth}, true},
        .stateful = true,
        .tolerance = {1e-5, 1e-6},
        .create = []() -> std::unique_ptr<Stage> { return std::make_unique<Average>(); },
    };
    return kType;
}
} // namespace stages
} // namespace echolux
