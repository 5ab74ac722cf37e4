// SPDX-License-Identifier: GPL-3.0-or-later
// one_frame: y[...] = x[f][...], frame f of an ensemble alone, with its samples unchanged: channel
// data [transmit][channel][sample], or the image [depth][lateral] or, of OCT, [lateral][depth].
#include "gpu/stage/one_of_first.cuh"

namespace echolux {
namespace {

constexpr const char* kOneFrameId = "one_frame";

struct OneFrameParams {
    std::int64_t frame = 1; ///< from 1
};

class OneFrame final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        checkOneOfFirst(kOneFrameId, "frame", params.as<OneFrameParams>().frame, "the ensemble",
                        input.sizeOf(AxisName::Frame));
        return {.outputs = {oneFrameOf(input)}};
    }

    void update(const Exec&, const Params& params) override {
        m_frame = params.as<OneFrameParams>().frame;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        copyOneOfFirst(exec, kOneFrameId, input, output, m_frame - 1);
    }

private:
    std::int64_t m_frame = 1; ///< from 1
};

/// The last frame, which is the newest.
Params oneFrameDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    params.as<OneFrameParams>().frame = input.sizeOf(AxisName::Frame);
    return params;
}

std::vector<model::Kernel> oneFrameWork(const PlannedStage& stage) {
    return copyOneOfFirstWork(stage, kOneFrameId);
}

} // namespace

namespace stages {
const StageType& one_frame() {
    static const StageType kType{
        .id = kOneFrameId,
        .label = "One frame",
        .help = "Outputs one frame of an ensemble, its channel data or its image, unchanged.",
        .work = oneFrameWork,
        .table = ParamTable::of<OneFrameParams>()
                     .integer(&OneFrameParams::frame,
                              {.key = "frame",
                               .label = "Frame",
                               .min = 1,
                               .max = kMostEnsembleFrames,
                               .step = 1,
                               .help = "The frame of the ensemble that is output, counted from 1.",
                               .along = AxisName::Frame})
                     .build(),
        .inputs = {{.dtypes = {DType::F32, DType::ComplexF32},
                    .axes = {AxisName::Frame, AxisName::Transmit, AxisName::Channel,
                             AxisName::Sample},
                    .otherAxes = {{AxisName::Frame, AxisName::Depth, AxisName::Lateral},
                                  {AxisName::Frame, AxisName::Lateral, AxisName::Depth},
                                  {AxisName::Frame, AxisName::Elevation, AxisName::Depth,
                                   AxisName::Lateral}}}},
        .bypassable = false,
        .tolerance = {0.0, 0.0},
        .defaults = oneFrameDefaults,
        .code = codeOf<OneFrame>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
