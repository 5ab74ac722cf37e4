// SPDX-License-Identifier: GPL-3.0-or-later
// refocus: from transmits of any wave (focused, diverging, plane, coded by delays or weights) to
// those in which each element fires alone (REFoCUS: Bottenus, IEEE UFFC 2018; Ali et al., IEEE UFFC
// 2020). A transmit is the sum of what each element sent, later and weighted, so in frequency, for
// each receiver:
//   Y_t(f) = sum_e H_te(f) X_e(f),  X(f) = M(f) Y(f)
// decoding::Refocusing has H and M. Y are spectra of the records, zero-padded, so that nothing
// that is moved in time comes in again at the other end. Frequencies from `lowest` to `highest` are
// kept. Weights of channels are multiplied in; an element that a transmit does not hear counts as
// silent there.
#include "gpu/core/error.hpp"
#include "gpu/core/unroll.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/fft/fft_work.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/memory_parts.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/refocus_task.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr const char* kRefocusId = "refocus";

/// Item: (transmit * receivers + receiver), number of a padded record.
struct PadRecords {
    const float* in;
    float* out;
    const HeardBy* heard; ///< [transmit][receiver]
    RefocusShape shape;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n) const {
        const HeardBy by = heard[line];
        const std::int64_t length = shape.samples * shape.reals();
        const std::int64_t from = line / shape.receivers * shape.channels + by.channel;
        const bool isThere = by.channel >= 0 && n < length;
        out[line * shape.bins.length * shape.reals() + n] =
            isThere ? by.weight * in[from * length + n] : 0.0F;
    }
};

constexpr int kRefocusSide = 4; ///< senders, and receivers, of an item

std::int64_t tilesAlong(std::int64_t count) { return (count + kRefocusSide - 1) / kRefocusSide; }

/// Item: tile of senders * tiles of receivers + tile of receivers, then kWide bins. Spectra lie
/// [transmit or sender][receiver][point].
template <int kWide> struct MixSpectra {
    const Complex* in;
    Complex* out;
    const Complex* matrix; ///< [sender][transmit][bin]
    RefocusShape shape;

    ECHOLUX_HD void operator()(std::int64_t tile, std::int64_t item) const {
        const std::int64_t across = (shape.receivers + kRefocusSide - 1) / kRefocusSide;
        const std::int64_t sender = tile / across * kRefocusSide;
        const std::int64_t receiver = tile % across * kRefocusSide;
        const std::int64_t bin = item * kWide;
        const std::int64_t after = shape.bins.count - bin;
        const int wide = kWide == 1 || after >= kWide ? kWide : static_cast<int>(after);
        float re[kRefocusSide][kRefocusSide][kWide] = {};
        float im[kRefocusSide][kRefocusSide][kWide] = {};
        for (std::int64_t t = 0; t < shape.transmits; ++t) {
            const Complex* factor[kRefocusSide];
            const Complex* sample[kRefocusSide];
            ECHOLUX_UNROLL
            for (int i = 0; i < kRefocusSide; ++i) {
                factor[i] =
                    matrix +
                    (within(sender + i, shape.senders) * shape.transmits + t) * shape.bins.count +
                    bin;
                sample[i] = in + (t * shape.receivers + within(receiver + i, shape.receivers)) *
                                     shape.spectrum;
            }
            for (int k = 0; k < wide; ++k) {
                const std::int64_t point = pointOf(bin + k);
                ECHOLUX_UNROLL
                for (int s = 0; s < kRefocusSide; ++s) {
                    const Complex by = factor[s][k];
                    ECHOLUX_UNROLL
                    for (int r = 0; r < kRefocusSide; ++r) {
                        const Complex x = sample[r][point];
                        re[s][r][k] += by.re * x.re - by.im * x.im;
                        im[s][r][k] += by.re * x.im + by.im * x.re;
                    }
                }
            }
        }
        ECHOLUX_UNROLL
        for (int s = 0; s < kRefocusSide; ++s) {
            ECHOLUX_UNROLL
            for (int r = 0; r < kRefocusSide; ++r) {
                if (sender + s >= shape.senders || receiver + r >= shape.receivers) continue;
                Complex* to =
                    out + ((sender + s) * shape.receivers + receiver + r) * shape.spectrum;
                for (int k = 0; k < wide; ++k) to[pointOf(bin + k)] = {re[s][r][k], im[s][r][k]};
            }
        }
    }

private:
    /// Those beyond the last repeat it; nobody keeps their sums.
    static ECHOLUX_HD std::int64_t within(std::int64_t i, std::int64_t count) {
        return i < count ? i : count - 1;
    }
    ECHOLUX_HD std::int64_t pointOf(std::int64_t bin) const {
        const std::int64_t point = shape.bins.first + bin;
        return point < 0 ? point + shape.bins.length : point;
    }
};

