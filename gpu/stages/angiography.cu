// SPDX-License-Identifier: GPL-3.0-or-later
// angiography: where blood flows, from an ensemble of F >= 2 B-scans of one place, with B the
// complex A-scans and A = |B|. < > is the mean over a box of pixels, N the power of noise, I the
// mean over frames of <A^2>. Where split_spectrum has made bands, all are means over bands, too.
//   speckle variance:    <1/F sum over f of (A[f] - mean A)^2>
//     (Mariampillai et al., Optimized speckle variance OCT imaging of microvasculature, Opt. Lett.
//     35, 2010)
//   decorrelation:       mean over f of 1 - <A[f] A[f+1]> / <(A[f]^2 + A[f+1]^2) / 2>
//     (Jia et al., Split-spectrum amplitude-decorrelation angiography with optical coherence
//     tomography, Opt. Express 20, 2012, without the split; for a box of one pixel their ratio)
//   complex difference:  <mean over f of |B[f+1] exp(-i phi) - B[f]|>, with phi the bulk phase of
//     the line
// Normalised, the variance is divided by I and the difference by sqrt(I). New speckle in each frame
// then gives (1 - pi / 4) (F - 1) / F, 1 - pi / 4 and sqrt(pi / 2).
// `subtract_noise` takes away what additive noise alone adds to still, bright pixels:
// (F - 1) / F N / 2 of the variance, N / 2 of <(A[f] - A[f+1])^2> / 2, and pi N / 2 of the squared
// difference; and N of I.
// A pixel is 0 where I lies less than `threshold` above N. At the threshold some noise remains,
// because the variance of an amplitude near noise is below N / 2.
#include "gpu/exec/for_each.hpp"
#include "gpu/stages/angiography_work.hpp"
#include "gpu/stages/scan_flow_table.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

using flow::RepeatedScans;
using flow::ScanBox;

constexpr const char* kAngiographyId = "angiography";
constexpr double kSpeckleVariance = 1.0 - std::numbers::pi / 4.0; ///< of A where <A^2> = 1

enum class FlowContrast { SpeckleVariance, Decorrelation, ComplexDifference };

struct AngiographyParams : flow::ScanFlowParams {
    FlowContrast method = FlowContrast::Decorrelation;
    bool removesBulk = true;
    bool normalised = true;
    bool subtractsNoise = true;
};

struct ScanAmplitude {
    const Complex* samples;
    float* amplitude;

    ECHOLUX_HD void operator()(std::int64_t i) const { amplitude[i] = sqrtf(norm(samples[i])); }
};

struct SpeckleVariance {
    const Complex* samples;
    float* moving;
    int frames;
    int bands;
    std::int64_t pixels;

    ECHOLUX_HD void operator()(std::int64_t p) const {
        float sum = 0.0F;
        for (int band = 0; band < bands; ++band) sum += ofBand(samples + band * pixels + p);
        moving[p] = sum / static_cast<float>(frames * bands);
    }

    /// Sum over frames.
    ECHOLUX_HD float ofBand(const Complex* first) const {
        const std::int64_t apart = bands * pixels;
        float mean = 0.0F;
        for (int f = 0; f < frames; ++f) mean += sqrtf(norm(first[f * apart]));
        mean /= static_cast<float>(frames);
        float sum = 0.0F;
        for (int f = 0; f < frames; ++f) {
            const float off = sqrtf(norm(first[f * apart])) - mean;
            sum += off * off;
        }
        return sum;
    }
};

struct ComplexDifference {
    const Complex* samples;
    const Complex* bulk; ///< [pair][lateral]; null: it stays
    float* moving;
    int pairs;
    int bands; ///< images from one of a pair to the other
    std::int64_t lines;
    std::int64_t depths;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t z) const {
        const std::int64_t p = line * depths + z;
        const std::int64_t pixels = lines * depths;
        float sum = 0.0F;
        for (int i = 0; i < pairs; ++i) {
            const Complex next = samples[(i + bands) * pixels + p];
            const Complex turned = bulk == nullptr ? next : next * bulk[i * lines + line];
            sum += sqrtf(norm(turned - samples[i * pixels + p]));
        }
        moving[p] = sum / static_cast<float>(pairs);
    }
};

/// What pixels are compared with.
struct FlowMask {
    flow::NoiseLevel noise;
    float threshold; ///< of the noise's power
    bool subtracts;

    /// The noise that is taken away.
    ECHOLUX_HD float subtracted() const { return subtracts ? noise.power() : 0.0F; }
    ECHOLUX_HD bool shows(float power) const {
        return power > 0.0F && power >= threshold * noise.power();
    }
};

