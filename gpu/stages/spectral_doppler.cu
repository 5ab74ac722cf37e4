// SPDX-License-Identifier: GPL-3.0-or-later
// spectral_doppler: the spectrum of velocities in one gate over time (sonogram). Of the last n
// pulses of each of the gate's G pixels, x[g][i], at every `hop` pulses:
//   P[m] = 1/G sum over g of |sum over i of w[i] x[g][i] exp(-2 pi j m i / M)|^2 / (sum of w)^2
//   w[i] = sin^2(pi (i + 1/2) / n) (Hann),  n = `window`, or the pulses that have come so far
//   v[m] = c m / (2 f0 T M cos a), m from -M/2 to M/2 - 1, shifted by `baseline` M; positive
//          towards the probe
// (Jensen, Estimation of Blood Velocities Using Ultrasound, Cambridge University Press, 1996.) M is
// the larger of `window` and 128, f0 the centre frequency, T the time between pulses, c the speed
// of sound, a the angle between beam and flow, 0 <= a <= 89 degrees. Averaging the spectra of the
// gate's pixels, instead of summing the pixels, calms speckle. The picture is 10 log10(P / largest
// P shown), at least -`range`. A wall filter subtracts the mean of x weighted by w, and leaves out
// |v| < `wall_filter`. Power below 1e-11 of the pulses' counts as 0: it is rounding. Where T is
// unknown, velocities are radians per frame, and a is ignored. The output `pulses` is the sum of x
// over g divided by G, without a wall filter, for the latest 8192 pulses; 0 before the first one. A
// frame is one pulse, or an ensemble of pulses; those of consecutive ensembles count as evenly
// spaced, without a gap. After the start and after a seek the picture begins anew.
#include "gpu/exec/for_each.hpp"
#include "gpu/exec/reduce.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/image_place.hpp"
#include "gpu/stage/memory_parts.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/spectral_doppler_kernels.cuh"
#include "gpu/stages/spectral_doppler_table.hpp"
#include "gpu/stages/spectral_doppler_work.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr const char* kSpectralDopplerId = "spectral_doppler";
constexpr std::int64_t kLeastRows = 128;

/// Seconds from pulse to pulse; 0: unknown.
double pulseIntervalOf(const FrameSpec& input) {
    return input.isEnsemble() ? flow::frameTimeS(input) : input.frameIntervalS;
}

/// The velocity of bin 1, in m/s, or in rad per frame where the time between pulses is unknown.
double velocityPerBin(const FrameSpec& input, const SpectralDopplerParams& values,
                      std::int64_t rows) {
    const double interval = pulseIntervalOf(input);
    const auto bins = static_cast<double>(rows);
    if (!(interval > 0.0)) return 2.0 * std::numbers::pi / bins;
    return 2.0 * std::numbers::pi / bins * flow::metresPerSecondPerRadian(values, interval) /
           std::cos(values.angleRad);
}

std::int64_t dopplerRows(const SpectralDopplerParams& values) {
    return std::max(values.window, kLeastRows);
}

doppler::Sizes dopplerSizes(const FrameSpec& input, const SpectralDopplerParams& values) {
    doppler::Sizes sizes;
    sizes.pulses = input.sizeOf(AxisName::Frame);
    const Axis& depth = *input.find(AxisName::Depth);
    if (depth.unit == "m")
        sizes.gate =
            std::clamp<std::int64_t>(std::llround(values.lengthM / depth.spacing), 1, depth.size);
    sizes.window = values.window;
    sizes.hop = values.hop;
    sizes.lines = values.lines;
    sizes.rows = dopplerRows(values);
    return sizes;
}

std::int64_t highestBin(const SpectralDopplerParams& values, std::int64_t rows) {
    return (rows - 1) / 2 + std::llround(values.baseline * static_cast<double>(rows));
}

/// What a frame leaves to the next. All null where there is no memory.
struct DopplerState {
    doppler::PulseCount* count = nullptr;
    Complex* pulses = nullptr; ///< [gate][window]
    float* power = nullptr;    ///< [lines][rows]
    Complex* kept = nullptr;   ///< [kKeptPulses]
    std::size_t bytes = 0;