/// Item: (sender * receivers + receiver), number of a record.
struct CutRecords {
    const float* in;
    float* out;
    RefocusShape shape;
    float scale;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n) const {
        out[line * shape.longSamples * shape.reals() + n] =
            scale * in[line * shape.bins.length * shape.reals() + n];
    }
};

struct RefocusMemory {
    float* records; ///< [transmit or sender][receiver][padded]
    Complex* spectra;
    Complex* mixed;
    void* fft;
    std::size_t bytes;

    RefocusMemory(void* memory, const RefocusShape& shape) {
        MemoryParts parts(memory);
        const std::int64_t lines = std::max(shape.transmits, shape.senders) * shape.receivers;
        records = parts.take<float>(lines * shape.bins.length * shape.reals());
        spectra = parts.take<Complex>(shape.transmits * shape.receivers * shape.spectrum);
        mixed = parts.take<Complex>(shape.senders * shape.receivers * shape.spectrum);
        const std::size_t work =
            std::max(fftWorkspaceBytes(forwardOf(shape)), fftWorkspaceBytes(backwardOf(shape)));
        fft = parts.take<std::byte>(static_cast<std::int64_t>(work));
        bytes = parts.bytes();
    }

    static FftShape forwardOf(const RefocusShape& shape) {
        return {shape.complex ? FftKind::ComplexForward : FftKind::RealToComplex,
                shape.bins.length,
                shape.transmits * shape.receivers,
                {1, shape.bins.length},
                {1, shape.spectrum}};
    }
    static FftShape backwardOf(const RefocusShape& shape) {
        return {shape.complex ? FftKind::ComplexInverse : FftKind::ComplexToReal,
                shape.bins.length,
                shape.senders * shape.receivers,
                {1, shape.spectrum},
                {1, shape.bins.length}};
    }
};

class RefocusStage final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        decoding::checkSent(kRefocusId, input);
        const auto& values = params.as<RefocusParams>();
        const RefocusTask task(input, values);
        StagePlan plan{.outputs = {input}};
        plan.outputs[0].axes[0].size = task.shape.senders;
        plan.outputs[0].axes[1].size = task.shape.receivers;
        plan.outputs[0].axes[2].size = task.shape.longSamples;
        const std::vector<decoding::Begin> begins(task.refocusing.firings.senders(),
                                                  task.refocusing.to);
        plan.outputs[0].acquisition = std::make_shared<Acquisition>(decoding::firedOneByOne(
            *input.acquisition, task.refocusing.firings.elements, begins, task.receivers));
        plan.workspaceBytes = RefocusMemory(nullptr, task.shape).bytes;
        plan.heldBytes =
            matrixCount(task.shape) * sizeof(Complex) +
            static_cast<std::size_t>(task.shape.transmits * task.shape.receivers) * sizeof(HeardBy);
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        const auto& values = params.as<RefocusParams>();
        const RefocusTask task(input, values);
        m_shape = task.shape;
        m_heard.allocate(exec, static_cast<std::size_t>(m_shape.transmits * m_shape.receivers));
        m_heard.set(exec, task.heard(*input.acquisition));
        m_matrices.allocate(exec, matrixCount(m_shape));
        m_matrices.set(exec, task.refocusing.matrices(m_shape.bins, values.method, values.damping));
        m_forward = makeFft(exec.backend, RefocusMemory::forwardOf(m_shape));
        m_backward = makeFft(exec.backend, RefocusMemory::backwardOf(m_shape));
    }

    void update(const Exec&, const Params&) override {}

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const RefocusMemory memory(workspace.data, m_shape);
        const std::int64_t sent = m_shape.senders * m_shape.receivers;
        forEachInLines(exec, kRefocusId, m_shape.transmits * m_shape.receivers,
                       m_shape.bins.length * m_shape.reals(),
                       PadRecords{input.as<float>(), memory.records, m_heard.data(), m_shape});
        m_forward->run(exec, memory.records, memory.spectra, memory.fft);
        fillBytes(exec, memory.mixed, 0,
                  static_cast<std::size_t>(sent * m_shape.spectrum) * sizeof(Complex));
        mix(exec, memory);
        m_backward->run(exec, memory.mixed, memory.records, memory.fft);
        forEachInLines(exec, kRefocusId, sent, m_shape.longSamples * m_shape.reals(),
                       CutRecords{memory.records, output.as<float>(), m_shape,
                                  1.0F / static_cast<float>(m_shape.bins.length)});
    }

