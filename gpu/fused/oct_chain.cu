// SPDX-License-Identifier: GPL-3.0-or-later
// The OCT chain as one kernel: which chains fit, their tables, and what is subtracted at each
// depth.
//
// All stages before the logarithm are linear in the raw codes. So a spectrum b that is subtracted
// from every line is subtracted as its own A-line B instead: the kernel runs once over b alone, and
// B leaves each line's pixels for one subtraction per depth. A fixed pattern is such a constant
// too; it holds B already, so that with it the background needs no work at all.
#include "gpu/fused/oct_chain.hpp"

#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/fused/oct_chain_kernel.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stages/code_to_float.hpp"
#include "gpu/stages/compute_table.hpp"
#include "gpu/stages/oct_formula.hpp"
#include "gpu/stages/oct_params.hpp"
#include "gpu/stages/oct_tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

namespace echolux::fused {
namespace {

constexpr const char* kName = "oct_chain";
constexpr std::int64_t kMostTaps = 32; ///< a row in shared memory repeats fewer samples than it has
constexpr std::int64_t kChunks = 64;   ///< partial means per frame

/// The stages of a chain that fits; null where one is not there.
struct Parts {
    const ChainStage* toFloat = nullptr;
    const ChainStage* background = nullptr;
    const ChainStage* movingAverage = nullptr;
    const ChainStage* resampling = nullptr;
    const ChainStage* window = nullptr;
    const ChainStage* dispersion = nullptr;
    const ChainStage* inverse = nullptr;
    const ChainStage* pattern = nullptr;
    const ChainStage* magnitude = nullptr;
    std::size_t count = 0;

    const FrameSpec& raw() const { return *toFloat->input; }
    std::int64_t samples() const { return raw().axes.back().size; }
    std::int64_t lines() const { return raw().count() / samples(); }
    /// Points of the inverse transform, which are those of its input's lines.
    std::int64_t grid() const { return inverse->input->axes.back().size; }
    std::int64_t depths() const { return inverse->plan->output.axes.back().size; }
    std::int64_t mostTaps() const {
        return resampling == nullptr
                   ? 1
                   : oct::mostTaps(*resampling->input, resampling->plan->output,
                                   resampling->params->as<oct::KLinearizeParams>());
    }
    oct::BackgroundSource source() const {
        return background == nullptr ? oct::BackgroundSource::None
                                     : background->params->as<oct::BackgroundParams>().source;
    }
    bool subtractsFrameMean() const {
        return source() == oct::BackgroundSource::FrameMean && pattern == nullptr;
    }
    std::int64_t patternLines() const {
        if (pattern == nullptr) return 0;
        const std::int64_t wanted = pattern->params->as<oct::FixedPatternParams>().lines;
        return wanted == 0 ? lines() : std::min(wanted, lines());
    }
};

Parts sorted(std::span<const ChainStage> stages) {
    Parts parts;
    const auto take = [&](const char* type) -> const ChainStage* {
        const bool here = parts.count < stages.size() && stages[parts.count].type->id == type;
        return here ? &stages[parts.count++] : nullptr;
    };
    parts.toFloat = take("spectrum_to_float");
    parts.background = take("background_subtract");
    parts.movingAverage = take("dc_removal_moving");
    parts.resampling = take("k_linearize");
    parts.window = take("window");
    parts.dispersion = take("dispersion");
    parts.inverse = take("inverse_fft");
    parts.pattern = take("fixed_pattern");
    parts.magnitude = take("magnitude_log");
    return parts;
}

int groupsFor(std::int64_t taps) {
    return static_cast<int>((taps + kTapsPerGroup - 1) / kTapsPerGroup);
}

/// The most that a chain of these parts may need while only live parameters change.
bool fitsSharedMemory(const Parts& parts) {
    static const std::size_t kAvailable = [] {
        const std::vector<device::Info> found = device::probe();
        return found.empty() ? std::numeric_limits<std::size_t>::max()
                             : found.front().sharedBytesPerBlock;
    }();
    OctChainShape shape;
    shape.samples = static_cast<int>(parts.samples());
    shape.grid = static_cast<int>(parts.grid());
    shape.tapGroups = groupsFor(parts.mostTaps());
    shape.movingWindow = parts.movingAverage != nullptr ? 1 : 0;
    return warpsPerBlock(shape, kAvailable) > 0;
}

bool suits(const Parts& parts) {
    if (parts.toFloat == nullptr || parts.inverse == nullptr || parts.magnitude == nullptr)
        return false;
    const FrameSpec& raw = parts.raw();
    const bool codes = raw.dtype == DType::U8 || raw.dtype == DType::U16 ||
                       raw.dtype == DType::I16 || raw.dtype == DType::Packed12;
    const std::int64_t grid = parts.grid();
    const auto& inverse = parts.inverse->params->as<oct::InverseFftParams>();
    const auto& magnitude = parts.magnitude->params->as<oct::MagnitudeLogParams>();
    constexpr std::int64_t kWholeWords = 8; // samples: lines of any type begin at a word
    return codes && parts.samples() % kWholeWords == 0 && parts.samples() <= grid &&
           parts.samples() >= kMostTaps && std::has_single_bit(static_cast<std::uint64_t>(grid)) &&
           grid >= kSmallestOctGrid && grid <= kLargestOctGrid &&
           inverse.padding == oct::Padding::None && inverse.range == oct::DepthRange::Half &&
           magnitude.scale == oct::MagnitudeScale::Decibels && parts.mostTaps() <= kMostTaps &&
           fitsSharedMemory(parts);
}

std::size_t match(std::span<const ChainStage> stages) {
    const Parts parts = sorted(stages);
    return suits(parts) ? parts.count : 0;
}

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// Where a frame's own buffers lie in the workspace.
struct WorkspaceLayout {
    std::size_t partial = 0;  ///< sums of codes, [chunk][sample]
    std::size_t spectrum = 0; ///< the mean line
    std::size_t lines = 0;    ///< complex A-lines that the pattern is taken from
    std::size_t survey = 0;   ///< scratch of the pattern
    std::size_t constant = 0; ///< what is subtracted at each depth
    std::size_t bytes = 0;

