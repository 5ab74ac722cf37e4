// SPDX-License-Identifier: GPL-3.0-or-later
// depth_slab: what lies between two boundaries, each a surface of tissue (stage `surfaces`) moved
// by an offset. Pixels from the first boundary on and above the second one stay; slabs that end and
// begin with the same boundary share no pixel. Others become 0, or, where the image is in dB,
// kNothingDb. A line is empty where the second boundary lies at or above the first one, or where
// either is not a number. So the en face picture of a volume shows the slab alone.
//
// `flatten` moves each line up until the first boundary lies at depth 0. Moves are by whole pixels.
// The output `lines` has both boundaries in the image as it came, as the stage `surfaces` draws.
#include "gpu/core/decibels.hpp"
#include "gpu/oct/boundaries.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/boundaries_table.hpp"
#include "gpu/stages/boundaries_work.hpp"

#include <fmt/format.h>

namespace echolux {
namespace {

constexpr const char* kDepthSlabId = "depth_slab";

enum class SlabSurface { Upper, Lower };

struct DepthSlabParams {
    SlabSurface firstFrom = SlabSurface::Upper;
    double firstOffsetM = 0.0;
    SlabSurface secondFrom = SlabSurface::Lower;
    double secondOffsetM = 0.0;
    bool flattens = false;
    std::int64_t thickness = kBoundaryThickness;
};

/// An item is a line.
struct KeepSlab {
    const float* image;
    float* out;
    oct::Boundary first;
    oct::Boundary second;
    std::int64_t depths;
    float nothing;
    bool flattens;

    template <class Lanes> ECHOLUX_HD void operator()(std::int64_t line, const Lanes& lanes) const {
        oct::PixelSpan slab = slabOf(line);
        const std::int64_t above = flattens ? slab.first : 0; // pixels that are cut off
        const float* from = image + line * depths;
        float* to = out + line * depths;
        if (slab.first < 0) slab.first = 0;
        if (slab.last > depths - 1) slab.last = depths - 1;
        for (std::int64_t z = lanes.own; z < depths; z += Lanes::step)
            to[z] = slab.holds(z + above) ? from[z + above] : nothing;
    }

private:
    ECHOLUX_HD oct::PixelSpan slabOf(std::int64_t line) const {
        const int begin = first.at(line);
        const int end = second.at(line);
        if (begin == oct::Boundary::kNowhere || end == oct::Boundary::kNowhere) return {};
        return {begin, std::int64_t{end} - 1};
    }
};

class DepthSlab final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& image = inputs[0];
        const FrameSpec expected = oct::depthsAlong(image);
        const char* names[] = {"in", "upper", "lower"};
        for (std::size_t port = 1; port < inputs.size(); ++port) {
            if (!inputs[port].sameLayout(expected))
                throw Error(fmt::format(
                    "depth_slab: what reaches '{}' is {}, but the image {} has {} lines in each "
                    "of {} B-scans; find the surfaces in an image of the same lines.",
                    names[port], inputs[port].describe(), image.describe(),
                    image.sizeOf(AxisName::Lateral), image.sizeOf(AxisName::Elevation)));
            const auto& range = inputs[port].valueRange;
            const Axis& depth = image.axes.back();
            if (range && range->unit != depth.unit)
                throw Error(fmt::format("depth_slab: what reaches '{}' is in {}, and the depth of "
                                        "the image in {}; take both from the same recording.",
                                        names[port], unitName(range->unit), unitName(depth.unit)));
        }
        if (!(image.axes.back().spacing > 0.0))
            throw Error("depth_slab: the depths of the image do not rise; describe the size of its "
                        "pixels.");
        FrameSpec slab = image;
        if (params.as<DepthSlabParams>().flattens) slab.axes.back().origin = 0.0;
        return {.outputs = {slab, oct::boundariesOver(image)}};
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<DepthSlabParams>();
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace&) override {
        const FrameSpec& image = *inputs[0].spec;
        const Axis& axis = image.axes.back();
        const auto boundary = [&](SlabSurface from, double offsetM) {
            const std::size_t port = from == SlabSurface::Upper ? 1 : 2;
            return oct::Boundary::of(inputs[port].as<float>(), axis, offsetM);
        };
        const oct::Boundary first = boundary(m_values.firstFrom, m_values.firstOffsetM);
        const oct::Boundary second = boundary(m_values.secondFrom, m_values.secondOffsetM);
        const std::int64_t lines = image.count() / axis.size;
        if (outputs[0].data != nullptr)
            forEachByLanes(exec, kDepthSlabId, lines,
                           KeepSlab{inputs[0].as<float>(), outputs[0].as<float>(), first, second,
                                    axis.size, nothingOf(image), m_values.flattens});
        if (outputs[1].data != nullptr)
            forEachByLanes(exec, kDepthSlabId, lines,
                           oct::DrawBoundaries{first, second, outputs[1].as<float>(),
                                               image.sizeOf(AxisName::Lateral), axis.size,
                                               m_values.thickness / 2});
    }

private:
    static float nothingOf(const FrameSpec& image) {
        return image.valueRange && image.valueRange->unit == "dB" ? kNothingDb : 0.0F;
    }
    static std::string unitName(const std::string& unit) {
        return unit.empty() ? "bins" : "'" + unit + "'";
    }

