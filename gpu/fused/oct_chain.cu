// SPDX-License-Identifier: GPL-3.0-or-later
// The OCT chain as one kernel: its tables, and what is subtracted at each depth.
// All stages before the logarithm are linear in the raw codes. So the A-scan B of a spectrum b is
// subtracted once per depth, instead of b from every line: the kernel runs once over b alone to
// find B. A fixed pattern is such a constant too. It contains B already, so with a fixed pattern
// the background needs no work at all. In gridded lines, window and phase act on the samples, not
// on the grid (decision 0023). A window alone goes into the gridding weights, and with a phase too
// where the kernel takes complex weights; else it multiplies each sample of a line in shared memory
// before it gathers them.
#include "gpu/fused/oct_chain.hpp"

#include "gpu/core/complex.hpp"
#include "gpu/fused/fusion_work.hpp"
#include "gpu/fused/mean_spectrum.hpp"
#include "gpu/fused/oct_chain_parts.hpp"
#include "gpu/fused/oct_chain_run.hpp"
#include "gpu/fused/oct_chain_sizes.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/oct/oct_formula.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/oct/oct_tables.hpp"
#include "gpu/stage/compute_table.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace echolux::fused {
namespace {

FusionPlan plan(std::span<const ChainStage> stages) {
    const OctChainParts parts(stages);
    return {WorkspaceLayout(parts).bytes, TableSizes(parts).bytes()};
}

Complex phasor(double turns) {
    const double angle = 2.0 * std::numbers::pi * turns;
    return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

bool isSame(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }

/// The table that gathers every sample unchanged.
oct::GatherTable identity(std::int64_t samples) {
    oct::GatherTable table{samples, 1, std::vector<std::int32_t>(static_cast<std::size_t>(samples)),
                           std::vector<float>(static_cast<std::size_t>(samples), 1.0F)};
    std::iota(table.first.begin(), table.first.end(), 0);
    return table;
}

class OctChain final : public FusedStages {
public:
    void prepare(const Exec& exec, std::span<const ChainStage> stages) override {
        const OctChainParts parts(stages);
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
        m_shape.fullRange = parts.isFullRange();
        m_shape.type = parts.raw().dtype;
        allowOctChain(m_shape, m_device);
        setTwiddles(exec);
        setTaper(exec, parts);
    }

    void update(const Exec& exec, std::span<const ChainStage> stages) override {
        const OctChainParts parts(stages);
        m_layout.emplace(parts);
        m_lines = parts.lines();
        m_meanLines = parts.meanLines();
        m_patternLines = parts.patternLines();
        if (parts.pattern != nullptr)
            m_pattern = parts.pattern->params->as<oct::FixedPatternParams>();
        m_shape.shift =
            static_cast<int>(parts.toFloat->params->as<oct::SpectrumToFloatParams>().shift);
        m_shape.linear = parts.magnitude->params->as<oct::MagnitudeLogParams>().scale ==
                         oct::MagnitudeScale::Linear;
        const bool moving = parts.movingAverage != nullptr;
        const auto averaged = static_cast<int>(
            moving ? parts.movingAverage->params->as<oct::DcRemovalMovingParams>().window : 0);
        const std::vector<Complex> phasors = parts.phasors();
        const auto turns = [](Complex phasor) { return phasor.re != 1.0F || phasor.im != 0.0F; };
        m_shape.turned = parts.isGridded() && std::ranges::any_of(phasors, turns);
        const std::vector<float> window = parts.windowValues();
        const std::vector<Complex> factor = factorOf(parts, window, phasors);
        setResampling(exec, parts, averaged, gainOf(parts, window, factor));
        setFactor(exec, parts, factor);
        setConstant(exec, parts);
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        auto* base = static_cast<std::byte*>(workspace.data);
        auto* constant = reinterpret_cast<Complex*>(base + m_layout->constant);
        const bool ownConstant = m_meanLines > 0 || m_patternLines > 0;
        if (m_meanLines > 0) {
            auto* spectrum = reinterpret_cast<float*>(base + m_layout->spectrum);
            enqueueMeanSpectrum(
                exec, {input.data, m_shape.type, m_shape.shift, m_shape.samples, m_meanLines},
                m_offset, m_strength, base + m_layout->partial, spectrum);
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
        all.pixels = output.as<float>();
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
        return made;
    }

    void setTwiddles(const Exec& exec) {
        const int grid = m_shape.grid;
        const int transform = pointsPerWarp(grid);
        std::vector<Complex> pass(static_cast<std::size_t>(passTwiddles(grid)));
        for (int k = 1; k <= pointsPerThread(grid) / 2; ++k) {
            for (int lane = 0; lane < kLanes; ++lane) {
                pass[static_cast<std::size_t>(passTwiddleIndex(k, lane))] =
                    phasor(static_cast<double>(k * lane) / transform);
            }
        }
        m_passTwiddle.set(exec, std::move(pass));
        std::vector<Complex> warps;
        for (int warp = 1; warp < warpsPerPair(grid); ++warp) {
            for (int k = 0; k < transform; ++k)
                warps.push_back(phasor(static_cast<double>(warp * k) / grid));
        }
        m_warpTwiddle.set(exec, std::move(warps));
    }

    /// Sets depthScale() in decibels relative to zero delay. The factor holds its value at zero
    /// delay.
    void setTaper(const Exec& exec, const OctChainParts& parts) {
        const FrameSpec& spectra = *parts.inverse->input;
        const oct::Lines lines = oct::linesOf(spectra);
        const oct::DepthGrid depths = oct::depthGrid(lines, 1, m_shape.fullRange);
        const std::vector<float> scale = oct::depthScale(lines, spectra.spectralGrid, depths);
        m_tapered = spectra.spectralGrid.kernelWidth > 0;
        m_scale = scale[static_cast<std::size_t>(-depths.firstBin)];
        std::vector<float> offsetDb;
        for (const float s : scale) offsetDb.push_back(20.0F * std::log10(s / m_scale));
        m_offsetDb.set(exec, std::move(offsetDb));
    }

    /// Sets taps and weights. Gridding makes them costly, so they are set only where something
    /// changed.
    void setResampling(const Exec& exec, const OctChainParts& parts, int window,
                       std::vector<Complex> gain) {
        const bool sameGather = m_tablesSet && (parts.resampling == nullptr ||
                                                m_resampling == *parts.resampling->params);
        const bool inRows = window > 0; // rows decide where samples lie
        if (sameGather && std::ranges::equal(gain, m_gain, isSame) &&
            inRows == (m_shape.movingWindow > 0)) {
            if (window != m_shape.movingWindow) setMovingWindow(exec, window);
            return;
        }
        if (!sameGather) {
            m_gather =
                parts.resampling == nullptr
                    ? identity(m_shape.grid)
                    : oct::gatherTable(*parts.resampling->input, parts.resampling->plan->outputs[0],
                                       parts.resampling->params->as<oct::KLinearizeParams>());
        }
        const oct::GatherTable& gather = m_gather;
        const int grid = m_shape.grid;
        m_shape.tapGroups = tapGroups(gather.taps);
        const int stride = rowStride(m_shape.tapGroups, inRows);
        const int slots = m_shape.tapGroups * kTapsPerGroup;
        std::vector<std::uint16_t> firstTap(static_cast<std::size_t>(grid));
        const int groups = weightGroups(m_shape);
        std::vector<float> weights(static_cast<std::size_t>(grid * groups * kTapsPerGroup), 0.0F);
        for (int m = 0; m < grid; ++m) {
            const auto point = static_cast<std::size_t>(m);
            const int at = tableIndex(grid, m);
            // All taps of the groups must lie in the line, even those of weight 0.
            const int first = std::min(gather.first[point], m_shape.samples - slots);
            const int ahead = gather.first[point] - first;
            firstTap[static_cast<std::size_t>(at)] =
                static_cast<std::uint16_t>(samplePlace(stride, first));
            for (int t = 0; t < static_cast<int>(gather.taps); ++t) {
                const int slot = t + ahead;
                const auto put = [&](int group, float weight) {
                    weights[static_cast<std::size_t>((group * grid + at) * kTapsPerGroup +
                                                     slot % kTapsPerGroup)] = weight;
                };
                const int group = slot / kTapsPerGroup;
                const float weight =
                    gather.weights[static_cast<std::size_t>(t * gather.points + m)];
                const auto sample = static_cast<std::size_t>(gather.first[point] + t);
                put(group, gain.empty() ? weight : weight * gain[sample].re);
                if (hasComplexWeights(m_shape))
                    put(group + m_shape.tapGroups, weight * gain[sample].im);
            }
        }
        m_firstTap.set(exec, std::move(firstTap));
        m_weights.set(exec, std::move(weights));
        setMovingWindow(exec, window);
        m_gain = std::move(gain);
        if (parts.resampling != nullptr) m_resampling = *parts.resampling->params;
        m_tablesSet = true;
    }

    void setMovingWindow(const Exec& exec, int window) {
        m_shape.movingWindow = window;
        if (window == 0) return;
        const int threads = warpsPerPair(m_shape.grid) * kLanes;
        std::vector<float> scale(static_cast<std::size_t>(threads * kLanes), 0.0F);
        for (int n = 0; n < m_shape.samples; ++n) {
            const oct::Span span = oct::movingSpan(n, window, m_shape.samples);
            const int at = n % kLanes * threads + n / kLanes;
            scale[static_cast<std::size_t>(at)] =
                1.0F / static_cast<float>(span.last - span.first + 1);
        }
        m_movingScale.set(exec, std::move(scale));
    }

    /// Window, dispersion, the transform's scale and the codes' unit, for each sample.
    std::vector<Complex> factorOf(const OctChainParts& parts, const std::vector<float>& window,
                                  const std::vector<Complex>& phasors) const {
        const float unit = unitOf(parts);
        std::vector<Complex> factor;
        for (std::size_t n = 0; n < phasors.size(); ++n)
            factor.push_back(unit * window[n] * phasors[n]);
        return factor;
    }

    /// What goes into the weights, for each sample; empty: nothing.
    std::vector<Complex> gainOf(const OctChainParts& parts, const std::vector<float>& window,
                                const std::vector<Complex>& factor) const {
        if (hasComplexWeights(m_shape)) return factor;
        std::vector<Complex> gain;
        if (parts.isGridded() && !m_shape.turned)
            for (const float value : window) gain.push_back({value, 0.0F});
        return gain;
    }

    float unitOf(const OctChainParts& parts) const {
        return static_cast<float>(parts.raw().codeScale * m_scale *
                                  oct::windowGain(*parts.inverse->input));
    }

    void setFactor(const Exec& exec, const OctChainParts& parts,
                   const std::vector<Complex>& ofSamples) {
        if (hasComplexWeights(m_shape)) return;
        std::vector<Complex> factor(static_cast<std::size_t>(m_shape.grid));
        if (parts.isGridded() && !m_shape.turned) {
            std::ranges::fill(factor, Complex{unitOf(parts), 0.0F});
        } else {
            for (int n = 0; n < m_shape.samples; ++n) {
                const int at = m_shape.turned ? n : pairedTableIndex(m_shape.grid, n);
                factor[static_cast<std::size_t>(at)] = ofSamples[static_cast<std::size_t>(n)];
            }
        }
        m_factor.set(exec, std::move(factor));
    }

    /// Sets the constant of all frames, from the codes' offset and a recorded background.
    void setConstant(const Exec& exec, const OctChainParts& parts) {
        const FrameSpec& raw = parts.raw();
        m_offset = raw.codeOffset;
        m_strength = parts.background == nullptr
                         ? 0.0
                         : parts.background->params->as<oct::BackgroundParams>().strength;
        std::vector<float> spectrum(static_cast<std::size_t>(m_shape.samples),
                                    static_cast<float>(m_offset));
        if (parts.backgroundSource() == oct::BackgroundSource::Recording) {
            const std::vector<float> recorded = oct::condensedBackground(
                parts.background->input->spectrometer->background,
                parts.background->params->as<oct::BackgroundParams>().points);
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

    /// The A-scan of a spectrum in codes.
    void transformSpectrum(const Exec& exec, const float* spectrum, Complex* constant) const {
        OctChainShape one = m_shape;
        one.type = DType::F32;
        OctChainPixels line = pixels(spectrum, 1);
        line.complex = constant;
        runOctChain(exec, one, tables(nullptr), line, m_device);
    }

    OctChainDevice m_device;
    OctChainShape m_shape;
    std::optional<WorkspaceLayout> m_layout;
    std::int64_t m_lines = 0;
    std::int64_t m_patternLines = 0; ///< 0: no fixed pattern
    oct::FixedPatternParams m_pattern;
    std::int64_t m_meanLines = 0;
    bool m_tapered = false;
    bool m_tablesSet = false;
    float m_scale = 1.0F;    ///< depthScale() at zero delay
    double m_offset = 0.0;   ///< codes
    double m_strength = 0.0; ///< of the background
    Params m_resampling;     ///< of the tables in force
    oct::GatherTable m_gather;
    std::vector<Complex> m_gain; ///< of samples, within the weights in force; empty: none
    ComputeTable<std::uint16_t> m_firstTap;
    ComputeTable<float> m_weights;
    ComputeTable<Complex> m_factor;
    ComputeTable<Complex> m_passTwiddle;
    ComputeTable<Complex> m_warpTwiddle;
    ComputeTable<float> m_movingScale;
    ComputeTable<float> m_offsetDb;
    ComputeTable<float> m_spectrum; ///< subtracted from every line, in codes
    Buffer m_constant;              ///< its A-scan
};

} // namespace

const Fusion kOctChain{
    matchOctChain, plan,
    []() -> std::unique_ptr<FusedStages> { return std::make_unique<OctChain>(); },
    refusalOfOctChain, octChainWork};

} // namespace echolux::fused
