// SPDX-License-Identifier: GPL-3.0-or-later
// flow: velocity, amplitude and spread of what moves, from an ensemble of F >= 2 complex frames.
//   R0 = mean over f of |x[f]|^2,  R1 = mean over f of conj(x[f]) x[f + 1]
//   v = c / (4 pi f0 T) arg R1, in cm/s, positive towards the probe; |v| <= c / (4 f0 T)
//   amplitude = sqrt(R0),  spread = 1 - |R1| / R0
// (Kasai et al., Real-time two-dimensional blood flow imaging using an autocorrelation technique,
// IEEE Trans. Sonics Ultrason. 32, 1985.) R0 and R1 are averaged over a box of pixels. T is the
// time from frame to frame, f0 the centre frequency, c the speed of sound. Where T or f0 is
// unknown, the velocity is arg R1 in radians per frame. It is 0 where the amplitude lies more than
// `threshold` below the running maximum.
//
// With the 2D autocorrelation, f0 is the mean frequency of each pixel's own box:
//   D = mean over f of conj(x[f][z]) x[f][z + 1],  f0 = c / (4 pi dz) arg D
// (Loupas, Powers, Gill, An axial velocity estimator for ultrasound blood flow imaging, based on a
// full evaluation of the Doppler equation by means of a two-dimensional autocorrelation approach,
// IEEE Trans. UFFC 42, 1995.) Of the frequencies with this arg D, the one nearest to the parameter
// `frequency` counts, so that dz may exceed a quarter of a wavelength. Images hold their carrier
// over depth, as those of `beamform` do; images that were recorded as IQ get it back.
//
// With the cross-correlation, the shift m of gpu/flow/shift_search.hpp between frames that follow
// each other, and the phase that is left, give the velocity, without a limit but that of the
// search:
//   v = (c / (4 pi f0) arg C[m] - m dz) / T,  spread = 1 - Q[m]
// D is summed over the same box. (Bonnefous and Pesque, Time domain formulation of pulse-Doppler
// ultrasound and blood velocity estimation by cross correlation, Ultrasonic Imaging 8, 1986. Lai,
// Torp, Kristoffersen, An extended autocorrelation method for estimation of blood velocity, IEEE
// Trans. UFFC 44, 1997, take the phase for what the shift leaves, too.)
//
// With `stagger` m:n the intervals alternate, T1 = m t, T2 = n t, n = m + 1. R1 is taken apart for
// both, the frame time is their mean, and flow::StaggeredPhase gives the phase over t, so that
// |v| <= c / (4 f0 t). The spread is the mean of both.
//
// The phase lies within half a turn of `baseline` turns. `angle` a divides v, along the beam, by
// cos a.
#include "gpu/exec/for_each.hpp"
#include "gpu/flow/lag_estimates.hpp"
#include "gpu/stage/memory_parts.hpp"
#include "gpu/stage/running_maximum.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/flow_table.hpp"
#include "gpu/stages/flow_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr const char* kFlowId = "flow";

bool knowsVelocity(const FrameSpec& input) { return flow::frameTimeS(input) > 0.0; }

/// The shorter interval of those that alternate, in units of their difference; 0: all are equal.
int shorterOf(FlowStagger stagger) { return static_cast<int>(stagger); }

/// Velocity of a radian of the phase that flow::FlowOutputs finds: in cm/s, or in radians per frame
/// where the time of a frame is unknown. With intervals that alternate it is a phase over their
/// difference, T1 + T2 = 2 T.
double perRadianOf(const FrameSpec& input, const FlowParams& values) {
    constexpr double kCentimetres = 100.0;
    const int shorter = shorterOf(values.stagger);
    double factor = values.inverted ? -1.0 : 1.0;
    if (shorter > 0) factor *= 0.5 * (2.0 * shorter + 1.0);
    if (!knowsVelocity(input)) return factor;
    return factor * kCentimetres * flow::metresPerSecondPerRadian(values, flow::frameTimeS(input)) /
           std::cos(values.angleRad);
}

/// Phase of a shift by a pixel of a depth in metres.
double radiansPerPixel(const FrameSpec& input, const FlowParams& values) {
    return 4.0 * std::numbers::pi * values.frequencyHz * input.find(AxisName::Depth)->spacing /
           values.soundSpeedMps;
}

/// Pixels up to which shifts are searched.
std::int64_t shiftsOf(const FrameSpec& input, const FlowParams& values) {
    if (values.estimator != FlowEstimator::CrossCorrelation) return 0;
    const double pixels = values.search * std::numbers::pi / radiansPerPixel(input, values);
    const auto most = static_cast<double>(input.sizeOf(AxisName::Depth) - 1);
    return static_cast<std::int64_t>(std::min(std::ceil(pixels), most));
}

