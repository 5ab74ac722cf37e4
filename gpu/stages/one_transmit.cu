// SPDX-License-Identifier: GPL-3.0-or-later
// one_transmit: y[c][n] = x[t][c][n], the channel data of transmit t as a picture, its samples as
// they are, sign included.
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/one_transmit.hpp"
#include "gpu/stage/stage.hpp"

namespace echolux {
namespace {

struct OneTransmitParams {
    std::int64_t transmit = 0;
};

struct CopySample {
    const float* in;
    float* out;

    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = in[i]; }
};

class OneTransmit final : public Filter {
public:
    StagePlan plan(const FrameSpec& input, const Params& params) const override {
        return {shownOf("one_transmit", input, params.as<OneTransmitParams>().transmit), 0};
    }

    void update(const Exec&, const Params& params) override {
        m_transmit = params.as<OneTransmitParams>().transmit;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const auto* shown = input.as<float>() + shownFrom(*input.spec, m_transmit);
        forEach(exec, "one_transmit", output.spec->count(), CopySample{shown, output.as<float>()});
    }

private:
    std::int64_t m_transmit = 0;
};

/// Of transmits steered by angles in order, the middle one looks straight down.
Params defaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    params.as<OneTransmitParams>().transmit = middleOf(input.sizeOf(AxisName::Transmit));
    return params;
}

} // namespace

namespace stages {
const StageType& one_transmit() {
    static const StageType kType{
        .id = "one_transmit",
        .label = "One transmit",
        .help = "Channel data of one transmit as a picture, its samples as they are.",
        .table = ParamTable::of<OneTransmitParams>()
                     .integer(&OneTransmitParams::transmit, transmitRow())
                     .build(),
        .input = {{DType::F32}, {AxisName::Transmit, AxisName::Channel, AxisName::Sample}},
        .bypassable = false,
        .tolerance = {0.0, 0.0},
        .defaults = defaults,
        .create = createFilter<OneTransmit>,
    };
    return kType;
}
} // namespace stages
} // namespace echolux
