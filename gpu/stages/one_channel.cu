// SPDX-License-Identifier: GPL-3.0-or-later
// one_channel: y[depth][lateral] = x[c][depth][lateral], the delayed data of channel c alone. Its
// samples keep their values and signs.
#include "gpu/stage/one_of_first.cuh"

namespace echolux {
namespace {

constexpr const char* kOneChannelId = "one_channel";

struct OneChannelParams {
    std::int64_t channel = 1; ///< from 1
};

class OneChannel final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        checkOneOfFirst(kOneChannelId, "channel", params.as<OneChannelParams>().channel,
                        "the delayed channel data", input.axes.front().size);
        FrameSpec output = input;
        output.axes.erase(output.axes.begin());
        return {.outputs = {output}};
    }

    void update(const Exec&, const Params& params) override {
        m_channel = params.as<OneChannelParams>().channel;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        copyOneOfFirst(exec, kOneChannelId, input, output, m_channel - 1);
    }

private:
    std::int64_t m_channel = 1; ///< from 1
};

/// The middle of the array.
Params oneChannelDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    params.as<OneChannelParams>().channel = input.sizeOf(AxisName::Channel) / 2 + 1;
    return params;
}

std::vector<model::Kernel> oneChannelWork(const PlannedStage& stage) {
    return copyOneOfFirstWork(stage, kOneChannelId);
}

} // namespace

namespace stages {
const StageType& one_channel() {
    static const StageType kType{
        .id = kOneChannelId,
        .label = "One channel",
        .help = "Outputs the delayed data of one receive element, unchanged.",
        .work = oneChannelWork,
        .table = ParamTable::of<OneChannelParams>()
                     .integer(&OneChannelParams::channel,
                              {.key = "channel",
                               .label = "Channel",
                               .min = 1,
                               .max = 4096,
                               .step = 1,
                               .help = "The receive element whose delayed data are output, counted "
                                       "from 1.",
                               .along = AxisName::Channel})
                     .build(),
        .inputs = {{{DType::F32, DType::ComplexF32},
                    {AxisName::Channel, AxisName::Depth, AxisName::Lateral}}},
        .bypassable = false,
        .tolerance = {0.0, 0.0},
        .defaults = oneChannelDefaults,
        .code = codeOf<OneChannel>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
