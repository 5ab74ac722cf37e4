// SPDX-License-Identifier: GPL-3.0-or-later
// decode: from transmits in which several elements fire at once, by a code, to those in which each
// fires alone (full matrix, synthetic aperture). With code A [transmit][element] and its
// pseudo-inverse A+, for each channel and sample:
//   y_t = sum_e A_te x_e,  x = A+ y,  A+ = (A^T A)^-1 A^T
// So n transmits of n elements are heard with n times the energy of one, sqrt(n) less noise
// (Hadamard: Chiao, Thomas and Silverstein, IEEE Ultrasonics Symposium 1997; S-sequences: Harrison,
// Sampaleanu and Zemp, IEEE UFFC 2014). Each element fires at the same time in all transmits; where
// times differ, see `refocus`.
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/core/unroll.hpp"
#include "gpu/decoding/firings.hpp"
#include "gpu/decoding/pseudo_inverse.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr const char* kDecodeId = "decode";

enum class SentCode { Recorded, Hadamard, SMatrix };

struct DecodeParams {
    SentCode code = SentCode::Recorded;
};

/// Numbers of x that an item makes, so that a sample of y is read once for them.
constexpr int kDecodedAtOnce = 16;

std::int64_t groupsOf(std::int64_t senders) {
    return (senders + kDecodedAtOnce - 1) / kDecodedAtOnce;
}

/// Item: group of senders, then kWide numbers of all channels. A complex sample is two numbers.
template <int kWide> struct Decode {
    const float* in;      ///< [transmit][number]
    float* out;           ///< [sender][number]
    const float* inverse; ///< [group][transmit][kDecodedAtOnce]
    std::int64_t transmits;
    std::int64_t senders;
    std::int64_t numbers;

    ECHOLUX_HD void operator()(std::int64_t group, std::int64_t item) const {
        const std::int64_t first = item * kWide;
        const std::int64_t after = numbers - first;
        const int wide = kWide == 1 || after >= kWide ? kWide : static_cast<int>(after);
        float sums[kDecodedAtOnce][kWide] = {};
        for (std::int64_t t = 0; t < transmits; ++t) {
            const float* sample = in + t * numbers + first;
            const float* factor = inverse + (group * transmits + t) * kDecodedAtOnce;
            ECHOLUX_UNROLL
            for (int s = 0; s < kDecodedAtOnce; ++s)
                for (int i = 0; i < wide; ++i)
                    sums[s][i] = std::fma(factor[s], sample[i], sums[s][i]);
        }
        const std::int64_t begin = group * kDecodedAtOnce;
        const std::int64_t left = senders - begin;
        ECHOLUX_UNROLL
        for (int s = 0; s < kDecodedAtOnce; ++s)
            for (int i = 0; s < left && i < wide; ++i)
                out[(begin + s) * numbers + first + i] = sums[s][i];
    }
};

/// A code and those who sent by it.
struct SentByCode {
    decoding::CodeMatrix code; ///< [transmit][sender]
    std::vector<std::int32_t> senders;
    std::vector<double> timeS; ///< of each sender
};

constexpr double kAlikeS = 1e-10; ///< times that count as one

[[noreturn]] void refuseTimes(const std::string& what) {
    throw Error(fmt::format("Stage 'decode' takes transmits that differ in the weights of their "
                            "elements alone, but in this recording {} from transmit to transmit; "
                            "use 'refocus', which tells such transmits apart.",
                            what));
}

void checkRecords(const FrameSpec& input) {
    constexpr double kAlike = 1e-3; // of a sample
    const Acquisition& acquisition = *input.acquisition;
    const double near = kAlike / std::max(input.samplingFrequencyHz(), 1.0);
    const Transmit& first = acquisition.transmits.front();
    for (const Transmit& transmit : acquisition.transmits) {
        if (std::abs(transmit.firstSampleS - first.firstSampleS) > near ||
            std::abs(transmit.iqPhaseZeroS - first.iqPhaseZeroS) > near)
            refuseTimes("records begin at another time");
    }
    const auto channels = static_cast<std::size_t>(input.sizeOf(AxisName::Channel));
    if (!decoding::isSameForEach(acquisition.receiveElements, channels) ||
        !decoding::isSameForEach(acquisition.receiveWeights, channels))
        refuseTimes("channels listen to other elements");
}

