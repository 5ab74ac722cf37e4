// SPDX-License-Identifier: GPL-3.0-or-later
// attenuation: how fast light fades on its way down, at each pixel of A-scans B, from the light
// that comes back from there and from below:
//   I[z] = g(z) (<|B[z]|^2> - N),  g(z) = 10^(roll_off z / 10)
//   S[z] = sum over z' > z of I[z'], plus T
//   mu[z] = ln(1 + I[z] / S[z]) / (2 D)
// < > is the mean over a box of pixels and over the frames of an ensemble (and its bands), N the
// power of noise, z the depth below zero delay, roll_off in dB per mm, D the height of a pixel in
// mm, and mu in 1/mm. (Vermeer et al., Depth-resolved model-based reconstruction of attenuation
// coefficients in optical coherence tomography, Biomed. Opt. Express 5, 2014.) It holds where the
// same share of the removed light is scattered back at all depths, and the light is scattered once.
// Noise is subtracted from the weak depths, too, below 0, so that it cancels in S.
// Sums end with the last used depth: `used_depths` is the share of all depths, from the first on,
// that are used. T is the light from below it: mu is mu_e from the last K used depths on, so that
//   T = (sum over the last K depths of I) / (exp(2 mu_e D K) - 1),
// which is about (their mean) / (2 mu_e D). A negative T counts as 0. `end_attenuation` gives mu_e,
// and K is a twentieth of the used depths, rounded up. Where it is 0, `find_end` finds the last
// depth with light in each B-scan and mu_e from how the light fades above it
// (attenuation_end.hpp); without it T = 0.
// A pixel is 0 where <|B|^2> lies less than `threshold` above N, where S is not above 0, as at the
// last depth where T = 0, and outside the used depths and before zero delay, where the mirror image
// of a full range lies. What lies there has no part in any S. Where the depth has no scale, a pixel
// counts as a length: mu, mu_e and roll_off are per pixel.
#include "gpu/exec/for_each.hpp"
#include "gpu/exec/lane_sum.hpp"
#include "gpu/exec/line_scan.hpp"
#include "gpu/stage/memory_parts.hpp"
#include "gpu/stages/attenuation_end.hpp"
#include "gpu/stages/attenuation_work.hpp"
#include "gpu/stages/scan_flow_table.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

using flow::ScanBox;

constexpr const char* kAttenuationId = "attenuation";
constexpr double kUnit = 1e-3; ///< [m] attenuation is per millimetre

struct AttenuationParams : flow::ScanFlowParams {
    bool subtractsNoise = true;
    double usedDepths = 1.0; ///< share of the depths
    bool findsEnd = true;
    double endAttenuation = 0.0; ///< [1/m]
    double rollOff = 0.0;        ///< [dB/m]

    bool looksForEnd() const { return findsEnd && !(endAttenuation > 0.0); }
};

/// Depths below zero delay, in mm or in pixels.
struct DepthScale {
    bool isMetric;
    double step;
    double first;

    static DepthScale of(const FrameSpec& frame) {
        const Axis& depth = frame.axes.back();
        const bool isMetric = depth.unit == "m" && depth.spacing > 0.0;
        const double step = isMetric ? depth.spacing / kUnit : 1.0;
        const double pixels = depth.spacing > 0.0 ? depth.origin / depth.spacing : 0.0;
        return {isMetric, step, step * pixels};
    }
    /// The first depth that is not before zero delay.
    std::int64_t zeroDelay() const {
        return std::max<std::int64_t>(0, std::llround(-first / step));
    }
};

/// g(z), limited so that it stays a float.
struct RollOff {
    float perStep; ///< ln g per step in depth
    float atFirst; ///< ln g at the first depth

    ECHOLUX_HD float gain(std::int64_t z) const {
        constexpr float kMost = 30.0F; // 130 dB
        return perStep > 0.0F ? expf(fminf(atFirst + perStep * static_cast<float>(z), kMost))
                              : 1.0F;
    }
};

/// What each pixel is compared with.
struct IntensityNoise {
    flow::NoiseLevel level;
    float threshold; ///< of its power
    bool subtracts;

