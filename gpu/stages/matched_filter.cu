// SPDX-License-Identifier: GPL-3.0-or-later
// matched_filter: compresses coded pulses. Each record is correlated with the pulse p that was
// sent,
//   y[n] = sum_k conj(w[k] p[k]) x[n + k] / sum_k w[k] |p[k]|^2,
// with x = 0 outside the record, so that an echo of p has the peak 1 at the sample where its
// reference point (beginning or middle) lies, and times stay those of the recording. Without the
// window w, noise becomes weaker than echoes by the time-bandwidth product of p (Turin, An
// introduction to matched filters, IRE Trans. Inf. Theory 6(3), 1960). A chirp of bandwidth B is
// compressed to 0.89 / B at -3 dB with side lobes of -13 dB, which w lowers (Misaridis and Jensen
// 2005, part I). Echoes that the end of the record cuts off stay weak. IQ samples are compared with
// the analytic pulse, mixed down like them, and stay IQ samples of the same frequency and phase.
//
// NOTE: the output has the band of the pulse round centreFrequencyHz, which stays. Later stages
// (bandpass, iq_demod, beamform) take the probe's bandwidth for granted; where the chirp is wider,
// set their band to it.
//
// Correlation is a product of spectra. Records are padded with zeros by the length of the pulse, so
// that nothing wraps into the record. A value that is not a number spreads over its record.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/fft/fft_work.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/matched_filter_check.hpp"
#include "gpu/stages/matched_filter_curve.hpp"
#include "gpu/stages/matched_filter_spectrum.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace echolux {
namespace {

constexpr const char* kMatchedFilterId = "matched_filter";

template <class Sample> struct PadRecord {
    const Sample* in;
    Sample* out;
    std::int64_t samples;
    std::int64_t padded;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n) const {
        out[line * padded + n] = n < samples ? in[line * samples + n] : Sample{};
    }
};

struct FilterBins {
    Complex* spectrum;
    const Complex* filter;
    std::int64_t bins;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t k) const {
        const std::int64_t i = line * bins + k;
        spectrum[i] = filter[k] * spectrum[i];
    }
};

template <class Sample> struct KeepRecord {
    const Sample* in;
    Sample* out;
    std::int64_t samples;
    std::int64_t padded;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n) const {
        out[line * samples + n] = in[line * padded + n];
    }
};

/// Records are handled in blocks of `rows`, so many that a large card's cache holds a block and its
/// spectra. The last block ends with the last record, so it may repeat some of the one before.
struct FilterLayout {
    bool complex;
    std::int64_t samples;
    std::int64_t lines;
    std::int64_t padded;
    std::int64_t bins;
    std::int64_t blocks;
    std::int64_t rows;
    FftShape forward;
    FftShape inverse;
    std::size_t spectrumAt;
    std::size_t workAt;
    std::size_t bytes;

    FilterLayout(const FrameSpec& input, const MatchedFilterParams& p)
        : complex(isComplex(input.dtype)), samples(input.axes.back().size),
          lines(input.count() / samples),
          padded(fastFftLength(samples + pulse::mostSamples(p, input.samplingFrequencyHz()))),
          bins(complex ? padded : padded / 2 + 1) {
        constexpr std::int64_t kBlockBytes = std::int64_t{16} << 20; // of spectra
        const std::int64_t most =
            std::max<std::int64_t>(kBlockBytes / (bins * std::int64_t{sizeof(Complex)}), 1);
        blocks = (lines + most - 1) / most;
        rows = (lines + blocks - 1) / blocks;
        const FftLayout record{1, padded};
        const FftLayout spectral{1, bins};
        forward = {complex ? FftKind::ComplexForward : FftKind::RealToComplex, padded, rows, record,
                   spectral};
        inverse = {complex ? FftKind::ComplexInverse : FftKind::ComplexToReal, padded, rows,
                   spectral, record};
        spectrumAt = aligned(bytesOf(input.dtype, static_cast<std::size_t>(rows * padded)));
        workAt = spectrumAt + aligned(static_cast<std::size_t>(rows * bins) * sizeof(Complex));
        bytes = workAt + std::max(fftWorkspaceBytes(forward), fftWorkspaceBytes(inverse));
    }
    std::int64_t firstLine(std::int64_t block) const {
        return std::min(block * rows, lines - rows);
    }
};

/// conj(F[k]) / M, F the spectrum of the filter at M points.
std::vector<Complex> filterBins(const FilterLayout& layout, const pulse::Replica& replica) {
    const std::vector<pulse::Value> spectrum =
        pulse::spectrumOf(replica.filter, replica.first, layout.padded);
    std::vector<Complex> bins;
    for (std::int64_t k = 0; k < layout.bins; ++k) {
        const pulse::Value value =
            std::conj(spectrum[static_cast<std::size_t>(k)]) / static_cast<double>(layout.padded);
        bins.push_back({static_cast<float>(value.real()), static_cast<float>(value.imag())});
    }
    return bins;
}