/// The variance or the difference, averaged.
struct AverageContrast {
    const float* power;
    const float* moving;
    float* out;
    ScanBox box;
    FlowMask mask;
    float noiseShare;  ///< of the noise's power, in the variance or the squared difference
    bool ofAmplitudes; ///< a difference of amplitudes, not their variance
    bool normalised;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t z) const {
        float sum = 0.0F;
        float all = 0.0F;
        const std::int64_t count = box.each(line, z, [&](std::int64_t p) {
            sum += moving[p];
            all += power[p];
        });
        const float mean = sum / static_cast<float>(count);
        const float intensity = all / static_cast<float>(count);
        const float noise = mask.subtracted();
        float value = 0.0F;
        if (mask.shows(intensity)) {
            const float still = intensity - noise;
            const float rest =
                fmaxf(0.0F, (ofAmplitudes ? mean * mean : mean) - noiseShare * noise);
            value = ofAmplitudes ? sqrtf(rest) : rest;
            if (normalised)
                value = still > 0.0F ? value / (ofAmplitudes ? sqrtf(still) : still) : 0.0F;
        }
        out[line * box.depths + z] = value;
    }
};

struct Decorrelation {
    const float* power;
    const float* amplitude; ///< [frame][band][lateral][depth]
    float* out;
    int pairs;
    int bands; ///< images from one of a pair to the other
    ScanBox box;
    FlowMask mask;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t z) const {
        const std::int64_t pixels = box.lines * box.depths;
        float all = 0.0F;
        const std::int64_t count = box.each(line, z, [&](std::int64_t p) { all += power[p]; });
        float sum = 0.0F;
        if (mask.shows(all / static_cast<float>(count))) {
            const float noise = mask.subtracted() * static_cast<float>(count);
            for (int i = 0; i < pairs; ++i) sum += ofPair(i * pixels, pixels, line, z, noise);
        }
        out[line * box.depths + z] = fmaxf(0.0F, sum / static_cast<float>(pairs));
    }

    /// (a^2 + b^2) / 2 - a b = (a - b)^2 / 2, which rounds less.
    ECHOLUX_HD float ofPair(std::int64_t from, std::int64_t pixels, std::int64_t line,
                            std::int64_t z, float noise) const {
        float changed = 0.0F;
        float whole = 0.0F;
        const float* now = amplitude + from;
        const float* next = now + bands * pixels;
        box.each(line, z, [&](std::int64_t p) {
            const float a = now[p];
            const float b = next[p];
            changed += 0.5F * (a - b) * (a - b);
            whole += 0.5F * (a * a + b * b);
        });
        const float still = whole - noise;
        if (!(still > 0.0F)) return 0.0F;
        return fmaxf(-1.0F, fminf(1.0F, (changed - 0.5F * noise) / still));
    }
};

class Angiography final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        flow::checkRepeats(kAngiographyId, input);
        const auto& values = params.as<AngiographyParams>();
        FrameSpec image = oneFrameOf(input);
        image.dtype = DType::F32;
        image.valueRange = rangeOf(input, values);
        const auto pixels = static_cast<std::size_t>(image.count());
        StagePlan plan{.outputs = {image}};
        plan.workspaceBytes = aligned(flow::noiseBytes(input.axes[2].size)) +
                              aligned(pixels * sizeof(float)) +
                              aligned(movingOf(values, input) * sizeof(float)) +
                              flow::bulkMotionBytes(flow::repeatedScans(input));
        return plan;
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<AngiographyParams>();
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const RepeatedScans scans = flow::repeatedScans(*input.spec, input.data);
        auto* at = static_cast<std::byte*>(workspace.data);
        const auto take = [&at](std::size_t bytes) {
            std::byte* const here = at;
            at += bytes;
            return here;
        };
        void* const noiseScratch = take(aligned(flow::noiseBytes(scans.depths)));
        const std::size_t imageBytes =
            aligned(static_cast<std::size_t>(scans.pixels()) * sizeof(float));
        auto* power = reinterpret_cast<float*>(take(imageBytes));
        auto* moving = reinterpret_cast<float*>(
            take(aligned(movingOf(m_values, *input.spec) * sizeof(float))));
        void* const bulkScratch = at;
        auto* out = output.as<float>();

        forEach(exec, kAngiographyId, scans.pixels(),
                flow::ScanPower{scans.samples, power, scans.images(), scans.pixels()});
        const FlowMask mask{flow::noiseLevel(exec, kAngiographyId, m_values,
                                             {power, 1, scans.lines, scans.depths}, noiseScratch),
                            static_cast<float>(std::pow(10.0, m_values.thresholdDb / 10.0)),
                            m_values.subtractsNoise};
        const ScanBox box = ScanBox::of(scans.lines, scans.depths, m_values);
        if (m_values.method == FlowContrast::Decorrelation) {
            forEach(exec, kAngiographyId, scans.images() * scans.pixels(),
                    ScanAmplitude{scans.samples, moving});
            forEachInLines(
                exec, kAngiographyId, scans.lines, scans.depths,
                Decorrelation{power, moving, out, scans.pairs(), scans.bands, box, mask});
            return;
        }
        const bool difference = m_values.method == FlowContrast::ComplexDifference;
        if (difference) {
            const Complex* bulk = m_values.removesBulk
                                      ? flow::bulkMotion(exec, kAngiographyId, scans, bulkScratch)
                                      : nullptr;
            forEachInLines(exec, kAngiographyId, scans.lines, scans.depths,
                           ComplexDifference{scans.samples, bulk, moving, scans.pairs(),
                                             scans.bands, scans.lines, scans.depths});
        } else {
            forEach(
                exec, kAngiographyId, scans.pixels(),
                SpeckleVariance{scans.samples, moving, scans.frames, scans.bands, scans.pixels()});
        }
        const auto frames = static_cast<float>(scans.frames);
        const float noiseShare =
            difference ? 0.5F * std::numbers::pi_v<float> : 0.5F * (frames - 1.0F) / frames;
        forEachInLines(exec, kAngiographyId, scans.lines, scans.depths,
                       AverageContrast{power, moving, out, box, mask, noiseShare, difference,
                                       m_values.normalised});
    }

