// SPDX-License-Identifier: GPL-3.0-or-later
// tgc: time gain compensation, y(d) = x(d) 10^((overall + p(u)) / 20), where p (dB) interpolates
// eight control points linearly and u in 0..7 runs over the depth (or sample) axis, end to end.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <cmath>

namespace echolux {
namespace {

constexpr int kPoints = 8;

struct TgcParams {
    std::vector<double> pointsDb = std::vector<double>(kPoints, 0.0);
    double gainDb = 0.0;
};

/// Linear gain of each depth.
struct GainAtDepth {
    float pointsDb[kPoints];
    float overallDb;
    float* gain;
    std::int64_t depths;

    ECHOLUX_HD void operator()(std::int64_t depth) const {
        const float last = static_cast<float>(depths > 1 ? depths - 1 : 1);
        const float u = static_cast<float>(depth) / last * (kPoints - 1);
        const int left = u < kPoints - 1 ? static_cast<int>(u) : kPoints - 2;
        const float part = u - static_cast<float>(left);
        const float db = pointsDb[left] + part * (pointsDb[left + 1] - pointsDb[left]) + overallDb;
        gain[depth] = powf(10.0F, db / 20.0F);
    }
};

template <class Sample> struct ApplyGain {
    const Sample* in;
    Sample* out;
    const float* gain;
    std::int64_t depths;
    std::int64_t inner; ///< samples that share one depth and lie side by side

    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = gain[i / inner % depths] * in[i]; }
};

class Tgc final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) {
        if (depthAxis(input) == nullptr) {
            throw Error(fmt::format("Stage 'tgc' needs frames with a depth or a sample axis, but "
                                    "what reaches it is {}; move it in the pipeline or take it "
                                    "out.",
                                    input.describe()));
        }
        return {.outputs = {input}, .heldBytes = gainBytes(input)};
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params&) override {
        const Axis* axis = depthAxis(input);
        m_depths = axis->size;
        m_inner = 1;
        for (const Axis* after = axis + 1; after != input.axes.data() + input.axes.size(); ++after)
            m_inner *= after->size;
        m_gain = Buffer(computeMemory(exec.backend), gainBytes(input));
    }

    void update(const Exec& exec, const Params& params) override {
        const auto& values = params.as<TgcParams>();
        GainAtDepth fill{{}, static_cast<float>(values.gainDb), m_gain.as<float>(), m_depths};
        for (std::size_t k = 0; k < kPoints; ++k)
            fill.pointsDb[k] = static_cast<float>(values.pointsDb.at(k));
        forEach(exec, "tgc", m_depths, fill);
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        if (isComplex(input.spec->dtype)) {
            apply<Complex>(exec, input, output);
        } else {
            apply<float>(exec, input, output);
        }
    }

private:
    static const Axis* depthAxis(const FrameSpec& spec) {
        const Axis* depth = spec.find(AxisName::Depth);
        return depth != nullptr ? depth : spec.find(AxisName::Sample);
    }

    static std::size_t gainBytes(const FrameSpec& input) {
        return static_cast<std::size_t>(depthAxis(input)->size) * sizeof(float);
    }

    template <class Sample>
    void apply(const Exec& exec, const ConstTensorView& input, const TensorView& output) const {
        forEach(exec, "tgc", input.spec->count(),
                ApplyGain<Sample>{input.as<Sample>(), output.as<Sample>(), m_gain.as<float>(),
                                  m_depths, m_inner});
    }

    Buffer m_gain;
    std::int64_t m_depths = 0;
    std::int64_t m_inner = 1;
};

/// Counts ApplyGain: two divisions find the depth, a product per real number.
std::vector<model::Kernel> tgcWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const double bytes = bytesPerSample(input);
    return {forEachWork(stage.backend, "tgc", input.count(),
                        {.bytesRead = bytes + 4.0,
                         .bytesWritten = bytes,
                         .distinctRead = bytes,
                         .counts = {.fmul = bytes / 4.0},
                         .divisions = 2.0})};
}

} // namespace

namespace stages {
const StageType& tgc() {
    static const StageType kType{
        .id = "tgc",
        .label = "TGC",
        .help = "Gain over depth: eight control points from the shallowest to the deepest.",
        .work = tgcWork,
        .table = ParamTable::of<TgcParams>()
                     .list(&TgcParams::pointsDb,
                           {.key = "points_db",
                            .label = "Points",
                            .unit = "dB",
                            .min = -40.0,
                            .max = 40.0,
                            .step = 0.5,
                            .help = "Gain at eight depths, evenly spaced from top to bottom.",
                            .listLabels = {"1", "2", "3", "4", "5", "6", "7", "8"}})
                     .real(&TgcParams::gainDb, {.key = "gain_db",
                                                .label = "Overall gain",
                                                .unit = "dB",
                                                .min = -40.0,
                                                .max = 40.0,
                                                .step = 0.5,
                                                .help = "Gain added at every depth."})
                     .build(),
        .inputs = {orEnsembles({{DType::F32, DType::ComplexF32}})},
        .tolerance = {1e-5, 0.0},
        .code = codeOf<Tgc>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