class MatchedFilter final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<MatchedFilterParams>();
        pulse::checkPulse(input, values);
        const FilterLayout layout(input, values);
        return {.outputs = {input},
                .workspaceBytes = layout.bytes,
                .heldBytes = static_cast<std::size_t>(layout.bins) * sizeof(Complex)};
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        m_sampling = pulse::samplingOf(input);
        m_layout = std::make_unique<FilterLayout>(input, params.as<MatchedFilterParams>());
        m_forward = makeFft(exec.backend, m_layout->forward);
        m_inverse = makeFft(exec.backend, m_layout->inverse);
        m_filter.allocate(exec, static_cast<std::size_t>(m_layout->bins));
    }

    void update(const Exec& exec, const Params& params) override {
        m_filter.set(exec, filterBins(*m_layout, pulse::replicaOf(params.as<MatchedFilterParams>(),
                                                                  m_sampling)));
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        for (std::int64_t block = 0; block < m_layout->blocks; ++block) {
            const std::int64_t at = m_layout->firstLine(block) * m_layout->samples;
            if (m_layout->complex) {
                compress(exec, input.as<Complex>() + at, output.as<Complex>() + at, workspace);
            } else {
                compress(exec, input.as<float>() + at, output.as<float>() + at, workspace);
            }
        }
    }

private:
    template <class Sample> void compress(const Exec& exec, const Sample* in, Sample* out,
                                          const Workspace& workspace) const {
        const FilterLayout& layout = *m_layout;
        auto* base = static_cast<std::byte*>(workspace.data);
        auto* records = reinterpret_cast<Sample*>(base);
        auto* spectra = reinterpret_cast<Complex*>(base + layout.spectrumAt);
        void* work = base + layout.workAt;
        forEachInLines(exec, kMatchedFilterId, layout.rows, layout.padded,
                       PadRecord<Sample>{in, records, layout.samples, layout.padded});
        m_forward->run(exec, records, spectra, work);
        forEachInLines(exec, kMatchedFilterId, layout.rows, layout.bins,
                       FilterBins{spectra, m_filter.data(), layout.bins});
        m_inverse->run(exec, spectra, records, work);
        forEachInLines(exec, kMatchedFilterId, layout.rows, layout.samples,
                       KeepRecord<Sample>{records, out, layout.samples, layout.padded});
    }

    pulse::EchoSampling m_sampling;
    std::unique_ptr<FilterLayout> m_layout;
    std::unique_ptr<Fft> m_forward;
    std::unique_ptr<Fft> m_inverse;
    ComputeTable<Complex> m_filter;
};

Params matchedFilterDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    pulse::suitPulse(type.table, input, params.as<MatchedFilterParams>());
    return params;
}

/// For each block: PadRecord, a transform, FilterBins with its complex product, the transform back,
/// KeepRecord.
std::vector<model::Kernel> matchedFilterWork(const PlannedStage& stage) {
    const FilterLayout layout(stage.inputs[0], stage.params.as<MatchedFilterParams>());
    const Backend backend = stage.backend;
    const double bytes = bytesPerSample(stage.inputs[0]);
    const double share = static_cast<double>(layout.samples) / static_cast<double>(layout.padded);
    std::vector<model::Kernel> kernels;
    const auto append = [&kernels](const std::vector<model::Kernel>& more) {
        kernels.insert(kernels.end(), more.begin(), more.end());
    };
    for (std::int64_t block = 0; block < layout.blocks; ++block) {
        kernels.push_back(forEachInLinesWork(backend, kMatchedFilterId, layout.rows * layout.padded,
                                             {.bytesRead = bytes * share, .bytesWritten = bytes}));
        append(fftWork(backend, layout.forward));
        kernels.push_back(forEachInLinesWork(backend, kMatchedFilterId, layout.rows * layout.bins,
                                             {.bytesRead = 16.0,
                                              .bytesWritten = 8.0,
                                              .distinctRead = 8.0,
                                              .counts = {.ffma = 2.0, .fmul = 2.0}}));
        append(fftWork(backend, layout.inverse));
        kernels.push_back(forEachInLinesWork(backend, kMatchedFilterId,
                                             layout.rows * layout.samples,
                                             {.bytesRead = bytes, .bytesWritten = bytes}));
    }
    return kernels;
}

} // namespace

namespace stages {
const StageType& matched_filter() {
    static const StageType kType{
        .id = kMatchedFilterId,
        .label = "Matched filter",
        .help = "Compresses the echoes of a coded pulse: a chirp, or one that was recorded.",
        .work = matchedFilterWork,
        .table = matchedFilterTable(),
        .inputs = {orEnsembles({{DType::F32, DType::ComplexF32},
                                {AxisName::Transmit, AxisName::Channel, AxisName::Sample}})},
        .tolerance = {1e-5, 1e-6},
        .defaults = matchedFilterDefaults,
        .shown = {.curves = pulse::compressedCurve},
        .code = codeOf<MatchedFilter>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
