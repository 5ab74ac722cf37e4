// SPDX-License-Identifier: GPL-3.0-or-later
// one_transmit: y[a][b] = x[t][a][b], the data of transmit t alone. Its samples keep their values
// and signs: channel data [channel][sample], or the image [depth][lateral].
#include "gpu/stage/one_of_first.cuh"
#include "gpu/stage/one_transmit.hpp"

namespace echolux {
namespace {

struct OneTransmitParams {
    std::int64_t transmit = 1; ///< from 1
};

class OneTransmit final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        return {.outputs = {
                    transmitOf("one_transmit", input, params.as<OneTransmitParams>().transmit)}};
    }

    void update(const Exec&, const Params& params) override {
        m_transmit = params.as<OneTransmitParams>().transmit;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        copyOneOfFirst(exec, "one_transmit", input, output, m_transmit - 1);
    }

private:
    std::int64_t m_transmit = 1; ///< from 1
};

Params oneTransmitDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    params.as<OneTransmitParams>().transmit = usualTransmit(input);
    return params;
}

std::vector<model::Kernel> oneTransmitWork(const PlannedStage& stage) {
    return copyOneOfFirstWork(stage, "one_transmit");
}

} // namespace

namespace stages {
const StageType& one_transmit() {
    static const StageType kType{
        .id = "one_transmit",
        .label = "One transmit",
        .help = "Outputs one transmit alone, its channel data or its image, unchanged.",
        .work = oneTransmitWork,
        .table = ParamTable::of<OneTransmitParams>()
                     .integer(&OneTransmitParams::transmit, transmitRow())
                     .build(),
        .inputs = {{.dtypes = {DType::F32, DType::ComplexF32},
                    .axes = {AxisName::Transmit, AxisName::Channel, AxisName::Sample},
                    .otherAxes = {{AxisName::Transmit, AxisName::Depth, AxisName::Lateral}}}},
        .bypassable = false,
        .tolerance = {0.0, 0.0},
        .defaults = oneTransmitDefaults,
        .code = codeOf<OneTransmit>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