    DopplerState(const doppler::Sizes& sizes, void* memory) {
        MemoryParts parts(memory);
        count = parts.take<doppler::PulseCount>(1);
        pulses = parts.take<Complex>(sizes.gate * sizes.window);
        power = parts.take<float>(sizes.lines * sizes.rows);
        kept = parts.take<Complex>(doppler::kKeptPulses);
        bytes = parts.bytes();
    }
};

struct DopplerScratch {
    doppler::PulseCount* before = nullptr;
    Complex* held = nullptr;  ///< [gate][window + pulses]
    float* weights = nullptr; ///< [fresh][window]
    Complex* means = nullptr; ///< [fresh][gate]
    float* powers = nullptr;  ///< [fresh][gate]
    float* fresh = nullptr;   ///< [fresh][rows]
    float* partials = nullptr;
    float* largest = nullptr;
    std::size_t bytes = 0;

    DopplerScratch(const doppler::Sizes& sizes, void* memory) {
        MemoryParts parts(memory);
        const std::int64_t most = sizes.mostFresh();
        before = parts.take<doppler::PulseCount>(1);
        held = parts.take<Complex>(sizes.gate * sizes.held());
        weights = parts.take<float>(most * sizes.window);
        means = parts.take<Complex>(most * sizes.gate);
        powers = parts.take<float>(most * sizes.gate);
        fresh = parts.take<float>(most * sizes.rows);
        partials = parts.take<float>(kReducePartials);
        largest = parts.take<float>(1);
        bytes = parts.bytes();
    }
};

void warnOfDoppler(const FrameSpec& input, const SpectralDopplerParams& values, double perBin,
                   StagePlan& plan) {
    if (!(pulseIntervalOf(input) > 0.0))
        plan.warnings.push_back(
            "The time between frames is unknown, so 'spectral_doppler' gives radians per frame "
            "instead of cm/s, and 'angle' and 'wall_filter' in m/s have no effect; describe "
            "'signal.frame_rate'.");
    else if (values.wallFilterMps > 0.5 * static_cast<double>(dopplerRows(values)) * perBin)
        plan.warnings.push_back("Nothing is left of the spectra of 'spectral_doppler': all their "
                                "velocities lie below 'wall_filter'; lower it.");
    if (!hasPlaces(input))
        plan.warnings.push_back(
            "The image has no scale in metres, so the gate of 'spectral_doppler' is the pixel in "
            "its middle whatever 'depth' and 'lateral' are; describe the scale.");
    else if (pixelAt(input, values.lateralM, values.depthM).outside)
        plan.warnings.push_back("The gate lies outside the image, so 'spectral_doppler' measures "
                                "at its edge; change 'depth' or 'lateral'.");
}