    DepthSlabParams m_values;
};

ParamRow offsetRow(const char* key, const char* label, const char* help) {
    return {.key = key,
            .label = label,
            .unit = "m",
            .min = -2e-3,
            .max = 2e-3,
            .step = 1e-6,
            .help = help,
            .displayUnit = "um",
            .displayFactor = 1e6};
}

ParamTable depthSlabTable() {
    using P = DepthSlabParams;
    const std::vector<ParamChoice> surfaces{{"upper", "Upper surface"}, {"lower", "Lower surface"}};
    return ParamTable::of<P>()
        .choice(&P::firstFrom, surfaces,
                {.key = "first_surface",
                 .label = "Begins at",
                 .help = "The surface from which the first offset counts."})
        .real(&P::firstOffsetM,
              offsetRow("first_offset", "First offset",
                        "The slab begins so far below that surface; negative: above it. Where the "
                        "image has no scale, 1 um is one pixel."))
        .choice(&P::secondFrom, surfaces,
                {.key = "second_surface",
                 .label = "Ends at",
                 .help = "The surface from which the second offset counts."})
        .real(&P::secondOffsetM,
              offsetRow("second_offset", "Second offset",
                        "The slab ends so far below that surface; negative: above it. A slab that "
                        "ends above its beginning is empty."))
        .flag(&P::flattens, {.key = "flatten",
                             .label = "Flatten",
                             .kind = ParamKind::Structural,
                             .help = "Moves each line up until the slab begins at depth 0."})
        .integer(&P::thickness, thicknessRow())
        .build();
}

/// Counts KeepSlab and DrawBoundaries, as far as they are wanted. All pixels count as in the slab.
std::vector<model::Kernel> depthSlabWork(const PlannedStage& stage) {
    const std::int64_t depths = stage.inputs[0].axes.back().size;
    const std::int64_t lines = stage.inputs[0].count() / depths;
    std::vector<model::Kernel> kernels;
    if (stage.wants(0))
        kernels.push_back(
            boundariesWork(stage.backend, kDepthSlabId, lines, depths, 2.0, 1.0, 4.0));
    if (stage.wants(1))
        kernels.push_back(drawBoundariesWork(stage.backend, kDepthSlabId, lines, depths));
    return kernels;
}

} // namespace

namespace stages {
const StageType& depth_slab() {
    static const StageType kType{
        .id = kDepthSlabId,
        .label = "Depth slab",
        .help = "Keeps what lies between two surfaces of tissue, each with an offset.",
        .work = depthSlabWork,
        .table = depthSlabTable(),
        .inputs =
            {{.dtypes = {DType::F32}, .axes = {AxisName::Lateral, AxisName::Depth}, .stacks = true},
             {.dtypes = {DType::F32}, .axes = {AxisName::Lateral}, .stacks = true, .name = "upper"},
             {.dtypes = {DType::F32},
              .axes = {AxisName::Lateral},
              .stacks = true,
              .name = "lower"}},
        .outputs = {{kOutputPort}, {"lines", "Where the slab begins (1) and ends (-1)."}},
        .bypassable = false,
        .tolerance = {0.0, 0.0},
        .code = codeOf<DepthSlab>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
