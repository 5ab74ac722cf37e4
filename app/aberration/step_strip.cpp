// SPDX-License-Identifier: GPL-3.0-or-later
// Draws panels with a number above each and the scale beside each row.
#include "app/aberration/step_strip.hpp"

#include "app/export/film.hpp"
#include "gpu/core/error.hpp"
#include "render/view/colour_map.hpp"

#include <QPainter>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace echolux::aberration {

namespace {

constexpr double kWholeTurn = 2.0 * std::numbers::pi;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr int kPanel = 160;
constexpr int kGap = 12;
constexpr int kHead = 24;
constexpr int kSide = 96;
constexpr const char* kAmplitudeMap = "viridis";
constexpr const char* kDelayMap = "turbo";

/// Subtracts the mean of the values that are not NaN.
void centre(std::vector<double>& values) {
    double sum = 0.0;
    std::size_t count = 0;
    for (const double value : values) {
        if (std::isnan(value)) continue;
        sum += value;
        ++count;
    }
    for (double& value : values)
        value -= sum / static_cast<double>(std::max<std::size_t>(count, 1));
}

/// Unwraps phases outward from the first element, row by row, so that neighbours differ by less
/// than half a turn. Gaps are skipped.
void unwrap(std::vector<double>& phases, const ElementGrid& grid) {
    const auto columns = static_cast<std::size_t>(grid.columns);
    const auto near = [](double value, double before) {
        return value - kWholeTurn * std::round((value - before) / kWholeTurn);
    };
    for (std::size_t at = 0; at < phases.size(); ++at) {
        if (std::isnan(phases[at])) continue;
        if (at % columns > 0 && !std::isnan(phases[at - 1]))
            phases[at] = near(phases[at], phases[at - 1]);
        else if (at >= columns && !std::isnan(phases[at - columns]))
            phases[at] = near(phases[at], phases[at - columns]);
    }
}

/// The largest magnitude of the last step. With this scale for all panels, earlier ones show how
/// far they are from the last.
double scaleOf(const std::vector<double>& values, double least) {
    double most = least;
    for (const double value : values)
        if (!std::isnan(value)) most = std::max(most, std::abs(value));
    return most;
}

struct Row {
    std::string title;
    const ColourMap& map;
    double scale; ///< from -scale to +scale
};

void drawMap(QPainter& painter, const QRect& panel, const ElementGrid& grid,
             const std::vector<double>& values, const Row& row) {
    QImage image(grid.columns, grid.rows, QImage::Format_RGB32);
    for (std::int32_t y = 0; y < grid.rows; ++y) {
        for (std::int32_t x = 0; x < grid.columns; ++x) {
            const double value = values[static_cast<std::size_t>(y * grid.columns + x)];
            const double at = std::clamp(0.5 + 0.5 * value / row.scale, 0.0, 1.0);
            const auto index = static_cast<std::size_t>(std::lround(255.0 * at));
            image.setPixel(x, y, std::isnan(value) ? 0xffffffU : row.map.colour[index]);
        }
    }
    QSize size(grid.columns, grid.rows);
    size.scale(panel.size(), Qt::KeepAspectRatio);
    QRect place(QPoint(0, 0), size);
    place.moveCenter(panel.center());
    painter.drawImage(place, image);
}

void drawCurve(QPainter& painter, const QRect& panel, const std::vector<double>& values,
               const Row& row) {
    painter.setPen(QColor(0xd0, 0xd0, 0xd0));
    painter.drawRect(panel);
    const double middle = panel.top() + 0.5 * panel.height();
    painter.drawLine(QPointF(panel.left(), middle), QPointF(panel.right(), middle));
    painter.setPen(QPen(QColor(0x1f, 0x5f, 0xa8), 1.5));
    QPolygonF curve;
    const double step = static_cast<double>(panel.width()) /
                        static_cast<double>(std::max<std::size_t>(values.size() - 1, 1));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        const double at = std::clamp(values[i] / row.scale, -1.0, 1.0);
        curve << QPointF(panel.left() + static_cast<double>(i) * step,
                         middle - 0.5 * panel.height() * at);
    }
    painter.drawPolyline(curve);
}

} // namespace

std::vector<std::size_t> shownSteps(std::size_t steps) {
    std::vector<std::size_t> shown;
    for (const int number : kShownIterations)
        if (static_cast<std::size_t>(number) <= steps)
            shown.push_back(static_cast<std::size_t>(number));
    if (steps > 0 && shown.back() != steps) shown.push_back(steps);
    return shown;
}

