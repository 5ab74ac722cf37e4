// SPDX-License-Identifier: GPL-3.0-or-later
// displacement: how far tissue has moved along the beam from a reference frame r to the last frame
// l of an ensemble of complex images, in um, positive away from the probe (along +z):
//   C[m] = sum over a box of conj(r[z]) l[z + m]
//   Q[m] = |C[m]| / sqrt(sum of |r[z]|^2 * sum of |l[z + m]|^2), 0..1
//   u = m dz - c / (4 pi f0) arg C[m],  f0 = c / (4 pi dz) arg D
//   D = sum over a box of conj(r[z]) r[z + 1] + conj(l[z + m]) l[z + m + 1]
// Phase: m = 0, so |u| <= c / (4 f0), a quarter of a wavelength. (Loupas, Powers, Gill, An axial
// velocity estimator for ultrasound blood flow imaging, based on a full evaluation of the Doppler
// equation by means of a two-dimensional autocorrelation approach, IEEE Trans. UFFC 42, 1995.)
// Correlation: m is the shift of -search..search pixels with the largest Q; of equal ones the one
// nearest to 0. The phase that is left gives the part of a pixel. (Pesavento, Perrey, Krueger,
// Ermert, A time-efficient and accurate strain estimation concept for ultrasonic elastography using
// iterative phase zero estimation, IEEE Trans. UFFC 46, 1999, refine by phase, too.)
// f0 is the one nearest to the parameter `frequency`, as in `flow`. Q[m] is the output `quality`.
// Where all samples are 0, displacement and quality are 0. A displacement belongs to the place in
// the reference frame. The images hold their carrier over depth, as those of `beamform` do; images
// that were recorded as IQ lack exp(4 pi j fd z / c), and C and D get it back.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/flow/lag_estimates.hpp"
#include "gpu/stage/memory_parts.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/displacement_table.hpp"
#include "gpu/stages/displacement_work.hpp"

#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr const char* kDisplacementId = "displacement";

struct MotionPair {
    const Complex* reference;
    const Complex* last;
    std::int64_t depths;
    std::int64_t laterals;
};

/// The sums of C[m] and of both energies over depth, where both frames have samples.
struct LagOverDepth {
    MotionPair pair;
    std::int64_t lag;
    std::int64_t half;
    Complex* product;
    float* before;
    float* after;

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t x) const {
        if (z + lag < 0 || z + lag >= pair.depths) return;
        std::int64_t first = z - half < 0 ? 0 : z - half;
        if (first + lag < 0) first = -lag;
        std::int64_t end = z + half + 1 > pair.depths ? pair.depths : z + half + 1;
        if (end + lag > pair.depths) end = pair.depths - lag;
        Complex sum;
        float own = 0.0F;
        float other = 0.0F;
        for (std::int64_t i = first; i < end; ++i) {
            const Complex r = pair.reference[i * pair.laterals + x];
            const Complex l = pair.last[(i + lag) * pair.laterals + x];
            sum = sum + conj(r) * l;
            own += norm(r);
            other += norm(l);
        }
        const std::int64_t at = z * pair.laterals + x;
        product[at] = sum;
        before[at] = own;
        after[at] = other;
    }
};

/// The shift that is best so far.
struct BestLag {
    float* quality;
    float* phase; ///< arg C
    std::int32_t* lag;
};

