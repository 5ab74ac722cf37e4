// SPDX-License-Identifier: GPL-3.0-or-later
// displacement: how far tissue has moved along the beam from a reference frame r to the last frame
// l of an ensemble of complex images, in um, positive away from the probe (along +z):
//   u = m dz - c / (4 pi f0) arg C[m],  f0 = c / (4 pi dz) arg D
//   D = sum over a box of conj(r[z]) r[z + 1] + conj(l[z + m]) l[z + m + 1]
// C[m] and Q[m] are those of gpu/flow/shift_search.hpp, with a = r and b = l.
// Phase: m = 0, so |u| <= c / (4 f0), a quarter of a wavelength. (Loupas, Powers, Gill, An axial
// velocity estimator for ultrasound blood flow imaging, based on a full evaluation of the Doppler
// equation by means of a two-dimensional autocorrelation approach, IEEE Trans. UFFC 42, 1995.)
// Correlation: m is the best shift of -search..search pixels. The phase that is left gives the part
// of a pixel. (Pesavento, Perrey, Krueger,
// Ermert, A time-efficient and accurate strain estimation concept for ultrasonic elastography using
// iterative phase zero estimation, IEEE Trans. UFFC 46, 1999, refine by phase, too.)
// f0 is the one nearest to the parameter `frequency`, as in `flow`. Q[m] is the output `quality`.
// Where all samples are 0, displacement and quality are 0. A displacement belongs to the place in
// the reference frame. The images hold their carrier over depth, as those of `beamform` do; images
// that were recorded as IQ lack exp(4 pi j fd z / c), and C and D get it back.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/flow/lag_estimates.hpp"
#include "gpu/flow/shift_search.hpp"
#include "gpu/stage/memory_parts.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/displacement_table.hpp"
#include "gpu/stages/displacement_work.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace echolux {
namespace {

constexpr const char* kDisplacementId = "displacement";

struct DisplacementOutputs {
    flow::BestLag best;
    const Complex* turns;     ///< of the reference
    const Complex* lastTurns; ///< of the last frame
    float* displacement;      ///< null: nobody reads it; likewise the other
    float* quality;
    flow::MeanFrequency frequency;
    std::int64_t laterals;
    float stepUm;
    float umPerRadian;

    ECHOLUX_HD void operator()(std::int64_t p) const {
        if (quality != nullptr) quality[p] = best.quality[p];
        if (displacement == nullptr) return;
        const std::int64_t lag = best.lag[p];
        const Complex turn = turns[p] + lastTurns[p + lag * laterals];
        displacement[p] =
            stepUm * static_cast<float>(lag) - umPerRadian * best.phase[p] / frequency(turn);
    }
};

/// 0.25 wavelengths of sound, out and back, are half a turn.
double umOfHalfTurn(const DisplacementParams& values) {
    return 1e6 * values.soundSpeedMps / (4.0 * values.frequencyHz);
}

/// The workspace.
struct MotionRoom {
    Complex* turns = nullptr;
    Complex* lastTurns = nullptr;
    flow::ShiftBuffers shifts = {};
    std::size_t bytes = 0;

