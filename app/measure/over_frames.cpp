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
    : m_measurements(std::move(measurements)), m_regions(m_measurements.size()) {}

void OverFrames::add(const MeasuredImage& image, const std::vector<Measured>& measured) {
    for (std::size_t n = 0; n < m_measurements.size(); ++n) {
        if (!isRegion(m_measurements[n].kind)) continue;
        Region& region = m_regions[n];
        if (m_frames.empty()) {
            region.pixels = pixelsIn(image, m_measurements[n]);
            region.sum.assign(region.pixels.size(), 0.0);
            region.squares.assign(region.pixels.size(), 0.0);
        }
        for (std::size_t i = 0; i < region.pixels.size(); ++i) {
            const double amplitude = image.amplitudeOf(image.values[region.pixels[i]]);
            region.sum[i] += amplitude;
            region.squares[i] += amplitude * amplitude;
        }
    }
    m_frames.push_back(measured);
}

std::vector<MeasuredSpread> OverFrames::result() const {
    std::vector<MeasuredSpread> all;
    const auto frames = static_cast<double>(m_frames.size());
    for (std::size_t n = 0; n < m_measurements.size(); ++n) {
        MeasuredSpread spread{m_measurements[n].name, m_measurements[n].kind, {}, {}};
        std::vector<std::pair<Figure, std::vector<double>>> series;
        std::vector<double> depths;
        std::vector<double> peaks;
        for (const std::vector<Measured>& frame : m_frames) {
            for (const Figure& figure : frame[n].figures) {
                if (!std::isfinite(figure.value)) continue;
                auto of = std::ranges::find_if(
                    series, [&](const auto& each) { return each.first.id == figure.id; });
                if (of == series.end()) of = series.insert(series.end(), {figure, {}});
                of->second.push_back(figure.value);
            }
            const auto depth = valueOf(frame[n], "depth");
            const auto peak = valueOf(frame[n], "peak");
            if (!depth || !peak) continue;
            depths.push_back(*depth);
            peaks.push_back(*peak);
        }
        for (const auto& [figure, values] : series)
            spread.figures.push_back(spreadOf(figure, values));
        const Region& region = m_regions[n];
        double steady = 0.0;
        double restless = 0.0;
        for (std::size_t i = 0; i < region.pixels.size(); ++i) {
            const double mean = region.sum[i] / frames;
            steady += mean * mean;
            restless += std::max(region.squares[i] / frames - mean * mean, 0.0);
        }
        if (frames > 1.0 && !region.pixels.empty())
            spread.together.push_back(
                {"temporal_snr", "Temporal SNR",
                 restless > 0.0 ? 10.0 * std::log10(steady / restless) : kNothing, "dB"});
        if (!depths.empty()) {
            const auto [low, high] = std::ranges::minmax(depths);
            if (high - low > kLeastMove * high)
                spread.together.push_back(
                    {"roll_off", "Roll-off", lineThrough(depths, peaks).slope, "dB/mm"});
        }
        all.push_back(std::move(spread));
    }
    return all;
}

} // namespace echolux::measure
