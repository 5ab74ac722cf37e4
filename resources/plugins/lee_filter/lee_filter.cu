// SPDX-License-Identifier: GPL-3.0-or-later
// lee_filter: reduces speckle of amplitudes. Around each pixel, m and v are mean and variance of
// the amplitudes y in a square window, cut at the edges of the image. The output is m + k (y - m)
// with k = (v - c^2 m^2) / ((1 + c^2) v), at least 0, where c is the standard deviation of speckle
// over its mean. J.-S. Lee, IEEE Trans. Pattern Anal. Mach. Intell. 2 (2), 1980, multiplicative
// noise.
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/plugin.hpp"
#include "gpu/stage/stage_work.hpp"

#include <cstdint>

namespace {

using namespace echolux;

struct LeeParams {
    std::int64_t window = 5; ///< pixels
    double speckle = 0.523;  ///< sqrt(4 / pi - 1), fully developed speckle
};

/// The output at one pixel: one formula for the CPU and for CUDA.
struct LeeAtPixel {
    const float* in;
    float* out;
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t reach; ///< pixels on each side
    float squaredSpeckle;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t row = i / columns;
        const std::int64_t column = i % columns;
        const std::int64_t top = row > reach ? row - reach : 0;
        const std::int64_t bottom = row + reach < rows ? row + reach : rows - 1;
        const std::int64_t left = column > reach ? column - reach : 0;
        const std::int64_t right = column + reach < columns ? column + reach : columns - 1;
        const auto count = static_cast<float>((bottom - top + 1) * (right - left + 1));
        float mean = 0.0F;
        for (std::int64_t r = top; r <= bottom; ++r)
            for (std::int64_t c = left; c <= right; ++c) mean += in[r * columns + c];
        mean /= count;
        float variance = 0.0F;
        for (std::int64_t r = top; r <= bottom; ++r) {
            for (std::int64_t c = left; c <= right; ++c) {
                const float difference = in[r * columns + c] - mean;
                variance += difference * difference;
            }
        }
        variance /= count;
        const float ofImage = variance - squaredSpeckle * mean * mean;
        const float k = ofImage > 0.0F ? ofImage / ((1.0F + squaredSpeckle) * variance) : 0.0F;
        out[i] = mean + k * (in[i] - mean);
    }
};

class LeeFilter final : public Filter {
public:
    /// The output is like the input.
    static StagePlan plan(const FrameSpec& input, const Params&) { return {.outputs = {input}}; }

    void update(const Exec&, const Params& params) override {
        const auto& values = params.as<LeeParams>();
        m_reach = values.window / 2;
        m_squaredSpeckle = static_cast<float>(values.speckle * values.speckle);
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        forEach(exec, "lee_filter", input.spec->count(),
                LeeAtPixel{input.as<float>(), output.as<float>(), input.spec->axes[0].size,
                           input.spec->axes[1].size, m_reach, m_squaredSpeckle});
    }

private:
    std::int64_t m_reach = 0;
    float m_squaredSpeckle = 0.0F;
};

/// What a prediction counts: the window is read twice, for a sum, and for a difference and its
/// square.
std::vector<model::Kernel> leeWork(const PlannedStage& stage) {
    const FrameSpec& image = stage.inputs[0];
    const std::int64_t reach = stage.params.as<LeeParams>().window / 2;
    const double window =
        meanWindow(image.axes[0].size, reach) * meanWindow(image.axes[1].size, reach);
    const model::Part eachOfWindow{.ffma = 1.0, .fadd = 2.0, .offsets = 6.0};
    return {forEachWork(stage.backend, "lee_filter", image.count(),
                        {.bytesRead = 2.0 * 4.0 * window,
                         .bytesWritten = 4.0,
                         .distinctRead = 4.0,
                         .counts = oneByOne(stage.backend, eachOfWindow.times(window)),
                         .divisions = 1.0})};
}

const StageType& leeFilter() {
    static const StageType kType{
        .id = "lee_filter",
        .label = "Lee filter",
        .help = "Reduces speckle: averages where the amplitudes vary no more than speckle does.",
        .work = leeWork,
        .table = ParamTable::of<LeeParams>()
                     .integer(&LeeParams::window, {.key = "window",
                                                   .label = "Window",
                                                   .unit = "px",
                                                   .min = 3,
                                                   .max = 21,
                                                   .step = 2,
                                                   .help = "Side of the square around each pixel.",
                                                   .oddOnly = true})
                     .real(&LeeParams::speckle,
                           {.key = "speckle",
                            .label = "Speckle contrast",
                            .min = 0.05,
                            .max = 2.0,
                            .step = 0.01,
                            .help = "Standard deviation of speckle over its mean; 0.523 where it "
                                    "is fully developed. More smooths more."})
                     .build(),
        .inputs = {{.dtypes = {DType::F32}, .axes = {AxisName::Depth, AxisName::Lateral}}},
        .tolerance = {1e-4, 0.0},
        .code = codeOf<LeeFilter>(),
    };
    return kType;
}

} // namespace

ECHOLUX_PLUGIN("Lee filter", "1.0", &leeFilter())
