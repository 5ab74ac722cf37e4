// SPDX-License-Identifier: GPL-3.0-or-later
// accumulate: what bubbles show on a grid that is `finer` times finer than the image's. Each pixel
// of the image is divided into finer x finer. For each frame, of an ensemble one after the other,
// each fine pixel p keeps one or two sums:
//   s[p] = (1 - decay) s[p] + sum over the bubbles of this frame in p of what they add
//   quantity         a bubble adds                       the picture shows
//   density          1                                   s
//   speed            1 and |v|                           s2 / s1, in mm/s
//   axial velocity   1 and v towards the probe           s2 / s1, in mm/s
//   direction        v to the right and to the probe     the angle of (s1, s2), above 0 to 360 deg
// v is the velocity of a track (track.cu). 0 is shown where no bubble was.
//
// A bubble without a track counts in the pixel that holds it. One of a track counts in all pixels
// of the straight line from the track's last place to its own, without the first pixel, which
// counted before. So each track counts once in each pixel that it crosses, as often as it enters it
// (as in Heiles et al., Nat. Biomed. Eng. 6, 2022). Bubbles beside the image count nowhere.
//
// The sums are the state of the stage. So it begins with nothing after a seek and after a
// structural edit; live edits of earlier stages count from then on. Without decay, counts up to
// 2^24 are exact.
//
// NOTE: one thread adds all that lies in a column of fine pixels, frame by frame. So no two threads
// add to the same pixel, and the sums are the same in every run and on both backends.
#include "gpu/exec/for_each.hpp"
#include "gpu/flow/bubbles.hpp"
#include "gpu/stage/function_work.hpp"
#include "gpu/stage/stage.hpp"

#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr const char* kAccumulateId = "accumulate";

enum class BubbleQuantity { Density, Speed, AxialVelocity, Direction };

struct AccumulateParams {
    BubbleQuantity quantity = BubbleQuantity::Density;
    std::int64_t finer = 4;
    double decay = 0.0;
};

std::int64_t sumsOf(BubbleQuantity quantity) { return quantity == BubbleQuantity::Density ? 1 : 2; }

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
    ECHOLUX_HD int at(float position) const {
        const float place = floorf((position - edge) * pixelsPerUnit);
        return place >= 0.0F && place < size ? static_cast<int>(place) : -1;
    }
};

/// A fine pixel, or a way between two.
struct FinePixel {
    int z;
    int x;
    ECHOLUX_HD bool isInside() const { return z >= 0 && x >= 0; }
};

/// The pixels of a straight line, one in each row or in each column, whichever are more; and what
/// its bubble adds to each of them.
struct BubbleLine {
    FinePixel start;
    FinePixel way; ///< to the end
    int first;     ///< number of the first pixel that counts; the start has number 0
    int last;      ///< below `first`: none counts
    float adds[2];

    ECHOLUX_HD static BubbleLine between(FinePixel from, FinePixel to, bool withStart) {
        const FinePixel way{to.z - from.z, to.x - from.x};
        const int rows = way.z < 0 ? -way.z : way.z;
        const int columns = way.x < 0 ? -way.x : way.x;
        return {from, way, withStart ? 0 : 1, rows > columns ? rows : columns, {}};
    }
    ECHOLUX_HD bool crosses(int column) const {
        const int end = start.x + way.x;
        return start.x < end ? column >= start.x && column <= end
                             : column <= start.x && column >= end;
    }
    ECHOLUX_HD FinePixel pixel(int number) const {
        return {start.z + share(way.z, number), start.x + share(way.x, number)};
    }

private:
    /// `length` number / last, rounded to the nearest; halves away from 0.
    ECHOLUX_HD int share(int length, int number) const {
        if (last == 0) return 0;
        const std::int64_t twice = std::int64_t{2} * length * number;
        return static_cast<int>((twice < 0 ? twice - last : twice + last) / (2 * last));
    }
};