    ECHOLUX_HD float subtracted(std::int64_t bscan) const {
        return subtracts ? level.power(bscan) : 0.0F;
    }
    /// The least I / g that is shown.
    ECHOLUX_HD float least(std::int64_t bscan) const {
        return threshold * level.power(bscan) - subtracted(bscan);
    }
};

ECHOLUX_HD std::int64_t bscanOf(std::int64_t line, std::int64_t lines) {
    return line < lines ? 0 : line / lines;
}

struct ScanIntensity {
    const float* power;
    float* intensity;
    ScanBox box; ///< of a B-scan
    IntensityNoise noise;
    RollOff rollOff;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t z) const {
        const std::int64_t bscan = bscanOf(line, box.lines);
        const float* here = power + bscan * box.lines * box.depths;
        float sum = 0.0F;
        const std::int64_t count =
            box.each(line - bscan * box.lines, z, [&](std::int64_t p) { sum += here[p]; });
        intensity[line * box.depths + z] =
            rollOff.gain(z) * (sum / static_cast<float>(count) - noise.subtracted(bscan));
    }
};

/// T of each line.
struct LightBelow {
    const float* intensity;
    float* below;
    std::int64_t lines; ///< of a B-scan
    std::int64_t depths;
    TissueEnds ends;

    template <class L> ECHOLUX_HD void operator()(std::int64_t line, L lanes) const {
        const TissueEnd end = ends.of(bscanOf(line, lines));
        float sum = 0.0F;
        for (std::int64_t z = lanes.startAt(end.used - end.last); z < end.used; z += L::step)
            sum += intensity[line * depths + z];
        const float all = laneSum(lanes, sum);
        if (lanes.own == 0) below[line] = all > 0.0F ? end.share * all : 0.0F;
    }
};

/// Elements of a line count from the last depth, so that a sum is S.
struct AttenuationOfLine {
    using Value = double;
    const float* intensity;
    const float* below; ///< null: nothing comes from there
    float* out;
    std::int64_t lines; ///< of a B-scan
    std::int64_t depths;
    std::int64_t zeroDelay;
    TissueEnds ends;
    IntensityNoise noise;
    RollOff rollOff;
    float perUnit; ///< 1 / (2 D)

    ECHOLUX_HD Value none() const { return 0.0; }
    ECHOLUX_HD Value joined(Value deeper, Value shallower) const { return deeper + shallower; }
    ECHOLUX_HD Value value(std::int64_t line, std::int64_t n) const {
        const std::int64_t z = depths - 1 - n;
        return z < usedOf(line) ? static_cast<double>(intensity[line * depths + z]) : 0.0;
    }
    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n, Value deeper) const {
        const std::int64_t z = depths - 1 - n;
        const float own = intensity[line * depths + z];
        const auto beneath =
            static_cast<float>(deeper + static_cast<double>(below != nullptr ? below[line] : 0.0F));
        const float least = rollOff.gain(z) * noise.least(bscanOf(line, lines));
        const bool shown =
            z >= zeroDelay && z < usedOf(line) && own > 0.0F && own >= least && beneath > 0.0F;
        constexpr float kMost = 1e30F; // a ratio that is finite
        out[line * depths + z] = shown ? perUnit * log1pf(fminf(own / beneath, kMost)) : 0.0F;
    }

private:
    ECHOLUX_HD std::int64_t usedOf(std::int64_t line) const {
        return ends.of(bscanOf(line, lines)).used;
    }
};

