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
// `frequency` counts, so that dz may exceed a quarter of a wavelength. The images must hold their
// carrier over depth, as those of `beamform` do.
//
// arg R1 lies within half a turn of `baseline` turns.
#include "gpu/exec/for_each.hpp"
#include "gpu/flow/lag_estimates.hpp"
#include "gpu/stage/memory_parts.hpp"
#include "gpu/stage/running_maximum.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/doppler.hpp"

#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr const char* kFlowId = "flow";

enum class FlowEstimator { Lag, TwoLags };

struct FlowParams : flow::DopplerParams {
    FlowEstimator estimator = FlowEstimator::Lag;
    std::int64_t depthPixels = 3;
    std::int64_t lateralPixels = 3;
    double thresholdDb = 30.0;
    double mostSpread = 0.6;
    double baseline = 0.0;
    bool inverted = false;
};

bool knowsVelocity(const FrameSpec& input) { return flow::frameTimeS(input) > 0.0; }

/// In cm/s, or 1 where velocities are radians per frame.
double perRadianOf(const FrameSpec& input, const FlowParams& values) {
    const double sign = values.inverted ? -1.0 : 1.0;
    if (!knowsVelocity(input)) return sign;
    constexpr double kCentimetres = 100.0;
    return sign * kCentimetres * flow::metresPerSecondPerRadian(values, flow::frameTimeS(input));
}

/// Of frames whose depth is in metres.
flow::MeanFrequency meanFrequency(const FrameSpec& input, const FlowParams& values) {
    return flow::meanFrequency(input.find(AxisName::Depth)->spacing, values.frequencyHz,
                               values.soundSpeedMps);
}

/// The workspace, behind that of the running maximum.
struct FlowRoom {
    float* power = nullptr;
    float* amplitude = nullptr;
    Complex* lag = nullptr;
    Complex* meanLag = nullptr;
    Complex* axial = nullptr; ///< null: only one lag
    Complex* meanAxial = nullptr;
    std::size_t bytes = 0;

    FlowRoom(std::int64_t pixels, bool twoLags, void* workspace) {
        MemoryParts parts(workspace);
        parts.take<std::byte>(static_cast<std::int64_t>(runningMaximumWorkspaceBytes()));
        power = parts.take<float>(pixels);
        amplitude = parts.take<float>(pixels);
        lag = parts.take<Complex>(pixels);
        meanLag = parts.take<Complex>(pixels);
        if (twoLags) {
            axial = parts.take<Complex>(pixels);
            meanAxial = parts.take<Complex>(pixels);
        }
        bytes = parts.bytes();
    }
};

