// SPDX-License-Identifier: GPL-3.0-or-later
// envelope: A = sqrt(x^2 + xh^2) of real lines along depth or sample, xh their Hilbert transform,
// or A = |z| of complex samples. FFT: xh comes from the spectrum of the line (-j for f > 0, +j for
// f < 0, 0 at f = 0 and at half the sampling frequency; van Bavel 2013, Eq. 2.5). At least kGuard
// zeros follow the line, so that its end does not wrap into its beginning. FIR: xh[n] = 2/pi sum
// over odd m <= window of (x[n-m] - x[n+m]) / m with x = 0 outside the line (van Bavel 2013,
// Eq. 2.6, which has the other sign). Without `amplitude` the output is xh, or the imaginary part
// of z.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/fft/fft_work.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

enum class Kind { Auto, FftHilbert, FirHilbert, Magnitude };

struct EnvelopeParams {
    Kind kind = Kind::Auto;
    std::int64_t window = 15;
    bool amplitude = true;
};

constexpr std::int64_t kGuard = 128;

/// A frame as `blocks` blocks of [rows][length][inner] with rows or inner 1; lines run along
/// `length`, so that one set of FFTs, of stride `inner`, transforms a block.
struct Lines {
    std::int64_t blocks = 1;
    std::int64_t rows = 1;
    std::int64_t length = 1;
    std::int64_t inner = 1;

    std::int64_t blockSize() const { return rows * length * inner; }
};

Lines linesOf(const FrameSpec& spec) {
    const Axis* along = spec.find(AxisName::Depth);
    if (along == nullptr) along = spec.find(AxisName::Sample);
    if (along == nullptr) {
        throw Error(fmt::format("Stage 'envelope' needs frames with a depth or a sample axis, but "
                                "what reaches it is {}; move it in the pipeline or take it out.",
                                spec.describe()));
    }
    Lines lines;
    lines.length = along->size;
    for (const Axis& axis : spec.axes) {
        if (&axis < along) lines.blocks *= axis.size;
        if (&axis > along) lines.inner *= axis.size;
    }
    if (lines.inner == 1) std::swap(lines.rows, lines.blocks);
    return lines;
}

struct Magnitude {
    const Complex* in;
    float* out;
    bool amplitude;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        out[i] = amplitude ? sqrtf(norm(in[i])) : in[i].im;
    }
};

struct FirEnvelope {
    const float* in;
    float* out;
    std::int64_t length;
    std::int64_t inner;
    int window;
    bool amplitude;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        constexpr float kTwoOverPi = 0.636619772368F;
        const std::int64_t n = i / inner % length;
        float sum = 0.0F;
        for (int m = 1; m <= window; m += 2) {
            const float after = n + m < length ? in[i + m * inner] : 0.0F;
            const float before = n - m >= 0 ? in[i - m * inner] : 0.0F;
            sum += (before - after) / static_cast<float>(m);
        }
        const float hilbert = kTwoOverPi * sum;
        out[i] = amplitude ? sqrtf(in[i] * in[i] + hilbert * hilbert) : hilbert;
    }
};

/// A block as it lies in memory, [rows][length][pitch]. Columns beyond its own are unused. `to`
/// converts the index `i` to that of the same element in a block of another length or pitch.
struct Block {
    std::int64_t length;
    std::int64_t pitch;

    ECHOLUX_HD std::int64_t sample(std::int64_t i) const { return i / pitch % length; }
    ECHOLUX_HD std::int64_t column(std::int64_t i) const { return i % pitch; }
    ECHOLUX_HD std::int64_t to(const Block& other, std::int64_t i) const {
        return (i / pitch / length * other.length + sample(i)) * other.pitch + column(i);
    }
};

/// Copies lines to longer ones and adds zeros behind them. One call per element of the longer line.
struct PadWithZeros {
    const float* in;
    float* out;
    Block lines;
    Block padded;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const bool inside = padded.sample(i) < lines.length && padded.column(i) < lines.pitch;
        out[i] = inside ? in[padded.to(lines, i)] : 0.0F;
    }
};

/// Spectrum of the Hilbert transform: multiplies by -j, and sets 0 at f = 0 and at half the
/// sampling frequency.
struct QuarterTurn {
    Complex* spectrum;
    Block bins;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t bin = bins.sample(i);
        const Complex value = spectrum[i];
        const bool turns = bin > 0 && bin < bins.length - 1;
        spectrum[i] = turns ? Complex{value.im, -value.re} : Complex{};
    }
};

struct Combine {
    const float* in;
    const float* hilbert;
    float* out;
    Block lines;
    Block padded;
    float scale; ///< 1 / FFT length
    bool amplitude;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float turned = scale * hilbert[lines.to(padded, i)];
        out[i] = amplitude ? sqrtf(in[i] * in[i] + turned * turned) : turned;
    }
};

/// The FFTs of one block, and where their buffers lie in the workspace.
struct FftLayoutInWorkspace {
    std::int64_t length; ///< padded, even
    std::int64_t pitch;
    FftShape forward;
    FftShape inverse;
    std::size_t spectrumAt;
    std::size_t workAt;
    std::size_t bytes;