    explicit WorkspaceLayout(const Parts& parts) {
        const auto take = [this](std::size_t& at, std::size_t size) {
            at = bytes;
            bytes += aligned(size);
        };
        const auto samples = static_cast<std::size_t>(parts.samples());
        const auto depths = static_cast<std::size_t>(parts.depths());
        if (parts.subtractsFrameMean()) {
            take(partial, kChunks * samples * sizeof(double));
            take(spectrum, samples * sizeof(float));
        }
        if (parts.pattern != nullptr) {
            const auto count = static_cast<std::size_t>(parts.patternLines());
            take(lines, count * depths * sizeof(Complex));
            take(survey, oct::patternScratchBytes(parts.depths()));
        }
        take(constant, depths * sizeof(Complex));
    }
};

/// Sizes of the tables, for prepare() and for the memory check.
struct TableSizes {
    std::size_t grid = 0;
    std::size_t weights = 0;
    std::size_t passTwiddles = 0;
    std::size_t warpTwiddles = 0;
    std::size_t movingScales = 0;
    std::size_t depths = 0;
    std::size_t samples = 0;

    explicit TableSizes(const Parts& parts) {
        const auto points = static_cast<int>(parts.grid());
        const auto warps = static_cast<std::size_t>(warpsPerPair(points));
        grid = static_cast<std::size_t>(points);
        weights = grid * kTapsPerGroup * static_cast<std::size_t>(groupsFor(parts.mostTaps()));
        passTwiddles = static_cast<std::size_t>(std::min(points, 1024));
        warpTwiddles = (warps - 1) * 1024;
        movingScales = warps * kLanes * kLanes;
        depths = static_cast<std::size_t>(parts.depths());
        samples = static_cast<std::size_t>(parts.samples());
    }
    std::size_t bytes() const {
        return grid * (sizeof(std::uint16_t) + sizeof(Complex)) + weights * sizeof(float) +
               (passTwiddles + warpTwiddles + depths) * sizeof(Complex) +
               (movingScales + depths + samples) * sizeof(float);
    }
};

FusionPlan plan(std::span<const ChainStage> stages) {
    const Parts parts = sorted(stages);
    return {WorkspaceLayout(parts).bytes, TableSizes(parts).bytes()};
}

Complex phasor(double turns) {
    const double angle = 2.0 * std::numbers::pi * turns;
    return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

/// Sum of the codes at sample i % samples in chunk i / samples of the lines.
template <class Codes> struct SumOfCodes {
    Codes codes;
    double* partial;
    std::int64_t samples;
    std::int64_t lines;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t chunk = i / samples;
        const std::int64_t n = i % samples;
        const std::int64_t end = (chunk + 1) * lines / kChunks;
        std::int64_t sum = 0;
        for (std::int64_t line = chunk * lines / kChunks; line < end; ++line)
            sum += codes(line * samples + n);
        partial[i] = static_cast<double>(sum);
    }
};

template <class Code> struct PlainCodes {
    const Code* in;
    int shift;
    ECHOLUX_HD int operator()(std::int64_t i) const { return static_cast<int>(in[i]) >> shift; }
};

struct PackedCodes {
    const std::uint8_t* in;
    int shift;
    ECHOLUX_HD int operator()(std::int64_t i) const { return packed12At(in, i) >> shift; }
};

/// spectrum[n] = offset + strength (mean code - offset).
struct MeanSpectrum {
    const double* partial;
    float* spectrum;
    std::int64_t samples;
    double lines;
    double offset;
    double strength;

