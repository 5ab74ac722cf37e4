// SPDX-License-Identifier: GPL-3.0-or-later
// localise: the places of bubbles in images of amplitude, for ultrasound localisation microscopy
// (Errico et al., Ultrafast ultrasound localization microscopy for deep super-resolution vascular
// imaging, Nature 527, 2015; methods compared by Heiles et al., Performance benchmarking of
// microbubble-localization algorithms for ultrasound localization microscopy, Nat. Biomed. Eng. 6,
// 2022).
//
// A pixel is the brightest of a spot where no other pixel within `depth_radius` and
// `lateral_radius` is brighter, at least one is darker, and none before it in the image (row by
// row) is equally bright. So a flat image has none, and two pixels of the same spot never count
// both. Spots weaker than `threshold` below the running maximum are left out. Of the others the
// `bubbles` brightest are listed, the brightest first; of equally bright ones the first in the
// image. Their places between pixels: gpu/flow/bubble_fit.hpp.
//
// Each row is depth and lateral position in the units of the axes, the amplitude of the brightest
// pixel, and the spot's width: the geometric mean of its standard deviations in depth and across,
// in the units of the axes. A window that is narrower than the spot makes the width too small.
#include "gpu/exec/for_each.hpp"
#include "gpu/flow/bubble_fit.hpp"
#include "gpu/flow/bubbles.hpp"
#include "gpu/stage/running_maximum.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/localise_work.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr const char* kLocaliseId = "localise";

struct LocaliseParams {
    flow::SpotMethod method = flow::SpotMethod::Gaussian;
    std::int64_t bubbles = 100;
    double thresholdDb = 20.0;
    std::int64_t depthRadius = 3;
    std::int64_t lateralRadius = 3;
};

/// The images of a frame or an ensemble, one after the other.
struct BubbleImages {
    const float* data;
    std::int64_t frames;
    std::int64_t depths;
    std::int64_t laterals;
    int depthRadius;
    int lateralRadius;

    ECHOLUX_HD std::int64_t pixels() const { return depths * laterals; }
    ECHOLUX_HD const float* image(std::int64_t frame) const { return data + frame * pixels(); }
    ECHOLUX_HD flow::SpotWindow window(std::int64_t frame, std::int64_t pixel) const {
        return flow::SpotWindow::at(image(frame), depths, laterals, pixel, depthRadius,
                                    lateralRadius);
    }
    /// Room for the spots of a frame: a block of (radius + 1) pixels each way holds at most one.
    ECHOLUX_HD std::int64_t room() const {
        return (depths + depthRadius) / (depthRadius + 1) *
               ((laterals + lateralRadius) / (lateralRadius + 1));
    }
};

BubbleImages bubbleImagesOf(const FrameSpec& input, const LocaliseParams& values) {
    const std::int64_t frames = input.sizeOf(AxisName::Frame);
    return {nullptr,
            frames,
            input.sizeOf(AxisName::Depth),
            input.sizeOf(AxisName::Lateral),
            static_cast<int>(values.depthRadius),
            static_cast<int>(values.lateralRadius)};
}

/// Marks the brightest pixels of spots. Called with row (of all frames) and column.
struct MarkSpots {
    BubbleImages images;
    const float* maximum;
    float threshold;
    std::uint8_t* marks;

    ECHOLUX_HD void operator()(std::int64_t row, std::int64_t x) const {
        const std::int64_t frame = row / images.depths;
        const std::int64_t pixel = row % images.depths * images.laterals + x;
        const float value = flow::soundAmplitude(images.image(frame)[pixel]);
        const bool counts = value > 0.0F && value >= threshold * *maximum;
        marks[row * images.laterals + x] =
            counts && isBrightest(images.window(frame, pixel), value) ? 1 : 0;
    }

private:
    ECHOLUX_HD static bool isBrightest(const flow::SpotWindow& window, float value) {
        bool anyDarker = false;
        for (int dz = window.firstZ; dz <= window.lastZ; ++dz) {
            for (int dx = window.firstX; dx <= window.lastX; ++dx) {
                const float other = window.amplitude(dz, dx);
                const bool isBefore = dz < 0 || (dz == 0 && dx < 0);
                if (other > value || (other == value && isBefore)) return false;
                anyDarker = anyDarker || other < value;
            }
        }
        return anyDarker;
    }
};

/// Counts the marks of each row of all frames.
struct CountSpots {
    const std::uint8_t* marks;
    std::int64_t laterals;
    std::int32_t* counts;

    ECHOLUX_HD void operator()(std::int64_t row) const {
        std::int32_t count = 0;
        for (std::int64_t x = 0; x < laterals; ++x) count += marks[row * laterals + x];
        counts[row] = count;
    }
};

struct SpotOfImage {
    std::int32_t pixel;
    float amplitude;
};

/// Lists the marked pixels of each frame row by row; every row of pixels knows its place from the
/// counts, so the order is the same in every run.
struct ListSpots {
    BubbleImages images;
    const std::uint8_t* marks;
    const std::int32_t* counts;
    SpotOfImage* spots;

