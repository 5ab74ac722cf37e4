// SPDX-License-Identifier: GPL-3.0-or-later
// gather: the last N images as an ensemble, oldest first, so that windows overlap by N - 1 frames
// and each image is computed once. Before N frames have come, the oldest one stands for those that
// are missing: it adds no motion.
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

namespace echolux {
namespace {

constexpr const char* kGatherId = "gather";

struct GatherParams {
    std::int64_t frames = 16;
};

class KeepImages final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        FrameSpec output = ensembleOf(input, params.as<GatherParams>().frames);
        output.slides = true;
        return {.outputs = {output}, .stateBytes = output.bytes()};
    }

    void update(const Exec&, const Params& params) override {
        m_frames = static_cast<std::size_t>(params.as<GatherParams>().frames);
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const std::size_t each = input.spec->bytes();
        auto* next = static_cast<std::byte*>(workspace.next);
        if (const auto* past = static_cast<const std::byte*>(workspace.past)) {
            copyWithin(exec, next, past + each, (m_frames - 1) * each);
            copyWithin(exec, next + (m_frames - 1) * each, input.data, each);
        } else {
            for (std::size_t i = 0; i < m_frames; ++i)
                copyWithin(exec, next + i * each, input.data, each);
        }
        copyWithin(exec, output.data, next, m_frames * each);
    }

private:
    std::size_t m_frames = 1;
};

/// The window moves on within the state, and is copied to the output.
std::vector<model::Kernel> gatherWork(const PlannedStage& stage) {
    const std::size_t window = stage.plan.outputs[0].bytes();
    const std::size_t image = stage.inputs[0].bytes();
    return {copyWork(kGatherId, window - image), copyWork(kGatherId, image),
            copyWork(kGatherId, window)};
}

} // namespace

namespace stages {
const StageType& gather() {
    static const StageType kType{
        .id = kGatherId,
        .label = "Gather",
        .help = "The last images as an ensemble that slides on by one frame.",
        .work = gatherWork,
        .table = ParamTable::of<GatherParams>()
                     .integer(&GatherParams::frames,
                              {.key = "frames",
                               .label = "Frames",
                               .min = 2,
                               .max = kMostEnsembleFrames,
                               .kind = ParamKind::Structural,
                               .help = "Number of images that are kept, the newest included."})
                     .build(),
        .inputs = {{.dtypes = {DType::F32, DType::ComplexF32},
                    .axes = {AxisName::Depth, AxisName::Lateral},
                    .otherAxes = {{AxisName::Lateral, AxisName::Depth},
                                  {AxisName::Elevation, AxisName::Depth, AxisName::Lateral}}}},
        .bypassable = false,
        .tolerance = {0.0, 0.0},
        .code = codeOf<KeepImages>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
