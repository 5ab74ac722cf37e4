// SPDX-License-Identifier: GPL-3.0-or-later
// scan_conversion: from beam space, range along lines that fan out from an apex (Sector), to an
// image of square pixels. A pixel at (x, z) has range |(x, z) - apex| - radius and angle
// atan2(x - apex.x, z - apex.z); it is interpolated between the four (bilinear) or sixteen
// (bicubic: Keys 1981, a = -1/2) neighbours in range and line number. Beside the sector the image
// is as dark as its range of values allows.
#include "gpu/exec/for_each.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

enum class SectorInterpolation { Bilinear, Bicubic };

struct ScanConversionParams {
    SectorInterpolation interpolation = SectorInterpolation::Bilinear;
    double pixelM = 1e-4;
};

constexpr const char* kId = "scan_conversion";
constexpr std::int64_t kMaxPixels = std::int64_t{64} << 20;
constexpr double kPixelsDeep = 800.0; ///< of a default image

/// Corners of the smallest rectangle round a sector, m.
struct Bounds {
    double left = 0.0;
    double right = 0.0;
    double top = 0.0;
    double bottom = 0.0;
};

SectorBounds sectorBounds(const FrameSpec& input) {
    const Sector& sector = *input.sector;
    const Axis& range = *input.find(AxisName::Depth);
    const double nearest = sector.radiusM + range.origin;
    return {sector.apexXM,
            sector.apexZM,
            nearest,
            nearest + static_cast<double>(range.size - 1) * range.spacing,
            sector.anglesRad.front(),
            sector.anglesRad.back()};
}

Bounds boundsOf(const SectorBounds& sector) {
    const auto& [apexX, apexZ, near, far, first, last] = sector;
    const double steepest =
        first <= 0.0 && last >= 0.0 ? 1.0 : std::max(std::cos(first), std::cos(last));
    const double flattest = std::min(std::cos(first), std::cos(last));
    Bounds bounds;
    bounds.left = apexX + std::min(near * std::sin(first), far * std::sin(first));
    bounds.right = apexX + std::max(near * std::sin(last), far * std::sin(last));
    bounds.top = apexZ + std::min(near * flattest, far * flattest);
    bounds.bottom = apexZ + far * steepest;
    return bounds;
}

Axis axisOver(AxisName name, double from, double to, double pixel) {
    return {name, static_cast<std::int64_t>(std::ceil((to - from) / pixel - 1e-6)) + 1, pixel, from,
            "m"};
}

/// Weight of the neighbour `offset` = -1 to 2 at fraction f behind neighbour 0.
ECHOLUX_HD inline float cubicWeight(int offset, float f) {
    const float d = fabsf(f - static_cast<float>(offset));
    return d <= 1.0F ? fmaf(d * d, fmaf(1.5F, d, -2.5F), 1.0F)
                     : fmaf(d, fmaf(d, fmaf(-0.5F, d, 2.5F), -4.0F), 2.0F);
}

struct FromSector {
    const float* in;
    float* out;
    const float* angle; ///< [lines], rising
    std::int64_t width;
    int rows;
    int lines;
    float left, top, pixel;
    float apexX, apexZ;
    float nearest, perRow; ///< distance of row 0 from the apex; 1 / distance of rows
    float outside;
    bool cubic;

    ECHOLUX_HD static int clamped(int i, int size) { return i < 0 ? 0 : i < size ? i : size - 1; }

    ECHOLUX_HD float at(int row, int line) const {
        return in[static_cast<std::int64_t>(clamped(row, rows)) * lines + clamped(line, lines)];
    }

    /// Line number, with a fraction, where the angle lies between the first and the last.
    ECHOLUX_HD float lineAt(float a) const {
        int low = 0;
        int high = lines - 1;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (angle[middle] <= a) {
                low = middle;
            } else {
                high = middle;
            }
        }
        const float gap = angle[high] - angle[low];
        return static_cast<float>(low) + (gap > 0.0F ? (a - angle[low]) / gap : 0.0F);
    }

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float dx = fmaf(static_cast<float>(i % width), pixel, left) - apexX;
        const float dz = fmaf(static_cast<float>(i / width), pixel, top) - apexZ;
        const float row = (sqrtf(fmaf(dx, dx, dz * dz)) - nearest) * perRow;
        const float a = atan2f(dx, dz);
        // Rounding must not cut off the first and the last row and line.
        constexpr float kEdge = 1e-3F;
        constexpr float kAngle = 1e-5F; // rad
        const bool inside = row >= -kEdge && row <= static_cast<float>(rows - 1) + kEdge &&
                            a >= angle[0] - kAngle && a <= angle[lines - 1] + kAngle;
        out[i] = inside ? between(row, lineAt(a)) : outside;
    }

    ECHOLUX_HD float between(float row, float line) const {
        const float wholeRow = floorf(row);
        const float wholeLine = floorf(line);
        const float f = row - wholeRow;
        const float g = line - wholeLine;
        const int r = static_cast<int>(wholeRow);
        const int l = static_cast<int>(wholeLine);
        if (!cubic) {
            const float upper = fmaf(g, at(r, l + 1) - at(r, l), at(r, l));
            const float lower = fmaf(g, at(r + 1, l + 1) - at(r + 1, l), at(r + 1, l));
            return fmaf(f, lower - upper, upper);
        }
        float sum = 0.0F;
        for (int m = -1; m <= 2; ++m) {
            float alongLines = 0.0F;
            for (int n = -1; n <= 2; ++n)
                alongLines = fmaf(cubicWeight(n, g), at(r + m, l + n), alongLines);
            sum = fmaf(cubicWeight(m, f), alongLines, sum);
        }
        return sum;
    }
};

