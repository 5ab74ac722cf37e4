// SPDX-License-Identifier: GPL-3.0-or-later
// Which chains the fused front end takes, its tables, and their way to the device.
#include "gpu/fused/front_end.hpp"

#include "gpu/fused/fusion_work.hpp"
#include "gpu/fused/oct_chain_kernel.hpp"
#include "gpu/fused/warp_fft.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stages/front_end_tables.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::fused {
namespace {

constexpr int kMostMixReach = 127;

bool suits(const FrontEndParts& parts) {
    if (parts.count < 2) return false;
    const FrameSpec& raw = parts.raw();
    const bool codes = raw.dtype == DType::U8 || raw.dtype == DType::I16 ||
                       raw.dtype == DType::U16 || raw.dtype == DType::F32;
    constexpr std::int64_t kMostSamples = 1 << 14; // sums of 16-bit codes fit into 32 bits
    const bool lines =
        raw.find(AxisName::Channel) != nullptr && raw.axes.back().size <= kMostSamples;
    if (!codes || !lines || raw.count() == 0) return false;
    // A sample that is not finite may spoil only its own line, not the other line of the pair. The
    // kernel finds such lines by their means, so it filters floats only where the chain has the
    // mean.
    if (parts.bandpass != nullptr && parts.mean == nullptr && raw.dtype == DType::F32) return false;
    if (parts.demodulation != nullptr &&
        front::decimationOf(*parts.demodulation->params) > kMostFrontDecimation)
        return false;
    const FrontShape shape = parts.shape();
    return shape.warps() <= kMostFrontWarps &&
           frontSharedBytes(shape) <= device::sharedBytesEverywhere();
}

std::size_t match(std::span<const ChainStage> stages) {
    const FrontEndParts parts(stages);
    return suits(parts) ? parts.count : 0;
}

/// Sizes of the tables, large enough for every value of the live parameters.
struct TableSizes {
    std::size_t twiddles = static_cast<std::size_t>(passTwiddles(kFilterPoints));
    std::size_t spectrum = kFilterPoints;
    std::size_t mixTaps = 0;
    std::size_t mix = 0;
    std::size_t start = 0;

