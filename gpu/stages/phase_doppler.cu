// SPDX-License-Identifier: GPL-3.0-or-later
// phase_doppler: velocity along the beam, from an ensemble of F >= 2 B-scans of one place, with B
// the complex A-scans.
//   d = arg sum over a box of pixels and over f of conj(B[f]) B[f+1] exp(-i phi[f]); where
//   split_spectrum has made bands, over them, too
//   v = -d lambda / (4 pi n T), in mm/s, positive towards the probe; |v| <= lambda / (4 n T)
// phi[f] is the bulk phase of the line, lambda the centre wavelength in vacuum, n the refractive
// index, T the time from frame to frame. (Zhao et al., Phase-resolved optical coherence tomography
// and optical Doppler tomography for imaging blood flow in human skin with fast scanning speed and
// high velocity sensitivity, Opt. Lett. 25, 2000; the mean of products as in Kasai et al.,
// IEEE Trans. Sonics Ultrason. 32, 1985.) Where the wavelength rises along the recorded line, as in
// spectrometers, the phase of what moves away from the probe rises; `invert` is for lines in which
// it falls. Where lambda or T is unknown, v is -d in radians per frame. It is 0 where the mean
// power lies less than `threshold` above that of the noise.
#include "gpu/exec/for_each.hpp"
#include "gpu/stages/scan_flow_table.hpp"
#include "gpu/stages/scan_flow_work.hpp"

#include <cmath>
#include <numbers>

namespace echolux {
namespace {

using flow::RepeatedScans;
using flow::ScanBox;

constexpr const char* kPhaseDopplerId = "phase_doppler";

struct PhaseDopplerParams : flow::ScanFlowParams {
    bool removesBulk = true;
    double centreWavelengthM = 0.0;
    double refractiveIndex = 1.38;
    bool inverted = false;
};

struct PhaseProducts {
    const Complex* samples;
    const Complex* bulk; ///< [pair][lateral]; null: it stays
    float* power;
    Complex* product;
    int pairs;
    int bands; ///< images from one of a pair to the other
    std::int64_t lines;
    std::int64_t depths;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t z) const {
        const std::int64_t p = line * depths + z;
        const std::int64_t pixels = lines * depths;
        float sum = 0.0F;
        Complex products;
        for (int i = 0; i < pairs; ++i) {
            const Complex now = samples[i * pixels + p];
            const Complex next = samples[(i + bands) * pixels + p];
            const Complex turned = bulk == nullptr ? next : next * bulk[i * lines + line];
            products = products + conj(now) * turned;
            sum += norm(now);
        }
        for (int i = pairs; i < pairs + bands; ++i) sum += norm(samples[i * pixels + p]);
        power[p] = sum / static_cast<float>(pairs + bands);
        product[p] = products;
    }
};

struct PhaseVelocity {
    const float* power;
    const Complex* product;
    float* out;
    ScanBox box;
    flow::NoiseLevel noise;
    float threshold; ///< of the noise's power
    float perRadian;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t z) const {
        float all = 0.0F;
        Complex sum;
        const std::int64_t count = box.each(line, z, [&](std::int64_t p) {
            all += power[p];
            sum = sum + product[p];
        });
        const float intensity = all / static_cast<float>(count);
        const bool flows = intensity > 0.0F && intensity >= threshold * noise.power();
        out[line * box.depths + z] = flows ? perRadian * atan2f(sum.im, sum.re) : 0.0F;
    }
};

bool knowsTime(const FrameSpec& input) {
    return input.axes.front().unit == "s" && input.axes.front().spacing > 0.0;
}

bool knowsScale(const FrameSpec& input, const PhaseDopplerParams& values) {
    return knowsTime(input) && values.centreWavelengthM > 0.0;
}

/// In mm/s, or of magnitude 1 where velocities are radians per frame.
double dopplerPerRadian(const FrameSpec& input, const PhaseDopplerParams& values) {
    const double sign = values.inverted ? 1.0 : -1.0;
    if (!knowsScale(input, values)) return sign;
    return sign * 1e3 * values.centreWavelengthM /
           (4.0 * std::numbers::pi * values.refractiveIndex * input.axes.front().spacing);
}

