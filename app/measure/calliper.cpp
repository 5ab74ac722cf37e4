// SPDX-License-Identifier: GPL-3.0-or-later
// Two surfaces in a column: the highest peaks of its amplitude, or of its slope.
#include "app/measure/beam_geometry.hpp"
#include "app/measure/figures.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux::measure {
namespace {

constexpr double kProminenceDb = 6.0;

Error besideImage(const Measurement& calliper) {
    return Error(fmt::format("The calliper '{}' lies beside the image; move it into the image.",
                             calliper.name));
}

/// Of an image in beam space: the columns of a calliper on axes, as dense as the samples.
MeasuredImage uprightPart(const MeasuredImage& image, const Measurement& calliper) {
    const double step = image.finestStep();
    const double aside = std::floor(calliper.surfaces.width / 2.0 / step);
    const BeamGeometry::Bounds bounds = image.beams->bounds();
    const double deep = (bounds.greatest.depth - bounds.least.depth) / step;
    PixelAxis across = image.depth;
    across.start = calliper.places[0].lateral - aside * step;
    across.step = step;
    across.size = static_cast<std::int64_t>(2.0 * aside) + 1;
    PixelAxis down = image.depth;
    down.start = bounds.least.depth;
    down.step = step;
    down.size = static_cast<std::int64_t>(std::floor(deep)) + 1;
    MeasuredImage part = image.onAxes(across, down);
    if (std::ranges::all_of(part.values, [](float value) { return std::isnan(value); }))
        throw besideImage(calliper);
    return part;
}

/// Mean amplitude of each row over the lines of the calliper. Pixels without a value count as 0.
std::vector<double> columnOf(const MeasuredImage& image, const Measurement& calliper) {
    const double middle = image.lateral.indexOf(calliper.places[0].lateral);
    const auto last = static_cast<double>(image.lateral.size - 1);
    if (!(middle >= -0.5 && middle <= last + 0.5)) throw besideImage(calliper);
    const auto nearest = static_cast<std::int64_t>(std::clamp(std::round(middle), 0.0, last));
    const double aside = std::abs(calliper.surfaces.width / image.lateral.step) / 2.0;
    const auto lineAt = [&](double index) {
        return static_cast<std::int64_t>(std::clamp(index, 0.0, last));
    };
    const std::int64_t first = std::min(lineAt(std::ceil(middle - aside)), nearest);
    const std::int64_t final = std::max(lineAt(std::floor(middle + aside)), nearest);
    std::vector<double> column;
    for (std::int64_t row = 0; row < image.depth.size; ++row) {
        double sum = 0.0;
        for (std::int64_t line = first; line <= final; ++line) {
            const double amplitude = std::abs(image.amplitude(row, line));
            if (std::isfinite(amplitude)) sum += amplitude;
        }
        column.push_back(sum / static_cast<double>(final - first + 1));
    }
    return column;
}

/// Central differences, 0 at the ends.
std::vector<double> slopesOf(const std::vector<double>& values) {
    std::vector<double> slopes(values.size(), 0.0);
    for (std::size_t n = 1; n + 1 < values.size(); ++n)
        slopes[n] = std::abs(values[n + 1] - values[n - 1]) / 2.0;
    return slopes;
}

} // namespace

std::vector<std::size_t> prominentPeaks(const std::vector<double>& db, double prominenceDb) {
    const auto valley = [&](std::size_t peak, int way) {
        double lowest = db[peak];
        for (auto n = static_cast<std::int64_t>(peak);
             n >= 0 && n < static_cast<std::int64_t>(db.size()); n += way) {
            const double level = db[static_cast<std::size_t>(n)];
            if (level > db[peak]) break;
            lowest = std::min(lowest, level);
        }
        return lowest;
    };
    std::vector<std::size_t> peaks;
    for (std::size_t n = 1; n + 1 < db.size(); ++n) {
        if (!(db[n] > db[n - 1])) continue;
        std::size_t end = n;
        while (end + 1 < db.size() && db[end + 1] == db[n]) ++end;
        if (end + 1 == db.size() || db[end + 1] > db[n]) continue;
        const std::size_t peak = (n + end) / 2;
        if (db[peak] - std::max(valley(peak, -1), valley(peak, 1)) >= prominenceDb)
            peaks.push_back(peak);
    }
    return peaks;
}

std::vector<Figure> figuresOfCalliper(const MeasuredImage& whole, const Measurement& calliper) {
    const MeasuredImage upright =
        whole.beams != nullptr ? uprightPart(whole, calliper) : MeasuredImage{};
    const MeasuredImage& image = whole.beams != nullptr ? upright : whole;
    const Surfaces& how = calliper.surfaces;
    std::vector<double> column = columnOf(image, calliper);
    if (how.of == Surfaces::Of::Edges) column = slopesOf(column);
    std::vector<double> db;
    std::vector<double> depths;
    for (std::size_t row = 0; row < column.size(); ++row) {
        const double depth = image.depth.at(static_cast<std::int64_t>(row));
        if (how.span && (depth < how.span->from || depth > how.span->to)) continue;
        db.push_back(20.0 * std::log10(column[row]));
        depths.push_back(depth);
    }
    std::vector<std::size_t> peaks = prominentPeaks(db, kProminenceDb);
    if (peaks.size() < 2)
        throw Error(fmt::format("The calliper '{}' finds {} of two surfaces; move it, or choose "
                                "other depths.",
                                calliper.name, peaks.empty() ? "none" : "only one"));
    std::ranges::partial_sort(peaks, peaks.begin() + 2, std::greater{},
                              [&](std::size_t peak) { return db[peak]; });
    const auto depthOf = [&](std::size_t peak) {
        return depths[peak] + parabolaTop(db, peak) * image.depth.step;
    };
    const auto [upper, lower] = std::minmax({depthOf(peaks[0]), depthOf(peaks[1])});
    return {
        {"upper", "Upper surface", upper, image.depth.unit},
        {"lower", "Lower surface", lower, image.depth.unit},
        {"thickness", "Thickness", (lower - upper) / how.index, image.depth.unit},
    };
}

} // namespace echolux::measure