    ECHOLUX_HD void operator()(std::int64_t row) const {
        if (counts[row] == 0) return;
        const std::int64_t frame = row / images.depths;
        std::int64_t place = frame * images.room();
        for (std::int64_t before = frame * images.depths; before < row; ++before)
            place += counts[before];
        const float* image = images.image(frame);
        const std::int64_t depth = row % images.depths;
        for (std::int64_t x = 0; x < images.laterals; ++x) {
            if (marks[row * images.laterals + x] == 0) continue;
            const std::int64_t pixel = depth * images.laterals + x;
            spots[place++] = {static_cast<std::int32_t>(pixel), image[pixel]};
        }
    }
};

struct SpotCounts {
    const std::int32_t* counts; ///< per row
    std::int64_t depths;
    std::int32_t* perFrame;

    ECHOLUX_HD void operator()(std::int64_t frame) const {
        std::int32_t sum = 0;
        for (std::int64_t z = 0; z < depths; ++z) sum += counts[frame * depths + z];
        perFrame[frame] = sum;
    }
};

struct BubbleAxis {
    float origin;
    float spacing;
};

/// Finds the rank of a spot by counting the brighter ones, and writes it there.
struct PlaceBubbles {
    BubbleImages images;
    const SpotOfImage* spots;
    const std::int32_t* perFrame;
    flow::Bubble* out;
    std::int64_t most;
    flow::SpotMethod method;
    BubbleAxis depth;
    BubbleAxis lateral;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t frame = i / images.room();
        const std::int64_t own = i % images.room();
        const std::int64_t count = perFrame[frame];
        if (own >= count) return;
        const SpotOfImage* of = spots + frame * images.room();
        const SpotOfImage spot = of[own];
        std::int64_t rank = 0;
        for (std::int64_t k = 0; k < count && rank < most; ++k)
            if (of[k].amplitude > spot.amplitude || (of[k].amplitude == spot.amplitude && k < own))
                ++rank;
        if (rank < most) out[frame * most + rank] = bubbleAt(images.window(frame, spot.pixel));
    }

private:
    ECHOLUX_HD flow::Bubble bubbleAt(const flow::SpotWindow& window) const {
        const flow::SpotOffset place = flow::spotOffset(window, method);
        const flow::SpotOffset squares = flow::spotVariances(window, place);
        const float area = fabsf(depth.spacing * lateral.spacing);
        const float width = sqrtf(sqrtf(squares.depth * squares.lateral) * area);
        return {depth.origin + depth.spacing * (static_cast<float>(window.z) + place.depth),
                lateral.origin + lateral.spacing * (static_cast<float>(window.x) + place.lateral),
                window.amplitude(0, 0), std::isfinite(width) ? width : 0.0F};
    }
};

struct NoBubbles {
    flow::Bubble* out;
    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = {}; }
};

/// The parts of the workspace.
struct LocaliseMemory {
    std::size_t spots;
    std::size_t counts;
    std::size_t perFrame;
    std::size_t marks;
    std::size_t bytes;

    explicit LocaliseMemory(const BubbleImages& images) {
        const auto sized = [](std::int64_t count, std::size_t each) {
            return aligned(static_cast<std::size_t>(count) * each);
        };
        spots = aligned(runningMaximumWorkspaceBytes());
        counts = spots + sized(images.frames * images.room(), sizeof(SpotOfImage));
        perFrame = counts + sized(images.frames * images.depths, sizeof(std::int32_t));
        marks = perFrame + sized(images.frames, sizeof(std::int32_t));
        bytes = marks + sized(images.frames * images.pixels(), 1);
    }
};

class Localise final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<LocaliseParams>();
        return {.outputs = {flow::bubbleListOf(input, values.bubbles)},
                .workspaceBytes = LocaliseMemory(bubbleImagesOf(input, values)).bytes,
                .stateBytes = kRunningMaximumStateBytes};
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<LocaliseParams>();
        m_threshold = static_cast<float>(std::pow(10.0, -m_values.thresholdDb / 20.0));
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        constexpr double kDecay =
            0.999; // per image; bubbles are rare, noise shall not replace them
        BubbleImages images = bubbleImagesOf(*input.spec, m_values);
        images.data = input.as<float>();
        const LocaliseMemory memory(images);
        auto* base = static_cast<std::byte*>(workspace.data);
        auto* spots = reinterpret_cast<SpotOfImage*>(base + memory.spots);
        auto* counts = reinterpret_cast<std::int32_t*>(base + memory.counts);
        auto* perFrame = reinterpret_cast<std::int32_t*>(base + memory.perFrame);
        auto* marks = reinterpret_cast<std::uint8_t*>(base + memory.marks);
        const std::int64_t rows = images.frames * images.depths;
        const float decay =
            static_cast<float>(std::pow(kDecay, static_cast<double>(images.frames)));
        const float* maximum =
            followMaximum(exec, kLocaliseId, images.data, input.spec->count(), decay, workspace);
        forEachInLines(exec, kLocaliseId, rows, images.laterals,
                       MarkSpots{images, maximum, m_threshold, marks});
        forEach(exec, kLocaliseId, rows, CountSpots{marks, images.laterals, counts});
        forEach(exec, kLocaliseId, rows, ListSpots{images, marks, counts, spots});
        forEach(exec, kLocaliseId, images.frames, SpotCounts{counts, images.depths, perFrame});
        auto* bubbles = output.as<flow::Bubble>();
        forEach(exec, kLocaliseId, images.frames * m_values.bubbles, NoBubbles{bubbles});
        const Axis& depth = *input.spec->find(AxisName::Depth);
        const Axis& lateral = *input.spec->find(AxisName::Lateral);
        const auto axisOf = [](const Axis& axis) {
            return BubbleAxis{static_cast<float>(axis.origin), static_cast<float>(axis.spacing)};
        };
        forEach(exec, kLocaliseId, images.frames * images.room(),
                PlaceBubbles{images, spots, perFrame, bubbles, m_values.bubbles, m_values.method,
                             axisOf(depth), axisOf(lateral)});
    }