class SpectralDoppler final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& input = inputs[0];
        const auto values = flow::asHeard(params.as<SpectralDopplerParams>(), input);
        const doppler::Sizes sizes = dopplerSizes(input, values);
        const double interval = pulseIntervalOf(input);
        const bool timed = interval > 0.0;
        const double perBin = velocityPerBin(input, values, sizes.rows);
        const auto highest = static_cast<double>(highestBin(values, sizes.rows));
        const double step = static_cast<double>(values.hop) * (timed ? interval : 1.0);
        const Axis time{AxisName::SlowTime, values.lines, step,
                        -static_cast<double>(values.lines - 1) * step, timed ? "s" : ""};
        FrameSpec sonogram = oneFrameOf(input);
        sonogram.dtype = DType::F32;
        sonogram.demodulationFrequencyHz = 0.0;
        sonogram.sector = nullptr;
        sonogram.within = nullptr;
        sonogram.pose = nullptr;
        sonogram.stack = {};
        sonogram.axes = {
            {AxisName::Velocity, sizes.rows, -perBin, highest * perBin, timed ? "m/s" : "rad"},
            time};
        sonogram.valueRange = {-values.rangeDb, 0.0, "dB", "strongest shown"};
        sonogram.valueKind = ValueKind::Level;
        FrameSpec trace = sonogram;
        trace.valueKind = ValueKind::Plain;
        trace.axes = {time};
        const double shown = timed ? 100.0 * perBin : perBin;
        trace.valueRange = {(highest - static_cast<double>(sizes.rows) + 1.0) * shown,
                            highest * shown, timed ? "cm/s" : "rad",
                            timed ? "towards the probe" : "per frame"};
        FrameSpec pulses = trace;
        const double apart = timed ? interval : 1.0;
        pulses.dtype = DType::ComplexF32;
        pulses.axes = {{AxisName::SlowTime, doppler::kKeptPulses, apart,
                        -static_cast<double>(doppler::kKeptPulses - 1) * apart, time.unit}};
        pulses.valueRange.reset();
        StagePlan plan{.outputs = {sonogram, trace, trace, pulses}};
        plan.workspaceBytes = DopplerScratch(sizes, nullptr).bytes;
        plan.stateBytes = DopplerState(sizes, nullptr).bytes;
        plan.heldBytes = static_cast<std::size_t>(sizes.rows) * sizeof(Complex);
        warnOfDoppler(input, values, perBin, plan);
        return plan;
    }

    void prepare(const Exec& exec, InputSpecs inputs, const StagePlan&,
                 const Params& params) override {
        m_input = inputs[0];
        m_sizes = dopplerSizes(m_input, params.as<SpectralDopplerParams>());
        std::vector<Complex> turns;
        for (std::int64_t m = 0; m < m_sizes.rows; ++m) {
            const double turn = -2.0 * std::numbers::pi * static_cast<double>(m) /
                                static_cast<double>(m_sizes.rows);
            turns.push_back(
                {static_cast<float>(std::cos(turn)), static_cast<float>(std::sin(turn))});
        }
        m_turns.allocate(exec, turns.size());
        m_turns.set(exec, std::move(turns));
    }

    void follow(const Exec&, InputSpecs inputs) override { m_input = inputs[0]; }

    void update(const Exec&, const Params& params) override {
        const auto values = flow::asHeard(params.as<SpectralDopplerParams>(), m_input);
        const PixelPlace middle = pixelAt(m_input, values.lateralM, values.depthM);
        const std::int64_t depths = m_input.sizeOf(AxisName::Depth);
        const std::int64_t top =
            std::clamp<std::int64_t>(middle.depth - m_sizes.gate / 2, 0, depths - m_sizes.gate);
        m_first = top * m_input.sizeOf(AxisName::Lateral) + middle.lateral;
        const bool timed = pulseIntervalOf(m_input) > 0.0;
        const double perBin = velocityPerBin(m_input, values, m_sizes.rows);
        m_shown.rows = m_sizes.rows;
        m_shown.highest = highestBin(values, m_sizes.rows);
        m_shown.perBin = static_cast<float>(timed ? 100.0 * perBin : perBin);
        m_shown.inverted = values.inverted;
        m_removesMean = values.wallFilterMps > 0.0;
        m_shown.least = 0;
        if (m_removesMean) {
            const double bins = timed ? std::ceil(values.wallFilterMps / perBin) : 1.0;
            m_shown.least =
                static_cast<std::int64_t>(std::clamp(bins, 1.0, static_cast<double>(m_sizes.rows)));
        }
        m_rangeDb = static_cast<float>(values.rangeDb);
        m_threshold = static_cast<float>(std::pow(10.0, -values.traceThresholdDb / 10.0));
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        const char* const id = kSpectralDopplerId;
        const DopplerScratch scratch(m_sizes, workspace.data);
        // The past is only read.
        const DopplerState past(m_sizes, const_cast<void*>(workspace.past));
        const DopplerState next(m_sizes, workspace.next);
        addSpectra(exec, inputs[0], past, next, scratch);
        forEach(exec, id, doppler::kKeptPulses,
                doppler::KeepPulses{scratch.held, past.kept, next.kept, outputs[3].as<Complex>(),
                                    m_sizes});
        reduce(exec, id, m_sizes.lines * m_sizes.rows, doppler::KeptPower{next.power, m_shown},
               doppler::LargerPower{}, 0.0F, scratch.partials, scratch.largest);
        if (auto* sonogram = outputs[0].as<float>())
            forEachInLines(exec, id, m_sizes.rows, m_sizes.lines,
                           doppler::SonogramLevels{next.power, scratch.largest, sonogram, m_shown,
                                                   m_sizes.lines, m_rangeDb});
        auto* mean = outputs[1].as<float>();
        auto* maximum = outputs[2].as<float>();
        if (mean != nullptr || maximum != nullptr)
            forEach(exec, id, m_sizes.lines,
                    doppler::VelocityTraces{next.power, scratch.largest, mean, maximum, m_shown,
                                            m_threshold});
    }

