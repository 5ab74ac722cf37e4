// SPDX-License-Identifier: GPL-3.0-or-later
// speed_of_sound: estimates the mean speed of sound between a flat array and patches of the image.
// For some trial speeds c it computes how coherent the echoes of a patch's points p are:
//   sum_p |sum_te s_te|^2 / sum_p (N sum_te |s_te|^2),
// with the sample s_te of transmit t and element e that belongs to p at the speed c, and their
// number N. Elements count where |x_e - x_p| <= z / 2. This curve over the trial speeds, less its
// mean and divided by its range (0 where it is flat), this range by the mean, and the patch's depth
// over the array's width are the inputs of a network with one hidden layer, which train.py trained
// on simulated frames. The curve is highest near the true speed. Points lie at z c / (1540 m/s), so
// that all trials see the same echoes.
#include "gpu/beamform/beamform_check.hpp"
#include "gpu/beamform/beamform_model.hpp"
#include "gpu/core/error.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/plugin.hpp"

#include "weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

using namespace echolux;
using speed_of_sound::kTrials;

constexpr int kAcross = 3; ///< points of a patch side by side, as in train.py
constexpr int kDown = 16;
constexpr int kPoints = kAcross * kDown;
constexpr float kReach = 0.5F; ///< greatest |x_e - x_p| / z
constexpr double kUsualMps = 1540.0;
constexpr float kSlowestMps = 1400.0F; ///< of the trials
constexpr float kStepMps = 35.0F;
constexpr float kFlattest = 0.01F; ///< range over mean; a flatter curve is as flat as rounding may
                                   ///< leave it, and counts as 0

struct SpeedParams {
    std::int64_t rows = 4;
    std::int64_t columns = 4;
};

/// Places of the patches, m.
struct Patches {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    float left = 0.0F;
    float top = 0.0F;
    float width = 0.0F; ///< of one
    float height = 0.0F;

    std::int64_t count() const { return rows * columns; }
    ECHOLUX_HD das::Place point(std::int64_t patch, std::int64_t number) const {
        const auto column = static_cast<float>(patch % columns);
        const auto row = static_cast<float>(patch / columns);
        const auto across = static_cast<float>(number % kAcross);
        const auto down = static_cast<float>(number / kAcross);
        return {left + (column + (across + 0.5F) / kAcross) * width, 0.0F,
                top + (row + (down + 0.5F) / kDown) * height};
    }
};

/// Of one point and trial: energy of the sum, and its greatest possible value.
struct Agreement {
    float energy = 0.0F;
    float bound = 0.0F;
};

struct AgreementAtPoint {
    das::Constants k;
    Patches patches;
    const Complex* data;
    Agreement* out; ///< [patch][point][trial]
    float samplingHz;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float speed = kSlowestMps + kStepMps * static_cast<float>(i % kTrials);
        const std::int64_t point = i / kTrials;
        das::Place place = patches.point(point / kPoints, point % kPoints);
        place.z *= speed / static_cast<float>(kUsualMps);
        const float indexPerMetre = samplingHz / speed;
        Complex total;
        float terms = 0.0F;
        float number = 0.0F;
        for (int t = 0; t < k.transmits; ++t) {
            const das::TransmitConstants& transmit = k.transmit[t];
            const float sent = das::transmitIndex(transmit, indexPerMetre, place);
            Complex sum;
            for (int e = 0; e < k.elements; ++e) {
                const float aside = place.x - k.element[e].x;
                if (!(std::fabs(aside) <= kReach * place.z)) continue;
                const float back =
                    das::product(das::hypotenuse(aside, place.z - k.element[e].z), indexPerMetre);
                const float at = sent + back;
                const float whole = std::floor(at);
                if (!(whole >= 0.0F && whole < static_cast<float>(k.samples - 1))) continue;
                const Complex* line = data +
                                      (static_cast<std::int64_t>(t) * k.channels + e) * k.samples +
                                      static_cast<std::int64_t>(whole);
                const Complex value = line[0] + (at - whole) * (line[1] - line[0]);
                sum = sum + value * das::receivePhasor(k, back);
                terms += norm(value);
                number += 1.0F;
            }
            total = total + sum * das::transmitPhasor(k, transmit, sent);
        }
        out[i] = {norm(total), number * terms};
    }
};