private:
    LocaliseParams m_values;
    float m_threshold = 0.0F;
};

constexpr std::int64_t kMostSpotRadius = 32;

/// A window of two wavelengths, which holds the spot of a point.
Params localiseDefaults(const StageType& type, const FrameSpec& input) {
    constexpr double kSoundSpeedMps = 1540.0;
    constexpr double kLeast = 2.0;
    Params params(type.table);
    auto& values = params.as<LocaliseParams>();
    const auto follow = [&](AxisName name, std::int64_t& radius) {
        const Axis* axis = input.find(name);
        if (axis == nullptr || axis->unit != "m" || !(input.centreFrequencyHz > 0.0)) return;
        const double pixels = kSoundSpeedMps / input.centreFrequencyHz / std::abs(axis->spacing);
        if (std::isfinite(pixels))
            radius = std::llround(std::clamp(pixels, kLeast, double{kMostSpotRadius}));
    };
    follow(AxisName::Depth, values.depthRadius);
    follow(AxisName::Lateral, values.lateralRadius);
    return params;
}

std::vector<model::Kernel> localiseWork(const PlannedStage& stage) {
    const auto& values = stage.params.as<LocaliseParams>();
    const BubbleImages images = bubbleImagesOf(stage.inputs[0], values);
    return localiseKernels(stage.backend, {.name = kLocaliseId,
                                           .frames = images.frames,
                                           .depths = images.depths,
                                           .laterals = images.laterals,
                                           .room = images.room(),
                                           .depthRadius = values.depthRadius,
                                           .lateralRadius = values.lateralRadius,
                                           .most = values.bubbles,
                                           .method = values.method});
}

} // namespace

namespace stages {
const StageType& localise() {
    static const StageType kType{
        .id = kLocaliseId,
        .label = "Localise",
        .help = "Places of bubbles between the pixels, as a list, brightest first.",
        .work = localiseWork,
        .table =
            ParamTable::of<LocaliseParams>()
                .choice(&LocaliseParams::method,
                        {{"weighted_average", "Weighted average"},
                         {"radial_symmetry", "Radial symmetry"},
                         {"gaussian", "Gaussian"}},
                        {.key = "method",
                         .label = "Method",
                         .help = "Weighted average: the centroid of the amplitude, quick, and "
                                 "drawn to the middle of the pixel. Radial symmetry: the point to "
                                 "which the slopes of the spot lead. Gaussian: the peak of a "
                                 "Gaussian that fits best."})
                .integer(&LocaliseParams::bubbles,
                         {.key = "bubbles",
                          .label = "Most bubbles",
                          .min = 1,
                          .max = 1000,
                          .kind = ParamKind::Structural,
                          .help = "How many bubbles are listed per frame; of more, the "
                                  "brightest."})
                .real(&LocaliseParams::thresholdDb,
                      {.key = "threshold",
                       .label = "Threshold",
                       .unit = "dB",
                       .min = 0,
                       .max = 120,
                       .step = 1,
                       .help = "Spots that are weaker than the strongest one by more than this "
                               "are no bubbles. The strongest is that of the last frames."})
                .integer(&LocaliseParams::depthRadius,
                         {.key = "depth_radius",
                          .label = "Radius in depth",
                          .unit = "pixels",
                          .min = 1,
                          .max = kMostSpotRadius,
                          .kind = ParamKind::Structural,
                          .help = "Pixels above and below the brightest one that belong to the "
                                  "same bubble. The window should hold the whole spot."})
                .integer(&LocaliseParams::lateralRadius,
                         {.key = "lateral_radius",
                          .label = "Radius across",
                          .unit = "pixels",
                          .min = 1,
                          .max = kMostSpotRadius,
                          .kind = ParamKind::Structural,
                          .help = "Pixels beside the brightest one that belong to the same "
                                  "bubble. The window should hold the whole spot."})
                .build(),
        .inputs = {{.dtypes = {DType::F32},
                    .axes = {AxisName::Depth, AxisName::Lateral},
                    .otherAxes = {{AxisName::Frame, AxisName::Depth, AxisName::Lateral}}}},
        .bypassable = false,
        .tolerance = {1e-4, 0.0, 0.01},
        .role = Role::WatchesMotion,
        .defaults = localiseDefaults,
        .code = codeOf<Localise>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