/// Sums over the width, and keeps the shift where it is better than those before it.
struct LagAcross {
    const Complex* product;
    const float* before;
    const float* after;
    BestLag best;
    std::int64_t depths;
    std::int64_t laterals;
    std::int64_t lag;
    std::int64_t half;
    Complex carrier; ///< that the images lack over this shift

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t x) const {
        if (z + lag < 0 || z + lag >= depths) return;
        Complex sum;
        float own = 0.0F;
        float other = 0.0F;
        const std::int64_t end = x + half + 1 > laterals ? laterals : x + half + 1;
        for (std::int64_t k = x - half < 0 ? 0 : x - half; k < end; ++k) {
            const std::int64_t at = z * laterals + k;
            sum = sum + product[at];
            own += before[at];
            other += after[at];
        }
        const float energy = sqrtf(own) * sqrtf(other);
        const float found = energy > 0.0F ? fminf(1.0F, sqrtf(norm(sum)) / energy) : 0.0F;
        constexpr float kRounding = 1e-5F; // smaller differences count as none
        const std::int64_t at = z * laterals + x;
        if (lag != 0 && !(found > best.quality[at] + kRounding)) return;
        best.quality[at] = found;
        const Complex turned = sum * carrier;
        best.phase[at] = atan2f(turned.im, turned.re);
        best.lag[at] = static_cast<std::int32_t>(lag);
    }
};

/// The sum of conj(x[z]) x[z + 1] over depth. There are two depths or more.
struct TurnOverDepth {
    const Complex* frame;
    Complex* turn;
    std::int64_t depths;
    std::int64_t laterals;
    std::int64_t half;

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t x) const {
        const std::int64_t end = z + half + 1 > depths - 1 ? depths - 1 : z + half + 1;
        std::int64_t first = z - half < 0 ? 0 : z - half;
        if (first > depths - 2) first = depths - 2;
        Complex sum;
        for (std::int64_t i = first; i < end; ++i)
            sum = sum + conj(frame[i * laterals + x]) * frame[(i + 1) * laterals + x];
        turn[z * laterals + x] = sum;
    }
};

struct TurnAcross {
    const Complex* turn;
    Complex* sums;
    std::int64_t laterals;
    std::int64_t half;

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t x) const {
        Complex sum;
        const std::int64_t end = x + half + 1 > laterals ? laterals : x + half + 1;
        for (std::int64_t k = x - half < 0 ? 0 : x - half; k < end; ++k)
            sum = sum + turn[z * laterals + k];
        sums[z * laterals + x] = sum;
    }
};

struct DisplacementOutputs {
    BestLag best;
    const Complex* turns;     ///< of the reference
    const Complex* lastTurns; ///< of the last frame
    float* displacement;      ///< null: nobody reads it; likewise the other
    float* quality;
    flow::MeanFrequency frequency;
    Complex carrier; ///< that the images lack from depth to depth
    std::int64_t laterals;
    float stepUm;
    float umPerRadian;

    ECHOLUX_HD void operator()(std::int64_t p) const {
        if (quality != nullptr) quality[p] = best.quality[p];
        if (displacement == nullptr) return;
        const std::int64_t lag = best.lag[p];
        const Complex turn = turns[p] + lastTurns[p + lag * laterals];
        displacement[p] = stepUm * static_cast<float>(lag) -
                          umPerRadian * best.phase[p] / frequency(turn * carrier);
    }
};

/// 0.25 wavelengths of sound, out and back, are half a turn.
double umOfHalfTurn(const DisplacementParams& values) {
    return 1e6 * values.soundSpeedMps / (4.0 * values.frequencyHz);
}