class Attenuation final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) {
        const AttenuationShape shape(input);
        if (shape.depths < 2)
            throw Error("Stage 'attenuation': an A-scan of one depth has nothing below it that "
                        "its light could be compared with; give lines of two depths or more.");
        FrameSpec image = oneFrameOf(input);
        image.dtype = DType::F32;
        const bool isMetric = DepthScale::of(input).isMetric;
        image.valueRange =
            isMetric ? ValueRange{0.0, 20.0, "1/mm", ""} : ValueRange{0.0, 0.06, "1/pixel", ""};
        StagePlan plan{.outputs = {image}};
        plan.workspaceBytes = Memory(nullptr, shape).bytes;
        if (!isMetric)
            plan.warnings.push_back(
                "The depth has no scale in metres, so 'attenuation' is per pixel instead of per "
                "mm; set 'centre_wavelength' and 'bandwidth' of 'inverse_fft'.");
        return plan;
    }

    void prepare(const Exec&, const FrameSpec& input, const StagePlan&, const Params&) override {
        m_scale = DepthScale::of(input);
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<AttenuationParams>();
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const AttenuationShape shape(*input.spec);
        const Memory memory(workspace.data, shape);

        forEach(exec, kAttenuationId, shape.pixels(),
                flow::ScanPower{input.as<Complex>(), memory.power, shape.images, shape.pixels()});
        const flow::PowerScans scans{memory.power, shape.bscans, shape.lines, shape.depths};
        const IntensityNoise noise{
            flow::noiseLevel(exec, kAttenuationId, m_values, scans, memory.noiseScratch),
            static_cast<float>(std::pow(10.0, m_values.thresholdDb / 10.0)),
            m_values.subtractsNoise};
        if (m_values.noiseFrom == flow::NoiseFrom::QuietDepths) {
            const flow::QuietParts quiet(memory.noiseScratch, shape.bscans);
            forEachByLanes(exec, kAttenuationId, shape.bscans,
                           NoiseBelowLight{quiet.means, quiet.noise, shape.depths,
                                           shape.lines * shape.images});
        }
        const RollOff rollOff = rollOffOf(m_values.rollOff);
        const ScanBox box = ScanBox::of(shape.lines, shape.depths, m_values);
        forEachInLines(exec, kAttenuationId, shape.allLines(), shape.depths,
                       ScanIntensity{memory.power, memory.intensity, box, noise, rollOff});
        const TissueEnds ends = endsOf(exec, shape, memory, box, noise, rollOff);
        const bool hasLightBelow = ends.found != nullptr || ends.given.share > 0.0F;
        if (hasLightBelow)
            forEachByLanes(
                exec, kAttenuationId, shape.allLines(),
                LightBelow{memory.intensity, memory.below, shape.lines, shape.depths, ends});
        scanLines(exec, kAttenuationId, shape.allLines(), shape.depths,
                  AttenuationOfLine{memory.intensity, hasLightBelow ? memory.below : nullptr,
                                    output.as<float>(), shape.lines, shape.depths,
                                    m_scale.zeroDelay(), ends, noise, rollOff,
                                    static_cast<float>(0.5 / m_scale.step)});
    }

private:
    /// The parts of the workspace.
    struct Memory {
        std::byte* noiseScratch;
        float* power;
        float* intensity;
        float* below;
        float* profile; ///< [bscan][depth]
        TissueEnd* ends;
        std::size_t bytes;

        Memory(void* memory, const AttenuationShape& shape) {
            MemoryParts parts(memory);
            noiseScratch = parts.take<std::byte>(
                static_cast<std::int64_t>(flow::noiseBytes(shape.depths, shape.bscans)));
            power = parts.take<float>(shape.pixels());
            intensity = parts.take<float>(shape.pixels());
            below = parts.take<float>(shape.allLines());
            profile = parts.take<float>(shape.bscans * shape.depths);
            ends = parts.take<TissueEnd>(shape.bscans);
            bytes = parts.bytes();
        }
    };

    TissueEnds endsOf(const Exec& exec, const AttenuationShape& shape, const Memory& memory,
                      const ScanBox& box, const IntensityNoise& noise,
                      const RollOff& rollOff) const {
        const std::int64_t used = shape.used(m_values.usedDepths);
        const std::int64_t last = AttenuationShape::last(used);
        if (!m_values.looksForEnd()) return {nullptr, {used, last, shareBelow(last)}};
        flow::depthMeans(exec, kAttenuationId,
                         {memory.intensity, shape.bscans, shape.lines, shape.depths},
                         memory.profile);
        forEachByLanes(exec, kAttenuationId, shape.bscans,
                       FindTissueEnd<IntensityNoise, RollOff>{
                           memory.profile, memory.ends, shape.depths, m_scale.zeroDelay(), used,
                           box.halfDepths + 1, noise, rollOff});
        return {memory.ends, {}};
    }

    /// What `perMetre` is per unit of the depth.
    double perUnit(double perMetre) const { return perMetre * kUnit; }

    RollOff rollOffOf(double dbPerMetre) const {
        const double perUnitDepth = perUnit(dbPerMetre) * std::numbers::ln10 / 10.0;
        return {static_cast<float>(perUnitDepth * m_scale.step),
                static_cast<float>(perUnitDepth * m_scale.first)};
    }

    /// T as a share of the sum over the last `depths` used ones.
    float shareBelow(std::int64_t depths) const {
        if (!(m_values.endAttenuation > 0.0)) return 0.0F;
        const double lost =
            2.0 * perUnit(m_values.endAttenuation) * m_scale.step * static_cast<double>(depths);
        return static_cast<float>(1.0 / std::expm1(lost));
    }

    DepthScale m_scale = {};
    AttenuationParams m_values;
};

