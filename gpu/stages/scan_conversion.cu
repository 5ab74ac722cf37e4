// SPDX-License-Identifier: GPL-3.0-or-later
// scan_conversion: from beam space, range along the lines of a Sector, to an image of square
// pixels. A pixel p = (x, z) is interpolated between the four (bilinear) or sixteen (bicubic: Keys
// 1981, a = -1/2) neighbours in range and line number. Beside the sector the image has its darkest
// value. All lengths in m. Lines that leave one apex: range |p - apex| - radius, angle
// atan2(x - apex.x, z - apex.z). Lines with starts s_i and directions d_i = (sin a_i, cos a_i) of
// their own: p lies
//   D_i = (x - s_i.x) cos a_i - (z - s_i.z) sin a_i
// to the right of line i, and between lines i and i + 1 where D_i >= 0 > D_(i+1). With
//   u = D_i / (D_i - D_(i+1)), s = s_i + u (s_(i+1) - s_i), d = d_i + u (d_(i+1) - d_i)
// its line number is i + u and its range (p - s) . d / |d|. For lines from one apex this gives the
// same range, and a line number that differs by the square of the angle between lines.
#include "gpu/core/sector.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/scan_conversion_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace echolux {
namespace {

enum class SectorInterpolation { Bilinear, Bicubic };

struct ScanConversionParams {
    SectorInterpolation interpolation = SectorInterpolation::Bicubic;
    double pixelM = 1e-4;
};

constexpr const char* kScanConversionId = "scan_conversion";
constexpr std::int64_t kMaxPixels = std::int64_t{64} << 20;
constexpr double kPixelPerRow = 0.7; ///< pixel size of a default image, in distances of samples
constexpr double kMostDefaultPixels = 16e6;

/// Corners of the smallest rectangle round a sector, m.
struct Bounds {
    double left = 0.0;
    double right = 0.0;
    double top = 0.0;
    double bottom = 0.0;
};

std::shared_ptr<SectorBounds> filledBy(const FrameSpec& input) {
    const Axis& range = *input.find(AxisName::Depth);
    const double last = range.origin + static_cast<double>(range.size - 1) * range.spacing;
    return std::make_shared<SectorBounds>(boundsOf(*input.sector, range.origin, last));
}

Bounds roundRing(const SectorBounds& sector) {
    const double near = sector.nearestM;
    const double far = sector.farthestM;
    const double first = sector.firstRad;
    const double last = sector.lastRad;
    const double steepest =
        first <= 0.0 && last >= 0.0 ? 1.0 : std::max(std::cos(first), std::cos(last));
    const double flattest = std::min(std::cos(first), std::cos(last));
    Bounds bounds;
    bounds.left = sector.apexXM + std::min(near * std::sin(first), far * std::sin(first));
    bounds.right = sector.apexXM + std::max(near * std::sin(last), far * std::sin(last));
    bounds.top = sector.apexZM + std::min(near * flattest, far * flattest);
    bounds.bottom = sector.apexZM + far * steepest;
    return bounds;
}

Bounds roundCorners(const std::vector<Point>& corners) {
    const auto [left, right] = std::ranges::minmax(corners, {}, &Point::x);
    const auto [top, bottom] = std::ranges::minmax(corners, {}, &Point::z);
    return {left.x, right.x, top.z, bottom.z};
}

Bounds boundsIn(const SectorBounds& filled) {
    return filled.outline.empty() ? roundRing(filled) : roundCorners(filled.outline);
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

/// An image in beam space, read between its samples.
struct BeamSamples {
    const float* in;
    int rows;
    int lines;
    bool cubic;
    float outside;

    ECHOLUX_HD static int clamped(int i, int size) { return i < 0 ? 0 : i < size ? i : size - 1; }

    ECHOLUX_HD float at(int row, int line) const {
        return in[static_cast<std::int64_t>(clamped(row, rows)) * lines + clamped(line, lines)];
    }

    /// Margin in rows and lines, so that rounding does not cut off the first and the last.
    static constexpr float kEdge = 1e-3F;

    ECHOLUX_HD bool holdsRow(float row) const {
        return row >= -kEdge && row <= static_cast<float>(rows - 1) + kEdge;
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
        float weight[4];
        for (int n = 0; n < 4; ++n) weight[n] = cubicWeight(n - 1, g);
        float sum = 0.0F;
        for (int m = -1; m <= 2; ++m) {
            float alongLines = 0.0F;
            for (int n = 0; n < 4; ++n)
                alongLines = fmaf(weight[n], at(r + m, l + n - 1), alongLines);
            sum = fmaf(cubicWeight(m, f), alongLines, sum);
        }
        return sum;
    }
};

/// Centres of square pixels.
struct PixelPlaces {
    std::int64_t width;
    float left, top, pixel;

    ECHOLUX_HD float x(std::int64_t i) const {
        return fmaf(static_cast<float>(i % width), pixel, left);
    }
    ECHOLUX_HD float z(std::int64_t i) const {
        return fmaf(static_cast<float>(i / width), pixel, top);
    }
};

struct FromApex {
    BeamSamples beams;
    PixelPlaces places;
    float* out;
    const float* angle; ///< [lines], rising
    float apexX, apexZ;
    float nearest, perRow; ///< distance of row 0 from the apex; 1 / distance of rows

    /// Fractional line number. The angle lies between the first and the last line.
    ECHOLUX_HD float lineAt(float a) const {
        int low = 0;
        int high = beams.lines - 1;
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
        const float dx = places.x(i) - apexX;
        const float dz = places.z(i) - apexZ;
        const float row = (sqrtf(fmaf(dx, dx, dz * dz)) - nearest) * perRow;
        const float a = atan2f(dx, dz);
        constexpr float kAngle = 1e-5F; // rad
        const bool inside =
            beams.holdsRow(row) && a >= angle[0] - kAngle && a <= angle[beams.lines - 1] + kAngle;
        out[i] = inside ? beams.between(row, lineAt(a)) : beams.outside;
    }
};

/// A line with a start of its own.
struct OwnLine {
    float x, z;
    float sine, cosine;

    /// How far a place lies to the right of the line.
    ECHOLUX_HD float beside(float atX, float atZ) const {
        return fmaf(atX - x, cosine, -(atZ - z) * sine);
    }
};

struct FromOwnLines {
    BeamSamples beams;
    PixelPlaces places;
    float* out;
    const OwnLine* line; ///< [lines], each to the right of the previous ones
    float firstRange, perRow;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float x = places.x(i);
        const float z = places.z(i);
        int low = 0;
        int high = beams.lines - 1;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (line[middle].beside(x, z) >= 0.0F) {
                low = middle;
            } else {
                high = middle;
            }
        }
        const OwnLine a = line[low];
        const OwnLine b = line[high];
        const float besideA = a.beside(x, z);
        const float gap = besideA - b.beside(x, z);
        const float u = gap > 0.0F ? besideA / gap : 0.0F;
        const float dx = x - fmaf(u, b.x - a.x, a.x);
        const float dz = z - fmaf(u, b.z - a.z, a.z);
        const float sine = fmaf(u, b.sine - a.sine, a.sine);
        const float cosine = fmaf(u, b.cosine - a.cosine, a.cosine);
        const float range = fmaf(dx, sine, dz * cosine) / sqrtf(fmaf(sine, sine, cosine * cosine));
        const float row = (range - firstRange) * perRow;
        constexpr float kEdge = BeamSamples::kEdge;
        const bool inside = beams.holdsRow(row) && gap > 0.0F && u >= -kEdge && u <= 1.0F + kEdge;
        out[i] = inside ? beams.between(row, static_cast<float>(low) + u) : beams.outside;
    }
};