/// Turns rows of a list into lines.
struct LayLines {
    const float* rows;
    std::int64_t properties;
    bool tracked;
    FineAxis depth;
    FineAxis lateral;
    BubbleQuantity quantity;
    BubbleLine* lines;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        constexpr BubbleLine kNone{{0, 0}, {0, 0}, 0, -1, {}};
        const float* row = rows + i * properties;
        const auto& bubble = *reinterpret_cast<const flow::Bubble*>(row);
        const FinePixel to = pixelAt(bubble.depth, bubble.lateral);
        lines[i] = kNone;
        if (!(bubble.amplitude > 0.0F) || !to.isInside()) return;
        if (!tracked) {
            lines[i] = BubbleLine::between(to, to, true);
            lines[i].adds[0] = 1.0F;
            return;
        }
        const auto& track = *reinterpret_cast<const flow::TrackedBubble*>(row);
        const FinePixel from = pixelAt(track.fromDepth, track.fromLateral);
        BubbleLine line = from.isInside() ? BubbleLine::between(from, to, track.begins > 0.0F)
                                          : BubbleLine::between(to, to, true);
        addsOf(track, line.adds);
        if (std::isfinite(line.adds[0]) && std::isfinite(line.adds[1])) lines[i] = line;
    }

private:
    ECHOLUX_HD FinePixel pixelAt(float atDepth, float atLateral) const {
        return {depth.at(atDepth), lateral.at(atLateral)};
    }
    ECHOLUX_HD void addsOf(const flow::TrackedBubble& track, float (&adds)[2]) const {
        constexpr float kMillimetres = 1e3F;
        const float right = kMillimetres * track.lateralSpeed;
        const float up = -kMillimetres * track.depthSpeed; // towards the probe
        adds[0] = quantity == BubbleQuantity::Direction ? right : 1.0F;
        adds[1] = quantity == BubbleQuantity::Density ? 0.0F
                  : quantity == BubbleQuantity::Speed ? sqrtf(fmaf(right, right, up * up))
                                                      : up;
    }
};

/// The sums of all fine pixels, and the picture.
struct FineSums {
    float* first;
    float* second; ///< null where there is one sum
    float* picture;
    BubbleQuantity quantity;

    ECHOLUX_HD void show(std::int64_t i) const {
        if (quantity == BubbleQuantity::Density)
            picture[i] = first[i];
        else if (quantity == BubbleQuantity::Direction)
            picture[i] = angle(first[i], second[i]);
        else
            picture[i] = first[i] > 0.0F ? second[i] / first[i] : 0.0F;
    }

private:
    ECHOLUX_HD static float angle(float right, float up) {
        if (right == 0.0F && up == 0.0F) return 0.0F;
        constexpr float kDegrees = static_cast<float>(180.0 / std::numbers::pi);
        constexpr float kTurn = 360.0F;
        const float turned = kDegrees * atan2f(up, right);
        return turned > 0.0F ? turned : turned + kTurn;
    }
};

struct KeepSums {
    const float* past; ///< null: no previous frame
    std::int64_t pixels;
    FineSums sums;
    float kept;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        sums.first[i] = past != nullptr ? kept * past[i] : 0.0F;
        if (sums.second != nullptr)
            sums.second[i] = past != nullptr ? kept * past[pixels + i] : 0.0F;
        sums.show(i);
    }
};

/// Adds one frame after the other. Called per column of fine pixels.
struct AddLines {
    const BubbleLine* lines;
    int frames;
    int most;
    std::int64_t laterals;
    FineSums sums;
    float kept;

    ECHOLUX_HD void operator()(std::int64_t x) const {
        const auto column = static_cast<int>(x);
        const BubbleLine* line = lines;
        for (int frame = 0; frame < frames; ++frame) {
            const float weight = powf(kept, static_cast<float>(frames - 1 - frame));
            for (int i = 0; i < most; ++i, ++line)
                if (line->last >= line->first && line->crosses(column)) add(*line, column, weight);
        }
    }

private:
    ECHOLUX_HD void add(const BubbleLine& line, int column, float weight) const {
        for (int number = line.first; number <= line.last; ++number) {
            const FinePixel pixel = line.pixel(number);
            if (pixel.x != column) continue;
            const std::int64_t at = pixel.z * laterals + column;
            sums.first[at] += weight * line.adds[0];
            if (sums.second != nullptr) sums.second[at] += weight * line.adds[1];
            sums.show(at);
        }
    }
};