    ECHOLUX_HD void operator()(std::int64_t n) const {
        double sum = 0.0;
        for (std::int64_t chunk = 0; chunk < kChunks; ++chunk) sum += partial[chunk * samples + n];
        spectrum[n] = static_cast<float>(offset + strength * (sum / lines - offset));
    }
};

/// Every sample as it is.
oct::GatherTable identity(std::int64_t samples) {
    oct::GatherTable table{samples, 1, std::vector<std::int32_t>(static_cast<std::size_t>(samples)),
                           std::vector<float>(static_cast<std::size_t>(samples), 1.0F)};
    std::iota(table.first.begin(), table.first.end(), 0);
    return table;
}

class OctChain final : public FusedStages {
public:
    void prepare(const Exec& exec, std::span<const ChainStage> stages) override {
        const Parts parts = sorted(stages);
        const TableSizes sizes(parts);
        m_device = {device::current().multiprocessors, device::current().sharedBytesPerBlock};
        m_firstTap.allocate(exec, sizes.grid);
        m_weights.allocate(exec, sizes.weights);
        m_factor.allocate(exec, sizes.grid);
        m_passTwiddle.allocate(exec, sizes.passTwiddles);
        m_warpTwiddle.allocate(exec, sizes.warpTwiddles);
        m_movingScale.allocate(exec, sizes.movingScales);
        m_offsetDb.allocate(exec, sizes.depths);
        m_spectrum.allocate(exec, sizes.samples);
        m_constant = Buffer(computeMemory(exec.backend), sizes.depths * sizeof(Complex));
        m_tablesSet = false;
        m_shape = {};
        m_shape.samples = static_cast<int>(parts.samples());
        m_shape.grid = static_cast<int>(parts.grid());
        m_shape.depths = static_cast<int>(parts.depths());
        m_shape.type = parts.raw().dtype;
        setTwiddles(exec);
        setTaper(exec, parts);
    }