ParamTable attenuationTable() {
    using P = AttenuationParams;
    auto table = ParamTable::of<P>();
    flow::addScanFlowRows(table, "Pixels whose mean power lies less than this above the noise show "
                                 "no attenuation.");
    return table
        .flag(&P::subtractsNoise,
              {.key = "subtract_noise",
               .label = "Subtract noise",
               .help = "Subtracts the mean power of the noise at all depths. Otherwise noise "
                       "counts as light, and deep tissue seems to attenuate less."})
        .real(&P::usedDepths,
              {.key = "used_depths",
               .label = "Used depths",
               .min = 0.01,
               .max = 1.0,
               .step = 0.005,
               .help = "Share of the depths, from the first on, in which light counts. Leave out "
                       "what is below the tissue, where no more light comes back.",
               .displayUnit = "%",
               .displayFactor = 100.0})
        .flag(&P::findsEnd,
              {.key = "find_end",
               .label = "Find the end",
               .help = "Finds in each B-scan the last depth with light, and how much light goes on "
                       "below, from how it fades above. Otherwise no light comes from below the "
                       "used depths. No effect where `end_attenuation` is given."})
        .real(&P::endAttenuation,
              {.key = "end_attenuation",
               .label = "End attenuation",
               .unit = "1/m",
               .min = 0.0,
               .max = 50e3,
               .step = 100.0,
               .help = "Attenuation of what lies below the last used depth, as of the last "
                       "twentieth of these depths. It tells how much light comes from there. 0: "
                       "it is found, or no light comes from there (`find_end`).",
               .displayUnit = "1/mm",
               .displayFactor = 1e-3})
        .real(&P::rollOff,
              {.key = "roll_off",
               .label = "Roll-off",
               .unit = "dB/m",
               .min = 0.0,
               .max = 40e3,
               .step = 100.0,
               .help = "Sensitivity that the device loses with depth, which is compensated. 0: "
                       "none.",
               .displayUnit = "dB/mm",
               .displayFactor = 1e-3})
        .build();
}

std::vector<model::Kernel> attenuationWork(const PlannedStage& stage) {
    const auto& values = stage.params.as<AttenuationParams>();
    return attenuationKernels(stage.backend, kAttenuationId, AttenuationShape(stage.inputs[0]),
                              values,
                              {.used = values.usedDepths,
                               .findsEnd = values.looksForEnd(),
                               .hasLightBelow = values.findsEnd || values.endAttenuation > 0.0,
                               .rollsOff = values.rollOff > 0.0});
}

} // namespace

namespace stages {
const StageType& attenuation() {
    static const StageType kType{
        .id = kAttenuationId,
        .label = "Attenuation",
        .help = "Attenuation coefficient of the tissue at each pixel, from the light below it.",
        .work = attenuationWork,
        .table = attenuationTable(),
        .inputs = {orBands({{DType::ComplexF32}, {AxisName::Lateral, AxisName::Depth}, true})},
        .bypassable = false,
        .tolerance = {2e-3, 1e-6, 1e-3},
        .form = RecordedForm::Picture,
        .code = codeOf<Attenuation>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