    explicit TableSizes(const FrontEndParts& parts) {
        FrontShape widest = parts.shape();
        widest.mixReach = kMostMixReach;
        mixTaps = static_cast<std::size_t>(widest.mixTaps());
        if (widest.tail != FrontTail::None)
            mix = static_cast<std::size_t>(roundedUp(widest.outputs, kAnalyticAtOnce));
        start = static_cast<std::size_t>(parts.raw().sizeOf(AxisName::Frame) *
                                         parts.raw().sizeOf(AxisName::Transmit));
    }
    std::size_t bytes() const {
        return (2 * twiddles + mixTaps + mix + start) * sizeof(Complex) + spectrum * sizeof(float);
    }
};

FusionPlan plan(std::span<const ChainStage> stages) {
    return {0, TableSizes(FrontEndParts(stages)).bytes()};
}

Complex phasor(double turns) {
    const double angle = 2.0 * std::numbers::pi * turns;
    return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

/// Twiddles of a transform's first pass, whose lanes hold points from place(lane) on.
template <class Place> std::vector<Complex> twiddles(const Place& place) {
    std::vector<Complex> made(static_cast<std::size_t>(passTwiddles(kFilterPoints)));
    for (int k = 1; k <= pointsPerThread(kFilterPoints) / 2; ++k) {
        for (int lane = 0; lane < kLanes; ++lane) {
            made[static_cast<std::size_t>(passTwiddleIndex(k, lane))] =
                phasor(static_cast<double>(k * place(lane)) / kFilterPoints);
        }
    }
    return made;
}

/// `factor` times the sum of the taps' cosines at each point, divided by the number of points, in
/// the order in which lanes read them.
std::vector<float> spectrumOf(const std::vector<double>& taps, double factor) {
    constexpr int kPoints = kFilterPoints;
    std::vector<double> cosine(kPoints);
    for (int i = 0; i < kPoints; ++i)
        cosine[static_cast<std::size_t>(i)] = std::cos(2.0 * std::numbers::pi * i / kPoints);
    std::vector<float> spectrum(kPoints);
    for (int lane = 0; lane < kLanes; ++lane) {
        for (int j = 0; j < kPoints / kLanes; ++j) {
            const int point = firstPoint<kFilterPoints>(lane) + kLanes * j;
            double gain = taps[0];
            for (std::size_t n = 1; n < taps.size(); ++n) {
                const int turn = point * static_cast<int>(n) & (kPoints - 1);
                gain += 2.0 * taps[n] * cosine[static_cast<std::size_t>(turn)];
            }
            spectrum[static_cast<std::size_t>(spectrumIndex(j, lane))] =
                static_cast<float>(factor * gain / kPoints);
        }
    }
    return spectrum;
}

class FrontEnd final : public FusedStages {
public:
    void prepare(const Exec& exec, std::span<const ChainStage> stages) override {
        const FrontEndParts parts(stages);
        const TableSizes sizes(parts);
        allowFrontEnd(device::current().sharedBytesPerBlock);
        m_host.setStructural(parts);
        m_passTwiddle.allocate(exec, sizes.twiddles);
        m_returnTwiddle.allocate(exec, sizes.twiddles);
        m_spectrum.allocate(exec, sizes.spectrum);
        m_mixTaps.allocate(exec, sizes.mixTaps);
        m_mix.allocate(exec, sizes.mix);
        m_start.allocate(exec, sizes.start);
        m_passTwiddle.set(exec, m_host.passTwiddle);
        m_returnTwiddle.set(exec, m_host.returnTwiddle);
        m_mix.set(exec, m_host.mix);
        m_start.set(exec, m_host.start);
    }

    void update(const Exec& exec, std::span<const ChainStage> stages) override {
        const FrontEndParts parts(stages);
        m_host.setLive(parts);
        m_spectrum.set(exec, m_host.spectrum);
        m_mixTaps.set(exec, m_host.mixTaps);
        m_arguments.shape = parts.shape();
        m_arguments.hilbert = m_host.hilbert;
        m_arguments.perSample = 1.0 / m_arguments.shape.samples;
        m_arguments.tables = {m_passTwiddle.data(), m_returnTwiddle.data(), m_spectrum.data(),
                              m_mixTaps.data(),     m_mix.data(),           m_start.data()};
        m_arguments.lines.lines = parts.raw().count() / m_arguments.shape.samples;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        FrontArguments arguments = m_arguments;
        arguments.lines.codes = input.data;
        arguments.lines.complex = output.as<Complex>();
        arguments.lines.real = output.as<float>();
        runFrontEnd(exec, arguments);
    }

private:
    FrontArguments m_arguments;
    FrontEndTables m_host;
    ComputeTable<Complex> m_passTwiddle;
    ComputeTable<Complex> m_returnTwiddle;
    ComputeTable<float> m_spectrum;
    ComputeTable<Complex> m_mixTaps;
    ComputeTable<Complex> m_mix;
    ComputeTable<Complex> m_start;
};

} // namespace

FrontEndParts::FrontEndParts(std::span<const ChainStage> stages) {
    const auto take = [&](const char* type) -> const ChainStage* {
        const bool here = count < stages.size() && stages[count].type->id == type;
        return here ? &stages[count++] : nullptr;
    };
    toFloat = take("to_float");
    if (toFloat == nullptr) return;
    mean = take("dc_removal");
    bandpass = take("bandpass");
    if (bandpass != nullptr && !front::isZeroPhase(*bandpass->params)) {
        bandpass = nullptr;
        --count;
        return;
    }
    analytic = take("analytic");
    if (analytic == nullptr) demodulation = take("iq_demod");
}

const FrameSpec& FrontEndParts::output() const {
    const ChainStage* last = toFloat;
    for (const ChainStage* stage : {mean, bandpass, analytic, demodulation})
        if (stage != nullptr) last = stage;
    return last->plan->outputs[0];
}

FrontShape FrontEndParts::shape() const {
    FrontShape shape;
    const CodeScaling scaling = front::codeScaling(raw(), *toFloat->params);
    shape.type = raw().dtype;
    shape.samples = static_cast<int>(raw().axes.back().size);
    shape.outputs = static_cast<int>(output().axes.back().size);
    shape.channels = static_cast<int>(raw().sizeOf(AxisName::Channel));
    shape.subtractsMean = mean != nullptr;
    shape.offset = scaling.offset;
    shape.factor = scaling.factor;
    if (bandpass != nullptr) {
        shape.filters = true;
        shape.bandReach =
            static_cast<int>(front::bandpassTaps(*bandpass->input, *bandpass->params).size()) - 1;
    }
    if (analytic != nullptr) {
        shape.tail = FrontTail::Analytic;
        const auto taps = front::analyticTaps(*analytic->input, *analytic->params).size();
        shape.hilbertGroups = (static_cast<int>(taps) + kHilbertGroup - 1) / kHilbertGroup;
    }
    if (demodulation != nullptr) {
        shape.tail = FrontTail::Demodulate;
        shape.decimation = static_cast<int>(front::decimationOf(*demodulation->params));
        shape.mixReach = static_cast<int>(
            front::demodulationTaps(*demodulation->input, *demodulation->params).size() / 2);
    }
    return shape;
}

void FrontEndTables::setStructural(const FrontEndParts& parts) {
    passTwiddle = twiddles([](int lane) { return lane; });
    returnTwiddle = twiddles([](int lane) { return firstPoint<kFilterPoints>(lane); });
    if (parts.analytic != nullptr)
        mix = front::analyticPhases(*parts.analytic->input, *parts.analytic->params);
    if (parts.demodulation != nullptr) {
        const ChainStage& stage = *parts.demodulation;
        front::DemodulationPhases phases = front::demodulationPhases(*stage.input, *stage.params);
        mix = std::move(phases.samples);
        start = std::move(phases.transmits);
    }
    mix.resize(static_cast<std::size_t>(roundedUp(static_cast<int>(mix.size()), kAnalyticAtOnce)));
}

void FrontEndTables::setLive(const FrontEndParts& parts) {
    const FrontShape shape = parts.shape();
    if (parts.bandpass != nullptr)
        spectrum = spectrumOf(front::bandpassTaps(*parts.bandpass->input, *parts.bandpass->params),
                              shape.factor);
    hilbert = {};
    if (parts.analytic != nullptr) {
        std::ranges::copy(front::analyticTaps(*parts.analytic->input, *parts.analytic->params),
                          hilbert.tap);
    }
    mixTaps.assign(static_cast<std::size_t>(shape.mixTaps()), Complex{});
    if (parts.demodulation != nullptr) {
        std::ranges::copy(
            front::demodulationTaps(*parts.demodulation->input, *parts.demodulation->params),
            mixTaps.begin() + (shape.halo() - shape.mixReach));
    }
}

const Fusion kFrontEnd{
    match, plan, []() -> std::unique_ptr<FusedStages> { return std::make_unique<FrontEnd>(); },
    nullptr, frontEndWork};

} // namespace echolux::fused
