// SPDX-License-Identifier: GPL-3.0-or-later
// Splits a chain at its dispersion stage and measures what leaves the second part.
#include "app/calibration/sharpness.hpp"

#include "gpu/memory/transfer.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <variant>

namespace echolux {

namespace {

constexpr const char* kKeys[] = {"c1", "c2", "c3"};
constexpr std::int64_t kPadding = 2;
constexpr double kFadeBins = 8.0; ///< at either end of the region, at most a quarter of it

void setValue(StageConfig& stage, const std::string& key, ParamValue value) {
    std::erase_if(stage.values, [&](const auto& entry) { return entry.first == key; });
    stage.values.emplace_back(key, std::move(value));
}

std::size_t indexOf(const PipelineConfig& config, const std::string& type) {
    const auto at = std::ranges::find(config.stages, type, &StageConfig::type);
    if (at == config.stages.end())
        throw Error(fmt::format("The pipeline '{}' has no stage '{}', without which no dispersion "
                                "can be looked for; choose an OCT pipeline.",
                                config.name, type));
    return static_cast<std::size_t>(at - config.stages.begin());
}

struct Moments {
    double power = 0.0;
    double sum = 0.0; ///< of P ln P, P^(3/2) or P^2
};

template <class Term> Moments moments(std::span<const std::complex<float>> image, Term term) {
    Moments all;
    for (const std::complex<float> value : image) {
        const double power = std::norm(std::complex<double>(value));
        all.power += power;
        all.sum += term(power);
    }
    return all;
}

/// phi'(1/2) over q = m / (n - 1), with x = -q / 2: phi = c1 q^2 / 4 - c2 q^3 / 8 + c3 q^4 / 16.
double slopeOf(const DispersionTerms& c) { return c[0] / 4.0 - 3.0 * c[1] / 32.0 + c[2] / 32.0; }

/// The same of a recorded phase, over the middle tenth.
double slopeOf(std::span<const double> phase) {
    const std::size_t aside = phase.size() / 20;
    if (aside == 0) return 0.0;
    const std::size_t middle = phase.size() / 2;
    return (phase[middle + aside] - phase[middle - aside]) / static_cast<double>(2 * aside) *
           static_cast<double>(phase.size() - 1);
}

double slopeOf(const StageState& dispersion) {
    if (dispersion.bypass) return 0.0;
    DispersionTerms terms{};
    for (std::size_t i = 0; i < terms.size(); ++i)
        terms[i] = std::get<double>(dispersion.params.get(kKeys[i]));
    const bool recorded = std::get<bool>(dispersion.params.get("use_recorded")) &&
                          dispersion.input.spectrometer != nullptr;
    return slopeOf(terms) +
           (recorded ? slopeOf(dispersion.input.spectrometer->dispersionRad) : 0.0);
}

/// The half-open range within 0 .. size; `last` 0 stands for the end.
void checkRangeWithin(const char* what, std::int64_t first, std::int64_t last, std::int64_t size) {
    if (first >= 0 && last <= size && first < last) return;
    throw Error(fmt::format("The region's {} {} to {} lie outside the image, which has {} of them; "
                            "choose first:last within 0:{}.",
                            what, first, last, size, size));
}

} // namespace

const std::vector<std::pair<std::string, SharpnessMetric>>& sharpnessMetrics() {
    static const std::vector<std::pair<std::string, SharpnessMetric>> all{
        {"entropy", SharpnessMetric::Entropy},
        {"third_power", SharpnessMetric::Third},
        {"fourth_power", SharpnessMetric::Fourth}};
    return all;
}

SharpnessMetric sharpnessMetric(const std::string& name) {
    std::string names;
    for (const auto& [known, metric] : sharpnessMetrics()) {
        if (known == name) return metric;
        names += (names.empty() ? "" : ", ") + known;
    }
    throw Error(fmt::format("There is no sharpness metric '{}'; choose one of {}.", name, names));
}

double sharpness(std::span<const std::complex<float>> image, SharpnessMetric metric) {
    const auto count = static_cast<double>(image.size());
    Moments all;
    double result = 0.0;
    if (metric == SharpnessMetric::Entropy) {
        all = moments(image, [](double p) { return p > 0.0 ? p * std::log(p) : 0.0; });
        result = all.sum / all.power - std::log(all.power);
    } else if (metric == SharpnessMetric::Third) {
        all = moments(image, [](double p) { return p * std::sqrt(p); });
        result = std::sqrt(count) * all.sum / std::pow(all.power, 1.5);
    } else {
        all = moments(image, [](double p) { return p * p; });
        result = count * all.sum / (all.power * all.power);
    }
    if (all.power == 0.0)
        throw Error("The region is dark: its spectra are constant or equal to the background; "
                    "choose a region or a frame that shows the sample.");
    if (!std::isfinite(result))
        throw Error("The region's spectra hold values that are not numbers; choose another region "
                    "or frame.");
    return result;
}

SharpnessProbe::SharpnessProbe(Backend backend, const Snapshot& chain, const ImageRegion& region,
                               SharpnessMetric metric)
    : m_backend(backend), m_region(region), m_metric(metric), m_frontRunner(backend, 1),
      m_tailRunner(backend, 1) {
    const PipelineConfig config = toFullConfig(chain);
    const std::size_t split = indexOf(config, "dispersion");
    const std::size_t transform = indexOf(config, "inverse_fft");
    m_frontConfig = m_tailConfig = config;
    m_frontConfig.stages.resize(split);
    m_tailConfig.stages.erase(m_tailConfig.stages.begin(),
                              m_tailConfig.stages.begin() + static_cast<std::ptrdiff_t>(split));
    for (StageConfig& stage : m_frontConfig.stages)
        if (stage.type == "window") stage.bypass = true;

    auto& tail = m_tailConfig.stages;
    const auto end = std::ranges::find(tail, std::string("magnitude_log"), &StageConfig::type);
    tail.erase(end, tail.end());
    StageConfig& inverse = tail[transform - split];
    inverse.bypass = false;
    setValue(inverse, "padding", std::string("twice"));
    setValue(inverse, "range", std::string("half"));
    tail.front().bypass = false;
    setValue(tail.front(), "use_recorded", false);
    m_dispersion = tail.front().id;
    m_slope = slopeOf(chain.stage(m_dispersion));

    m_front = instantiate(m_frontConfig, chain.input);
    m_frontRunner.apply(m_front, {m_front->stages.back().id});
}

/// The region's lines of spectra, each whole.
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
    m_tailRunner.apply(m_tail, {m_tail->stages.back().id});
    m_image = Buffer(stagingMemory(m_backend), image.bytes());
}