class PhaseDoppler final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        flow::checkRepeats(kPhaseDopplerId, input);
        const auto& values = params.as<PhaseDopplerParams>();
        FrameSpec image = oneFrameOf(input);
        image.dtype = DType::F32;
        const double most = std::numbers::pi * std::abs(dopplerPerRadian(input, values));
        const bool scaled = knowsScale(input, values);
        image.valueRange = {-most, most, scaled ? "mm/s" : "rad",
                            scaled ? "towards the probe" : "per frame"};
        image.valueKind = ValueKind::Cyclic;
        image.cycle = 2.0 * most;
        const auto pixels = static_cast<std::size_t>(image.count());
        StagePlan plan{.outputs = {image}};
        plan.workspaceBytes = aligned(flow::noiseBytes(input.axes[2].size)) +
                              aligned(pixels * sizeof(float)) + aligned(pixels * sizeof(Complex)) +
                              flow::bulkMotionBytes(flow::repeatedScans(input));
        if (!knowsTime(input))
            plan.warnings.push_back("The time between frames is unknown, so 'phase_doppler' gives "
                                    "radians per frame instead of mm/s; describe "
                                    "'signal.frame_rate'.");
        else if (!scaled)
            plan.warnings.push_back("The centre wavelength is unknown, so 'phase_doppler' gives "
                                    "radians per frame instead of mm/s; set "
                                    "'centre_wavelength'.");
        return plan;
    }

    void prepare(const Exec&, const FrameSpec& input, const StagePlan&, const Params&) override {
        m_input = input;
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<PhaseDopplerParams>();
        m_perRadian = static_cast<float>(dopplerPerRadian(m_input, m_values));
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const RepeatedScans scans = flow::repeatedScans(*input.spec, input.data);
        const auto pixels = static_cast<std::size_t>(scans.pixels());
        auto* const noiseScratch = static_cast<std::byte*>(workspace.data);
        auto* const powerAt = noiseScratch + aligned(flow::noiseBytes(scans.depths));
        auto* const productAt = powerAt + aligned(pixels * sizeof(float));
        auto* const bulkScratch = productAt + aligned(pixels * sizeof(Complex));
        auto* power = reinterpret_cast<float*>(powerAt);
        auto* product = reinterpret_cast<Complex*>(productAt);
        const Complex* bulk = m_values.removesBulk
                                  ? flow::bulkMotion(exec, kPhaseDopplerId, scans, bulkScratch)
                                  : nullptr;
        forEachInLines(exec, kPhaseDopplerId, scans.lines, scans.depths,
                       PhaseProducts{scans.samples, bulk, power, product, scans.pairs(),
                                     scans.bands, scans.lines, scans.depths});
        const flow::NoiseLevel noise = flow::noiseLevel(
            exec, kPhaseDopplerId, m_values, {power, 1, scans.lines, scans.depths}, noiseScratch);
        forEachInLines(
            exec, kPhaseDopplerId, scans.lines, scans.depths,
            PhaseVelocity{power, product, output.as<float>(),
                          ScanBox::of(scans.lines, scans.depths, m_values), noise,
                          static_cast<float>(std::pow(10.0, m_values.thresholdDb / 10.0)),
                          m_perRadian});
    }

private:
    FrameSpec m_input;
    PhaseDopplerParams m_values;
    float m_perRadian = 1.0F;
};

Params phaseDopplerDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    if (input.spectrometer == nullptr) return params;
    const auto take = [&](const char* key, double known, double& value) {
        const ParamRow& row = *type.table.find(key);
        if (known > 0.0 && known >= row.min && known <= row.max) value = known;
    };
    auto& values = params.as<PhaseDopplerParams>();
    take("centre_wavelength", input.spectrometer->centreWavelengthM, values.centreWavelengthM);
    take("refractive_index", input.spectrometer->refractiveIndex, values.refractiveIndex);
    return params;
}

