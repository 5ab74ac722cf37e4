// SPDX-License-Identifier: GPL-3.0-or-later
// Splits a chain at its dispersion stage and measures the output of the second part.
#include "app/calibration/sharpness_probe.hpp"

#include "app/calibration/equalize.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "app/pipeline/sub_chain.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
#include <numbers>
#include <variant>

namespace echolux {

namespace {

constexpr const char* kKeys[] = {"c1", "c2", "c3"};
constexpr std::int64_t kPadding = 2;
constexpr double kFadeBins = 8.0; ///< at each end of the region, at most a quarter of it

template <class P> bool has(const StageConfig& stage) { return stageType(stage.type).has<P>(); }

/// Of the stage whose parameters are P.
template <class P> std::size_t indexOf(const PipelineConfig& config) {
    const auto at = std::ranges::find_if(config.stages, has<P>);
    if (at == config.stages.end())
        throw Error(fmt::format("The pipeline '{}' has no stage '{}', without which no dispersion "
                                "can be looked for; choose an OCT pipeline.",
                                config.name, stageTypeWith<P>().id));
    return static_cast<std::size_t>(at - config.stages.begin());
}

/// phi at each k of `positions`, without its slope in the middle, so that the image does not move.
std::vector<double> phaseOf(const DispersionTerms& terms, const std::vector<double>& positions,
                            std::int64_t samples) {
    oct::DispersionParams params;
    params.c1 = terms[0];
    params.c2 = terms[1];
    params.c3 = terms[2];
    params.keepDepth = true;
    return oct::phaseOf(params, {}, positions, samples);
}

double slopeOf(const StageState& dispersion) {
    if (dispersion.bypass) return 0.0;
    const auto& params = dispersion.params.as<oct::DispersionParams>();
    return oct::slopeOf(params, params.recordedIn(dispersion.input()));
}

/// True where all elements of `type` are equal. Packed elements are compared in pairs.
bool isConstant(std::span<const std::byte> raw, DType type) {
    const std::size_t period = type == DType::Packed12 ? 3 : bytesOf(type, 1);
    return raw.size() > period &&
           std::equal(raw.begin() + static_cast<std::ptrdiff_t>(period), raw.end(), raw.begin());
}

/// The half-open range must lie within 0 .. size. `last` 0 means the end.
void checkRangeWithin(const char* what, std::int64_t first, std::int64_t last, std::int64_t size) {
    if (first >= 0 && last <= size && first < last) return;
    throw Error(fmt::format("The region's {} {} to {} lie outside the image, which has {} of them; "
                            "choose first:last within 0:{}.",
                            what, first, last, size, size));
}

} // namespace

Axis searchedDepths(const Snapshot& chain) {
    const StageState* inverse = chain.findWith<oct::InverseFftParams>();
    // A bypassed dispersion stage suffices too, because the search switches it on.
    const bool disperses = std::ranges::any_of(chain.stages, [](const StageState& stage) {
        return stage.type->has<oct::DispersionParams>();
    });
    if (inverse == nullptr || !disperses)
        throw Error(fmt::format("The search needs the stages {} and {}; open a pipeline that has "
                                "both.",
                                stageTypeWith<oct::DispersionParams>().label,
                                stageTypeWith<oct::InverseFftParams>().label));
    Axis depths = inverse->plan.outputs[0].axes.back();
    const auto padding = static_cast<int>(inverse->params.as<oct::InverseFftParams>().padding);
    depths.spacing *= static_cast<double>(1 << padding);
    depths.size = oct::linesOf(inverse->input()).length / 2;
    return depths;
}

SharpnessProbe::SharpnessProbe(Backend backend, const Snapshot& chain, const ImageRegion& region,
                               SharpnessMetric metric)
    : m_backend(backend), m_region(region), m_metric(metric), m_frontRunner(backend, 1),
      m_tailRunner(backend, 1) {
    if (chain.input.isEnsemble())
        throw Error("This pipeline images ensembles of frames, and the search looks at single "
                    "frames; open the pipeline 'oct' for it.");
    const PipelineConfig config = chainTo(chain, chain.findWith<oct::MagnitudeLogParams>());
    const std::size_t split = indexOf<oct::DispersionParams>(config);
    const std::size_t transform = indexOf<oct::InverseFftParams>(config);
    m_frontConfig = m_tailConfig = config;
    m_frontConfig.stages.resize(split);
    m_tailConfig.stages.erase(m_tailConfig.stages.begin(),
                              m_tailConfig.stages.begin() + static_cast<std::ptrdiff_t>(split) + 1);
    for (StageConfig& stage : m_frontConfig.stages)
        if (has<oct::WindowParams>(stage)) stage.bypass = true;

    auto& tail = m_tailConfig.stages;
    const auto end = std::ranges::find_if(tail, has<oct::MagnitudeLogParams>);
    tail.erase(end, tail.end());
    StageConfig& inverse = tail[transform - split - 1];
    inverse.bypass = false;
    setValue(inverse, "padding", std::string("twice"));
    setValue(inverse, "range", std::string("half"));
    m_movedBins = slopeOf(chain.stage(config.stages[split].id)) / (2.0 * std::numbers::pi);

    m_front = instantiate(m_frontConfig, chain.input);
    m_frontRunner.apply(m_front, {m_front->stages.back().id});
}

/// The specification of the region's lines of spectra. Each line stays whole.
FrameSpec SharpnessProbe::croppedSpec(const FrameSpec& spectra) {
    FrameSpec cropped = spectra;
    const Axis samples = spectra.axes.back();
    const std::int64_t lines = spectra.count() / samples.size;
    if (m_region.lastLine == 0) m_region.lastLine = lines;
    checkRangeWithin("lines", m_region.firstLine, m_region.lastLine, lines);
    Axis lateral{AxisName::Lateral, m_region.lastLine - m_region.firstLine, 1.0, 0.0, ""};
    if (const Axis* known = spectra.find(AxisName::Lateral)) {
        lateral.spacing = known->spacing;
        lateral.unit = known->unit;
    }
    cropped.axes = {lateral, samples};
    cropped.dtype = DType::ComplexF32; // the type of the dispersion's output
    return cropped;
}

void SharpnessProbe::planTail(const FrameSpec& spectra) {
    m_tail = instantiate(m_tailConfig, croppedSpec(spectra));
    const FrameSpec& image = m_tail->output();
    const std::int64_t bins = image.sizeOf(AxisName::Depth) / kPadding;
    if (m_region.lastBin == 0) m_region.lastBin = bins;
    checkRangeWithin("depth bins", m_region.firstBin, m_region.lastBin, bins);
    if (image.dtype != DType::ComplexF32)
        throw Error(fmt::format("{} leaves the stages after the dispersion, but complex depths are "
                                "needed; bypass what stands between inverse_fft and magnitude_log.",
                                image.describe()));
    planRegion();
    m_tailRunner.apply(m_tail, {m_tail->stages.back().id});
    m_image = Buffer(stagingMemory(m_backend), image.bytes());
    m_turned = Buffer(stagingMemory(m_backend), m_tail->input.bytes());
}

void SharpnessProbe::addFrame(std::span<const std::byte> raw) {
    const Buffer staged(stagingMemory(m_backend), m_front->input.bytes());
    if (raw.size() != staged.bytes())
        throw Error(fmt::format("A frame of {} bytes was given, but the recording's frames have "
                                "{}; give whole frames.",
                                raw.size(), staged.bytes()));
    if (isConstant(raw, m_front->input.dtype)) throw darkRegion();
    std::memcpy(staged.data(), raw.data(), raw.size());
    const int slot = m_frontRunner.enqueue({.raw = staged.as<std::byte>()});
    const ConstTensorView result = m_frontRunner.keptOutput(slot, m_front->stages.back().id);
    if (!m_tail) planTail(*result.spec);
    const std::size_t line =
        result.spec->bytes() /
        static_cast<std::size_t>(result.spec->count() / result.spec->axes.back().size);
    const std::int64_t lines = m_region.lastLine - m_region.firstLine;
    Buffer& spectra =
        m_spectra.emplace_back(stagingMemory(m_backend), static_cast<std::size_t>(lines) * line);
    download(m_frontRunner.exec(slot), spectra.data(),
             static_cast<const std::byte*>(result.data) +
                 static_cast<std::size_t>(m_region.firstLine) * line,
             spectra.bytes());
    m_frontRunner.drain();
    const std::int64_t samples = m_tail->input.axes.back().size;
    const auto count = static_cast<std::size_t>(lines * samples);
    m_isComplex = result.spec->dtype == DType::ComplexF32;
    if (m_isComplex)
        equalize(std::span(spectra.as<Complex>(), count), samples);
    else
        equalize(std::span(spectra.as<float>(), count), samples);
}

/// Multiplies `spectra` by exp(j phi).
void SharpnessProbe::turn(const Buffer& spectra, const DispersionTerms& terms) {
    const oct::Lines lines = oct::linesOf(m_tail->input);
    const std::vector<Complex> phasors =
        oct::phasors(phaseOf(terms, oct::positionsOf(m_tail->input), lines.length));
    auto* turned = m_turned.as<Complex>();
    const auto times = [&](const auto* from) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(lines.count * lines.length); ++i)
            turned[i] = from[i] * phasors[i % phasors.size()];
    };
    m_isComplex ? times(spectra.as<Complex>()) : times(spectra.as<float>());
}