flow::StackedRows rowsOf(const FrameSpec& input) {
    const std::int64_t laterals = input.axes.back().size;
    return {input.count() / (input.axes.front().size * laterals), input.sizeOf(AxisName::Depth),
            laterals};
}

void checkStagger(const FrameSpec& input, const FlowParams& values, StagePlan& plan) {
    if (input.slides)
        throw Error("flow: the windows of gather begin with each interval in turn, but 'stagger' "
                    "expects the shorter one first; write ensemble under [recording] in place of "
                    "gather.");
    const std::int64_t frames = input.axes.front().size;
    if (values.estimator == FlowEstimator::CrossCorrelation)
        throw Error("flow: 'stagger' tells the phases of two intervals apart, and the "
                    "cross-correlation takes shifts; take another 'estimator', or 'stagger' = "
                    "\"none\".");
    if (frames < 3)
        throw Error(fmt::format("flow: an ensemble of {} frames has one interval; 'stagger' needs "
                                "three frames or more.",
                                frames));
    if (frames % 2 != 0)
        plan.warnings.push_back(fmt::format(
            "Every second ensemble of {} frames begins with the longer interval unless the "
            "recording pauses between ensembles, and 'stagger' of 'flow' expects the shorter one; "
            "let 'ensemble' be even.",
            frames));
}

/// The workspace, behind that of the running maximum.
struct FlowRoom {
    float* power = nullptr;
    float* amplitude = nullptr;
    flow::LagSums sums = {};
    flow::LagSums means = {};
    flow::ShiftBuffers shifts = {}; ///< null: none are searched
    Complex* turns = nullptr;
    std::size_t bytes = 0;

    FlowRoom(std::int64_t pixels, const FlowParams& values, void* workspace) {
        MemoryParts parts(workspace);
        parts.take<std::byte>(static_cast<std::int64_t>(runningMaximumWorkspaceBytes()));
        power = parts.take<float>(pixels);
        amplitude = parts.take<float>(pixels);
        for (flow::LagSums* each : {&sums, &means}) {
            each->lag = parts.take<Complex>(pixels);
            if (values.stagger != FlowStagger::None) each->other = parts.take<Complex>(pixels);
            if (values.estimator == FlowEstimator::TwoLags)
                each->axial = parts.take<Complex>(pixels);
        }
        if (values.estimator == FlowEstimator::CrossCorrelation) {
            shifts = takeShiftBuffers<flow::ShiftBuffers>(parts, pixels);
            turns = parts.take<Complex>(pixels);
        }
        bytes = parts.bytes();
    }
};