private:
    void addSpectra(const Exec& exec, const ConstTensorView& input, const DopplerState& past,
                    const DopplerState& next, const DopplerScratch& scratch) const {
        const char* const id = kSpectralDopplerId;
        const std::int64_t laterals = input.spec->sizeOf(AxisName::Lateral);
        const std::int64_t fresh = m_sizes.mostFresh();
        forEach(exec, id, 1,
                doppler::CountPulses{past.count, scratch.before, next.count, m_sizes.pulses,
                                     m_sizes.window, m_sizes.hop});
        forEachInLines(
            exec, id, m_sizes.gate, m_sizes.held(),
            doppler::AppendPulses{input.as<Complex>() + m_first, past.pulses, scratch.held,
                                  next.pulses, m_sizes.window, m_sizes.pulses,
                                  input.spec->sizeOf(AxisName::Depth) * laterals, laterals});
        forEachInLines(exec, id, fresh, m_sizes.window,
                       doppler::HannWeights{scratch.before, scratch.weights, m_sizes});
        forEachInLines(exec, id, fresh, m_sizes.gate,
                       doppler::GateMeans{scratch.before, scratch.held, scratch.weights,
                                          scratch.means, scratch.powers, m_sizes, m_removesMean});
        forEachInLines(exec, id, fresh, m_sizes.rows,
                       doppler::GateSpectrum{scratch.before, scratch.held, scratch.weights,
                                             scratch.means, scratch.powers, m_turns.data(),
                                             scratch.fresh, m_sizes});
        forEachInLines(
            exec, id, m_sizes.lines, m_sizes.rows,
            doppler::ScrollSpectra{scratch.before, past.power, scratch.fresh, next.power, m_sizes});
    }

    FrameSpec m_input;
    doppler::Sizes m_sizes;
    doppler::ShownBins m_shown;
    std::int64_t m_first = 0; ///< the gate's first pixel
    bool m_removesMean = false;
    float m_rangeDb = 40.0F;
    float m_threshold = 0.1F;
    ComputeTable<Complex> m_turns;
};

/// The gate lies in the middle of the image; the frequency is that of the pulse.
Params spectralDopplerDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    auto& values = params.as<SpectralDopplerParams>();
    const Axis* depth = input.find(AxisName::Depth);
    const Axis* lateral = input.find(AxisName::Lateral);
    if (depth != nullptr && depth->unit == "m")
        values.depthM = std::clamp(middleOf(*depth), 0.0, 1.0);
    if (lateral != nullptr && lateral->unit == "m")
        values.lateralM = std::clamp(middleOf(*lateral), -1.0, 1.0);
    flow::followFrames(values, input);
    return params;
}

std::vector<model::Kernel> spectralDopplerWork(const PlannedStage& stage) {
    return spectralDopplerKernels(
        stage, kSpectralDopplerId,
        dopplerSizes(stage.inputs[0], stage.params.as<SpectralDopplerParams>()));
}

} // namespace

namespace stages {
const StageType& spectral_doppler() {
    static const StageType kType{
        .id = kSpectralDopplerId,
        .label = "Spectral Doppler",
        .help = "Velocities in a gate over time, as a picture of their spectra.",
        .work = spectralDopplerWork,
        .table = spectralDopplerTable(),
        .inputs = {{.dtypes = {DType::ComplexF32},
                    .axes = {AxisName::Depth, AxisName::Lateral},
                    .otherAxes = {{AxisName::Frame, AxisName::Depth, AxisName::Lateral}}}},
        .outputs = {{kOutputPort},
                    {"mean", "Mean velocity of each spectrum, in cm/s."},
                    {"maximum", "Velocity of the largest magnitude in each spectrum, in cm/s."},
                    {"pulses", "The gate's echo at the latest pulses, complex: the sound of the "
                               "flow, before the wall filter."}},
        .bypassable = false,
        .tolerance = {1e-3, 0.02, 0.01},
        .role = Role::WatchesMotion,
        .defaults = spectralDopplerDefaults,
        .shown = {.spans = placeSpans,
                  .box = ImageBox{.label = "Gate",
                                  .depth = "depth",
                                  .lateral = "lateral",
                                  .height = "length",
                                  .drawnWidthM = 1e-3}},
        .code = codeOf<SpectralDoppler>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