/// What recorded IQ lacks over this number of depths; 1 for images that hold their carrier.
Complex lackingCarrier(const FrameSpec& input, const DisplacementParams& values, double depths) {
    if (input.recordedForm != RecordedForm::Beamformed) return {1.0F, 0.0F};
    const double angle = 4.0 * std::numbers::pi * input.demodulationFrequencyHz * depths *
                         input.find(AxisName::Depth)->spacing / values.soundSpeedMps;
    return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

/// The workspace.
struct MotionRoom {
    Complex* columns = nullptr;
    Complex* turns = nullptr;
    Complex* lastTurns = nullptr;
    float* before = nullptr;
    float* after = nullptr;
    BestLag best = {};
    std::size_t bytes = 0;

    MotionRoom(std::int64_t pixels, void* workspace) {
        MemoryParts parts(workspace);
        columns = parts.take<Complex>(pixels);
        turns = parts.take<Complex>(pixels);
        lastTurns = parts.take<Complex>(pixels);
        before = parts.take<float>(pixels);
        after = parts.take<float>(pixels);
        best.quality = parts.take<float>(pixels);
        best.phase = parts.take<float>(pixels);
        best.lag = parts.take<std::int32_t>(pixels);
        bytes = parts.bytes();
    }
};

class Displacement final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& input = inputs[0];
        const auto& values = params.as<DisplacementParams>();
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
        StagePlan plan{.outputs = {moved, image}};
        plan.workspaceBytes = MotionRoom(image.count(), nullptr).bytes;
        return plan;
    }

    void prepare(const Exec&, InputSpecs inputs, const StagePlan&, const Params&) override {
        m_input = inputs[0];
    }

    void update(const Exec&, const Params& params) override {
        m_values = params.as<DisplacementParams>();
        m_frequency = flow::meanFrequency(m_input.find(AxisName::Depth)->spacing,
                                          m_values.frequencyHz, m_values.soundSpeedMps);
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
        const MotionPair pair{fromFirst ? first : last - pixels, last, pixels / laterals, laterals};
        const MotionRoom room(pixels, workspace.data);

        const bool searches = m_values.method == MotionMethod::Correlation;
        const std::int64_t most = searches ? m_values.searchPixels : 0;
        const auto tryLag = [&](std::int64_t lag) {
            if (lag >= pair.depths || -lag >= pair.depths) return;
            inLines(exec, pair,
                    LagOverDepth{pair, lag, m_values.depthPixels / 2, room.columns, room.before,
                                 room.after});
            inLines(exec, pair,
                    LagAcross{room.columns, room.before, room.after, room.best, pair.depths,
                              laterals, lag, m_values.lateralPixels / 2,
                              lackingCarrier(m_input, m_values, static_cast<double>(lag))});
        };
        tryLag(0);
        for (std::int64_t lag = 1; lag <= most; ++lag) {
            tryLag(-lag);
            tryLag(lag);
        }
        sumTurns(exec, pair, pair.reference, room.columns, room.turns);
        sumTurns(exec, pair, pair.last, room.columns, room.lastTurns);
        const auto stepUm = static_cast<float>(1e6 * spec.find(AxisName::Depth)->spacing);
        const auto umPerRadian = static_cast<float>(umOfHalfTurn(m_values) / std::numbers::pi);
        forEach(exec, kDisplacementId, pixels,
                DisplacementOutputs{room.best, room.turns, room.lastTurns, outputs[0].as<float>(),
                                    outputs[1].as<float>(), m_frequency,
                                    lackingCarrier(m_input, m_values, 1.0), laterals, stepUm,
                                    umPerRadian});
    }

private:
    template <class F> static void inLines(const Exec& exec, const MotionPair& of, const F& each) {
        forEachInLines(exec, kDisplacementId, of.depths, of.laterals, each);
    }

    void sumTurns(const Exec& exec, const MotionPair& of, const Complex* frame, Complex* columns,
                  Complex* sums) const {
        inLines(exec, of,
                TurnOverDepth{frame, columns, of.depths, of.laterals, m_values.depthPixels / 2});
        inLines(exec, of, TurnAcross{columns, sums, of.laterals, m_values.lateralPixels / 2});
    }

    FrameSpec m_input;
    DisplacementParams m_values;
    flow::MeanFrequency m_frequency{};
};

/// Boxes of 1.5 mm x 1 mm, and a search over one wavelength.
Params displacementDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    auto& values = params.as<DisplacementParams>();
    flow::followFrames(values, input);
    const Axis& depth = *input.find(AxisName::Depth);
    values.depthPixels = oddPixels(depth, 1.5e-3, values.depthPixels);
    values.lateralPixels = oddPixels(*input.find(AxisName::Lateral), 1e-3, values.lateralPixels);
    values.searchPixels =
        oddPixels(depth, values.soundSpeedMps / values.frequencyHz, values.searchPixels);
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
        .defaults = displacementDefaults,
        .code = codeOf<Displacement>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
