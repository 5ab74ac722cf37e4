// SPDX-License-Identifier: GPL-3.0-or-later
// patch_blend: joins several images, each corrected for its own patch, into one. Between the
// centres of two patches it is linear in the lateral position; beyond the outer centres it is the
// outer image. With u = (x - x0) / width * patches - 1/2, i = floor(u), f = u - i: y = (1 - f)
// image_i + f image_(i+1).
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <cmath>

namespace echolux {
namespace {

constexpr const char* kPatchBlendId = "patch_blend";

struct BlendParams {
    double lateralM = 0.0;
    double widthM = 0.04;
};

template <class Value> struct Blend {
    const Value* in; ///< [patch][row][column]
    Value* out;
    std::int64_t patches;
    std::int64_t pixels;
    std::int64_t columns;
    float origin;  ///< u of column 0
    float spacing; ///< step of u per column

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float u = std::fma(static_cast<float>(i % columns), spacing, origin);
        const auto last = static_cast<float>(patches - 1);
        const float inside = u > 0.0F ? (u < last ? u : last) : 0.0F;
        const auto first = static_cast<std::int64_t>(inside);
        const std::int64_t second = first + 1 < patches ? first + 1 : first;
        const float share = inside - static_cast<float>(first);
        out[i] = (1.0F - share) * in[first * pixels + i] + share * in[second * pixels + i];
    }
};

class PatchBlend final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) {
        return {.outputs = {oneFrameOf(input)}};
    }

    void update(const Exec&, const Params& params) override { m_params = params.as<BlendParams>(); }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        isComplex(input.spec->dtype) ? blend<Complex>(exec, input, output)
                                     : blend<float>(exec, input, output);
    }

private:
    template <class Value>
    void blend(const Exec& exec, const ConstTensorView& input, const TensorView& output) const {
        const std::int64_t patches = input.spec->sizeOf(AxisName::Frame);
        const Axis& lateral = input.spec->axes.back();
        const double perM = static_cast<double>(patches) / m_params.widthM;
        const double left = m_params.lateralM - 0.5 * m_params.widthM;
        const std::int64_t pixels = output.spec->count();
        forEach(exec, kPatchBlendId, pixels,
                Blend<Value>{input.as<Value>(), output.as<Value>(), patches, pixels, lateral.size,
                             static_cast<float>((lateral.origin - left) * perM - 0.5),
                             static_cast<float>(lateral.spacing * perM)});
    }

    BlendParams m_params;
};

ParamRow placeRow(const char* key, const char* label, double min, const char* help) {
    return {.key = key,
            .label = label,
            .unit = "m",
            .min = min,
            .max = 0.4,
            .step = 1e-4,
            .help = help,
            .displayUnit = "mm",
            .displayFactor = 1e3};
}

/// The width of the image.
Params patchBlendDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    const Axis* lateral = input.find(AxisName::Lateral);
    if (lateral == nullptr || lateral->size < 2) return params;
    auto& p = params.as<BlendParams>();
    p.widthM = std::fabs(lateral->spacing) * static_cast<double>(lateral->size);
    p.lateralM = lateral->origin + 0.5 * lateral->spacing * static_cast<double>(lateral->size - 1);
    return params;
}

/// Counts Blend: place and share (an FFMA, three conversions, four comparisons), two samples and
/// their mean.
std::vector<model::Kernel> patchBlendWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const FrameSpec& output = stage.plan.outputs[0];
    const double bytes = bytesPerSample(input);
    const double reals = bytes / 4.0;
    const model::Part counts{
        .ffma = 1.0 + reals, .fmul = reals, .fadd = 4.0, .offsets = 3.0 + 12.0};
    return {
        forEachWork(stage.backend, kPatchBlendId, output.count(),
                    {.bytesRead = 2.0 * bytes,
                     .bytesWritten = bytes,
                     .distinctRead = std::min(2.0 * bytes, static_cast<double>(input.bytes()) /
                                                               static_cast<double>(output.count())),
                     .counts = oneByOne(stage.backend, counts),
                     .divisions = 1.0})};
}

} // namespace

namespace stages {
const StageType& patch_blend() {
    static const StageType kType{
        .id = kPatchBlendId,
        .label = "Patch blend",
        .help = "Joins several images, each corrected for its own patch of the width, into one.",
        .work = patchBlendWork,
        .table = ParamTable::of<BlendParams>()
                     .real(&BlendParams::lateralM,
                           placeRow("region_lateral", "Region lateral", -0.4,
                                    "Centre of the region that has patches, as in 'aberration'."))
                     .real(&BlendParams::widthM,
                           placeRow("region_width", "Region width", 1e-4,
                                    "Width of all patches together, as in 'aberration'."))
                     .build(),
        .inputs = {{.dtypes = {DType::F32, DType::ComplexF32},
                    .axes = {AxisName::Frame, AxisName::Depth, AxisName::Lateral}}},
        .bypassable = false,
        .tolerance = {1e-5, 0.0},
        .defaults = patchBlendDefaults,
        .code = codeOf<PatchBlend>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
