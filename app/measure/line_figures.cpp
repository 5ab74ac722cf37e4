// SPDX-License-Identifier: GPL-3.0-or-later
// Widths of points, lengths, profiles and angles.
#include "app/measure/beam_geometry.hpp"
#include "app/measure/figures.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

namespace echolux::measure {
namespace {

double lengthOf(const Place& a, const Place& b) {
    return std::hypot(b.lateral - a.lateral, b.depth - a.depth);
}

void refuseOverTime(const MeasuredImage& image, const Measurement& shape) {
    if (image.isOverTime())
        throw Error(fmt::format("'{}' needs lengths on both axes, and this view is over time; "
                                "measure it with a point or a line.",
                                shape.name));
}

struct Pixel {
    std::int64_t row = 0;
    std::int64_t column = 0;
};

Cut cutInDepth(const MeasuredImage& image, const Pixel& pixel) {
    std::vector<double> db;
    for (std::int64_t row = 0; row < image.depth.size; ++row)
        db.push_back(image.dbOf(image.value(row, pixel.column)));
    return {db, static_cast<std::size_t>(pixel.row), placesOn(image.depth)};
}

/// The level at a fractional row of one line, of the amplitude between rows.
double levelBetweenRows(const MeasuredImage& image, double row, std::int64_t line) {
    if (std::isnan(row)) return kNothing;
    const auto upper = static_cast<std::int64_t>(row);
    const double share = row - static_cast<double>(upper);
    if (share == 0.0) return image.dbOf(image.value(upper, line));
    return 20.0 * std::log10((1.0 - share) * std::abs(image.amplitude(upper, line)) +
                             share * std::abs(image.amplitude(upper + 1, line)));
}

Cut cutAcross(const MeasuredImage& image, const Pixel& pixel) {
    std::vector<double> db;
    if (image.beams == nullptr) {
        for (std::int64_t column = 0; column < image.lateral.size; ++column)
            db.push_back(image.dbOf(image.value(pixel.row, column)));
        return {db, static_cast<std::size_t>(pixel.column), placesOn(image.lateral)};
    }
    const BeamGeometry::Across across = image.beams->acrossAt(pixel.row, pixel.column);
    for (std::int64_t line = 0; line < image.lateral.size; ++line)
        db.push_back(levelBetweenRows(image, across.rows[static_cast<std::size_t>(line)], line));
    return {db, static_cast<std::size_t>(pixel.column), across.places};
}

/// The place of a peak between samples: `down` along the beam, `across` along the cut.
Place placeBetween(const MeasuredImage& image, const Pixel& pixel, double down, double across) {
    if (image.beams == nullptr)
        return {image.lateral.at(pixel.column) + across * image.lateral.step,
                image.depth.at(pixel.row) + down * image.depth.step};
    double row = static_cast<double>(pixel.row) + down;
    if (across != 0.0) {
        const auto rows = image.beams->acrossAt(pixel.row, pixel.column).rows;
        const auto here = static_cast<std::size_t>(pixel.column);
        row += std::abs(across) * (rows[across > 0.0 ? here + 1 : here - 1] - rows[here]);
    }
    return image.beams->at(row, static_cast<double>(pixel.column) + across);
}

/// First and last sample of the main lobe: the nearest minima on both sides.
std::pair<std::size_t, std::size_t> mainLobe(const Cut& cut) {
    std::size_t first = cut.peak;
    while (first > 0 && cut.db[first - 1] <= cut.db[first]) --first;
    std::size_t last = cut.peak;
    while (last + 1 < cut.db.size() && cut.db[last + 1] <= cut.db[last]) ++last;
    return {first, last};
}

/// A lobe that is no farther below the peak is another target.
constexpr double kOtherTargetDb = 6.0;

/// The last sample, from the end of the main lobe on, before another target: the lowest one between
/// both.
std::size_t endOfLobes(const Cut& cut, std::size_t end, bool rising) {
    std::size_t lowest = end;
    for (std::size_t n = end;; rising ? ++n : --n) {
        if (cut.db[n] >= cut.top - kOtherTargetDb) return lowest;
        if (cut.db[n] <= cut.db[lowest]) lowest = n;
        if (n == (rising ? cut.db.size() - 1 : 0)) return n;
    }
}

void addSideLobes(std::vector<Figure>& figures, const Cut& cut) {
    const auto [first, last] = mainLobe(cut);
    const std::size_t begin = endOfLobes(cut, first, false);
    const std::size_t end = endOfLobes(cut, last, true);
    double highest = -std::numeric_limits<double>::infinity();
    double within = 0.0;
    double beside = 0.0;
    for (std::size_t n = begin; n <= end; ++n) {
        const double power = std::pow(10.0, cut.db[n] / 10.0);
        if (n >= first && n <= last) {
            within += power;
        } else {
            beside += power;
            highest = std::max(highest, cut.db[n]);
        }
    }
    const bool none = begin == first && end == last;
    figures.push_back(
        {"side_lobe", "Highest side lobe", none ? kNothing : highest - cut.top, "dB"});
    figures.push_back({"side_lobe_ratio", "Side lobes to main lobe",
                       none ? kNothing : 10.0 * std::log10(beside / within), "dB"});
}

/// Values about a pixel apart along a line of the image.
std::vector<double> profileOf(const MeasuredImage& image, const Measurement& line, double* step) {
    const Place& from = line.places[0];
    const Place& to = line.places[1];
    const double length = lengthOf(from, to);
    if (!(length > 0.0))
        throw Error(
            fmt::format("The line '{}' begins where it ends; drag one of its ends.", line.name));
    if (!image.contains(from) || !image.contains(to))
        throw Error(
            fmt::format("The line '{}' leaves the image; move its ends into it.", line.name));
    const auto pieces =
        std::max<std::int64_t>(std::llround(std::ceil(length / image.finestStep())), 1);
    std::vector<double> values;
    for (std::int64_t n = 0; n <= pieces; ++n) {
        const double share = static_cast<double>(n) / static_cast<double>(pieces);
        values.push_back(image.valueAt({from.lateral + share * (to.lateral - from.lateral),
                                        from.depth + share * (to.depth - from.depth)}));
    }
    if (std::ranges::any_of(values, [](double value) { return std::isnan(value); }))
        throw Error(
            fmt::format("The line '{}' crosses places without data; move its ends.", line.name));
    *step = length / static_cast<double>(pieces);
    return values;
}

} // namespace

Cut::Cut(const std::vector<double>& levels, std::size_t pixel, const std::vector<double>& at) {
    std::size_t first = pixel;
    while (first > 0 && !std::isnan(levels[first - 1])) --first;
    std::size_t end = pixel + 1;
    while (end < levels.size() && !std::isnan(levels[end])) ++end;
    const auto part = [&](const std::vector<double>& all) {
        return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(first),
                                   all.begin() + static_cast<std::ptrdiff_t>(end));
    };
    db = part(levels);
    places = part(at);
    peak = pixel - first;
    offset = parabolaTop(db, peak);
    top = db[peak];
    if (offset != 0.0) top -= 0.25 * (db[peak - 1] - db[peak + 1]) * offset;
}