void SharpnessProbe::addFrame(std::span<const std::byte> raw) {
    const Buffer staged(stagingMemory(m_backend), m_front->input.bytes());
    if (raw.size() != staged.bytes())
        throw Error(fmt::format("A frame of {} bytes was given, but the recording's frames have "
                                "{}; give whole frames.",
                                raw.size(), staged.bytes()));
    std::memcpy(staged.data(), raw.data(), raw.size());
    const int slot = m_frontRunner.enqueue({staged.as<std::byte>(), nullptr, nullptr});
    const ConstTensorView result = m_frontRunner.keptOutput(slot, m_front->stages.back().id);
    if (!m_tail) planTail(*result.spec);
    const std::size_t line =
        result.spec->bytes() /
        static_cast<std::size_t>(result.spec->count() / result.spec->axes.back().size);
    Buffer& spectra = m_spectra.emplace_back(stagingMemory(m_backend), m_tail->input.bytes());
    download(m_frontRunner.exec(slot), spectra.data(),
             static_cast<const std::byte*>(result.data) +
                 static_cast<std::size_t>(m_region.firstLine) * line,
             spectra.bytes());
    m_frontRunner.drain();
}

void SharpnessProbe::cutOut(double movedBins) {
    const std::int64_t depths = m_tail->output().sizeOf(AxisName::Depth);
    const double first = static_cast<double>(m_region.firstBin) + movedBins;
    const double last = static_cast<double>(m_region.lastBin) + movedBins;
    const double fade = std::min(kFadeBins, (last - first) / 4.0);
    m_pixels.clear();
    for (std::int64_t line = 0; line < m_region.lastLine - m_region.firstLine; ++line) {
        const auto* image = m_image.as<std::complex<float>>() + line * depths;
        for (std::int64_t depth = 0; depth < depths; ++depth) {
            const double bin = static_cast<double>(depth) / kPadding;
            const double inside = std::min(bin - first, last - bin) / fade;
            if (inside > 0.0)
                m_pixels.push_back(static_cast<float>(std::min(inside, 1.0)) * image[depth]);
        }
    }
}

double SharpnessProbe::operator()(const DispersionTerms& terms) {
    if (m_spectra.empty())
        throw Error("No frame was chosen to look for the dispersion in; add one.");
    for (std::size_t i = 0; i < terms.size(); ++i)
        m_tail = withValue(*m_tail, m_dispersion, kKeys[i], terms[i]);
    m_tailRunner.apply(m_tail, {m_tail->stages.back().id});
    const double movedBins = (m_slope - slopeOf(terms)) / (2.0 * std::numbers::pi);
    double sum = 0.0;
    for (const Buffer& spectra : m_spectra) {
        const int slot = m_tailRunner.enqueue({spectra.as<std::byte>(), nullptr, nullptr});
        const ConstTensorView image = m_tailRunner.keptOutput(slot, m_tail->stages.back().id);
        download(m_tailRunner.exec(slot), m_image.data(), image.data, m_image.bytes());
        m_tailRunner.drain();
        cutOut(movedBins);
        sum += sharpness(m_pixels, m_metric);
    }
    return sum / static_cast<double>(m_spectra.size());
}

DispersionTerms SharpnessProbe::largestTerms() const {
    DispersionTerms largest{};
    const ParamTable& table = stageType("dispersion").table;
    for (std::size_t i = 0; i < largest.size(); ++i) {
        const ParamRow* row = table.find(kKeys[i]);
        largest[i] = row != nullptr ? row->max : 0.0;
    }
    return largest;
}

} // namespace echolux