class Flow final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& input = inputs[0];
        const auto values = flow::asHeard(params.as<FlowParams>(), input);
        if (input.axes.front().size < 2)
            throw Error("flow: an ensemble has one frame; velocities need two or more: raise "
                        "'ensemble' in the pipeline's table [recording].");
        const Axis& depth = *input.find(AxisName::Depth);
        if (values.estimator != FlowEstimator::Lag && (depth.unit != "m" || depth.size < 2))
            throw Error(fmt::format("flow: the {} needs two or more depths in metres; take "
                                    "'estimator' = \"autocorrelation\".",
                                    values.estimator == FlowEstimator::TwoLags
                                        ? "2D autocorrelation"
                                        : "cross-correlation"));
        FrameSpec image = oneFrameOf(input);
        image.dtype = DType::F32;
        image.demodulationFrequencyHz = 0.0;
        FrameSpec velocity = image;
        const bool searches = values.estimator == FlowEstimator::CrossCorrelation;
        const double most = std::numbers::pi * std::abs(perRadianOf(input, values)) *
                            (searches ? values.search : 1.0 + 2.0 * std::abs(values.baseline));
        velocity.valueRange = {-most, most, knowsVelocity(input) ? "cm/s" : "rad", ""};
        if (!searches) {
            velocity.valueKind = ValueKind::Cyclic;
            velocity.cycle = 2.0 * std::numbers::pi * std::abs(perRadianOf(input, values));
        }
        image.valueKind = ValueKind::Amplitude;
        FrameSpec spread = image;
        spread.valueKind = ValueKind::Plain;
        spread.valueRange = {0.0, 1.0, "", ""};
        StagePlan plan{.outputs = {velocity, image, spread}};
        plan.workspaceBytes = FlowRoom(image.count(), values, nullptr).bytes;
        plan.stateBytes = kRunningMaximumStateBytes;
        if (values.stagger != FlowStagger::None) checkStagger(input, values, plan);
        if (!knowsVelocity(input))
            plan.warnings.push_back("The time between frames is unknown, so 'flow' gives radians "
                                    "per frame instead of cm/s; describe 'signal.frame_rate'.");
        return plan;
    }

    void prepare(const Exec&, InputSpecs inputs, const StagePlan&, const Params&) override {
        m_input = inputs[0];
    }

    void update(const Exec&, const Params& params) override {
        m_values = flow::asHeard(params.as<FlowParams>(), m_input);
        m_perRadian = static_cast<float>(perRadianOf(m_input, m_values));
        m_phase = flow::nearBaseline(2.0 * std::numbers::pi * m_values.baseline *
                                     (m_values.inverted ? -1.0 : 1.0));
        m_threshold = static_cast<float>(std::pow(10.0, -m_values.thresholdDb / 20.0));
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        constexpr float kDecay = 0.99F; // per image; slow enough that the mask does not flicker
        const FrameSpec& spec = *inputs[0].spec;
        const auto frames = static_cast<int>(spec.axes.front().size);
        const auto* samples = inputs[0].as<Complex>();
        const flow::StackedRows of = rowsOf(spec);
        const FlowRoom room(of.pixels(), m_values, workspace.data);
        forEachInLines(exec, kFlowId, of.rows, of.laterals,
                       flow::LagOne{samples, room.power, room.sums, frames, of});
        forEachInLines(exec, kFlowId, of.rows, of.laterals,
                       flow::FlowAverage{room.power,
                                         room.sums,
                                         room.amplitude,
                                         room.means,
                                         of,
                                         {m_values.depthPixels / 2, m_values.lateralPixels / 2}});
        flow::LagSums means = room.means;
        flow::FoundShift shift{};
        flow::MeanFrequency frequency{};
        if (m_values.estimator != FlowEstimator::Lag)
            frequency =
                flow::meanFrequency(spec.find(AxisName::Depth)->spacing, m_values.frequencyHz,
                                    m_values.soundSpeedMps, flow::lackingAngle(spec, m_values));
        if (m_values.estimator == FlowEstimator::CrossCorrelation) {
            search(exec, samples, frames, of, room);
            means.axial = room.turns;
            shift = {room.shifts.best, static_cast<float>(radiansPerPixel(spec, m_values))};
        }
        const float* maximum =
            followMaximum(exec, kFlowId, room.amplitude, of.pixels(), kDecay, workspace);
        const auto shorter = static_cast<float>(shorterOf(m_values.stagger));
        forEach(exec, kFlowId, of.pixels(),
                flow::FlowOutputs{room.amplitude,
                                  means,
                                  shift,
                                  maximum,
                                  outputs[0].as<float>(),
                                  outputs[1].as<float>(),
                                  outputs[2].as<float>(),
                                  frequency,
                                  {shorter, shorter + 1.0F},
                                  m_phase,
                                  m_perRadian,
                                  m_threshold,
                                  static_cast<float>(m_values.mostSpread)});
    }

private:
    void search(const Exec& exec, const Complex* samples, int frames, const flow::StackedRows& of,
                const FlowRoom& room) const {
        const flow::HalfBox box{m_values.windowPixels / 2, m_values.lateralPixels / 2};
        const flow::MotionPairs motion{samples, samples + of.pixels(), frames - 1, of};
        flow::searchShifts(exec, kFlowId, motion, box, shiftsOf(m_input, m_values),
                           flow::lackingAngle(m_input, m_values), room.shifts);
        flow::sumTurns(exec, kFlowId, samples, frames, of, box, room.shifts.products, room.turns);
    }

    FrameSpec m_input;
    FlowParams m_values;
    float m_perRadian = 1.0F;
    flow::NearBaseline m_phase{};
    float m_threshold = 0.0F;
};

std::vector<model::Kernel> flowWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const auto& values = stage.params.as<FlowParams>();
    return flowKernels(stage, kFlowId, shiftsOf(input, values));
}

Params flowDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    auto& values = params.as<FlowParams>();
    flow::followFrames(values, input);
    values.windowPixels = oddPixels(input.find(AxisName::Depth), 1e-3, values.windowPixels);
    return params;
}

} // namespace

namespace stages {
const StageType& flow() {
    static const StageType kType{
        .id = kFlowId,
        .label = "Flow",
        .help = "Velocity of what moves, from the change of phase between the frames of an "
                "ensemble.",
        .work = flowWork,
        .table = flowTable(),
        .inputs = {{.dtypes = {DType::ComplexF32},
                    .axes = {AxisName::Frame, AxisName::Depth, AxisName::Lateral},
                    .otherAxes = {{AxisName::Frame, AxisName::Elevation, AxisName::Depth,
                                   AxisName::Lateral}}}},
        .outputs = {{kOutputPort},
                    {"amplitude", "RMS amplitude of what moves, for power Doppler."},
                    {"spread", "1 - |R1| / R0: 0 where all frames turn alike, near 1 for noise."}},
        .bypassable = false,
        .tolerance = {2e-3, 0.0, 1e-3},
        .role = Role::WatchesMotion,
        .defaults = flowDefaults,
        .code = codeOf<Flow>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