double Cut::width(double levelDb) const {
    const Crossings found = crossingsBelowPeak(db, peak, top, levelDb);
    const auto placeAt = [&](double sample) {
        if (std::isnan(sample)) return kNothing;
        const auto lower = static_cast<std::size_t>(sample);
        const std::size_t upper = std::min(lower + 1, places.size() - 1);
        const double share = sample - static_cast<double>(lower);
        return places[lower] + share * (places[upper] - places[lower]);
    };
    return std::abs(placeAt(found.after) - placeAt(found.before));
}

std::vector<double> placesOn(const PixelAxis& axis) {
    std::vector<double> places;
    for (std::int64_t n = 0; n < axis.size; ++n) places.push_back(axis.at(n));
    return places;
}

double parabolaTop(const std::vector<double>& values, std::size_t peak) {
    if (peak == 0 || peak + 1 >= values.size()) return 0.0;
    const double before = values[peak - 1];
    const double after = values[peak + 1];
    const double bend = before - 2.0 * values[peak] + after;
    if (!(bend < 0.0) || !std::isfinite(bend)) return 0.0;
    return std::clamp(0.5 * (before - after) / bend, -0.5, 0.5);
}

Crossings crossingsBelowPeak(const std::vector<double>& db, std::size_t peak, double peakDb,
                             double levelDb) {
    const double level = peakDb - levelDb;
    const auto crossing = [&](int way) {
        auto n = static_cast<std::int64_t>(peak);
        const auto size = static_cast<std::int64_t>(db.size());
        for (; n + way >= 0 && n + way < size; n += way) {
            const double here = db[static_cast<std::size_t>(n)];
            const double next = db[static_cast<std::size_t>(n + way)];
            if (next < level) return static_cast<double>(n) + way * (here - level) / (here - next);
        }
        return kNothing;
    };
    return {crossing(-1), crossing(1)};
}