SentByCode recordedCode(const Acquisition& acquisition) {
    const decoding::Firings firings = decoding::firingsOf(acquisition);
    SentByCode sent{{firings.transmits, firings.senders(), firings.weight}, firings.elements, {}};
    for (std::size_t s = 0; s < firings.senders(); ++s) {
        std::size_t fires = 0; // the first transmit in which it does
        while (firings.weight[firings.at(fires, s)] == 0.0) ++fires;
        const double timeS = firings.timeS[firings.at(fires, s)];
        for (std::size_t t = fires; t < firings.transmits; ++t) {
            const std::size_t at = firings.at(t, s);
            if (firings.weight[at] != 0.0 && std::abs(firings.timeS[at] - timeS) > kAlikeS)
                refuseTimes("elements fire at another time");
        }
        sent.timeS.push_back(timeS);
    }
    return sent;
}

decoding::CodeMatrix knownCode(SentCode code, std::size_t transmits) {
    const bool isS = code == SentCode::SMatrix;
    if (isS ? decoding::hasSMatrix(transmits) : decoding::hasHadamard(transmits))
        return isS ? decoding::sMatrix(transmits) : decoding::hadamard(transmits);
    throw Error(fmt::format("Stage 'decode': {} codes have {} transmits, but this recording has "
                            "{}; choose another 'code'.",
                            isS ? "S-sequence" : "Hadamard",
                            isS ? "1, 3, 7, 15, ... (a power of two less one)"
                                : "1, 2, 4, 8, ... (a power of two)",
                            transmits));
}

/// Columns of the code belong to the elements in order, or to those that transmits name.
SentByCode namedCode(const Acquisition& acquisition, SentCode code) {
    SentByCode sent{knownCode(code, acquisition.transmits.size()), {}, {}};
    const bool eachNamesOne = allAre(acquisition, Wave::Element);
    const std::size_t elements = acquisition.probe.elements.size();
    if (!eachNamesOne && elements > sent.code.columns) {
        throw Error(fmt::format("Stage 'decode': {} transmits cannot tell apart {} elements; "
                                "record at least as many transmits.",
                                sent.code.rows, elements));
    }
    const std::size_t senders = eachNamesOne ? sent.code.columns : elements;
    const Transmit& first = acquisition.transmits.front();
    const auto timeOf = [&](const Transmit& transmit, std::int32_t element) {
        return idealDelay(transmit, acquisition.probe.elements[static_cast<std::size_t>(element)],
                          transmitSpeedOf(acquisition), acquisition.steering);
    };
    decoding::CodeMatrix used{sent.code.rows, senders, {}};
    for (std::size_t t = 0; t < used.rows; ++t)
        for (std::size_t s = 0; s < senders; ++s) used.values.push_back(sent.code.at(t, s));
    sent.code = std::move(used);
    for (std::size_t s = 0; s < senders; ++s) {
        const std::int32_t element = eachNamesOne
                                         ? firedAlone(acquisition, acquisition.transmits[s])
                                         : static_cast<std::int32_t>(s);
        if (std::ranges::find(sent.senders, element) != sent.senders.end())
            throw Error("Stage 'decode': two transmits name the same element, so the columns of "
                        "the code have no owners; correct the transmits' places.");
        for (const Transmit& transmit : acquisition.transmits)
            if (std::abs(timeOf(transmit, element) - timeOf(first, element)) > kAlikeS)
                refuseTimes("elements fire at another time");
        sent.senders.push_back(element);
        sent.timeS.push_back(timeOf(first, element));
    }
    return sent;
}

