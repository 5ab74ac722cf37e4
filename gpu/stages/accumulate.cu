// SPDX-License-Identifier: GPL-3.0-or-later
// accumulate: the density of bubbles on a grid that is `finer` times finer than the image's:
//   n[p] = (1 - decay) n[p] + number of bubbles of this frame in pixel p
// for each frame, of an ensemble one after the other. Each pixel of the image is divided into
// finer x finer; a bubble counts 1 in the one that holds it, and those beside the image count
// nowhere.
//
// n is the state of the stage. So it begins with nothing after a seek and after a structural edit;
// live edits of earlier stages count from then on. Without decay, counts up to 2^24 are exact.
//
// NOTE: no two threads add to the same pixel: the first bubble of a pixel counts the others of its
// frame there. So the sums are the same in every run and on both backends.
#include "gpu/exec/for_each.hpp"
#include "gpu/exec/team.hpp"
#include "gpu/flow/bubbles.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <cmath>

namespace echolux {
namespace {

constexpr const char* kAccumulateId = "accumulate";

struct AccumulateParams {
    std::int64_t finer = 4;
    double decay = 0.0;
};

/// The axis of the fine grid: the same pixels, each divided.
Axis refined(Axis axis, std::int64_t finer) {
    const double step = axis.spacing / static_cast<double>(finer);
    axis.origin += 0.5 * (step - axis.spacing);
    axis.size *= finer;
    axis.spacing = step;
    return axis;
}

/// Turns a position into a pixel number of the fine grid.
struct FineAxis {
    float edge; ///< of the first pixel
    float pixelsPerUnit;
    float size;

    explicit FineAxis(const Axis& axis)
        : edge(static_cast<float>(axis.origin - 0.5 * axis.spacing)),
          pixelsPerUnit(static_cast<float>(1.0 / axis.spacing)),
          size(static_cast<float>(axis.size)) {}

    /// -1 beside the grid. NOTE: first the difference, then the product, which no compiler joins,
    /// so that both backends round alike.
    ECHOLUX_HD std::int64_t at(float position) const {
        const float place = floorf((position - edge) * pixelsPerUnit);
        return place >= 0.0F && place < size ? static_cast<std::int64_t>(place) : -1;
    }
};

struct KeepDensity {
    const float* past; ///< null: no previous frame
    float* next;
    float* out;
    float kept;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float value = past != nullptr ? kept * past[i] : 0.0F;
        next[i] = value;
        out[i] = value;
    }
};

/// Adds one frame after the other. Called as a team.
struct AddBubbles {
    const flow::Bubble* bubbles;
    int frames;
    int most;
    FineAxis depth;
    FineAxis lateral;
    std::int64_t laterals;
    float kept;
    float* next;
    float* out;

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        for (int frame = 0; frame < frames; ++frame) {
            const float weight = powf(kept, static_cast<float>(frames - 1 - frame));
            const flow::Bubble* of = bubbles + static_cast<std::int64_t>(frame) * most;
            const AddBubbles& self = *this;
            team.each(most, [=](int i) { self.add(of, i, weight); });
        }
    }

private:
    ECHOLUX_HD std::int64_t pixelOf(const flow::Bubble& bubble) const {
        if (!(bubble.amplitude > 0.0F)) return -1;
        const std::int64_t z = depth.at(bubble.depth);
        const std::int64_t x = lateral.at(bubble.lateral);
        return z < 0 || x < 0 ? -1 : z * laterals + x;
    }
    ECHOLUX_HD void add(const flow::Bubble* of, int i, float weight) const {
        const std::int64_t pixel = pixelOf(of[i]);
        if (pixel < 0) return;
        float count = 1.0F;
        for (int k = 0; k < most; ++k) {
            if (k == i || pixelOf(of[k]) != pixel) continue;
            if (k < i) return; // that one counts
            count += 1.0F;
        }
        next[pixel] += weight * count;
        out[pixel] = next[pixel];
    }
};