    explicit FftLayoutInWorkspace(const Lines& lines)
        : length(fastFftLength(lines.length + kGuard)), pitch(pitchOf(lines.inner)) {
        const bool contiguous = lines.inner == 1;
        const FftLayout real{pitch, contiguous ? length : 1};
        const FftLayout spectral{pitch, contiguous ? length / 2 + 1 : 1};
        const std::int64_t batch = lines.rows * lines.inner;
        forward = {FftKind::RealToComplex, length, batch, real, spectral};
        inverse = {FftKind::ComplexToReal, length, batch, spectral, real};
        const auto count = static_cast<std::size_t>(lines.rows * pitch);
        const auto samples = static_cast<std::size_t>(length);
        spectrumAt = aligned(samples * count * sizeof(float));
        workAt = spectrumAt + aligned((samples / 2 + 1) * count * sizeof(Complex));
        bytes = workAt + std::max(fftWorkspaceBytes(forward), fftWorkspaceBytes(inverse));
    }

private:
    /// An odd multiple of 16 keeps the rows of a column apart in the CPU's caches.
    static std::int64_t pitchOf(std::int64_t inner) {
        return inner == 1 ? 1 : ((inner + 15) / 16 | 1) * 16;
    }
};

class Envelope final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const Lines lines = linesOf(input);
        StagePlan plan{.outputs = {input}};
        plan.outputs[0].dtype = DType::F32;
        plan.outputs[0].demodulationFrequencyHz = 0.0;
        plan.outputs[0].valueKind =
            params.as<EnvelopeParams>().amplitude ? ValueKind::Amplitude : ValueKind::Plain;
        if (!params.as<EnvelopeParams>().amplitude && input.valueRange) {
            ValueRange& range = *plan.outputs[0].valueRange;
            range.max = std::max(std::fabs(range.min), std::fabs(range.max));
            range.min = -range.max;
        }
        if (resolved(input, params) == Kind::FftHilbert)
            plan.workspaceBytes = FftLayoutInWorkspace(lines).bytes;
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        m_lines = linesOf(input);
        m_kind = resolved(input, params);
        m_forward.reset();
        m_inverse.reset();
        if (m_kind != Kind::FftHilbert) return;
        const FftLayoutInWorkspace layout(m_lines);
        m_forward = makeFft(exec.backend, layout.forward);
        m_inverse = makeFft(exec.backend, layout.inverse);
    }

    void update(const Exec&, const Params& params) override {
        m_window = static_cast<int>(params.as<EnvelopeParams>().window);
        m_amplitude = params.as<EnvelopeParams>().amplitude;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const std::int64_t count = input.spec->count();
        switch (m_kind) {
        case Kind::Magnitude:
            forEach(exec, kId, count,
                    Magnitude{input.as<Complex>(), output.as<float>(), m_amplitude});
            return;
        case Kind::FirHilbert:
            forEach(exec, kId, count,
                    FirEnvelope{input.as<float>(), output.as<float>(), m_lines.length,
                                m_lines.inner, m_window, m_amplitude});
            return;
        default:
            for (std::int64_t block = 0; block < m_lines.blocks; ++block) {
                const std::int64_t at = block * m_lines.blockSize();
                runFft(exec, input.as<float>() + at, output.as<float>() + at, workspace);
            }
        }
    }

    static Kind resolved(const FrameSpec& input, const Params& params) {
        const Kind kind = params.as<EnvelopeParams>().kind;
        const bool complex = isComplex(input.dtype);
        if (kind == Kind::Auto) return complex ? Kind::Magnitude : Kind::FftHilbert;
        if (complex != (kind == Kind::Magnitude)) {
            throw Error(fmt::format(
                "Stage 'envelope': parameter 'kind' cannot be {}: what reaches the stage is {}; "
                "choose auto or {}.",
                kind == Kind::Magnitude    ? "magnitude"
                : kind == Kind::FirHilbert ? "fir_hilbert"
                                           : "fft_hilbert",
                input.describe(), complex ? "magnitude" : "a Hilbert transform"));
        }
        return kind;
    }

private:
    static constexpr const char* kId = "envelope";

    void runFft(const Exec& exec, const float* in, float* out, const Workspace& workspace) const {
        const FftLayoutInWorkspace layout(m_lines);
        auto* base = static_cast<std::byte*>(workspace.data);
        auto* real = reinterpret_cast<float*>(base);
        auto* spectrum = reinterpret_cast<Complex*>(base + layout.spectrumAt);
        void* work = base + layout.workAt;
        const std::int64_t columns = m_lines.rows * layout.pitch;
        const Block lines{m_lines.length, m_lines.inner};
        const Block padded{layout.length, layout.pitch};
        const Block bins{layout.length / 2 + 1, layout.pitch};
        forEach(exec, kId, padded.length * columns, PadWithZeros{in, real, lines, padded});
        m_forward->run(exec, real, spectrum, work);
        forEach(exec, kId, bins.length * columns, QuarterTurn{spectrum, bins});
        m_inverse->run(exec, spectrum, real, work);
        forEach(exec, kId, m_lines.blockSize(),
                Combine{in, real, out, lines, padded, 1.0F / static_cast<float>(layout.length),
                        m_amplitude});
    }

    Lines m_lines;
    Kind m_kind = Kind::Auto;
    int m_window = 15;
    bool m_amplitude = true;
    std::unique_ptr<Fft> m_forward;
    std::unique_ptr<Fft> m_inverse;
};