    void update(const Exec& exec, std::span<const ChainStage> stages) override {
        const Parts parts = sorted(stages);
        m_layout.emplace(parts);
        m_lines = parts.lines();
        m_frameMean = parts.subtractsFrameMean();
        m_patternLines = parts.patternLines();
        if (parts.pattern != nullptr)
            m_pattern = parts.pattern->params->as<oct::FixedPatternParams>();
        m_shape.shift =
            static_cast<int>(parts.toFloat->params->as<oct::SpectrumToFloatParams>().shift);
        m_minDb = static_cast<float>(
            oct::limitsDb(parts.magnitude->params->as<oct::MagnitudeLogParams>()).low);
        const bool moving = parts.movingAverage != nullptr;
        const auto window = static_cast<int>(
            moving ? parts.movingAverage->params->as<oct::DcRemovalMovingParams>().window : 0);
        setResampling(exec, parts, window);
        setFactor(exec, parts);
        setConstant(exec, parts);
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        auto* base = static_cast<std::byte*>(workspace.data);
        auto* constant = reinterpret_cast<Complex*>(base + m_layout->constant);
        const bool ownConstant = m_frameMean || m_patternLines > 0;
        if (m_frameMean) {
            auto* spectrum = reinterpret_cast<float*>(base + m_layout->spectrum);
            takeMean(exec, input.data, reinterpret_cast<double*>(base + m_layout->partial),
                     spectrum);
            transformSpectrum(exec, spectrum, constant);
        }
        if (m_patternLines > 0) {
            auto* lines = reinterpret_cast<Complex*>(base + m_layout->lines);
            OctChainPixels some = pixels(input.data, m_patternLines);
            some.complex = lines;
            runOctChain(exec, m_shape, tables(nullptr), some, m_device);
            oct::enqueuePattern(exec, lines, m_patternLines, m_shape.depths, m_pattern,
                                base + m_layout->survey, constant);
        }
        OctChainPixels all = pixels(input.data, m_lines);
        all.decibels = output.as<float>();
        runOctChain(exec, m_shape, tables(ownConstant ? constant : m_constant.as<Complex>()), all,
                    m_device);
    }

private:
    OctChainTables tables(const Complex* subtract) const {
        return {m_firstTap.data(),
                m_weights.data(),
                m_factor.data(),
                m_passTwiddle.data(),
                m_warpTwiddle.data(),
                m_movingScale.data(),
                subtract,
                m_tapered ? m_offsetDb.data() : nullptr};
    }

    OctChainPixels pixels(const void* raw, std::int64_t lines) const {
        OctChainPixels made;
        made.raw = raw;
        made.lines = lines;
        made.minDb = m_minDb;
        return made;
    }

    void setTwiddles(const Exec& exec) {
        const int grid = m_shape.grid;
        const int transform = std::min(grid, 1024);
        std::vector<Complex> pass;
        for (int k = 0; k < pointsPerThread(grid); ++k) {
            for (int n = 0; n < kLanes; ++n)
                pass.push_back(phasor(static_cast<double>(k * n) / transform));
        }
        m_passTwiddle.set(exec, std::move(pass));
        std::vector<Complex> warps;
        for (int warp = 1; warp < warpsPerPair(grid); ++warp) {
            for (int k = 0; k < transform; ++k)
                warps.push_back(phasor(static_cast<double>(warp * k) / grid));
        }
        m_warpTwiddle.set(exec, std::move(warps));
    }

    /// depthScale() as decibels above that of depth 0, which is in the factor.
    void setTaper(const Exec& exec, const Parts& parts) {
        const FrameSpec& spectra = *parts.inverse->input;
        const oct::Lines lines = oct::linesOf(spectra);
        const std::vector<float> scale =
            oct::depthScale(lines, spectra.spectralGrid, oct::depthGrid(lines, 1, false));
        m_tapered = spectra.spectralGrid.kernelWidth > 0;
        m_scale = scale.front();
        std::vector<float> offsetDb;
        for (const float s : scale) offsetDb.push_back(20.0F * std::log10(s / m_scale));
        m_offsetDb.set(exec, std::move(offsetDb));
    }