/// A copy of the weights, which kernels take by value.
struct Network {
    float hiddenWeights[speed_of_sound::kInputs][speed_of_sound::kHidden];
    float hiddenBiases[speed_of_sound::kHidden];
    float outputWeights[speed_of_sound::kHidden];

    Network() {
        std::memcpy(hiddenWeights, speed_of_sound::kHiddenWeights, sizeof hiddenWeights);
        std::memcpy(hiddenBiases, speed_of_sound::kHiddenBiases, sizeof hiddenBiases);
        std::memcpy(outputWeights, speed_of_sound::kOutputWeights, sizeof outputWeights);
    }

    ECHOLUX_HD float operator()(const float* inputs) const {
        float output = speed_of_sound::kOutputBias;
        for (int h = 0; h < speed_of_sound::kHidden; ++h) {
            float sum = hiddenBiases[h];
            for (int i = 0; i < speed_of_sound::kInputs; ++i)
                sum = std::fma(inputs[i], hiddenWeights[i][h], sum);
            output = std::fma(std::tanh(sum), outputWeights[h], output);
        }
        return output;
    }
};

/// The estimate of one patch, m/s.
struct EstimateAtPatch {
    const Agreement* points; ///< [patch][point][trial]
    float* out;
    Patches patches;
    float apertureM;
    Network network;

    ECHOLUX_HD void operator()(std::int64_t patch) const {
        float inputs[speed_of_sound::kInputs] = {};
        float mean = 0.0F;
        float least = 1.0F;
        float most = 0.0F;
        for (int trial = 0; trial < kTrials; ++trial) {
            Agreement all;
            for (std::int64_t point = 0; point < kPoints; ++point) {
                const Agreement& one = points[(patch * kPoints + point) * kTrials + trial];
                all.energy += one.energy;
                all.bound += one.bound;
            }
            const float coherence = all.bound > 0.0F ? all.energy / all.bound : 0.0F;
            inputs[trial] = coherence;
            mean += coherence / static_cast<float>(kTrials);
            least = coherence < least ? coherence : least;
            most = coherence > most ? coherence : most;
        }
        const float span = most - least;
        const bool tells = span > kFlattest * mean;
        for (int trial = 0; trial < kTrials; ++trial)
            inputs[trial] = tells ? (inputs[trial] - mean) / span : 0.0F;
        inputs[kTrials] = tells ? span / mean : 0.0F;
        const float row = static_cast<float>(patch / patches.columns) + 0.5F;
        inputs[kTrials + 1] = (patches.top + row * patches.height) / apertureM;
        out[patch] =
            static_cast<float>(kUsualMps) * (1.0F + speed_of_sound::kScale * network(inputs));
    }
};

void checkArray(const FrameSpec& input) {
    const auto& elements = input.acquisition->probe.elements;
    const bool flat = std::ranges::all_of(
        elements, [&](const Point& e) { return e.z == elements[0].z && e.y == elements[0].y; });
    const bool rising =
        std::ranges::is_sorted(elements, {}, &Point::x) && elements.back().x > elements.front().x;
    if (!flat || !rising)
        throw Error("Stage 'speed_of_sound' knows flat arrays alone, but this array is none; use "
                    "it for linear and phased arrays.");
    if (!input.acquisition->receiveElements.empty())
        throw Error("Stage 'speed_of_sound' needs a channel for each element, but this recording "
                    "has channels that listen to different ones; leave the stage out.");
}

double apertureOf(const FrameSpec& input) {
    const auto& elements = input.acquisition->probe.elements;
    return elements.back().x - elements.front().x;
}