class Flow final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& input = inputs[0];
        const auto& values = params.as<FlowParams>();
        if (input.axes.front().size < 2)
            throw Error("flow: an ensemble has one frame; velocities need two or more: raise "
                        "'ensemble' in the pipeline's table [recording].");
        const Axis& depth = *input.find(AxisName::Depth);
        const bool twoLags = values.estimator == FlowEstimator::TwoLags;
        if (twoLags && (depth.unit != "m" || depth.size < 2))
            throw Error("flow: the 2D autocorrelation needs two or more depths in metres; take "
                        "'estimator' = \"autocorrelation\".");
        FrameSpec image = oneFrameOf(input);
        image.dtype = DType::F32;
        image.demodulationFrequencyHz = 0.0;
        FrameSpec velocity = image;
        const double most = std::numbers::pi * std::abs(perRadianOf(input, values)) *
                            (1.0 + 2.0 * std::abs(values.baseline));
        velocity.valueRange = {-most, most, knowsVelocity(input) ? "cm/s" : "rad", ""};
        FrameSpec spread = image;
        spread.valueRange = {0.0, 1.0, "", ""};
        StagePlan plan{.outputs = {velocity, image, spread}};
        plan.workspaceBytes = FlowRoom(image.count(), twoLags, nullptr).bytes;
        plan.stateBytes = kRunningMaximumStateBytes;
        if (!knowsVelocity(input))
            plan.warnings.push_back("The time between frames is unknown, so 'flow' gives radians "
                                    "per frame instead of cm/s; describe 'signal.frame_rate'.");
        return plan;
    }

    void prepare(const Exec&, InputSpecs inputs, const StagePlan&, const Params&) override {
        m_input = inputs[0];
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<FlowParams>();
        m_perRadian = static_cast<float>(perRadianOf(m_input, m_values));
        m_baseline = static_cast<float>(2.0 * std::numbers::pi * m_values.baseline *
                                        (m_values.inverted ? -1.0 : 1.0));
        m_threshold = static_cast<float>(std::pow(10.0, -m_values.thresholdDb / 20.0));
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        constexpr float kDecay = 0.99F; // per image; slow enough that the mask does not flicker
        const FrameSpec& spec = *inputs[0].spec;
        const auto frames = static_cast<int>(spec.axes.front().size);
        const std::int64_t pixels = spec.count() / frames;
        const std::int64_t laterals = spec.axes.back().size;
        const std::int64_t depths = pixels / laterals;
        const bool twoLags = m_values.estimator == FlowEstimator::TwoLags;
        const FlowRoom room(pixels, twoLags, workspace.data);
        forEach(exec, kFlowId, pixels,
                flow::LagOne{inputs[0].as<Complex>(), room.power, room.lag, room.axial, frames,
                             pixels, laterals});
        forEachInLines(exec, kFlowId, depths, laterals,
                       flow::FlowAverage{room.power, room.lag, room.axial, room.amplitude,
                                         room.meanLag, room.meanAxial, depths, laterals,
                                         m_values.depthPixels / 2, m_values.lateralPixels / 2});
        const float* maximum =
            followMaximum(exec, kFlowId, room.amplitude, pixels, kDecay, workspace);
        forEach(exec, kFlowId, pixels,
                flow::FlowOutputs{
                    room.amplitude, room.meanLag, room.meanAxial, maximum, outputs[0].as<float>(),
                    outputs[1].as<float>(), outputs[2].as<float>(),
                    twoLags ? meanFrequency(m_input, m_values) : flow::MeanFrequency{}, m_perRadian,
                    m_baseline, m_threshold, static_cast<float>(m_values.mostSpread)});
    }

private:
    FrameSpec m_input;
    FlowParams m_values;
    float m_perRadian = 1.0F;
    float m_baseline = 0.0F;
    float m_threshold = 0.0F;
};

/// Counts LagOne, FlowAverage and FlowOutputs.
std::vector<model::Kernel> flowWork(const PlannedStage& stage) {
    constexpr double kSample = sizeof(Complex);
    const auto& values = stage.params.as<FlowParams>();
    const FrameSpec& input = stage.inputs[0];
    const auto frames = static_cast<double>(input.axes.front().size);
    const std::int64_t pixels = input.count() / input.axes.front().size;
    const double lags = values.estimator == FlowEstimator::TwoLags ? 2.0 : 1.0;
    const double box =
        static_cast<double>((values.depthPixels / 2 * 2 + 1) * (values.lateralPixels / 2 * 2 + 1));
    // Of the second lag both samples are read anew, one of them by its neighbour, too.
    const double reads = frames * (2.0 * lags - 1.0);
    std::vector<model::Kernel> kernels{
        forEachWork(stage.backend, kFlowId, pixels,
                    {.bytesRead = kSample * reads,
                     .bytesWritten = 4.0 + kSample * lags,
                     .distinctRead = kSample * frames,
                     .counts = {.ffma = frames * (1.0 + 3.0 * lags),
                                .fmul = frames * (1.0 + lags) + 2.0,
                                .special = 2.0,
                                .offsets = 6.0 * reads}}),
        forEachInLinesWork(stage.backend, kFlowId, pixels,
                           {.bytesRead = box * (4.0 + kSample * lags),
                            .bytesWritten = 4.0 + kSample * lags,
                            .distinctRead = 4.0 + kSample * lags,
                            .counts = {.fmul = 2.0,
                                       .fadd = box * (1.0 + 2.0 * lags),
                                       .special = 3.0,
                                       .offsets = box * 10.0}})};
    for (model::Kernel& kernel : followMaximumWork(stage.backend, kFlowId, pixels))
        kernels.push_back(std::move(kernel));
    kernels.push_back(forEachWork(stage.backend, kFlowId, pixels,
                                  {.bytesRead = 4.0 + kSample * lags,
                                   .bytesWritten = 4.0,
                                   .counts = {.ffma = 14.0 * lags,
                                              .fmul = 6.0 * lags,
                                              .fadd = 8.0,
                                              .special = 1.0 + 2.0 * lags,
                                              .offsets = 24.0}}));
    return kernels;
}