SentByCode sentByCode(const FrameSpec& input, SentCode code) {
    decoding::checkSent(kDecodeId, input);
    checkRecords(input);
    SentByCode sent = code == SentCode::Recorded ? recordedCode(*input.acquisition)
                                                 : namedCode(*input.acquisition, code);
    if (!sent.senders.empty()) return sent;
    throw Error("Stage 'decode': in this recording no element fires, since all weights are 0.");
}

decoding::PseudoInverse inverseOf(const SentByCode& sent) {
    constexpr double kMostCondition = 1e4; // leaves three digits of single precision
    if (sent.code.rows < sent.code.columns) {
        throw Error(fmt::format("Stage 'decode': {} transmits cannot tell apart {} elements that "
                                "fire; 'refocus' with its method 'adjoint' comes near.",
                                sent.code.rows, sent.code.columns));
    }
    decoding::PseudoInverse inverse = decoding::pseudoInverse(sent.code);
    if (inverse.condition > kMostCondition) {
        throw Error(fmt::format("Stage 'decode': the codes of the {} elements cannot be told "
                                "apart: their matrix has the condition number {:.3g}, and {:g} "
                                "is the most; choose another 'code', or record other weights.",
                                sent.code.columns, inverse.condition, kMostCondition));
    }
    return inverse;
}

/// [group][transmit][kDecodedAtOnce], zeros beyond the last sender.
std::vector<float> inGroups(const decoding::CodeMatrix& inverse) {
    const auto groups = static_cast<std::size_t>(groupsOf(static_cast<std::int64_t>(inverse.rows)));
    std::vector<float> grouped(groups * inverse.columns * kDecodedAtOnce);
    for (std::size_t s = 0; s < inverse.rows; ++s)
        for (std::size_t t = 0; t < inverse.columns; ++t)
            grouped[(s / kDecodedAtOnce * inverse.columns + t) * kDecodedAtOnce +
                    s % kDecodedAtOnce] = static_cast<float>(inverse.at(s, t));
    return grouped;
}

class DecodeStage final : public Filter {
public:
    static StagePlan plan(const FrameSpec& reaching, const Params& params) {
        constexpr double kNoisy = 100.0;
        const FrameSpec input = oneFrameOf(reaching);
        const SentByCode sent = sentByCode(input, params.as<DecodeParams>().code);
        const decoding::PseudoInverse inverse = inverseOf(sent);
        StagePlan plan{.outputs = {reaching}};
        FrameSpec& output = plan.outputs.front();
        output.axes[reaching.isEnsemble() ? 1 : 0].size = std::ssize(sent.senders);
        output.acquisition = acquisitionOf(input, sent);
        plan.heldBytes = static_cast<std::size_t>(groupsOf(std::ssize(sent.senders)) *
                                                  input.axes.front().size * kDecodedAtOnce) *
                         sizeof(float);
        if (inverse.condition > kNoisy) {
            plan.warnings.push_back(
                fmt::format("Stage 'decode': the matrix of the codes has the condition number "
                            "{:.3g}, so noise grows; a Hadamard code has 1.",
                            inverse.condition));
        }
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& reaching, const StagePlan& plan,
                 const Params& params) override {
        const FrameSpec input = oneFrameOf(reaching);
        const SentByCode sent = sentByCode(input, params.as<DecodeParams>().code);
        m_inverse.allocate(exec, plan.heldBytes / sizeof(float));
        m_inverse.set(exec, inGroups(inverseOf(sent).matrix));
        m_transmits = input.axes.front().size;
        m_senders = std::ssize(sent.senders);
        m_numbers = input.count() / m_transmits * (isComplex(input.dtype) ? 2 : 1);
        m_frames = reaching.sizeOf(AxisName::Frame);
    }

    void update(const Exec&, const Params&) override {}

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        for (std::int64_t frame = 0; frame < m_frames; ++frame) {
            decode(exec, input.as<float>() + frame * m_transmits * m_numbers,
                   output.as<float>() + frame * m_senders * m_numbers);
        }
    }

