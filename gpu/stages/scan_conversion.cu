// SPDX-License-Identifier: GPL-3.0-or-later
// scan_conversion: from beam space, range along the lines of a Sector, to an image of square
// pixels. A pixel p = (x, z) is mixed from the four (bilinear) or sixteen (bicubic) neighbours in
// range and line number by the kind of the values, see gpu/image/mixed_samples.hpp. Beside the
// sector the image has no data: NaN. All lengths in m. Lines that leave one apex: range
// |p - apex| - radius, angle atan2(x - apex.x, z - apex.z). Where the radius is negative, the lines
// meet in the apex before they part; before it the range is -|p - apex| - radius and the angle
// atan2(apex.x - x, apex.z - z). Lines round a full circle have no first and no last one. Lines
// with starts s_i and directions d_i = (sin a_i, cos a_i) of their own: p lies
//   D_i = (x - s_i.x) cos a_i - (z - s_i.z) sin a_i
// to the right of line i, and between lines i and i + 1 where D_i >= 0 > D_(i+1). With
//   u = D_i / (D_i - D_(i+1)), s = s_i + u (s_(i+1) - s_i), d = d_i + u (d_(i+1) - d_i)
// its line number is i + u and its range (p - s) . d / |d|. For lines from one apex this gives the
// same range, and a line number that differs by the square of the angle between lines.
#include "gpu/core/sector.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/image/mixed_samples.hpp"
#include "gpu/image/sector_pixels.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/scan_conversion_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
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
constexpr double kPixelPerRow = 0.55; ///< pixel size of a default image, in distances of samples
constexpr double kMostDefaultPixels = 4e6; ///< few screens show more

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

Bounds roundCorners(const std::vector<Point>& corners) {
    const auto [left, right] = std::ranges::minmax(corners, {}, &Point::x);
    const auto [top, bottom] = std::ranges::minmax(corners, {}, &Point::z);
    return {left.x, right.x, top.z, bottom.z};
}

/// The extremes of a part of a ring lie at its corners, or straight left, right, above or below its
/// apex.
Bounds roundRing(const SectorBounds& sector) {
    constexpr double kQuarter = 0.5 * std::numbers::pi;
    std::vector<double> angles{sector.firstRad, sector.lastRad};
    for (double k = std::ceil(sector.firstRad / kQuarter); k * kQuarter < sector.lastRad; ++k)
        angles.push_back(k * kQuarter);
    std::vector<Point> corners;
    for (const double angle : angles)
        for (const double distance : {sector.nearestM, sector.farthestM})
            corners.push_back({sector.apexXM + distance * std::sin(angle), 0.0,
                               sector.apexZM + distance * std::cos(angle)});
    return roundCorners(corners);
}

Bounds boundsIn(const SectorBounds& filled) {
    return filled.outline.empty() ? roundRing(filled) : roundCorners(filled.outline);
}

Axis axisOver(AxisName name, double from, double to, double pixel) {
    return {name, static_cast<std::int64_t>(std::ceil((to - from) / pixel - 1e-6)) + 1, pixel, from,
            "m"};
}

/// The columns of an image in beam space as they are mixed. Round a full circle some lines stand
/// twice, so that the last one has neighbours.
struct BeamColumns {
    static constexpr std::int64_t kBefore = 1;
    static constexpr std::int64_t kAfter = 2;
    std::int64_t lines;
    bool closed; ///< a full circle

    static BeamColumns of(const FrameSpec& input) {
        const Sector& sector = *input.sector;
        return {static_cast<std::int64_t>(sector.lines()),
                sector.hasOneApex() && filledBy(input)->lastRad > sector.anglesRad.back()};
    }
    std::int64_t before() const { return closed ? kBefore : 0; }
    std::int64_t width() const { return closed ? kBefore + lines + kAfter : lines; }

    /// The angle of each column. The first line lies within half a turn of straight down.
    std::vector<float> angles(const Sector& sector) const {
        constexpr double kTurn = 2.0 * std::numbers::pi;
        const double back = kTurn * std::floor(sector.anglesRad.front() / kTurn + 0.5);
        std::vector<float> result;
        for (std::int64_t column = 0; column < width(); ++column) {
            const std::int64_t line = column - before() + lines;
            const double turns = static_cast<double>(line / lines - 1);
            result.push_back(static_cast<float>(
                sector.anglesRad[static_cast<std::size_t>(line % lines)] + turns * kTurn - back));
        }
        return result;
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
        StagePlan plan{.outputs = {input},
                       .workspaceBytes = sampleBytes(input),
                       .heldBytes = lineBytes(input)};
        plan.outputs[0].axes = {axisOver(AxisName::Depth, bounds.top, bounds.bottom, pixel),
                                axisOver(AxisName::Lateral, bounds.left, bounds.right, pixel)};
        plan.outputs[0].sector = nullptr;
        plan.outputs[0].within = std::move(filled);
        plan.outputs[0].hasGaps = true;
        if (plan.outputs[0].count() > kMaxPixels) {
            throw Error(fmt::format("scan_conversion: pixels of {:g} mm make an image of more than "
                                    "{} million pixels; make pixel greater.",
                                    1e3 * pixel, kMaxPixels >> 20));
        }
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params&) override {
        m_lines = Buffer(computeMemory(exec.backend), lineBytes(input));
        m_columns = BeamColumns::of(input);
        const Sector& sector = *input.sector;
        if (!sector.hasOneApex()) return send(exec, ownLines(sector));
        const std::vector<float> angles = m_columns.angles(sector);
        const auto first = static_cast<std::size_t>(m_columns.before());
        m_first = angles[first];
        m_last = angles[first + sector.lines() - (m_columns.closed ? 0 : 1)];
        send(exec, angles);
    }