void SharpnessProbe::planRegion() {
    const double first = static_cast<double>(m_region.firstBin) + m_movedBins;
    const double last = static_cast<double>(m_region.lastBin) + m_movedBins;
    const double fade = std::min(kFadeBins, (last - first) / 4.0);
    const std::int64_t depths = m_tail->output().sizeOf(AxisName::Depth);
    m_firstDepth = depths;
    for (std::int64_t depth = 0; depth < depths; ++depth) {
        const double bin = static_cast<double>(depth) / kPadding;
        const double inside = std::min(bin - first, last - bin) / fade;
        if (inside <= 0.0) continue;
        m_firstDepth = std::min(m_firstDepth, depth);
        const double amplitude = std::min(inside, 1.0);
        m_share.push_back(static_cast<float>(amplitude * amplitude));
    }
}

RegionPower SharpnessProbe::cutOut() {
    const std::int64_t depths = m_tail->output().sizeOf(AxisName::Depth);
    const auto kept = static_cast<std::int64_t>(m_share.size());
    m_power.clear();
    for (std::int64_t line = 0; line < m_region.lastLine - m_region.firstLine; ++line) {
        const auto* image = m_image.as<Complex>() + line * depths + m_firstDepth;
        std::transform(image, image + kept, std::back_inserter(m_power),
                       [](Complex value) { return norm(value); });
    }
    return {kept, m_power, m_share};
}