Params flowDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    flow::followFrames(params.as<FlowParams>(), input);
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
        .table =
            ParamTable::of<FlowParams>()
                .choice(&FlowParams::estimator,
                        {{"autocorrelation", "Autocorrelation"},
                         {"autocorrelation_2d", "2D autocorrelation"}},
                        {.key = "estimator",
                         .label = "Estimator",
                         .kind = ParamKind::Structural,
                         .help = "Autocorrelation (Kasai) takes 'frequency' for all depths. The 2D "
                                 "autocorrelation (Loupas) measures the frequency of each pixel's "
                                 "echoes, which attenuation and scatterers change."})
                .integer(&FlowParams::depthPixels,
                         {.key = "depth_pixels",
                          .label = "Average over depth",
                          .unit = "pixels",
                          .min = 1,
                          .max = 31,
                          .step = 2,
                          .help = "Height of the box over which each pixel is averaged. Even "
                                  "numbers count as the next odd one."})
                .integer(&FlowParams::lateralPixels,
                         {.key = "lateral_pixels",
                          .label = "Average across",
                          .unit = "pixels",
                          .min = 1,
                          .max = 31,
                          .step = 2,
                          .help = "Width of the box over which each pixel is averaged. Even "
                                  "numbers count as the next odd one."})
                .real(&FlowParams::thresholdDb,
                      {.key = "threshold",
                       .label = "Threshold",
                       .unit = "dB",
                       .min = 0,
                       .max = 120,
                       .step = 1,
                       .help = "Pixels that are weaker than the strongest one by more than this "
                               "show no flow."})
                .real(&FlowParams::mostSpread,
                      {.key = "max_spread",
                       .label = "Most spread",
                       .min = 0,
                       .max = 1,
                       .step = 0.01,
                       .help = "Pixels whose phase changes by amounts that differ more than this "
                               "from frame to frame show no flow: 0 is a pure tone, noise is near "
                               "1."})
                .real(&FlowParams::baseline,
                      {.key = "baseline",
                       .label = "Baseline",
                       .min = -0.5,
                       .max = 0.5,
                       .step = 0.01,
                       .help = "Part of the range of velocities by which it is shifted: at 0.5 all "
                               "flow counts as towards the probe, up to twice the largest velocity "
                               "of 0."})
                .real(&FlowParams::frequencyHz, flow::frequencyRow())
                .real(&FlowParams::soundSpeedMps, flow::soundSpeedRow())
                .flag(&FlowParams::inverted,
                      {.key = "invert",
                       .label = "Invert",
                       .help = "Flow away from the probe is positive, not flow towards it."})
                .build(),
        .inputs = {{.dtypes = {DType::ComplexF32},
                    .axes = {AxisName::Frame, AxisName::Depth, AxisName::Lateral}}},
        .outputs = {{kOutputPort},
                    {"amplitude", "RMS amplitude of what moves, for power Doppler."},
                    {"spread", "1 - |R1| / R0: 0 where all frames turn alike, near 1 for noise."}},
        .bypassable = false,
        .tolerance = {2e-3, 0.0, 1e-3},
        .defaults = flowDefaults,
        .code = codeOf<Flow>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