ParamTable phaseDopplerTable() {
    using P = PhaseDopplerParams;
    auto table = ParamTable::of<P>();
    flow::addScanFlowRows(table, "Pixels whose mean power lies less than this above the noise show "
                                 "no velocity.");
    return table
        .flag(&P::removesBulk, {.key = "remove_bulk_motion",
                                .label = "Remove bulk motion",
                                .help = "Turns each line back by the phase that its depths have in "
                                        "common. Velocities are then relative to the tissue of "
                                        "their line."})
        .real(&P::centreWavelengthM, {.key = "centre_wavelength",
                                      .label = "Centre wavelength",
                                      .unit = "m",
                                      .min = 0.0,
                                      .max = 3e-6,
                                      .step = 1e-9,
                                      .help = "In vacuum; 0 where unknown, and velocities are "
                                              "radians per frame.",
                                      .displayUnit = "nm",
                                      .displayFactor = 1e9})
        .real(&P::refractiveIndex, {.key = "refractive_index",
                                    .label = "Refractive index",
                                    .min = 1.0,
                                    .max = 4.0,
                                    .step = 0.01,
                                    .help = "Refractive index of the blood."})
        .flag(&P::inverted, {.key = "invert",
                             .label = "Invert",
                             .help = "Turns the sign. Use it where the wavelength falls along the "
                                     "recorded line, or where the image is mirrored at zero "
                                     "delay."})
        .build();
}

/// Counts PhaseProducts behind the bulk motion, the level of noise, and PhaseVelocity. A pair: two
/// samples, the turn of one of them, their product and a power. All pixels count as stronger than
/// the noise, which is the most.
std::vector<model::Kernel> phaseDopplerWork(const PlannedStage& stage) {
    constexpr double kSample = sizeof(Complex);
    const Backend backend = stage.backend;
    const auto& values = stage.params.as<PhaseDopplerParams>();
    const RepeatedScans scans = flow::repeatedScans(stage.inputs[0]);
    const auto pairs = static_cast<double>(scans.pairs());
    const auto bands = static_cast<double>(scans.bands);
    const double box = flow::meanBox(ScanBox::of(scans.lines, scans.depths, values));
    model::Part pair{.ffma = 3.0, .fmul = 3.0, .fadd = 3.0, .offsets = 9.0};
    std::vector<model::Kernel> kernels;
    if (values.removesBulk) {
        kernels = flow::bulkMotionWork(backend, kPhaseDopplerId, scans);
        pair = addedUp({pair, {.ffma = 2.0, .fmul = 2.0, .offsets = 4.0}});
    }
    const model::Part last{.ffma = 1.0, .fmul = 1.0, .fadd = 1.0, .offsets = 4.0};
    kernels.push_back(forEachInLinesWork(
        backend, kPhaseDopplerId, scans.pixels(),
        {.bytesRead = kSample * (pairs * (values.removesBulk ? 3.0 : 2.0) + bands),
         .bytesWritten = 4.0 + kSample,
         .distinctRead = kSample * static_cast<double>(scans.images()),
         .counts = addedUp({oneByOne(backend, addedUp({pair.times(pairs), last.times(bands)})),
                            divisionWork(backend)})}));
    flow::append(kernels,
                 flow::noiseLevelWork(backend, kPhaseDopplerId, values, scans.lines, scans.depths));
    kernels.push_back(forEachInLinesWork(
        backend, kPhaseDopplerId, scans.pixels(),
        {.bytesRead = (4.0 + kSample) * box,
         .bytesWritten = 4.0,
         .distinctRead = 4.0 + kSample,
         .counts = addedUp({oneByOne(backend, {.fadd = 3.0, .offsets = 5.0}).times(box),
                            {.offsets = 36.0},
                            divisionWork(backend),
                            arcTangentWork(backend)})}));
    return kernels;
}

} // namespace

namespace stages {
const StageType& phase_doppler() {
    static const StageType kType{
        .id = kPhaseDopplerId,
        .label = "Phase Doppler",
        .help = "Velocity along the beam, from the change of phase between repeated B-scans.",
        .work = phaseDopplerWork,
        .table = phaseDopplerTable(),
        .inputs = {{.dtypes = {DType::ComplexF32},
                    .axes = {AxisName::Frame, AxisName::Lateral, AxisName::Depth},
                    .bands = true}},
        .bypassable = false,
        .tolerance = {2e-3, 0.0, 1e-3},
        .form = RecordedForm::Picture,
        .defaults = phaseDopplerDefaults,
        .code = codeOf<PhaseDoppler>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