    /// Taps and weights; costly for gridding, so only where something changed.
    void setResampling(const Exec& exec, const Parts& parts, int window) {
        const bool same = m_tablesSet && (parts.resampling == nullptr ||
                                          m_resampling == *parts.resampling->params);
        if (same && window == m_shape.movingWindow) return;
        const oct::GatherTable gather =
            parts.resampling == nullptr
                ? identity(m_shape.grid)
                : oct::gatherTable(*parts.resampling->input, parts.resampling->plan->output,
                                   parts.resampling->params->as<oct::KLinearizeParams>());
        const int grid = m_shape.grid;
        m_shape.tapGroups = groupsFor(gather.taps);
        m_shape.movingWindow = window;
        const int stride = rowStride(m_shape.tapGroups, window > 0);
        const int slots = m_shape.tapGroups * kTapsPerGroup;
        std::vector<std::uint16_t> firstTap(static_cast<std::size_t>(grid));
        std::vector<float> weights(static_cast<std::size_t>(grid * slots), 0.0F);
        for (int m = 0; m < grid; ++m) {
            const auto point = static_cast<std::size_t>(m);
            const int at = tableIndex(grid, m);
            // All of the groups' taps lie in the line, also those of no weight.
            const int first = std::min(gather.first[point], m_shape.samples - slots);
            const int ahead = gather.first[point] - first;
            firstTap[static_cast<std::size_t>(at)] =
                static_cast<std::uint16_t>(samplePlace(stride, first));
            for (int t = 0; t < static_cast<int>(gather.taps); ++t) {
                const int slot = t + ahead;
                const std::size_t to = static_cast<std::size_t>(
                    (slot / kTapsPerGroup * grid + at) * kTapsPerGroup + slot % kTapsPerGroup);
                weights[to] = gather.weights[static_cast<std::size_t>(t * gather.points + m)];
            }
        }
        m_firstTap.set(exec, std::move(firstTap));
        m_weights.set(exec, std::move(weights));
        setMovingScale(exec);
        if (parts.resampling != nullptr) m_resampling = *parts.resampling->params;
        m_tablesSet = true;
    }

    void setMovingScale(const Exec& exec) {
        if (m_shape.movingWindow == 0) return;
        const int threads = warpsPerPair(m_shape.grid) * kLanes;
        std::vector<float> scale(static_cast<std::size_t>(threads * kLanes), 0.0F);
        for (int n = 0; n < m_shape.samples; ++n) {
            const oct::Span span = oct::movingSpan(n, m_shape.movingWindow, m_shape.samples);
            const int at = n % kLanes * threads + n / kLanes;
            scale[static_cast<std::size_t>(at)] =
                1.0F / static_cast<float>(span.last - span.first + 1);
        }
        m_movingScale.set(exec, std::move(scale));
    }

    /// Window, dispersion, the transform's scale and the codes' unit.
    void setFactor(const Exec& exec, const Parts& parts) {
        const auto points = static_cast<std::size_t>(m_shape.grid);
        const double unit =
            parts.raw().codeScale * m_scale * oct::windowGain(*parts.inverse->input);
        std::vector<float> window(points, 1.0F);
        if (parts.window != nullptr) {
            window = oct::windowTable(oct::linesOf(*parts.window->input),
                                      parts.window->params->as<oct::WindowParams>());
        }
        std::vector<Complex> turn(points, Complex{1.0F, 0.0F});
        if (parts.dispersion != nullptr) {
            turn = oct::dispersionPhasors(*parts.dispersion->input,
                                          parts.dispersion->params->as<oct::DispersionParams>());
        }
        std::vector<Complex> factor(points);
        for (int m = 0; m < m_shape.grid; ++m) {
            const auto point = static_cast<std::size_t>(m);
            factor[static_cast<std::size_t>(tableIndex(m_shape.grid, m))] =
                static_cast<float>(unit * window[point]) * turn[point];
        }
        m_factor.set(exec, std::move(factor));
    }

