// SPDX-License-Identifier: GPL-3.0-or-later
// dc_removal_moving: y[n] = x[n] - mean of x over `window` samples around n (S4 section 2.3.3), 3
// to 1024, odd windows centred, even ones reaching one sample farther back. At the ends of the line
// the mean is that of the samples inside.
#include "gpu/exec/for_each.hpp"
#include "gpu/oct/oct_formula.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/stage.hpp"

namespace echolux {
namespace {

using oct::DcRemovalMovingParams;

/// One output sample: what a GPU's thread does.
struct SubtractAround {
    const float* in;
    float* out;
    std::int64_t length;
    std::int64_t window;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float* x = in + i / length * length;
        const std::int64_t n = i % length;
        const oct::Span span = oct::movingSpan(n, window, length);
        float sum = 0.0F;
        for (std::int64_t k = span.first; k <= span.last; ++k) sum += x[k] - x[n];
        out[i] = -sum / static_cast<float>(span.last - span.first + 1);
    }
};

/// One line with a running sum, in double so that nothing is lost along it.
struct SubtractAlong {
    const float* in;
    float* out;
    std::int64_t length;
    std::int64_t window;

    ECHOLUX_HD void operator()(std::int64_t line) const {
        const float* x = in + line * length;
        float* y = out + line * length;
        double sum = 0.0;
        oct::Span held{0, -1};
        for (std::int64_t n = 0; n < length; ++n) {
            const oct::Span span = oct::movingSpan(n, window, length);
            while (held.last < span.last) sum += x[++held.last];
            while (held.first < span.first) sum -= x[held.first++];
            const auto count = static_cast<double>(span.last - span.first + 1);
            y[n] = static_cast<float>(x[n] - sum / count);
        }
    }
};

class DcRemovalMoving final : public Filter {
public:
    StagePlan plan(const FrameSpec& input, const Params&) const override {
        return {.output = input};
    }

    void update(const Exec&, const Params& params) override {
        m_window = params.as<DcRemovalMovingParams>().window;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const oct::Lines lines = oct::linesOf(*input.spec);
        const auto* in = input.as<float>();
        auto* out = output.as<float>();
        if (exec.backend == Backend::Cuda) {
            forEach(exec, "dc_removal_moving", lines.count * lines.length,
                    SubtractAround{in, out, lines.length, m_window});
        } else {
            forEach(exec, "dc_removal_moving", lines.count,
                    SubtractAlong{in, out, lines.length, m_window});
        }
    }

private:
    std::int64_t m_window = 25;
};

} // namespace

namespace stages {
const StageType& dc_removal_moving() {
    static const StageType kType{
        .id = "dc_removal_moving",
        .label = "DC removal",
        .help = "Subtracts a moving average along each spectrum.",
        .table = ParamTable::of<DcRemovalMovingParams>()
                     .integer(&DcRemovalMovingParams::window,
                              {.key = "window",
                               .label = "Window",
                               .min = 3,
                               .max = 1024,
                               .step = 1,
                               .help = "Samples averaged; a short window also weakens shallow "
                                       "depths.",
                               .displayUnit = "samples"})
                     .build(),
        .input = {{DType::F32}, {AxisName::Lateral, AxisName::Sample}, true},
        .tolerance = {1e-5, 0.0},
        .create = createFilter<DcRemovalMoving>,
    };
    return kType;
}
} // namespace stages
} // namespace echolux
