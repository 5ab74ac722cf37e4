// SPDX-License-Identifier: GPL-3.0-or-later
// dc_removal: subtracts each line's mean over the record. y[n] = x[n] - (1/N) sum_k x[k], any unit,
// any N >= 1 (S3 section 2.2.1).
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/stage.hpp"

namespace echolux {
namespace {

struct DcRemovalParams {};

/// One line per index: the sum is accumulated in double, so that long records lose nothing.
struct SubtractMean {
    const float* in;
    float* out;
    std::int64_t samples;

    ECHOLUX_HD void operator()(std::int64_t line) const {
        const float* x = in + line * samples;
        float* y = out + line * samples;
        double sum = 0.0;
        for (std::int64_t n = 0; n < samples; ++n) sum += x[n];
        const float mean = static_cast<float>(sum / static_cast<double>(samples));
        for (std::int64_t n = 0; n < samples; ++n) y[n] = x[n] - mean;
    }
};

class DcRemoval final : public Stage {
public:
    StagePlan plan(const FrameSpec& input, const Params&) const override { return {input, 0}; }
    void update(const Exec&, const Params&) override {}
    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const std::int64_t samples = input.spec->axes.back().size;
        forEach(exec, "dc_removal", input.spec->count() / samples,
                SubtractMean{input.as<float>(), output.as<float>(), samples});
    }
};

} // namespace

namespace stages {
const StageType& dc_removal() {
    static const StageType kType{
        .id = "dc_removal",
        .label = "DC removal",
        .help = "Subtracts each channel's mean over the record.",
        .table = ParamTable::of<DcRemovalParams>().build(),
        .input = {{DType::F32}, {AxisName::Transmit, AxisName::Channel, AxisName::Sample}},
        .tolerance = {1e-5, 0.0},
        .create = []() -> std::unique_ptr<Stage> { return std::make_unique<DcRemoval>(); },
    };
    return kType;
}
} // namespace stages
} // namespace echolux
