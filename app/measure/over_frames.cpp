// SPDX-License-Identifier: GPL-3.0-or-later
// Sums per pixel and per figure.
#include "app/measure/over_frames.hpp"

#include "app/measure/figures.hpp"
#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace echolux::measure {
namespace {

constexpr double kLeastMove = 0.05; ///< of the depth, for a roll-off

std::optional<double> valueOf(const Measured& measured, const std::string& id) {
    const auto found = std::ranges::find(measured.figures, id, &Figure::id);
    if (found == measured.figures.end() || !std::isfinite(found->value)) return std::nullopt;
    return found->value;
}

SpreadFigure spreadOf(const Figure& figure, const std::vector<double>& values) {
    SpreadFigure spread{figure, kNothing, values.size()};
    double mean = 0.0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    double squares = 0.0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    spread.mean.value = mean;
    if (values.size() > 1)
        spread.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
    return spread;
}

} // namespace

OverFrames::OverFrames(std::vector<Measurement> measurements)
    : m_measurements(std::move(measurements)), m_regions(m_measurements.size()),
      m_phases(m_measurements.size()) {}

void OverFrames::add(const MeasuredImage& image, const std::vector<Measured>& measured) {
    for (std::size_t n = 0; n < m_measurements.size(); ++n) {
        const Measurement& made = m_measurements[n];
        try {
            if (isRegion(made.kind))
                addRegion(m_regions[n], made,
                          image.isVolume() ? image.planeAt(made.places.front().elevation)
                                           : image.samples());
            if (made.kind == Kind::Point) addPhase(m_phases[n], made, image);
        } catch (const Error&) {
            continue; // it lies beside the image; its own figures say so
        }
    }
    m_frames.push_back(measured);
}

void OverFrames::addRegion(Region& region, const Measurement& made,
                           const MeasuredImage& image) const {
    if (m_frames.empty()) {
        region.pixels = pixelsIn(image, made);
        region.sum.assign(region.pixels.size(), 0.0);
        region.squares.assign(region.pixels.size(), 0.0);
    }
    for (std::size_t i = 0; i < region.pixels.size(); ++i) {
        const double amplitude = image.amplitudeOf(image.values[region.pixels[i]]);
        region.sum[i] += amplitude;
        region.squares[i] += amplitude * amplitude;
    }
}

void OverFrames::addPhase(Phases& phases, const Measurement& made,
                          const MeasuredImage& image) const {
    if (image.phasors.empty()) return;
    if (m_frames.empty()) phases.pixel = brightestPixel(image, made);
    if (phases.pixel) phases.values.push_back(image.phasors[*phases.pixel]);
}

std::vector<MeasuredSpread> OverFrames::result() const {
    std::vector<MeasuredSpread> all;
    for (std::size_t n = 0; n < m_measurements.size(); ++n) {
        std::vector<std::pair<Figure, std::vector<double>>> series;
        for (const std::vector<Measured>& frame : m_frames) {
            for (const Figure& figure : frame[n].figures) {
                if (!std::isfinite(figure.value)) continue;
                auto of = std::ranges::find_if(
                    series, [&](const auto& each) { return each.first.id == figure.id; });
                if (of == series.end()) of = series.insert(series.end(), {figure, {}});
                of->second.push_back(figure.value);
            }
        }
        MeasuredSpread spread{m_measurements[n].name, m_measurements[n].kind, {}, together(n)};
        for (const auto& [figure, values] : series)
            spread.figures.push_back(spreadOf(figure, values));
        all.push_back(std::move(spread));
    }
    return all;
}

std::vector<Figure> OverFrames::together(std::size_t measurement) const {
    std::vector<Figure> figures;
    const auto frames = static_cast<double>(m_frames.size());
    const Region& region = m_regions[measurement];
    double steady = 0.0;
    double restless = 0.0;
    for (std::size_t i = 0; i < region.pixels.size(); ++i) {
        if (std::isnan(region.sum[i])) continue; // no data in one of the frames
        const double mean = region.sum[i] / frames;
        steady += mean * mean;
        restless += std::max(region.squares[i] / frames - mean * mean, 0.0);
    }
    if (frames > 1.0 && !region.pixels.empty())
        figures.push_back({"temporal_snr", "Temporal SNR",
                           restless > 0.0 ? 10.0 * std::log10(steady / restless) : kNothing, "dB"});
    std::vector<double> depths;
    std::vector<double> peaks;
    for (const std::vector<Measured>& frame : m_frames) {
        const auto depth = valueOf(frame[measurement], "depth");
        const auto peak = valueOf(frame[measurement], "peak");
        if (!depth || !peak) continue;
        depths.push_back(*depth);
        peaks.push_back(*peak);
    }
    if (depths.empty()) return figures;
    const auto [low, high] = std::ranges::minmax(depths);
    if (high - low > kLeastMove * high)
        figures.push_back({"roll_off", "Roll-off", lineThrough(depths, peaks).slope, "dB/mm"});
    if (frames > 1.0)
        figures.push_back({"phase_stability", "Phase stability",
                           1e3 * phaseStability(m_phases[measurement].values), "mrad"});
    return figures;
}

} // namespace echolux::measure