private:
    static std::shared_ptr<const Acquisition> acquisitionOf(const FrameSpec& input,
                                                            const SentByCode& sent) {
        const Acquisition& from = *input.acquisition;
        const Transmit& first = from.transmits.front();
        std::vector<decoding::Begin> begins;
        for (const double timeS : sent.timeS)
            begins.push_back({first.firstSampleS - timeS, first.iqPhaseZeroS - timeS});
        std::vector<std::int32_t> heard = from.receiveElements;
        const auto channels = static_cast<std::size_t>(input.sizeOf(AxisName::Channel));
        heard.resize(std::min(heard.size(), channels));
        auto made = std::make_shared<Acquisition>(
            decoding::firedOneByOne(from, sent.senders, begins, heard));
        for (std::size_t i = 0; !from.receiveWeights.empty() && i < sent.senders.size(); ++i)
            made->receiveWeights.insert(made->receiveWeights.end(), from.receiveWeights.begin(),
                                        from.receiveWeights.begin() +
                                            static_cast<std::ptrdiff_t>(channels));
        return made;
    }

    void decode(const Exec& exec, const float* in, float* out) const {
        const std::int64_t groups = groupsOf(m_senders);
        if (exec.backend == Backend::Cuda) {
            forEachInLines(exec, kDecodeId, groups, m_numbers,
                           Decode<1>{in, out, m_inverse.data(), m_transmits, m_senders, m_numbers});
            return;
        }
        // A part of the samples stays in the cache while all groups read it.
        constexpr int kWide = 64;
        const Decode<kWide> part{in, out, m_inverse.data(), m_transmits, m_senders, m_numbers};
        host::eachIndex((m_numbers + kWide - 1) / kWide, [&](std::int64_t item) {
            for (std::int64_t group = 0; group < groups; ++group) part(group, item);
        });
    }

    ComputeTable<float> m_inverse;
    std::int64_t m_transmits = 0;
    std::int64_t m_senders = 0;
    std::int64_t m_numbers = 0; ///< reals of all channels of a transmit
    std::int64_t m_frames = 1;
};

/// Counts Decode: a sample and kDecodedAtOnce factors per transmit.
std::vector<model::Kernel> decodeWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const FrameSpec& output = stage.plan.outputs[0];
    const auto transmits = static_cast<double>(input.sizeOf(AxisName::Transmit));
    const std::int64_t senders = output.sizeOf(AxisName::Transmit);
    const std::int64_t numbers = output.count() / senders * (isComplex(input.dtype) ? 2 : 1);
    const bool cuda = stage.backend == Backend::Cuda;
    const ElementWork each{.bytesRead = 4.0 * transmits * (cuda ? 1.0 + kDecodedAtOnce : 1.0),
                           .bytesWritten = 4.0 * static_cast<double>(senders) /
                                           static_cast<double>(groupsOf(senders)),
                           .distinctRead = 4.0 * transmits,
                           .counts = {.sharedBytes = cuda ? 0.0 : 8.0 * kDecodedAtOnce * transmits,
                                      .ffma = kDecodedAtOnce * transmits,
                                      .offsets = 4.0 * transmits}};
    return {forEachInLinesWork(stage.backend, kDecodeId, groupsOf(senders) * numbers, each)};
}

} // namespace

namespace stages {
const StageType& decode() {
    static const StageType kType{
        .id = "decode",
        .label = "Decode transmits",
        .help = "From transmits of several elements by a code to a transmit of each element.",
        .work = decodeWork,
        .table =
            ParamTable::of<DecodeParams>()
                .choice(&DecodeParams::code,
                        {{"recorded", "As recorded"},
                         {"hadamard", "Hadamard"},
                         {"s_sequence", "S-sequence"}},
                        {.key = "code",
                         .label = "Code",
                         .kind = ParamKind::Structural,
                         .help = "By which weights elements fire: those that the recording tells, "
                                 "or a known matrix, a row per transmit, where it tells none."})
                .build(),
        .inputs = {orEnsembles({{DType::F32, DType::ComplexF32},
                                {AxisName::Transmit, AxisName::Channel, AxisName::Sample}})},
        .bypassable = false,
        .tolerance = {1e-4, 0.0},
        .code = codeOf<DecodeStage>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