    void update(const Exec&, const Params& params) override {
        m_params = params.as<ScanConversionParams>();
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        mixed::withRuleOf(*input.spec, [&](const auto& rule) {
            convert(exec, rule, input, output, workspace.data);
        });
    }

private:
    template <class Rule> void convert(const Exec& exec, const Rule& rule,
                                       const ConstTensorView& input, const TensorView& output,
                                       void* workspace) const {
        using Sample = typename Rule::Sample;
        const Sector& sector = *input.spec->sector;
        const Axis& range = *input.spec->find(AxisName::Depth);
        const Axis& depth = *output.spec->find(AxisName::Depth);
        const Axis& lateral = *output.spec->find(AxisName::Lateral);
        mixed::MixedSamples<Rule> beams{.in = reinterpret_cast<const Sample*>(input.data),
                                        .rows = static_cast<int>(range.size),
                                        .columns = static_cast<int>(m_columns.width()),
                                        .values = input.as<float>(),
                                        .own = static_cast<int>(m_columns.lines),
                                        .before = static_cast<int>(m_columns.before()),
                                        .cubic =
                                            m_params.interpolation == SectorInterpolation::Bicubic,
                                        .rule = rule};
        if (rule.preparesSamples() || m_columns.closed) {
            auto* samples = static_cast<Sample*>(workspace);
            forEach(exec, kScanConversionId, range.size * m_columns.width(),
                    mixed::PrepareSamples<Rule>{beams.values, samples, m_columns.lines,
                                                m_columns.before(), m_columns.width(), rule});
            beams.in = samples;
        }
        const sectors::PixelPlaces places{.width = lateral.size,
                                          .left = static_cast<float>(lateral.origin),
                                          .top = static_cast<float>(depth.origin),
                                          .pixel = static_cast<float>(lateral.spacing)};
        const auto perRow = static_cast<float>(1.0 / range.spacing);
        const sectors::RowsHeld holds{static_cast<float>(range.size - 1)};
        if (sector.hasOneApex()) {
            forEach(exec, kScanConversionId, output.spec->count(),
                    sectors::FromApex<Rule>{.beams = beams,
                                            .places = places,
                                            .out = output.as<float>(),
                                            .angle = m_lines.as<float>(),
                                            .first = m_first,
                                            .last = m_last,
                                            .apexX = static_cast<float>(sector.apexXM),
                                            .apexZ = static_cast<float>(sector.apexZM),
                                            .nearest =
                                                static_cast<float>(sector.radiusM + range.origin),
                                            .perRow = perRow,
                                            .holds = holds});
            return;
        }
        forEach(exec, kScanConversionId, output.spec->count(),
                sectors::FromOwnLines<Rule>{.beams = beams,
                                            .places = places,
                                            .out = output.as<float>(),
                                            .line = m_lines.as<sectors::OwnLine>(),
                                            .firstRange = static_cast<float>(range.origin),
                                            .perRow = perRow,
                                            .holds = holds});
    }

    /// The workspace, for samples that are not the values themselves.
    static std::size_t sampleBytes(const FrameSpec& input) {
        const BeamColumns columns = BeamColumns::of(input);
        return mixed::withRuleOf(input, [&](const auto& rule) -> std::size_t {
            if (!rule.preparesSamples() && !columns.closed) return 0;
            return static_cast<std::size_t>(input.sizeOf(AxisName::Depth) * columns.width()) *
                   sizeof(typename std::decay_t<decltype(rule)>::Sample);
        });
    }

    static std::size_t lineBytes(const FrameSpec& input) {
        return static_cast<std::size_t>(BeamColumns::of(input).width()) *
               (input.sector->hasOneApex() ? sizeof(float) : sizeof(sectors::OwnLine));
    }

    static std::vector<sectors::OwnLine> ownLines(const Sector& sector) {
        std::vector<sectors::OwnLine> lines;
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
    BeamColumns m_columns{};
    float m_first = 0.0F; ///< angles of the outer lines, of one apex
    float m_last = 0.0F;
    Buffer m_lines; ///< angles from one apex, or sectors::OwnLine
};

/// Pixels so much smaller than the distance of samples that a point between samples keeps its
/// level. They are larger where they would become too many.
Params scanConversionDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    if (input.sector == nullptr) return params;
    const Bounds bounds = boundsIn(*filledBy(input));
    const double area = (bounds.right - bounds.left) * (bounds.bottom - bounds.top);
    const double least = std::sqrt(std::max(area, 0.0) / kMostDefaultPixels);
    const double pixel =
        std::max(std::floor(1e6 * kPixelPerRow * input.find(AxisName::Depth)->spacing),
                 std::ceil(1e6 * least));
    params.as<ScanConversionParams>().pixelM = std::clamp(1e-6 * pixel, 1e-6, 0.01);
    return params;
}

std::vector<model::Kernel> scanConversionWork(const PlannedStage& stage) {
    const auto kind = stage.params.as<ScanConversionParams>().interpolation;
    return scanConversionKernels(stage, kind == SectorInterpolation::Bicubic,
                                 BeamColumns::of(stage.inputs[0]).width());
}

} // namespace

namespace stages {
const StageType& scan_conversion() {
    static const StageType kType{
        .id = kScanConversionId,
        .label = "Scan conversion",
        .help = "Turns ranges along beams into an image with square pixels; beside the sector it "
                "has no "
                "data.",
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