private:
    /// Floats of what the method keeps: amplitudes of all frames, or one image.
    static std::size_t movingOf(const AngiographyParams& values, const FrameSpec& input) {
        const std::int64_t all = input.count();
        return static_cast<std::size_t>(
            values.method == FlowContrast::Decorrelation ? all : all / input.axes[0].size);
    }

    /// From 0 to what new speckle gives in each frame; where this is not relative, that of tissue
    /// as bright as magnitude_log shows white.
    static ValueRange rangeOf(const FrameSpec& input, const AngiographyParams& values) {
        const double unrelated = std::sqrt(0.5 * std::numbers::pi);
        if (values.method == FlowContrast::Decorrelation) return {0.0, kSpeckleVariance, "", ""};
        const bool difference = values.method == FlowContrast::ComplexDifference;
        const double relative = difference ? unrelated : kSpeckleVariance;
        if (values.normalised) return {0.0, relative, "", ""};
        constexpr double kBrightDb = 32.0;
        const auto& levels = input.suggestedLevels;
        const double brightDb = levels ? levels->brightDb : kBrightDb;
        return {0.0, relative * std::pow(10.0, brightDb / (difference ? 20.0 : 10.0)), "", ""};
    }

    AngiographyParams m_values;
};

ParamTable angiographyTable() {
    using P = AngiographyParams;
    auto table = ParamTable::of<P>();
    table.choice(&P::method,
                 {{"speckle_variance", "Speckle variance"},
                  {"decorrelation", "Decorrelation"},
                  {"complex_difference", "Complex difference"}},
                 {.key = "method",
                  .label = "Method",
                  .kind = ParamKind::Structural,
                  .help = "Speckle variance and decorrelation compare amplitudes, so they need no "
                          "stable phase. Complex difference also shows slow flow along the beam, "
                          "which changes the phase alone."});
    flow::addScanFlowRows(table, "Pixels whose mean power lies less than this above the noise show "
                                 "no flow.");
    return table
        .flag(&P::removesBulk, {.key = "remove_bulk_motion",
                                .label = "Remove bulk motion",
                                .help = "Turns each line back by the phase that its depths have in "
                                        "common, so that motion of the whole sample along the beam "
                                        "is no flow.",
                                .onlyWith = {"method", "complex_difference"}})
        .flag(&P::normalised, {.key = "normalise",
                               .label = "Normalise",
                               .help = "Divides the variance by the mean power, or the difference "
                                       "by its root, so that bright tissue does not look like "
                                       "flow. Decorrelation is relative in any case."})
        .flag(&P::subtractsNoise, {.key = "subtract_noise",
                                   .label = "Subtract noise",
                                   .help = "Subtracts what noise adds to the contrast of still "
                                           "tissue, so that weak tissue does not look like flow."})
        .build();
}

std::vector<model::Kernel> angiographyWork(const PlannedStage& stage) {
    const auto& values = stage.params.as<AngiographyParams>();
    return angiographyKernels(stage, values, flow::repeatedScans(stage.inputs[0]),
                              {.name = kAngiographyId,
                               .decorrelation = values.method == FlowContrast::Decorrelation,
                               .difference = values.method == FlowContrast::ComplexDifference,
                               .removesBulk = values.removesBulk,
                               .normalised = values.normalised});
}

} // namespace

namespace stages {
const StageType& angiography() {
    static const StageType kType{
        .id = kAngiographyId,
        .label = "Angiography",
        .help = "Shows where blood flows, by what changes between repeated B-scans of one place.",
        .work = angiographyWork,
        .table = angiographyTable(),
        .inputs = {{.dtypes = {DType::ComplexF32},
                    .axes = {AxisName::Frame, AxisName::Lateral, AxisName::Depth},
                    .bands = true}},
        .bypassable = false,
        .tolerance = {2e-3, 1e-6, 1e-3},
        .form = RecordedForm::Picture,
        .code = codeOf<Angiography>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
