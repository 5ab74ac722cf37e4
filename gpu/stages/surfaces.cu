// SPDX-License-Identifier: GPL-3.0-or-later
// surfaces: an upper and a lower surface of tissue in each B-scan, each the cheapest path along
// edges of the image (S. J. Chiu et al., Automatic segmentation of seven retinal layers in SDOCT
// images congruent with expert manual segmentation, Opt. Express 18, 2010): gpu/oct/
// surface_search.hpp has the edges, gpu/oct/surface_paths.hpp the cost. The lower surface is
// searched between `min_distance` and `max_distance` below the upper one; where that ends below the
// searched depths, at the last of them.
//
// A surface lies at the first pixel below its edge. An image without edges has straight surfaces,
// at the first searched depth and at `min_distance` below it. Pixels that hold no number, or
// nothing in dB, count as black, or as 0 in images that are not in dB.
#include "gpu/core/decibels.hpp"
#include "gpu/oct/boundaries.hpp"
#include "gpu/oct/surface_paths.hpp"
#include "gpu/oct/surface_search.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/boundaries_table.hpp"
#include "gpu/stages/surfaces_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr const char* kSurfacesId = "surfaces";
constexpr double kDeepestM = 20e-3;

enum class EdgeKind { DarkToBright, BrightToDark };

struct SurfacesParams {
    EdgeKind upperEdge = EdgeKind::DarkToBright;
    EdgeKind lowerEdge = EdgeKind::BrightToDark;
    double minDistanceM = 100e-6;
    double maxDistanceM = 350e-6;
    double minDepthM = 0.0;
    double maxDepthM = kDeepestM;
    std::int64_t depthPixels = 8;
    std::int64_t lateralPixels = 5;
    std::int64_t step = 3;
    double smoothness = 0.02;
    std::int64_t thickness = kBoundaryThickness;
};

oct::SurfaceScans scansOf(const FrameSpec& spec, const void* image = nullptr) {
    return {static_cast<const float*>(image), spec.sizeOf(AxisName::Elevation),
            spec.sizeOf(AxisName::Lateral), spec.axes.back().size};
}

/// In dB all that lies nearer to kNothingDb than to 0 dB holds nothing, and counts as black.
oct::CountedLevels levelsOf(const FrameSpec& image) {
    constexpr float kLargest = 1e30F;
    if (!image.valueRange || image.valueRange->unit != "dB") return {-kLargest, kLargest, 0.0F};
    return {0.5F * kNothingDb, kLargest, static_cast<float>(image.valueRange->min)};
}

oct::SurfaceRules rulesOf(const FrameSpec& image, const SurfacesParams& values) {
    const Axis& depth = image.axes.back();
    const double unitsPerM = oct::perMetre(depth);
    const auto pixels = [&](double units) {
        const double last = static_cast<double>(depth.size - 1);
        return static_cast<int>(std::lround(std::clamp(units / depth.spacing, 0.0, last)));
    };
    oct::SurfaceRules rules{};
    rules.upperRises = values.upperEdge == EdgeKind::DarkToBright;
    rules.lowerRises = values.lowerEdge == EdgeKind::DarkToBright;
    rules.halfDepth = static_cast<int>(values.depthPixels);
    rules.halfLines = static_cast<int>(values.lateralPixels / 2);
    rules.step = static_cast<int>(values.step);
    rules.first = pixels(unitsPerM * values.minDepthM - depth.origin);
    rules.last = std::max(rules.first, pixels(unitsPerM * values.maxDepthM - depth.origin));
    rules.least = pixels(unitsPerM * values.minDistanceM);
    rules.most = std::max(rules.least, pixels(unitsPerM * values.maxDistanceM));
    rules.smoothness = values.smoothness;
    rules.levels = levelsOf(image);
    return rules;
}

/// From pixels to the depth axis. An item is a line.
struct ToDepths {
    const int* pixels;
    float* out;
    double origin;
    double spacing;

