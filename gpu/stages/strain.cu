// SPDX-License-Identifier: GPL-3.0-or-later
// strain: the slope of the axial displacement u over depth z, in percent:
//   e = 100 du/dz, by the line that fits u best over `window` depths (least squares)
// u is in um, positive away from the probe, so compression is negative and stretching positive.
// (Kallel, Ophir, A least-squares strain estimator for elastography, Ultrason. Imaging 19, 1997.)
// Only depths whose quality is `least_quality` or more count. A pixel has no strain where its own
// quality is less, or where the slope of the depths that count would be more than three times as
// noisy as that of all depths of the window: sum (z - mean z)^2 is less than a ninth. No strain is
// 0, which views drawn over another one leave out. At the borders the window is the part of it that
// lies inside. A pixel without data, NaN, stays one.
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/function_work.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/motion_windows.hpp"

#include <fmt/format.h>

namespace echolux {
namespace {

constexpr const char* kStrainId = "strain";

struct StrainParams {
    std::int64_t window = 51;
    double leastQuality = 0.6;
    double rangePercent = 1.0;
};

/// Sums of a straight line's fit, with depths and displacements counted from the pixel's own.
struct StrainSlope {
    const float* displacement;
    const float* quality;
    float* out;
    std::int64_t depths;
    std::int64_t laterals;
    std::int64_t half;
    float leastQuality;
    float percentPerUm; ///< of a slope per depth
    bool hasGaps;

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t x) const {
        const std::int64_t at = z * laterals + x;
        const bool counts = quality[at] >= leastQuality && !std::isnan(displacement[at]);
        const bool isGap = hasGaps && (std::isnan(displacement[at]) || std::isnan(quality[at]));
        out[at] = counts  ? percentPerUm * slopeAt(z, x)
                  : isGap ? displacement[at] + quality[at]
                          : 0.0F;
    }

private:
    ECHOLUX_HD float slopeAt(std::int64_t z, std::int64_t x) const {
        const std::int64_t first = z - half < 0 ? 0 : z - half;
        const std::int64_t end = z + half + 1 > depths ? depths : z + half + 1;
        const float own = displacement[z * laterals + x];
        float count = 0.0F;
        float t1 = 0.0F;
        float t2 = 0.0F;
        float u1 = 0.0F;
        float tu = 0.0F;
        for (std::int64_t i = first; i < end; ++i) {
            const std::int64_t at = i * laterals + x;
            if (!(quality[at] >= leastQuality) || std::isnan(displacement[at])) continue;
            const auto t = static_cast<float>(i - z);
            const float u = displacement[at] - own;
            count += 1.0F;
            t1 += t;
            t2 += t * t;
            u1 += u;
            tu += t * u;
        }
        const auto n = static_cast<float>(end - first);
        const float ofAll = n * (n * n - 1.0F) / 12.0F; // sum (z - mean z)^2 over the window
        const float spread = count * t2 - t1 * t1;
        if (count < 2.0F || 9.0F * spread < count * ofAll) return 0.0F;
        return (count * tu - t1 * u1) / spread;
    }
};

class Strain final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& moved = inputs[0];
        if (!moved.sameLayout(inputs[1]))
            throw Error(fmt::format("strain: the displacement is {} and its quality is {}; take "
                                    "both from the same stage 'displacement'.",
                                    moved.describe(), inputs[1].describe()));
        checkDepthInMetres(kStrainId, *moved.find(AxisName::Depth));
        if (moved.valueRange && moved.valueRange->unit != kDisplacementUnit)
            throw Error(fmt::format("strain: what reaches 'in' is in '{}', not in {}; put "
                                    "'displacement' before it.",
                                    moved.valueRange->unit, kDisplacementUnit));
        const double most = params.as<StrainParams>().rangePercent;
        StagePlan plan{.outputs = {moved}};
        plan.outputs[0].valueRange = {-most, most, "%", "compression is negative"};
        plan.outputs[0].hasGaps = moved.hasGaps || inputs[1].hasGaps;
        plan.outputs[0].valueKind = ValueKind::Plain;
        plan.outputs[0].cycle = 0.0;
        return plan;
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<StrainParams>();
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace&) override {
        const Axis& depth = *inputs[0].spec->find(AxisName::Depth);
        const std::int64_t laterals = inputs[0].spec->axes.back().size;
        const double percentPerUm = 100.0 * 1e-6 / depth.spacing;
        forEachInLines(exec, kStrainId, depth.size, laterals,
                       StrainSlope{inputs[0].as<float>(), inputs[1].as<float>(),
                                   outputs[0].as<float>(), depth.size, laterals,
                                   m_values.window / 2, static_cast<float>(m_values.leastQuality),
                                   static_cast<float>(percentPerUm), outputs[0].spec->hasGaps});
    }

private:
    StrainParams m_values;
};

/// A window of 2 mm.
Params strainDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    auto& values = params.as<StrainParams>();
    values.window = oddPixels(input.find(AxisName::Depth), 2e-3, values.window);
    return params;
}

/// Counts StrainSlope. Per depth of the window: two loads, a comparison, a conversion, a difference
/// and five sums, two of which are FFMA. All pixels count as alike enough, which is the most.
std::vector<model::Kernel> strainWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const Backend backend = stage.backend;
    const double depths =
        meanWindow(input.sizeOf(AxisName::Depth), stage.params.as<StrainParams>().window / 2);
    const model::Part each =
        oneByOne(backend, {.ffma = 2.0, .fadd = 5.0, .offsets = 8.0}).times(depths);
    const model::Part slope =
        oneByOne(backend, {.ffma = 3.0, .fmul = 6.0, .fadd = 4.0, .offsets = 12.0});
    return {forEachInLinesWork(backend, kStrainId, input.count(),
                               {.bytesRead = 8.0 * depths + 8.0,
                                .bytesWritten = 4.0,
                                .distinctRead = 8.0,
                                .counts = addedUp({each, slope, divisionWork(backend)})})};
}

} // namespace

namespace stages {
const StageType& strain() {
    static const StageType kType{
        .id = kStrainId,
        .label = "Strain",
        .help = "How much tissue is compressed or stretched along the beam, from its displacement.",
        .work = strainWork,
        .table =
            ParamTable::of<StrainParams>()
                .integer(&StrainParams::window,
                         {.key = "window",
                          .label = "Window over depth",
                          .unit = "pixels",
                          .min = 3,
                          .max = kMostWindowPixels,
                          .step = 2,
                          .help = "Number of depths through whose displacements a line is laid. "
                                  "Long windows are calmer and blur borders. Even numbers count as "
                                  "the next odd one."})
                .real(&StrainParams::leastQuality,
                      {.key = "least_quality",
                       .label = "Least quality",
                       .min = 0,
                       .max = 1,
                       .step = 0.01,
                       .help = "Pixels whose echoes are less alike than this show no strain, and "
                               "do not count for others."})
                .real(&StrainParams::rangePercent,
                      {.key = "range",
                       .label = "Range",
                       .unit = "%",
                       .min = 0.01,
                       .max = 100,
                       .step = 0.01,
                       .scale = ParamScale::Log,
                       .help = "Strain at which the colours end, compressed and stretched."})
                .build(),
        .inputs = {{.dtypes = {DType::F32}, .axes = {AxisName::Depth, AxisName::Lateral}},
                   {.dtypes = {DType::F32},
                    .axes = {AxisName::Depth, AxisName::Lateral},
                    .name = "quality"}},
        .bypassable = false,
        .tolerance = {1e-4, 0.0},
        .defaults = strainDefaults,
        .code = codeOf<Strain>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