    MotionRoom(std::int64_t pixels, void* workspace) {
        MemoryParts parts(workspace);
        turns = parts.take<Complex>(pixels);
        lastTurns = parts.take<Complex>(pixels);
        shifts = takeShiftBuffers<flow::ShiftBuffers>(parts, pixels);
        bytes = parts.bytes();
    }
};

class Displacement final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& input = inputs[0];
        const auto values = flow::asHeard(params.as<DisplacementParams>(), input);
        if (input.axes.front().size < 2)
            throw Error("displacement: an ensemble has one frame; motion needs two or more: put "
                        "'gather' before it, or raise 'ensemble' in the pipeline's table "
                        "[recording].");
        const Axis& depth = *input.find(AxisName::Depth);
        checkDepthInMetres(kDisplacementId, depth);
        FrameSpec image = oneFrameOf(input);
        image.dtype = DType::F32;
        image.demodulationFrequencyHz = 0.0;
        image.valueRange = {0.0, 1.0, "", ""};
        FrameSpec moved = image;
        double most = umOfHalfTurn(values);
        if (values.method == MotionMethod::Correlation)
            most += 1e6 * depth.spacing * static_cast<double>(values.searchPixels);
        moved.valueRange = {-most, most, kDisplacementUnit, "away from the probe"};
        if (values.method == MotionMethod::Phase) {
            moved.valueKind = ValueKind::Cyclic;
            moved.cycle = 2.0 * most;
        }
        StagePlan plan{.outputs = {moved, image}};
        plan.workspaceBytes = MotionRoom(image.count(), nullptr).bytes;
        return plan;
    }

    void prepare(const Exec&, InputSpecs inputs, const StagePlan&, const Params&) override {
        m_input = inputs[0];
    }

    void update(const Exec&, const Params& params) override {
        m_values = flow::asHeard(params.as<DisplacementParams>(), m_input);
        m_frequency =
            flow::meanFrequency(m_input.find(AxisName::Depth)->spacing, m_values.frequencyHz,
                                m_values.soundSpeedMps, flow::lackingAngle(m_input, m_values));
    }

    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        const FrameSpec& spec = *inputs[0].spec;
        const std::int64_t frames = spec.axes.front().size;
        const std::int64_t pixels = spec.count() / frames;
        const std::int64_t laterals = spec.axes.back().size;
        const auto* first = inputs[0].as<Complex>();
        const Complex* last = first + (frames - 1) * pixels;
        const bool fromFirst = m_values.reference == MotionReference::First;
        const std::int64_t depths = pixels / laterals;
        const flow::MotionPairs motion{
            fromFirst ? first : last - pixels, last, 1, {depths, depths, laterals}};
        const flow::HalfBox box{m_values.depthPixels / 2, m_values.lateralPixels / 2};
        const MotionRoom room(pixels, workspace.data);

        const bool searches = m_values.method == MotionMethod::Correlation;
        const double lacking = flow::lackingAngle(m_input, m_values);
        flow::searchShifts(exec, kDisplacementId, motion, box, searches ? m_values.searchPixels : 0,
                           lacking, room.shifts);
        for (const auto& [frame, turns] :
             {std::pair{motion.before, room.turns}, std::pair{motion.after, room.lastTurns}})
            flow::sumTurns(exec, kDisplacementId, frame, 1, motion.of, box, room.shifts.products,
                           turns);
        const auto stepUm = static_cast<float>(1e6 * spec.find(AxisName::Depth)->spacing);
        const auto umPerRadian = static_cast<float>(umOfHalfTurn(m_values) / std::numbers::pi);
        forEach(exec, kDisplacementId, pixels,
                DisplacementOutputs{room.shifts.best, room.turns, room.lastTurns,
                                    outputs[0].as<float>(), outputs[1].as<float>(), m_frequency,
                                    laterals, stepUm, umPerRadian});
    }

private:
    FrameSpec m_input;
    DisplacementParams m_values;
    flow::MeanFrequency m_frequency{};
};

/// Boxes of 1.5 mm x 1 mm, and a search over one wavelength.
Params displacementDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    auto& values = params.as<DisplacementParams>();
    flow::followFrames(values, input);
    const Axis* depth = input.find(AxisName::Depth);
    values.depthPixels = oddPixels(depth, 1.5e-3, values.depthPixels);
    values.lateralPixels = oddPixels(input.find(AxisName::Lateral), 1e-3, values.lateralPixels);
    const double speed = flow::asHeard(values, input).soundSpeedMps;
    values.searchPixels = oddPixels(depth, speed / values.frequencyHz, values.searchPixels);
    return params;
}

std::vector<model::Kernel> displacementWork(const PlannedStage& stage) {
    return displacementKernels(stage, kDisplacementId);
}

} // namespace

namespace stages {
const StageType& displacement() {
    static const StageType kType{
        .id = kDisplacementId,
        .label = "Displacement",
        .help = "How far tissue has moved along the beam between two frames of an ensemble.",
        .work = displacementWork,
        .table = displacementTable(),
        .inputs = {{.dtypes = {DType::ComplexF32},
                    .axes = {AxisName::Frame, AxisName::Depth, AxisName::Lateral}}},
        .outputs = {{kOutputPort},
                    {"quality", "How alike the compared echoes are: 1 for a copy, near 0 for "
                                "unrelated ones."}},
        .bypassable = false,
        .tolerance = {2e-3, 0.0, 2e-3},
        .role = Role::WatchesMotion,
        .defaults = displacementDefaults,
        .code = codeOf<Displacement>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