class ScanConversion final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        if (input.sector == nullptr) {
            throw Error("Stage 'scan_conversion' needs beams that fan out or are steered, but what "
                        "reaches it is an image already; bypass it or take it out, or set grid of "
                        "beamform to "
                        "beams.");
        }
        const double pixel = params.as<ScanConversionParams>().pixelM;
        auto filled = filledBy(input);
        const Bounds bounds = boundsIn(*filled);
        StagePlan plan{.outputs = {input}, .heldBytes = lineBytes(*input.sector)};
        plan.outputs[0].axes = {axisOver(AxisName::Depth, bounds.top, bounds.bottom, pixel),
                                axisOver(AxisName::Lateral, bounds.left, bounds.right, pixel)};
        plan.outputs[0].sector = nullptr;
        plan.outputs[0].within = std::move(filled);
        if (plan.outputs[0].count() > kMaxPixels) {
            throw Error(fmt::format("scan_conversion: pixels of {:g} mm make an image of more than "
                                    "{} million pixels; make pixel greater.",
                                    1e3 * pixel, kMaxPixels >> 20));
        }
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params&) override {
        m_lines = Buffer(computeMemory(exec.backend), lineBytes(*input.sector));
        if (input.sector->hasOneApex()) {
            const auto& angles = input.sector->anglesRad;
            send(exec, std::vector<float>(angles.begin(), angles.end()));
        } else {
            send(exec, ownLines(*input.sector));
        }
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
        const BeamSamples beams{.in = input.as<float>(),
                                .rows = static_cast<int>(range.size),
                                .lines = static_cast<int>(sector.lines()),
                                .cubic = m_params.interpolation == SectorInterpolation::Bicubic,
                                .outside = shown ? static_cast<float>(shown->min) : 0.0F};
        const PixelPlaces places{.width = lateral.size,
                                 .left = static_cast<float>(lateral.origin),
                                 .top = static_cast<float>(depth.origin),
                                 .pixel = static_cast<float>(lateral.spacing)};
        const auto perRow = static_cast<float>(1.0 / range.spacing);
        if (sector.hasOneApex()) {
            forEach(exec, kScanConversionId, output.spec->count(),
                    FromApex{.beams = beams,
                             .places = places,
                             .out = output.as<float>(),
                             .angle = m_lines.as<float>(),
                             .apexX = static_cast<float>(sector.apexXM),
                             .apexZ = static_cast<float>(sector.apexZM),
                             .nearest = static_cast<float>(sector.radiusM + range.origin),
                             .perRow = perRow});
            return;
        }
        forEach(exec, kScanConversionId, output.spec->count(),
                FromOwnLines{.beams = beams,
                             .places = places,
                             .out = output.as<float>(),
                             .line = m_lines.as<OwnLine>(),
                             .firstRange = static_cast<float>(range.origin),
                             .perRow = perRow});
    }