StepMaps mapsOf(const ElementGrid& grid, const Step& step, double centreHz) {
    const auto places = static_cast<std::size_t>(grid.places());
    StepMaps maps{std::vector<double>(places, kNothing), std::vector<double>(places, kNothing)};
    double sum = 0.0;
    for (const std::int32_t place : grid.placeOf)
        sum += std::sqrt(norm(step.filter[static_cast<std::size_t>(place)]));
    const double mean = sum / static_cast<double>(std::max<std::size_t>(grid.elements(), 1));
    for (const std::int32_t each : grid.placeOf) {
        const auto place = static_cast<std::size_t>(each);
        const Complex s = step.filter[place];
        const double magnitude = std::sqrt(norm(s));
        if (!(magnitude > 0.0) || !(mean > 0.0)) continue;
        maps.amplitudeDb[place] = 20.0 * std::log10(magnitude / mean);
        maps.delayNs[place] = std::atan2(s.im, s.re);
    }
    unwrap(maps.delayNs, grid);
    for (double& value : maps.delayNs) value *= -1e9 / (kWholeTurn * centreHz);
    centre(maps.delayNs);
    return maps;
}

namespace {

/// The steps numbered `shown` (from 1), on the scale of the last of `steps`.
QImage drawn(const ElementGrid& grid, std::span<const Step> steps, double centreHz,
             const std::vector<std::size_t>& shown) {
    const StepMaps last = mapsOf(grid, steps.back(), centreHz);
    const std::array rows{
        Row{"amplitude", colourMap(kAmplitudeMap), scaleOf(last.amplitudeDb, 3.0)},
        Row{"delay", colourMap(kDelayMap), scaleOf(last.delayNs, 10.0)}};
    const std::array units{"dB", "ns"};
    const int width = kSide + static_cast<int>(shown.size()) * (kPanel + kGap);
    QImage strip(width, kHead + 2 * (kPanel + kGap), QImage::Format_RGB32);
    strip.fill(Qt::white);
    QPainter painter(&strip);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto text = [&](const QRect& where, int flags, const std::string& words) {
        painter.setPen(Qt::black);
        painter.drawText(where, flags, QString::fromStdString(words));
    };
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const int left = kSide + static_cast<int>(i) * (kPanel + kGap);
        text(QRect(left, 0, kPanel, kHead), Qt::AlignCenter, fmt::format("{}", shown[i]));
        const StepMaps maps = mapsOf(grid, steps[shown[i] - 1], centreHz);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const QRect panel(left, kHead + static_cast<int>(r) * (kPanel + kGap), kPanel, kPanel);
            const std::vector<double>& values = r == 0 ? maps.amplitudeDb : maps.delayNs;
            if (grid.isLine())
                drawCurve(painter, panel, values, rows[r]);
            else
                drawMap(painter, panel, grid, values, rows[r]);
        }
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const QRect side(4, kHead + static_cast<int>(r) * (kPanel + kGap), kSide - 8, kPanel);
        text(side, Qt::AlignLeft | Qt::AlignTop, fmt::format("{:.3g} {}", rows[r].scale, units[r]));
        text(side, Qt::AlignLeft | Qt::AlignVCenter, rows[r].title);
        text(side, Qt::AlignLeft | Qt::AlignBottom,
             fmt::format("{:.3g} {}", -rows[r].scale, units[r]));
    }
    return strip;
}

void refuseNone(std::span<const Step> steps) {
    if (steps.empty()) throw Error("The estimate took no step: there is no iteration to show.");
}

} // namespace

QImage stepStrip(const ElementGrid& grid, std::span<const Step> steps, double centreHz) {
    refuseNone(steps);
    return drawn(grid, steps, centreHz, shownSteps(steps.size()));
}

void writeStepFilm(OutputFiles& files, const ElementGrid& grid, std::span<const Step> steps,
                   double centreHz) {
    constexpr double kPerSecond = 10.0;
    refuseNone(steps);
    const auto film = makeFilm(files, {.framesPerSecond = kPerSecond,
                                       .title = "Iterations of an estimate of aberration",
                                       .colourMaps = {kAmplitudeMap, kDelayMap}});
    for (std::size_t number = 1; number <= steps.size(); ++number)
        film->add(drawn(grid, steps, centreHz, {number}));
    film->finish();
}

} // namespace echolux::aberration