class Accumulate final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        FrameSpec density = oneFrameOf(inputs[1]);
        if (density.sector != nullptr)
            throw Error("accumulate: the image at port 'image' consists of lines of a sector, "
                        "which have no finer grid; put scan_conversion before 'localise', or give "
                        "beamform the grid \"image\".");
        const std::int64_t finer = params.as<AccumulateParams>().finer;
        for (Axis& axis : density.axes) axis = refined(axis, finer);
        density.dtype = DType::F32;
        density.demodulationFrequencyHz = 0.0;
        density.valueRange.reset();
        density.suggestedLevels.reset();
        const std::size_t bytes = density.bytes();
        return {.outputs = {density}, .stateBytes = bytes};
    }

    void update(const Exec&, const Params& params) override {
        m_kept = 1.0 - params.as<AccumulateParams>().decay;
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        const FrameSpec& list = *inputs[0].spec;
        const FrameSpec& density = *outputs[0].spec;
        const auto frames = static_cast<int>(list.sizeOf(AxisName::Frame));
        auto* next = static_cast<float*>(workspace.next);
        auto* out = outputs[0].as<float>();
        forEach(exec, kAccumulateId, density.count(),
                KeepDensity{static_cast<const float*>(workspace.past), next, out,
                            static_cast<float>(std::pow(m_kept, frames))});
        asTeam(exec, kAccumulateId,
               AddBubbles{inputs[0].as<flow::Bubble>(), frames,
                          static_cast<int>(list.sizeOf(AxisName::Bubble)),
                          FineAxis(*density.find(AxisName::Depth)),
                          FineAxis(*density.find(AxisName::Lateral)),
                          density.sizeOf(AxisName::Lateral), static_cast<float>(m_kept), next,
                          out});
    }

private:
    double m_kept = 1.0;
};

/// Counts KeepDensity and AddBubbles. A bubble compares its pixel with those of all others: two
/// differences, two products, two roundings, four comparisons and the position. All rows of the
/// list count as bubbles, which is the most; unused rows take one comparison.
std::vector<model::Kernel> accumulateWork(const PlannedStage& stage) {
    const FrameSpec& list = stage.inputs[0];
    const auto frames = static_cast<double>(list.sizeOf(AxisName::Frame));
    const auto most = static_cast<double>(list.sizeOf(AxisName::Bubble));
    const model::Part pixelOf =
        oneByOne(stage.backend, {.fmul = 2.0, .fadd = 9.0, .offsets = 12.0}); // of one bubble
    model::Part add = pixelOf.times(frames * most * (most + 1.0));
    add.name = "add";
    add.globalBytes = sizeof(flow::Bubble) * frames * most * (most + 1.0) + 12.0 * frames * most;
    add.distinctBytes = static_cast<double>(list.bytes()) + 12.0 * frames * most;
    add.barriers = frames;
    return {forEachWork(stage.backend, kAccumulateId, stage.plan.outputs[0].count(),
                        {.bytesRead = 4.0, .bytesWritten = 8.0, .counts = {.fmul = 1.0}}),
            {kAccumulateId, teamLaunch(stage.backend), {add}}};
}

} // namespace

namespace stages {
const StageType& accumulate() {
    static const StageType kType{
        .id = kAccumulateId,
        .label = "Accumulate",
        .help = "Counts bubbles on a grid finer than the image's, frame after frame.",
        .work = accumulateWork,
        .table = ParamTable::of<AccumulateParams>()
                     .integer(&AccumulateParams::finer,
                              {.key = "finer",
                               .label = "Finer",
                               .min = 1,
                               .max = 20,
                               .kind = ParamKind::Structural,
                               .help = "Each pixel of the image is divided into so many, in depth "
                                       "and across. The memory grows with the square."})
                     .real(&AccumulateParams::decay,
                           {.key = "decay",
                            .label = "Decay",
                            .min = 0.0,
                            .max = 0.5,
                            .step = 0.001,
                            .help = "Part of the density that each frame takes away before it adds "
                                    "its bubbles. 0: all frames since the last jump count."})
                     .build(),
        .inputs = {{.dtypes = {DType::F32},
                    .axes = {AxisName::Bubble, AxisName::Property},
                    .otherAxes = {{AxisName::Frame, AxisName::Bubble, AxisName::Property}}},
                   {.dtypes = {DType::F32, DType::ComplexF32},
                    .axes = {AxisName::Depth, AxisName::Lateral},
                    .name = "image",
                    .otherAxes = {{AxisName::Frame, AxisName::Depth, AxisName::Lateral}}}},
        .bypassable = false,
        .tolerance = {1e-6, 0.0},
        .form = RecordedForm::Picture,
        .code = codeOf<Accumulate>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