private:
    static std::size_t lineBytes(const Sector& sector) {
        return sector.lines() * (sector.hasOneApex() ? sizeof(float) : sizeof(OwnLine));
    }

    static std::vector<OwnLine> ownLines(const Sector& sector) {
        std::vector<OwnLine> lines;
        for (std::size_t i = 0; i < sector.lines(); ++i) {
            const Point start = sector.startOf(i);
            const double angle = sector.anglesRad[i];
            lines.push_back({static_cast<float>(start.x), static_cast<float>(start.z),
                             static_cast<float>(std::sin(angle)),
                             static_cast<float>(std::cos(angle))});
        }
        return lines;
    }

    template <class T> void send(const Exec& exec, const std::vector<T>& table) const {
        upload(exec, m_lines.data(), table.data(), table.size() * sizeof(T));
    }

    ScanConversionParams m_params;
    Buffer m_lines; ///< angles from one apex, or OwnLine
};

/// Pixels so much smaller than the distance of samples that a point between samples keeps its
/// level. They are larger where they would become too many.
Params scanConversionDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    if (input.sector == nullptr) return params;
    const Bounds bounds = boundsIn(*filledBy(input));
    const double area = (bounds.right - bounds.left) * (bounds.bottom - bounds.top);
    const double pixel = std::max(kPixelPerRow * input.find(AxisName::Depth)->spacing,
                                  std::sqrt(std::max(area, 0.0) / kMostDefaultPixels));
    params.as<ScanConversionParams>().pixelM =
        std::clamp(std::floor(pixel * 1e6) * 1e-6, 1e-6, 0.01);
    return params;
}

std::vector<model::Kernel> scanConversionWork(const PlannedStage& stage) {
    const auto kind = stage.params.as<ScanConversionParams>().interpolation;
    return scanConversionKernels(stage, kind == SectorInterpolation::Bicubic);
}

} // namespace

namespace stages {
const StageType& scan_conversion() {
    static const StageType kType{
        .id = kScanConversionId,
        .label = "Scan conversion",
        .help = "Turns ranges along beams into an image with square pixels.",
        .work = scanConversionWork,
        .table = ParamTable::of<ScanConversionParams>()
                     .choice(&ScanConversionParams::interpolation,
                             {{"bilinear", "Bilinear"}, {"bicubic", "Bicubic"}},
                             {.key = "interpolation",
                              .label = "Interpolation",
                              .help = "Bilinear uses 4 neighbouring values, bicubic 16."})
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
        .inputs = {{{DType::F32}, {AxisName::Depth, AxisName::Lateral}}},
        .tolerance = {1e-3, 0.0, 0.01},
        .defaults = scanConversionDefaults,
        .code = codeOf<ScanConversion>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