/// From 0.1 to 0.8 of the depth from which the last sample can come, between the outer elements.
Patches patchesOf(const FrameSpec& input, const SpeedParams& values) {
    double last =
        static_cast<double>(input.sizeOf(AxisName::Sample) - 1) / input.samplingFrequencyHz();
    last +=
        std::ranges::min(input.acquisition->transmits, {}, &Transmit::firstSampleS).firstSampleS;
    const double deepest = 0.5 * kUsualMps * last;
    if (!(deepest > 0.0))
        throw Error("Stage 'speed_of_sound' needs echoes from below the array, but the records end "
                    "before any arrives; check the time of the first sample.");
    return {values.rows,
            values.columns,
            static_cast<float>(input.acquisition->probe.elements.front().x),
            static_cast<float>(0.1 * deepest),
            static_cast<float>(apertureOf(input) / static_cast<double>(values.columns)),
            static_cast<float>(0.7 * deepest / static_cast<double>(values.rows))};
}

class SpeedOfSound final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        das::checkGeometry(input);
        das::checkSampling(input);
        checkArray(input);
        const Patches patches = patchesOf(input, params.as<SpeedParams>());
        FrameSpec output = input;
        output.dtype = DType::F32;
        output.acquisition = nullptr;
        output.axes = {{AxisName::Depth, patches.rows, patches.height,
                        patches.top + 0.5 * patches.height, "m"},
                       {AxisName::Lateral, patches.columns, patches.width,
                        patches.left + 0.5 * patches.width, "m"}};
        output.valueRange = ValueRange{1400.0, 1680.0, "m/s", ""};
        const auto agreements = static_cast<std::size_t>(patches.count() * kPoints * kTrials);
        return {.outputs = {output}, .workspaceBytes = agreements * sizeof(Agreement)};
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        BeamformParams all;
        all.depthMaxM = all.depthMinM + all.pixelDepthM; // its image is not computed
        all.transmitDelays = TransmitDelays::AsWritten;  // as in the frames of train.py
        const das::Model model = das::makeModel(input, all);
        m_patches = patchesOf(input, params.as<SpeedParams>());
        m_constants = model.constants;
        m_elements.allocate(exec, model.elements.size());
        m_elements.set(exec, model.elements);
        m_transmits.allocate(exec, model.transmits.size());
        m_transmits.set(exec, model.transmits);
        m_constants.element = m_elements.data();
        m_constants.transmit = m_transmits.data();
        m_apertureM = static_cast<float>(apertureOf(input));
        m_samplingHz = static_cast<float>(input.samplingFrequencyHz());
    }

    void update(const Exec&, const Params&) override {} // all parameters are structural

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        auto* agreements = static_cast<Agreement*>(workspace.data);
        forEach(exec, "speed_of_sound", m_patches.count() * kPoints * kTrials,
                AgreementAtPoint{m_constants, m_patches, input.as<Complex>(), agreements,
                                 m_samplingHz});
        forEach(exec, "speed_of_sound", m_patches.count(),
                EstimateAtPatch{agreements, output.as<float>(), m_patches, m_apertureM, Network()});
    }

private:
    das::Constants m_constants;
    Patches m_patches;
    ComputeTable<das::Element> m_elements;
    ComputeTable<das::TransmitConstants> m_transmits;
    float m_apertureM = 1.0F;
    float m_samplingHz = 1.0F;
};

ParamRow countRow(const char* key, const char* label, const char* help) {
    return {.key = key,
            .label = label,
            .min = 1,
            .max = 16,
            .step = 1,
            .kind = ParamKind::Structural,
            .help = help};
}

const StageType& speedOfSound() {
    static const StageType kType{
        .id = "speed_of_sound",
        .label = "Speed of sound",
        .help = "Estimates the mean speed of sound between the array and parts of the image, by a "
                "trained network.",
        .table = ParamTable::of<SpeedParams>()
                     .integer(&SpeedParams::rows,
                              countRow("rows", "Rows", "Number of patches below each other."))
                     .integer(&SpeedParams::columns,
                              countRow("columns", "Columns", "Number of patches side by side."))
                     .build(),
        .inputs = {{.dtypes = {DType::ComplexF32},
                    .axes = {AxisName::Transmit, AxisName::Channel, AxisName::Sample}}},
        .bypassable = false,
        .tolerance = {1e-3, 0.0, 0.02},
        .code = codeOf<SpeedOfSound>(),
    };
    return kType;
}

} // namespace

ECHOLUX_PLUGIN("Speed of sound", "1.0", &speedOfSound())