double widthBelowPeak(const std::vector<double>& db, std::size_t peak, double peakDb,
                      double levelDb) {
    const Crossings found = crossingsBelowPeak(db, peak, peakDb, levelDb);
    return found.after - found.before;
}

double edgeWidth(const std::vector<double>& amplitudes) {
    const std::size_t fifth = std::max<std::size_t>(amplitudes.size() / 5, 1);
    const auto mean = [&](auto first) {
        return std::accumulate(first, first + static_cast<std::ptrdiff_t>(fifth), 0.0) /
               static_cast<double>(fifth);
    };
    const double low = mean(amplitudes.begin());
    const double rise = mean(amplitudes.end() - static_cast<std::ptrdiff_t>(fifth)) - low;
    if (rise == 0.0 || !std::isfinite(rise)) return kNothing;
    const auto share = [&](std::size_t n) { return (amplitudes[n] - low) / rise; };
    // From the middle outwards, so that ripples of the ends do not count.
    std::size_t middle = 1;
    while (middle < amplitudes.size() && share(middle) < 0.5) ++middle;
    if (middle == amplitudes.size()) return kNothing;
    std::size_t low10 = middle;
    while (low10 > 0 && share(low10 - 1) > 0.1) --low10;
    std::size_t high90 = middle;
    while (high90 < amplitudes.size() && share(high90) < 0.9) ++high90;
    if (low10 == 0 || high90 == amplitudes.size()) return kNothing;
    const auto crossing = [&](std::size_t n, double level) {
        return static_cast<double>(n - 1) + (level - share(n - 1)) / (share(n) - share(n - 1));
    };
    return crossing(high90, 0.9) - crossing(low10, 0.1);
}

std::vector<Figure> figuresOfPoint(const MeasuredImage& image, const Measurement& point) {
    if (image.isOverTime()) return figuresOfMoment(image, point);
    const auto index = static_cast<std::int64_t>(brightestPixel(image, point));
    const Pixel pixel{index / image.lateral.size, index % image.lateral.size};
    const Cut across = cutAcross(image, pixel);
    const Cut down = cutInDepth(image, pixel);
    const Place place = placeBetween(image, pixel, down.offset, across.offset);
    const std::string& unit = image.depth.unit;
    std::vector<Figure> figures{
        {"lateral", "Lateral place", place.lateral, unit},
        {"depth", "Depth", place.depth, unit},
        {"peak", "Peak", across.db[across.peak], "dB"},
        {"lateral_width", "Lateral width, -6 dB", across.width(6.0), unit},
        {"depth_width", "Width in depth, -6 dB", down.width(6.0), unit},
        {"lateral_width_20", "Lateral width, -20 dB", across.width(20.0), unit},
        {"depth_width_20", "Width in depth, -20 dB", down.width(20.0), unit},
    };
    addSideLobes(figures, across);
    if (point.nominal) {
        figures.push_back({"lateral_error", "Lateral place, from nominal",
                           place.lateral - point.nominal->lateral, unit});
        figures.push_back(
            {"depth_error", "Depth, from nominal", place.depth - point.nominal->depth, unit});
    }
    return figures;
}

