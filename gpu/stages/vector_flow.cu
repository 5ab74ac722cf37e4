// SPDX-License-Identifier: GPL-3.0-or-later
// vector_flow: the velocity in the image plane, from two images of velocities along the beam that
// saw plane waves of different steering a1, a2:
//   u[i] = -1/2 (sin(a[i]) vx + (1 + cos(a[i])) vz)
// u is positive towards the probe, vx to the right, vz into depth; the receive beam is not steered,
// so the measured direction is the mean of both ways (Dunmire et al., Cross-beam vector Doppler
// ultrasound for angle-independent velocity measurements, Ultrasound Med. Biol. 26, 2000). Where
// either input shows no flow, as 0, there is none.
// Velocities by the frequency that was measured along depth (`autocorrelation_2d`) are larger: that
// frequency is (1 + cos(a)) / 2 of the echoes', so that u = -(sin(a) / (1 + cos(a)) vx + vz).
#include "gpu/stages/vector_flow.hpp"

#include "gpu/exec/for_each.hpp"
#include "gpu/stage/function_work.hpp"
#include "gpu/stage/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr const char* kVectorFlowId = "vector_flow";

/// (vx, velocity towards the probe) = inverse * (u1, u2).
struct Directions {
    float lateralOfFirst = 0.0F;
    float lateralOfSecond = 0.0F;
    float axialOfFirst = 0.0F;
    float axialOfSecond = 0.0F;

    static double determinant(const VectorFlowParams& values) {
        return 0.25 * (std::sin(values.secondRad) * (1.0 + std::cos(values.firstRad)) -
                       std::sin(values.firstRad) * (1.0 + std::cos(values.secondRad)));
    }
    static Directions of(const VectorFlowParams& values) {
        const double scale = 0.5 / determinant(values);
        const auto along = [](double steering) { return 1.0 + std::cos(steering); };
        const double first = values.measuresFrequency ? 0.5 * along(values.firstRad) : 1.0;
        const double second = values.measuresFrequency ? 0.5 * along(values.secondRad) : 1.0;
        const auto part = [&](double value) { return static_cast<float>(scale * value); };
        return {part(first * along(values.secondRad)), part(-second * along(values.firstRad)),
                part(first * std::sin(values.secondRad)),
                part(-second * std::sin(values.firstRad))};
    }
};

struct FlowVector {
    const float* first;
    const float* second;
    float* speed; ///< null: nobody reads it; likewise the others
    float* lateral;
    float* axial;
    Directions directions;

    ECHOLUX_HD void operator()(std::int64_t p) const {
        const float u = first[p];
        const float v = second[p];
        const bool flows = u != 0.0F && v != 0.0F;
        const float across =
            flows ? directions.lateralOfFirst * u + directions.lateralOfSecond * v : 0.0F;
        const float along =
            flows ? directions.axialOfFirst * u + directions.axialOfSecond * v : 0.0F;
        if (speed != nullptr) speed[p] = sqrtf(across * across + along * along);
        if (lateral != nullptr) lateral[p] = across;
        if (axial != nullptr) axial[p] = along;
    }
};

class VectorFlow final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& input = inputs[0];
        if (!input.sameLayout(inputs[1]))
            throw Error(fmt::format("vector_flow: the two images differ in shape, {} and {}; give "
                                    "both 'beamform' stages the same grid.",
                                    input.describe(), inputs[1].describe()));
        const auto& values = params.as<VectorFlowParams>();
        constexpr double kLeast = 0.017; // of the sines: one degree
        if (std::abs(std::sin(values.firstRad) - std::sin(values.secondRad)) < kLeast)
            throw Error("vector_flow: both waves have nearly the same steering, so the lateral "
                        "velocity cannot be told; set 'first' and 'second' to the waves' angles, "
                        "one degree or more apart.");
        const ValueRange measured = input.valueRange.value_or(ValueRange{-1.0, 1.0, "", ""});
        const double most = std::max(std::abs(measured.min), std::abs(measured.max));
        // Lateral velocities may be larger than those along the beam; few are more than twice.
        constexpr double kAcross = 2.0;
        const auto ranged = [&](double lowest, double highest) {
            FrameSpec output = input;
            output.valueRange = {lowest, highest, measured.unit, ""};
            output.valueKind = lowest < 0.0 ? ValueKind::Plain : ValueKind::Amplitude;
            output.cycle = 0.0;
            output.hasGaps = input.hasGaps || inputs[1].hasGaps;
            return output;
        };
        return {.outputs = {ranged(0.0, kAcross * most), ranged(-kAcross * most, kAcross * most),
                            ranged(-most, most)}};
    }

    void update(const Exec&, const Params& params) override {
        m_directions = Directions::of(params.as<VectorFlowParams>());
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace&) override {
        forEach(exec, kVectorFlowId, inputs[0].spec->count(),
                FlowVector{inputs[0].as<float>(), inputs[1].as<float>(), outputs[0].as<float>(),
                           outputs[1].as<float>(), outputs[2].as<float>(), m_directions});
    }

private:
    Directions m_directions;
};

ParamRow angleRow(const char* key, const char* label) {
    return {.key = key,
            .label = label,
            .unit = "rad",
            .min = -1.2,
            .max = 1.2,
            .step = 0.5 * std::numbers::pi / 180.0,
            .help = "Steering of the plane wave that this input saw, positive to the right.",
            .displayUnit = "deg",
            .displayFactor = 180.0 / std::numbers::pi};
}

/// Counts FlowVector; an output that nobody reads is not written.
std::vector<model::Kernel> vectorFlowWork(const PlannedStage& stage) {
    double written = 0.0;
    for (std::size_t port = 0; port < stage.plan.outputs.size(); ++port)
        written += stage.wants(port) ? 4.0 : 0.0;
    model::Part counts =
        oneByOne(stage.backend, {.ffma = 2.0, .fmul = 2.0, .fadd = 2.0, .offsets = 10.0});
    if (stage.wants(0))
        counts = addedUp(
            {counts, oneByOne(stage.backend, {.ffma = 1.0, .fmul = 1.0}), rootWork(stage.backend)});
    return {forEachWork(stage.backend, kVectorFlowId, stage.inputs[0].count(),
                        {.bytesRead = 8.0, .bytesWritten = written, .counts = counts})};
}

} // namespace

namespace stages {
const StageType& vector_flow() {
    static const StageType kType{
        .id = kVectorFlowId,
        .label = "Vector flow",
        .help = "Speed and both components of the velocity, from velocities that two steered "
                "waves saw.",
        .work = vectorFlowWork,
        .table = ParamTable::of<VectorFlowParams>()
                     .real(&VectorFlowParams::firstRad, angleRow("first", "First wave"))
                     .real(&VectorFlowParams::secondRad, angleRow("second", "Second wave"))
                     .flag(&VectorFlowParams::measuresFrequency,
                           {.key = "measured_frequency",
                            .label = "Measured frequency",
                            .help = "The velocities were computed with the frequency that was "
                                    "measured along depth: 'estimator' of both 'flow' stages is "
                                    "'autocorrelation_2d'."})
                     .build(),
        .inputs = {{.dtypes = {DType::F32}, .axes = {AxisName::Depth, AxisName::Lateral}},
                   {.dtypes = {DType::F32},
                    .axes = {AxisName::Depth, AxisName::Lateral},
                    .name = "second"}},
        .outputs = {{kOutputPort},
                    {"lateral", "Velocity to the right."},
                    {"axial", "Velocity towards the probe."}},
        .bypassable = false,
        .tolerance = {1e-5, 0.0},
        .code = codeOf<VectorFlow>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