class Accumulate final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const auto& values = params.as<AccumulateParams>();
        FrameSpec picture = oneFrameOf(inputs[1]);
        if (picture.sector != nullptr)
            throw Error("accumulate: the image at port 'image' consists of lines of a sector, "
                        "which have no finer grid; put scan_conversion before 'localise', or give "
                        "beamform the grid \"image\".");
        if (values.quantity != BubbleQuantity::Density && !flow::hasTracks(inputs[0]))
            throw Error("accumulate: only bubbles with tracks have a velocity; put the stage "
                        "'track' behind 'localise', or take 'quantity' = \"density\".");
        for (Axis& axis : picture.axes) axis = refined(axis, values.finer);
        picture.dtype = DType::F32;
        picture.demodulationFrequencyHz = 0.0;
        picture.valueRange = rangeOf(values.quantity, inputs[0]);
        const bool isAngle = values.quantity == BubbleQuantity::Direction;
        picture.valueKind = isAngle ? ValueKind::Cyclic : ValueKind::Amplitude;
        if (values.quantity == BubbleQuantity::AxialVelocity) picture.valueKind = ValueKind::Plain;
        picture.cycle = isAngle ? kTurnDeg : 0.0;
        picture.hasGaps = false;
        picture.suggestedLevels.reset();
        const auto rows = static_cast<std::size_t>(inputs[0].sizeOf(AxisName::Frame) *
                                                   inputs[0].sizeOf(AxisName::Bubble));
        const auto sums = static_cast<std::size_t>(sumsOf(values.quantity));
        const std::size_t bytes = sums * picture.bytes();
        return {
            .outputs = {picture}, .workspaceBytes = rows * sizeof(BubbleLine), .stateBytes = bytes};
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<AccumulateParams>();
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        const FrameSpec& list = *inputs[0].spec;
        const FrameSpec& picture = *outputs[0].spec;
        const auto frames = static_cast<int>(list.sizeOf(AxisName::Frame));
        const auto most = static_cast<int>(list.sizeOf(AxisName::Bubble));
        const std::int64_t laterals = picture.sizeOf(AxisName::Lateral);
        auto* lines = static_cast<BubbleLine*>(workspace.data);
        auto* first = static_cast<float*>(workspace.next);
        const FineSums sums{first,
                            sumsOf(m_values.quantity) > 1 ? first + picture.count() : nullptr,
                            outputs[0].as<float>(), m_values.quantity};
        const double kept = 1.0 - m_values.decay;
        forEach(exec, kAccumulateId, picture.count(),
                KeepSums{static_cast<const float*>(workspace.past), picture.count(), sums,
                         static_cast<float>(std::pow(kept, frames))});
        forEach(exec, kAccumulateId, std::int64_t{frames} * most,
                LayLines{inputs[0].as<float>(), list.sizeOf(AxisName::Property),
                         flow::hasTracks(list), FineAxis(*picture.find(AxisName::Depth)),
                         FineAxis(*picture.find(AxisName::Lateral)), m_values.quantity, lines});
        forEach(exec, kAccumulateId, laterals,
                AddLines{lines, frames, most, laterals, sums, static_cast<float>(kept)});
    }