private:
    static std::size_t matrixCount(const RefocusShape& shape) {
        return static_cast<std::size_t>(shape.senders * shape.transmits * shape.bins.count);
    }

    void mix(const Exec& exec, const RefocusMemory& memory) const {
        const std::int64_t tiles = tilesAlong(m_shape.senders) * tilesAlong(m_shape.receivers);
        if (exec.backend == Backend::Cuda) {
            forEachInLines(exec, kRefocusId, tiles, m_shape.bins.count,
                           MixSpectra<1>{memory.spectra, memory.mixed, m_matrices.data(), m_shape});
            return;
        }
        constexpr int kWide = 8; // bins of a cache line
        forEachInLines(exec, kRefocusId, tiles, (m_shape.bins.count + kWide - 1) / kWide,
                       MixSpectra<kWide>{memory.spectra, memory.mixed, m_matrices.data(), m_shape});
    }

    RefocusShape m_shape;
    ComputeTable<HeardBy> m_heard;
    ComputeTable<Complex> m_matrices;
    std::unique_ptr<Fft> m_forward;
    std::unique_ptr<Fft> m_backward;
};

bool channelsWalk(const FrameSpec& input) {
    const std::vector<std::int32_t>& heard = input.acquisition->receiveElements;
    const auto channels = static_cast<std::size_t>(input.sizeOf(AxisName::Channel));
    const auto isDeaf = [](std::int32_t element) { return element < 0; };
    return std::ranges::any_of(heard, isDeaf) || !decoding::isSameForEach(heard, channels);
}

/// The band of the pulse and what the array hears beside it. Where channels walk along the
/// array, the adjoint.
Params refocusDefaults(const StageType& type, const FrameSpec& input) {
    constexpr double kLowest = 0.3; // of the centre frequency
    constexpr double kHighest = 1.8;
    Params params(type.table);
    auto& values = params.as<RefocusParams>();
    const auto within = [&type](const char* key, double value) {
        const ParamRow& row = *type.table.find(key);
        return std::clamp(value, row.min, row.max);
    };
    if (input.centreFrequencyHz > 0.0) {
        values.lowestHz = within("lowest", kLowest * input.centreFrequencyHz);
        values.highestHz = within("highest", kHighest * input.centreFrequencyHz);
        values.codeDelayS = within("code_delay", 0.5 / input.centreFrequencyHz);
    }
    if (input.acquisition && channelsWalk(input)) values.method = decoding::RefocusMethod::Adjoint;
    return params;
}

/// Counts PadRecords, MixSpectra and CutRecords, with the transforms between them.
std::vector<model::Kernel> refocusWork(const PlannedStage& stage) {
    const RefocusTask task(stage.inputs[0], stage.params.as<RefocusParams>());
    const RefocusShape& shape = task.shape;
    const auto side = static_cast<double>(kRefocusSide);
    const auto transmits = static_cast<double>(shape.transmits);
    const std::int64_t numbers = shape.bins.length * shape.reals();
    const std::int64_t sent = shape.senders * shape.receivers;
    std::vector<model::Kernel> kernels{
        forEachInLinesWork(stage.backend, kRefocusId, shape.transmits * shape.receivers * numbers,
                           {.bytesRead = 12.0, .bytesWritten = 4.0, .distinctRead = 4.0})};
    const auto add = [&kernels](std::vector<model::Kernel> more) {
        kernels.insert(kernels.end(), more.begin(), more.end());
    };
    add(fftWork(stage.backend, RefocusMemory::forwardOf(shape)));
    add({forEachWork(stage.backend, kRefocusId, sent * shape.spectrum, {.bytesWritten = 8.0})});
    add({forEachInLinesWork(
        stage.backend, kRefocusId,
        tilesAlong(shape.senders) * tilesAlong(shape.receivers) * shape.bins.count,
        {.bytesRead = 16.0 * side * transmits,
         .bytesWritten = 8.0 * side * side,
         .distinctRead = 8.0 * transmits,
         .counts = {.ffma = 4.0 * side * side * transmits, .offsets = 4.0 * side * transmits}})});
    add(fftWork(stage.backend, RefocusMemory::backwardOf(shape)));
    add({forEachInLinesWork(
        stage.backend, kRefocusId, sent * shape.longSamples * shape.reals(),
        {.bytesRead = 4.0, .bytesWritten = 4.0, .counts = {.fmul = 1.0, .offsets = 6.0}})});
    return kernels;
}

} // namespace

namespace stages {
const StageType& refocus() {
    static const StageType kType{
        .id = "refocus",
        .label = "Refocus transmits",
        .help = "From transmits of any wave to a transmit of each element (REFoCUS).",
        .work = refocusWork,
        .table = refocusTable(),
        .inputs = {{{DType::F32, DType::ComplexF32},
                    {AxisName::Transmit, AxisName::Channel, AxisName::Sample}}},
        .bypassable = false,
        .tolerance = {1e-3, 0.0},
        .defaults = refocusDefaults,
        .code = codeOf<RefocusStage>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