ParamTable envelopeTable() {
    using P = EnvelopeParams;
    return ParamTable::of<P>()
        .choice(&P::kind,
                {{"auto", "Automatic"},
                 {"fft_hilbert", "Hilbert by FFT"},
                 {"fir_hilbert", "Hilbert by FIR"},
                 {"magnitude", "Magnitude of IQ"}},
                {.key = "kind",
                 .label = "Kind",
                 .kind = ParamKind::Structural,
                 .help = "Automatic: the magnitude of complex samples, a Hilbert transform by FFT "
                         "of real ones."})
        .integer(&P::window, {.key = "window",
                              .label = "FIR window",
                              .min = 3,
                              .max = 63,
                              .step = 2,
                              .help = "Distance, in samples, of the farthest sample that the FIR "
                                      "Hilbert transform uses.",
                              .oddOnly = true,
                              .onlyWith = {"kind", "fir_hilbert"}})
        .flag(&P::amplitude, {.key = "amplitude",
                              .label = "Amplitude",
                              .help = "On: the envelope. Off: the Hilbert transform itself, or the "
                                      "imaginary part of complex samples."})
        .build();
}

/// Of the FFT Hilbert transform: PadWithZeros, forward transform, QuarterTurn, inverse transform,
/// Combine, for each block; these functors divide the index by lengths up to five times.
std::vector<model::Kernel> fftHilbertWork(Backend backend, const Lines& lines) {
    const FftLayoutInWorkspace layout(lines);
    const std::int64_t columns = lines.rows * layout.pitch;
    const double root = backend == Backend::Cpu ? kHostRoot : 1.0;
    std::vector<model::Kernel> kernels{
        forEachWork(backend, "envelope", columns * layout.length,
                    {.bytesRead = 4.0, .bytesWritten = 4.0, .divisions = 5.0})};
    const auto append = [&](const std::vector<model::Kernel>& more) {
        kernels.insert(kernels.end(), more.begin(), more.end());
    };
    append(fftWork(backend, layout.forward));
    kernels.push_back(forEachWork(backend, "envelope", columns * (layout.length / 2 + 1),
                                  {.bytesRead = 8.0, .bytesWritten = 8.0, .divisions = 2.0}));
    append(fftWork(backend, layout.inverse));
    kernels.push_back(forEachWork(backend, "envelope", lines.blockSize(),
                                  {.bytesRead = 8.0,
                                   .bytesWritten = 4.0,
                                   .counts = {.ffma = 1.0, .fmul = 2.0, .special = root},
                                   .divisions = 5.0}));
    std::vector<model::Kernel> all;
    for (std::int64_t block = 0; block < lines.blocks; ++block)
        all.insert(all.end(), kernels.begin(), kernels.end());
    return all;
}

std::vector<model::Kernel> envelopeWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const double root = stage.backend == Backend::Cpu ? kHostRoot : 1.0;
    switch (Envelope::resolved(input, stage.params)) {
    case Kind::Magnitude: // a square root: one special function and three FFMA that refine it
        return {forEachWork(stage.backend, "envelope", input.count(),
                            {.bytesRead = 8.0,
                             .bytesWritten = 4.0,
                             .counts = {.ffma = 4.0, .fmul = 1.0, .special = root}})};
    case Kind::FirHilbert: { // each odd tap: two loads, two additions, a division
        const auto taps = static_cast<double>((stage.params.as<EnvelopeParams>().window + 1) / 2);
        return {forEachWork(stage.backend, "envelope", input.count(),
                            {.bytesRead = 4.0 + 8.0 * taps,
                             .bytesWritten = 4.0,
                             .distinctRead = 4.0,
                             .counts = {.ffma = 4.0 * taps + 1.0,
                                        .fmul = taps + 2.0,
                                        .fadd = 2.0 * taps,
                                        .special = taps + root,
                                        .offsets = 8.0 * taps},
                             .divisions = 2.0})};
    }
    default: return fftHilbertWork(stage.backend, linesOf(input));
    }
}

} // namespace

namespace stages {
const StageType& envelope() {
    static const StageType kType{
        .id = "envelope",
        .label = "Envelope",
        .help = "Amplitude of the echoes along depth.",
        .work = envelopeWork,
        .table = envelopeTable(),
        .inputs = {orEnsembles({{DType::F32, DType::ComplexF32}})},
        .tolerance = {1e-5, 1e-6},
        .tap = Tap::Amplitude,
        .form = RecordedForm::Envelope,
        .code = codeOf<Envelope>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
