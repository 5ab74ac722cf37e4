// SPDX-License-Identifier: GPL-3.0-or-later
// persistence: recursive average over frames, y = a y_prev + (1 - a) x per pixel, 0 <= a <= 0.95;
// the first frame passes unchanged.
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <cmath>

namespace echolux {
namespace {

struct PersistenceParams {
    double amount = 0.0;
};

/// A past that is not finite counts as no past, so a pixel recovers from NaN in the data.
struct DecayingMean {
    const float* in;
    float* out;
    const float* past; ///< null: first frame
    float* next;
    float amount;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const bool follows = past != nullptr && std::isfinite(past[i]);
        const float y = follows ? amount * past[i] + (1.0F - amount) * in[i] : in[i];
        out[i] = y;
        next[i] = y;
    }
};

class Persistence final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) {
        return {.outputs = {input}, .stateBytes = input.bytes()};
    }

    void update(const Exec&, const Params& params) override {
        m_amount = static_cast<float>(params.as<PersistenceParams>().amount);
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        forEach(exec, "persistence", input.spec->count(),
                DecayingMean{input.as<float>(), output.as<float>(),
                             static_cast<const float*>(workspace.past),
                             static_cast<float*>(workspace.next), m_amount});
    }

private:
    float m_amount = 0.0F;
};

/// Counts DecayingMean; the image is written twice.
std::vector<model::Kernel> persistenceWork(const PlannedStage& stage) {
    return {forEachWork(stage.backend, "persistence", stage.inputs[0].count(),
                        {.bytesRead = 8.0,
                         .bytesWritten = 8.0,
                         .counts = {.ffma = 1.0, .fmul = 1.0, .fadd = 1.0, .offsets = 4.0}})};
}

} // namespace

namespace stages {
const StageType& persistence() {
    static const StageType kType{
        .id = "persistence",
        .label = "Persistence",
        .help = "Averages each pixel over time to calm noise; moving parts smear.",
        .work = persistenceWork,
        .table = ParamTable::of<PersistenceParams>()
                     .real(&PersistenceParams::amount,
                           {.key = "amount",
                            .label = "Amount",
                            .min = 0.0,
                            .max = 0.95,
                            .step = 0.05,
                            .help = "Weight of the previous frames; 0 shows each frame alone."})
                     .build(),
        .inputs = {{{DType::F32}, {AxisName::Depth, AxisName::Lateral}, true}},
        .tolerance = {1e-5, 0.0},
        .code = codeOf<Persistence>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