    ECHOLUX_HD void operator()(std::int64_t line) const {
        out[line] = static_cast<float>(origin + spacing * pixels[line]);
    }
};

/// Where the parts of the workspace lie.
struct SurfacesRoom {
    std::size_t pixels;
    std::size_t depths;
    std::size_t bytes;

    explicit SurfacesRoom(const oct::SurfaceScans& scans) {
        const std::size_t each = aligned(static_cast<std::size_t>(scans.bscans * scans.lines) * 4);
        pixels = aligned(oct::surfaceBytes(scans));
        depths = pixels + 2 * each;
        bytes = depths + 2 * each;
    }
};

void checkOrder(const char* first, double firstM, const char* second, double secondM) {
    if (firstM <= secondM) return;
    constexpr double kMicrometres = 1e6;
    throw Error(fmt::format("surfaces: '{}' is {:g} um and '{}' is {:g} um; let the first one be "
                            "the smaller one.",
                            first, firstM * kMicrometres, second, secondM * kMicrometres));
}

class Surfaces final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& image = inputs[0];
        const auto& values = params.as<SurfacesParams>();
        checkOrder("min_distance", values.minDistanceM, "max_distance", values.maxDistanceM);
        checkOrder("min_depth", values.minDepthM, "max_depth", values.maxDepthM);
        if (!(image.axes.back().spacing > 0.0))
            throw Error("surfaces: the depths of the image do not rise; describe the size of its "
                        "pixels.");
        const FrameSpec list = oct::depthsAlong(image);
        return {.outputs = {oct::boundariesOver(image), list, list},
                .workspaceBytes = SurfacesRoom(scansOf(image)).bytes};
    }

    void prepare(const Exec& exec, InputSpecs, const StagePlan&, const Params&) override {
        if (exec.backend == Backend::Cuda) oct::allowSurfaces();
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<SurfacesParams>();
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        const FrameSpec& image = *inputs[0].spec;
        const oct::SurfaceScans scans = scansOf(image, inputs[0].data);
        const std::int64_t lines = scans.bscans * scans.lines;
        const Axis& axis = image.axes.back();
        const SurfacesRoom room(scans);
        auto* at = static_cast<std::byte*>(workspace.data);
        const std::size_t each = (room.depths - room.pixels) / 2;
        auto* upper = reinterpret_cast<int*>(at + room.pixels);
        auto* lower = reinterpret_cast<int*>(at + room.pixels + each);
        oct::findSurfaces(exec, kSurfacesId, scans, rulesOf(image, m_values), at, upper, lower);
        const auto depthsOf = [&](const int* pixels, std::size_t port) {
            auto* depths = reinterpret_cast<float*>(at + room.depths + (port - 1) * each);
            if (outputs[port].data != nullptr) depths = outputs[port].as<float>();
            forEach(exec, kSurfacesId, lines, ToDepths{pixels, depths, axis.origin, axis.spacing});
            return oct::Boundary::of(depths, axis);
        };
        const oct::Boundary first = depthsOf(upper, 1);
        const oct::Boundary second = depthsOf(lower, 2);
        if (outputs[0].data != nullptr)
            forEachByLanes(exec, kSurfacesId, lines,
                           oct::DrawBoundaries{first, second, outputs[0].as<float>(), scans.lines,
                                               scans.depths, m_values.thickness / 2});
    }

private:
    SurfacesParams m_values;
};

/// All depths of the image.
Params surfacesDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    auto& values = params.as<SurfacesParams>();
    const Axis& depth = input.axes.back();
    const double last = depth.origin + depth.spacing * static_cast<double>(depth.size - 1);
    const ParamRow& row = *type.table.find("max_depth");
    if (depth.name == AxisName::Depth)
        values.maxDepthM = std::clamp(last / oct::perMetre(depth), row.min, row.max);
    return params;
}