    /// The constant of all frames: of the codes' offset and a recorded background.
    void setConstant(const Exec& exec, const Parts& parts) {
        const FrameSpec& raw = parts.raw();
        m_offset = raw.codeOffset;
        m_strength = parts.background == nullptr
                         ? 0.0
                         : parts.background->params->as<oct::BackgroundParams>().strength;
        std::vector<float> spectrum(static_cast<std::size_t>(m_shape.samples),
                                    static_cast<float>(m_offset));
        if (parts.source() == oct::BackgroundSource::Recording) {
            const std::vector<float>& recorded = parts.background->input->spectrometer->background;
            for (std::size_t n = 0; n < spectrum.size(); ++n)
                spectrum[n] += static_cast<float>(m_strength * recorded[n] / raw.codeScale);
        }
        const bool nothing = std::ranges::all_of(spectrum, [](float b) { return b == 0.0F; });
        m_spectrum.set(exec, std::move(spectrum));
        if (nothing) {
            fillBytes(exec, m_constant.data(), 0, m_constant.bytes());
        } else {
            transformSpectrum(exec, m_spectrum.data(), m_constant.as<Complex>());
        }
    }

    /// The A-line of a spectrum in codes.
    void transformSpectrum(const Exec& exec, const float* spectrum, Complex* constant) const {
        OctChainShape one = m_shape;
        one.type = DType::F32;
        OctChainPixels line = pixels(spectrum, 1);
        line.complex = constant;
        runOctChain(exec, one, tables(nullptr), line, m_device);
    }

    void takeMean(const Exec& exec, const void* raw, double* partial, float* spectrum) const {
        const std::int64_t samples = m_shape.samples;
        const auto sum = [&](const auto& codes) {
            forEach(exec, kName, kChunks * samples, SumOfCodes{codes, partial, samples, m_lines});
        };
        switch (m_shape.type) {
        case DType::U8:
            sum(PlainCodes{static_cast<const std::uint8_t*>(raw), m_shape.shift});
            break;
        case DType::I16:
            sum(PlainCodes{static_cast<const std::int16_t*>(raw), m_shape.shift});
            break;
        case DType::U16:
            sum(PlainCodes{static_cast<const std::uint16_t*>(raw), m_shape.shift});
            break;
        default: sum(PackedCodes{static_cast<const std::uint8_t*>(raw), m_shape.shift});
        }
        forEach(exec, kName, samples,
                MeanSpectrum{partial, spectrum, samples, static_cast<double>(m_lines), m_offset,
                             m_strength});
    }

    OctChainDevice m_device;
    OctChainShape m_shape;
    std::optional<WorkspaceLayout> m_layout;
    std::int64_t m_lines = 0;
    std::int64_t m_patternLines = 0; ///< 0: no fixed pattern
    oct::FixedPatternParams m_pattern;
    bool m_frameMean = false;
    bool m_tapered = false;
    bool m_tablesSet = false;
    float m_scale = 1.0F; ///< depthScale() at depth 0
    float m_minDb = 0.0F;
    double m_offset = 0.0;   ///< codes
    double m_strength = 0.0; ///< of the background
    Params m_resampling;     ///< those of the tables in force
    ComputeTable<std::uint16_t> m_firstTap;
    ComputeTable<float> m_weights;
    ComputeTable<Complex> m_factor;
    ComputeTable<Complex> m_passTwiddle;
    ComputeTable<Complex> m_warpTwiddle;
    ComputeTable<float> m_movingScale;
    ComputeTable<float> m_offsetDb;
    ComputeTable<float> m_spectrum; ///< subtracted from every line, in codes
    Buffer m_constant;              ///< its A-line
};

} // namespace

const Fusion kOctChain{
    match, plan, []() -> std::unique_ptr<FusedStages> { return std::make_unique<OctChain>(); }};

} // namespace echolux::fused