private:
    static constexpr double kTurnDeg = 360.0;

    /// The list says how fast a track can be.
    static std::optional<ValueRange> rangeOf(BubbleQuantity quantity, const FrameSpec& list) {
        constexpr double kMillimetres = 1e3;
        if (quantity == BubbleQuantity::Density) return std::nullopt;
        if (quantity == BubbleQuantity::Direction)
            return ValueRange{0.0, kTurnDeg, "deg", "from the right, anticlockwise"};
        const ValueRange fastest = list.valueRange.value_or(ValueRange{0.0, 0.1, "m/s", ""});
        const double most = kMillimetres * fastest.max;
        const bool isSpeed = quantity == BubbleQuantity::Speed;
        return ValueRange{isSpeed ? 0.0 : -most, most, "m" + fastest.unit,
                          isSpeed ? "" : "towards the probe"};
    }

    AccumulateParams m_values;
};

/// Counts KeepSums, LayLines and AddLines. All rows of the list count as bubbles, each in one
/// pixel.
std::vector<model::Kernel> accumulateWork(const PlannedStage& stage) {
    const FrameSpec& list = stage.inputs[0];
    const FrameSpec& picture = stage.plan.outputs[0];
    const BubbleQuantity quantity = stage.params.as<AccumulateParams>().quantity;
    const auto sums = static_cast<double>(sumsOf(quantity));
    const auto frames = static_cast<double>(list.sizeOf(AxisName::Frame));
    const auto properties = static_cast<double>(list.sizeOf(AxisName::Property));
    const std::int64_t bubbles = list.count() / list.sizeOf(AxisName::Property);
    const auto rows = static_cast<double>(bubbles);
    const auto columns = static_cast<double>(picture.sizeOf(AxisName::Lateral));
    const model::Part show = quantity == BubbleQuantity::Density     ? model::Part{}
                             : quantity == BubbleQuantity::Direction ? arcTangentWork(stage.backend)
                                                                     : divisionWork(stage.backend);
    constexpr double kLine = sizeof(BubbleLine);
    const model::Part line =
        addedUp({oneByOne(stage.backend, {.fmul = 7.0, .fadd = 20.0, .offsets = 50.0}),
                 rootWork(stage.backend)});
    const model::Part looks = oneByOne(stage.backend, {.offsets = 9.0}).times(rows);
    const model::Part adds =
        addedUp({oneByOne(stage.backend, {.ffma = sums, .offsets = 40.0}), show})
            .times(rows / columns);
    return {
        forEachWork(stage.backend, kAccumulateId, picture.count(),
                    {.bytesRead = 4.0 * sums,
                     .bytesWritten = 4.0 + 4.0 * sums,
                     .counts = addedUp({model::Part{.fmul = sums}, show})}),
        forEachWork(stage.backend, kAccumulateId, bubbles,
                    {.bytesRead = 4.0 * properties, .bytesWritten = kLine, .counts = line}),
        forEachWork(stage.backend, kAccumulateId, picture.sizeOf(AxisName::Lateral),
                    {.bytesRead = kLine * rows + 4.0 * sums * rows / columns,
                     .bytesWritten = (4.0 + 4.0 * sums) * rows / columns,
                     .distinctRead = (kLine + 4.0 * sums) * rows / columns,
                     .counts = addedUp({looks, adds, powerWork(stage.backend).times(frames)})})};
}

} // namespace

namespace stages {
const StageType& accumulate() {
    static const StageType kType{
        .id = kAccumulateId,
        .label = "Accumulate",
        .help = "Counts bubbles, or their velocities, on a grid finer than the image's.",
        .work = accumulateWork,
        .table = ParamTable::of<AccumulateParams>()
                     .choice(&AccumulateParams::quantity,
                             {{"density", "Density"},
                              {"speed", "Speed"},
                              {"axial_velocity", "Axial velocity"},
                              {"direction", "Direction"}},
                             {.key = "quantity",
                              .label = "Quantity",
                              .kind = ParamKind::Structural,
                              .help = "Density: how many bubbles, or tracks, went through each "
                                      "pixel. Speed, velocity towards the probe, direction: the "
                                      "mean of the tracks (stage 'track')."})
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
                            .help = "Part of the sums that each frame takes away before it adds "
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
        .tolerance = {1e-5, 0.0},
        .form = RecordedForm::Picture,
        .code = codeOf<Accumulate>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