RegionPower SharpnessProbe::imageOf(const Buffer& spectra, const DispersionTerms& terms) {
    turn(spectra, terms);
    const int slot = m_tailRunner.enqueue({.raw = m_turned.as<std::byte>()});
    const ConstTensorView image = m_tailRunner.keptOutput(slot, m_tail->stages.back().id);
    download(m_tailRunner.exec(slot), m_image.data(), image.data, m_image.bytes());
    m_tailRunner.drain();
    return cutOut();
}

double SharpnessProbe::operator()(const DispersionTerms& terms) {
    if (m_spectra.empty())
        throw Error("No frame was chosen to look for the dispersion in; add one.");
    double sum = 0.0;
    for (const Buffer& spectra : m_spectra) sum += sharpness(imageOf(spectra, terms), m_metric);
    return sum / static_cast<double>(m_spectra.size());
}

SharpnessOf SharpnessProbe::closeTo(const DispersionTerms& terms) {
    if (m_metric != SharpnessMetric::Contrast) return std::ref(*this);
    const std::int64_t depths = m_tail->output().sizeOf(AxisName::Depth);
    m_levelled.emplace(depths, m_region.lastLine - m_region.firstLine);
    for (const Buffer& spectra : m_spectra) {
        const RegionPower region = imageOf(spectra, terms);
        m_levelled->add(m_image.as<Complex>(), m_firstDepth, region);
    }
    const std::int64_t samples = oct::linesOf(m_tail->input).length;
    const std::vector<double> positions = oct::evenPositions(depths, samples);
    return [this, positions, samples,
            known = phaseOf(terms, positions, samples)](const DispersionTerms& tried) {
        std::vector<double> phase = phaseOf(tried, positions, samples);
        std::ranges::transform(phase, known, phase.begin(), std::minus());
        return m_levelled->contrast(oct::phasors(phase));
    };
}

DispersionTerms SharpnessProbe::largestTerms() const {
    DispersionTerms largest{};
    const ParamTable& table = stageTypeWith<oct::DispersionParams>().table;
    for (std::size_t i = 0; i < largest.size(); ++i) {
        const ParamRow* row = table.find(kKeys[i]);
        largest[i] = row != nullptr ? row->max : 0.0;
    }
    return largest;
}

DispersionFound searchDispersion(SharpnessProbe& probe, DispersionSearchOptions options,
                                 const OnTrial& onTrial) {
    options.closeTo = [&](const DispersionTerms& terms) { return probe.closeTo(terms); };
    return searchDispersion([&](const DispersionTerms& terms) { return probe(terms); }, options,
                            onTrial);
}

} // namespace echolux