ParamRow lengthRow(const char* key, const char* label, const char* help) {
    return {.key = key,
            .label = label,
            .unit = "m",
            .min = 0.0,
            .max = kDeepestM,
            .step = 1e-6,
            .help = help,
            .displayUnit = "um",
            .displayFactor = 1e6};
}

ParamTable surfacesTable() {
    using P = SurfacesParams;
    const std::vector<ParamChoice> edges{{"dark_to_bright", "Dark to bright"},
                                         {"bright_to_dark", "Bright to dark"}};
    return ParamTable::of<P>()
        .choice(&P::upperEdge, edges,
                {.key = "upper_edge",
                 .label = "Upper edge",
                 .help = "What the image does across the upper surface, from top to bottom."})
        .choice(&P::lowerEdge, edges,
                {.key = "lower_edge",
                 .label = "Lower edge",
                 .help = "What the image does across the lower surface, from top to bottom."})
        .real(&P::minDistanceM,
              lengthRow("min_distance", "Least distance",
                        "So far below the upper surface the lower one lies at least. Where the "
                        "image has no scale, 1 um is one pixel."))
        .real(&P::maxDistanceM,
              lengthRow("max_distance", "Largest distance",
                        "So far below the upper surface the lower one lies at most. Where the "
                        "image has no scale, 1 um is one pixel."))
        .real(&P::minDepthM,
              lengthRow("min_depth", "Search from",
                        "Both surfaces lie at this depth or deeper. Leave out bright rows at the "
                        "top of the image."))
        .real(&P::maxDepthM,
              lengthRow("max_depth", "Search to", "Both surfaces lie at this depth or above it."))
        .integer(&P::depthPixels,
                 {.key = "depth_pixels",
                  .label = "Edge over depth",
                  .unit = "pixels",
                  .min = 1,
                  .max = oct::kMostEdgeDepths,
                  .help = "An edge compares so many pixels below it with as many above it. More "
                          "suits thick layers, fewer thin ones."})
        .integer(&P::lateralPixels, {.key = "lateral_pixels",
                                     .label = "Edge across",
                                     .unit = "pixels",
                                     .min = 1,
                                     .max = oct::kMostEdgeLines,
                                     .step = 2,
                                     .help = "An edge is averaged over so many lines. Even numbers "
                                             "count as the next odd one."})
        .integer(&P::step, {.key = "step",
                            .label = "Largest step",
                            .unit = "pixels",
                            .min = 1,
                            .max = oct::kMostPathStep,
                            .help = "So far a surface goes up or down from line to line, at "
                                    "most. More follows steep surfaces."})
        .real(&P::smoothness, {.key = "smoothness",
                               .label = "Smoothness",
                               .min = 0.0,
                               .max = 1.0,
                               .step = 0.005,
                               .help = "What a step by one pixel costs, where the strongest edge "
                                       "costs 0 and the opposite one 2. Longer steps cost as the "
                                       "square of their length."})
        .integer(&P::thickness, thicknessRow())
        .build();
}

std::vector<model::Kernel> surfacesWork(const PlannedStage& stage) {
    const FrameSpec& image = stage.inputs[0];
    return surfacesKernels(stage, scansOf(image), rulesOf(image, stage.params.as<SurfacesParams>()),
                           kSurfacesId);
}

} // namespace

namespace stages {
const StageType& surfaces() {
    static const StageType kType{
        .id = kSurfacesId,
        .label = "Surfaces",
        .help = "Finds an upper and a lower surface of tissue in each B-scan, as lines over it.",
        .work = surfacesWork,
        .table = surfacesTable(),
        .inputs = {{{DType::F32}, {AxisName::Lateral, AxisName::Depth}, true}},
        .outputs = {{kOutputPort},
                    {"upper", "Depth of the upper surface in each line."},
                    {"lower", "Depth of the lower surface in each line."}},
        .bypassable = false,
        .tolerance = {1e-6, 0.0},
        .form = RecordedForm::Picture,
        .defaults = surfacesDefaults,
        .code = codeOf<Surfaces>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