class ScanConversion final : public Filter {
public:
    StagePlan plan(const FrameSpec& input, const Params& params) const override {
        if (input.sector == nullptr) {
            throw Error("Stage 'scan_conversion' needs beams that fan out, but what reaches it is "
                        "an image already; bypass it or take it out, or set grid of beamform to "
                        "beams.");
        }
        const double pixel = params.as<ScanConversionParams>().pixelM;
        const SectorBounds sector = sectorBounds(input);
        const Bounds bounds = boundsOf(sector);
        StagePlan plan{.output = input,
                       .heldBytes = input.sector->anglesRad.size() * sizeof(float)};
        plan.output.axes = {axisOver(AxisName::Depth, bounds.top, bounds.bottom, pixel),
                            axisOver(AxisName::Lateral, bounds.left, bounds.right, pixel)};
        plan.output.sector = nullptr;
        plan.output.within = std::make_shared<SectorBounds>(sector);
        if (plan.output.count() > kMaxPixels) {
            throw Error(fmt::format("scan_conversion: pixels of {:g} mm make an image of more than "
                                    "{} million pixels; make pixel greater.",
                                    1e3 * pixel, kMaxPixels >> 20));
        }
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params&) override {
        const auto& angles = input.sector->anglesRad;
        const std::vector<float> table(angles.begin(), angles.end());
        m_angles = Buffer(computeMemory(exec.backend), table.size() * sizeof(float));
        upload(exec, m_angles.data(), table.data(), table.size() * sizeof(float));
    }

    void update(const Exec&, const Params& params) override {
        m_params = params.as<ScanConversionParams>();
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const Sector& sector = *input.spec->sector;
        const Axis& range = *input.spec->find(AxisName::Depth);
        const Axis& depth = *output.spec->find(AxisName::Depth);
        const Axis& lateral = *output.spec->find(AxisName::Lateral);
        const auto& shown = input.spec->valueRange;
        forEach(exec, kId, output.spec->count(),
                FromSector{.in = input.as<float>(),
                           .out = output.as<float>(),
                           .angle = m_angles.as<float>(),
                           .width = lateral.size,
                           .rows = static_cast<int>(range.size),
                           .lines = static_cast<int>(sector.anglesRad.size()),
                           .left = static_cast<float>(lateral.origin),
                           .top = static_cast<float>(depth.origin),
                           .pixel = static_cast<float>(lateral.spacing),
                           .apexX = static_cast<float>(sector.apexXM),
                           .apexZ = static_cast<float>(sector.apexZM),
                           .nearest = static_cast<float>(sector.radiusM + range.origin),
                           .perRow = static_cast<float>(1.0 / range.spacing),
                           .outside = shown ? static_cast<float>(shown->min) : 0.0F,
                           .cubic = m_params.interpolation == SectorInterpolation::Bicubic});
    }

private:
    ScanConversionParams m_params;
    Buffer m_angles;
};

/// As fine as the range, unless that makes more rows than a screen shows.
Params scanConversionDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    if (input.sector == nullptr) return params;
    const Axis& range = *input.find(AxisName::Depth);
    const double fine =
        std::max(range.spacing, static_cast<double>(range.size) * range.spacing / kPixelsDeep);
    params.as<ScanConversionParams>().pixelM =
        std::clamp(std::floor(fine * 1e6) * 1e-6, 1e-6, 0.01);
    return params;
}

} // namespace

namespace stages {
const StageType& scan_conversion() {
    static const StageType kType{
        .id = kId,
        .label = "Scan conversion",
        .help = "From range along beams that fan out to an image of square pixels.",
        .table = ParamTable::of<ScanConversionParams>()
                     .choice(&ScanConversionParams::interpolation,
                             {{"bilinear", "Bilinear"}, {"bicubic", "Bicubic"}},
                             {.key = "interpolation",
                              .label = "Interpolation",
                              .help = "Between 4 neighbours in range and line, or 16."})
                     .real(&ScanConversionParams::pixelM, {.key = "pixel",
                                                           .label = "Pixel",
                                                           .unit = "m",
                                                           .min = 1e-6,
                                                           .max = 0.01,
                                                           .step = 1e-6,
                                                           .kind = ParamKind::Structural,
                                                           .help = "Side of the image's pixels.",
                                                           .displayUnit = "mm",
                                                           .displayFactor = 1e3})
                     .build(),
        .input = {{DType::F32}, {AxisName::Depth, AxisName::Lateral}},
        .tolerance = {1e-3, 0.0, 0.01},
        .defaults = scanConversionDefaults,
        .create = createFilter<ScanConversion>,
    };
    return kType;
}
} // namespace stages
} // namespace echolux