FittedLine lineThrough(const std::vector<double>& x, const std::vector<double>& y) {
    const auto count = static_cast<double>(x.size());
    double meanX = 0.0;
    double meanY = 0.0;
    for (std::size_t n = 0; n < x.size(); ++n) {
        meanX += x[n] / count;
        meanY += y[n] / count;
    }
    double xx = 0.0;
    double xy = 0.0;
    for (std::size_t n = 0; n < x.size(); ++n) {
        xx += (x[n] - meanX) * (x[n] - meanX);
        xy += (x[n] - meanX) * (y[n] - meanY);
    }
    if (!(xx > 0.0)) return {kNothing, kNothing};
    const double slope = xy / xx;
    double rest = 0.0;
    for (std::size_t n = 0; n < x.size(); ++n)
        rest += std::pow(y[n] - meanY - slope * (x[n] - meanX), 2);
    return {slope, std::sqrt(rest / count)};
}

std::vector<Figure> figuresOfLine(const MeasuredImage& image, const Measurement& line) {
    if (image.isOverTime()) return figuresOfCourse(image, line);
    double step = 0.0;
    const std::vector<double> values = profileOf(image, line, &step);
    std::vector<double> db;
    std::vector<double> amplitudes;
    for (const double value : values) {
        db.push_back(image.dbOf(value));
        amplitudes.push_back(image.amplitudeOf(value));
    }
    const auto peak = static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
    const double low = *std::ranges::min_element(values);
    const std::string level = image.isDb ? "dB" : "";
    std::vector<double> ways;
    for (std::size_t n = 0; n < db.size(); ++n) ways.push_back(static_cast<double>(n) * step);
    const FittedLine fitted = lineThrough(ways, db);
    return {
        {"length", "Length", lengthOf(line.places[0], line.places[1]), image.depth.unit},
        {"max", "Highest", values[peak], level},
        {"min", "Lowest", low, level},
        {"width", "Width, -6 dB", widthBelowPeak(db, peak, db[peak], 6.0) * step, image.depth.unit},
        {"edge", "Edge, 10 to 90 %", edgeWidth(amplitudes) * step, image.depth.unit},
        {"slope", "Slope", fitted.slope, "dB/" + image.depth.unit},
        {"slope_deviation", "Deviation from the slope", fitted.deviation, "dB"},
    };
}

std::vector<Figure> figuresOfPolyline(const MeasuredImage& image, const Measurement& line) {
    refuseOverTime(image, line);
    double length = 0.0;
    for (std::size_t n = 1; n < line.places.size(); ++n)
        length += lengthOf(line.places[n - 1], line.places[n]);
    return {{"length", "Length", length, image.depth.unit}};
}

std::vector<Figure> figuresOfAngle(const MeasuredImage& image, const Measurement& angle) {
    refuseOverTime(image, angle);
    const Place& vertex = angle.places[1];
    const auto way = [&](const Place& to) {
        if (!(lengthOf(vertex, to) > 0.0))
            throw Error(fmt::format("Two places of the angle '{}' are the same; drag one of them.",
                                    angle.name));
        return std::atan2(to.depth - vertex.depth, to.lateral - vertex.lateral);
    };
    if (!image.hasScale())
        throw Error("Without a scale of the image there are no angles; describe the recording.");
    const double turn =
        std::remainder(way(angle.places[2]) - way(angle.places[0]), 2.0 * std::numbers::pi);
    return {{"angle", "Angle", std::abs(turn) * 180.0 / std::numbers::pi, "deg"}};
}

} // namespace echolux::measure
