// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the pixels in a region, and of one region against another.
#include "app/measure/figures.hpp"

#include "app/measure/sharpness.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux::measure {
namespace {

/// Bins of the histograms that gCNR compares, over the range of both regions together.
constexpr std::size_t kGcnrBins = 256;

/// Half-open rows and columns that hold a region.
struct Block {
    std::int64_t firstRow, endRow, firstColumn, endColumn;
    std::int64_t rows() const { return endRow - firstRow; }
    std::int64_t columns() const { return endColumn - firstColumn; }
};

struct Bounds {
    double left, right, top, bottom;
};

Bounds boundsOf(const Measurement& region) {
    if (region.kind == Kind::Ellipse) {
        const auto& [centre, half] = std::pair(region.places[0], region.places[1]);
        return {centre.lateral - half.lateral, centre.lateral + half.lateral,
                centre.depth - half.depth, centre.depth + half.depth};
    }
    const auto [left, right] = std::ranges::minmax(region.places, {}, &Place::lateral);
    const auto [top, bottom] = std::ranges::minmax(region.places, {}, &Place::depth);
    return {left.lateral, right.lateral, top.depth, bottom.depth};
}

/// Pixels of an axis whose centres lie from `a` to `b`, half open.
std::pair<std::int64_t, std::int64_t> between(const PixelAxis& axis, double a, double b) {
    const auto [low, high] = std::minmax({axis.indexOf(a), axis.indexOf(b)});
    constexpr double kRounding = 1e-9;
    const auto first = static_cast<std::int64_t>(std::ceil(std::max(low, 0.0) - kRounding));
    const auto last = static_cast<std::int64_t>(
        std::floor(std::min(high, static_cast<double>(axis.size - 1)) + kRounding));
    return {first, std::max(last + 1, first)};
}

Block blockOf(const MeasuredImage& image, const Measurement& region) {
    const Bounds bounds = boundsOf(region);
    const auto [firstRow, endRow] = between(image.depth, bounds.top, bounds.bottom);
    const auto [firstColumn, endColumn] = between(image.lateral, bounds.left, bounds.right);
    return {firstRow, endRow, firstColumn, endColumn};
}

/// Even-odd rule.
bool isInOutline(const std::vector<Place>& outline, const Place& at) {
    bool inside = false;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const Place& a = outline[i];
        const Place& b = outline[(i + 1) % outline.size()];
        if ((a.depth > at.depth) == (b.depth > at.depth)) continue;
        const double share = (at.depth - a.depth) / (b.depth - a.depth);
        if (at.lateral < a.lateral + share * (b.lateral - a.lateral)) inside = !inside;
    }
    return inside;
}

bool holds(const Measurement& region, const Place& at) {
    if (region.kind == Kind::Rectangle) return true; // its block
    if (region.kind == Kind::Outline) return isInOutline(region.places, at);
    const Place& centre = region.places[0];
    const Place& half = region.places[1];
    return std::hypot((at.lateral - centre.lateral) / half.lateral,
                      (at.depth - centre.depth) / half.depth) <= 1.0;
}

std::vector<float> valuesIn(const MeasuredImage& image, const Measurement& region) {
    std::vector<float> values;
    for (const std::size_t pixel : pixelsIn(image, region)) values.push_back(image.values[pixel]);
    std::erase_if(values, [](float value) { return std::isnan(value); });
    if (values.size() < 2)
        throw Error(fmt::format("The region '{}' holds {} of the image; make it larger, or move it "
                                "into the image.",
                                region.name, values.empty() ? "no pixel" : "one pixel"));
    return values;
}

struct Moments {
    double mean = 0.0;
    double deviation = 0.0; ///< of the population
    double power = 0.0;     ///< mean of squares
};

Moments momentsOf(const std::vector<double>& values) {
    Moments moments;
    const auto count = static_cast<double>(values.size());
    for (const double value : values) {
        moments.mean += value / count;
        moments.power += value * value / count;
    }
    double sum = 0.0;
    for (const double value : values) sum += (value - moments.mean) * (value - moments.mean);
    moments.deviation = std::sqrt(sum / count);
    return moments;
}

/// Kolmogorov's distance between the amplitudes and a Rayleigh distribution of the same power.
double distanceFromRayleigh(std::vector<double> amplitudes, double power) {
    std::ranges::sort(amplitudes);
    const auto count = static_cast<double>(amplitudes.size());
    double most = 0.0;
    for (std::size_t i = 0; i < amplitudes.size(); ++i) {
        const double expected = 1.0 - std::exp(-amplitudes[i] * amplitudes[i] / power);
        const auto rank = static_cast<double>(i);
        most = std::max(
            {most, std::abs(expected - rank / count), std::abs(expected - (rank + 1.0) / count)});
    }
    return most;
}

/// Autocovariance of the block's amplitudes at a shift of `lag` pixels along one axis.
double covariance(const MeasuredImage& image, const Block& block, double mean, std::int64_t lag,
                  bool alongDepth) {
    const std::int64_t rows = block.rows() - (alongDepth ? lag : 0);
    const std::int64_t columns = block.columns() - (alongDepth ? 0 : lag);
    double sum = 0.0;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            sum += (image.amplitude(block.firstRow + row, block.firstColumn + column) - mean) *
                   (image.amplitude(block.firstRow + row + (alongDepth ? lag : 0),
                                    block.firstColumn + column + (alongDepth ? 0 : lag)) -
                    mean);
    return sum / static_cast<double>(rows * columns);
}

/// Full width at half maximum of the autocovariance, in pixels. NaN where it does not fall to half
/// within the block.
double cellWidth(const MeasuredImage& image, const Block& block, const Moments& moments,
                 bool alongDepth) {
    const double full = moments.deviation * moments.deviation;
    const std::int64_t most = (alongDepth ? block.rows() : block.columns()) - 1;
    double former = full;
    for (std::int64_t lag = 1; lag <= most && full > 0.0; ++lag) {
        const double now = covariance(image, block, moments.mean, lag, alongDepth);
        if (now <= 0.5 * full)
            return 2.0 * (static_cast<double>(lag) - (0.5 * full - now) / (former - now));
        former = now;
    }
    return kNothing;
}

std::vector<double> amplitudesOf(const MeasuredImage& image, const std::vector<float>& values) {
    std::vector<double> amplitudes;
    amplitudes.reserve(values.size());
    for (const float value : values) amplitudes.push_back(image.amplitudeOf(value));
    return amplitudes;
}

/// NaN where the block is dark or holds values that are not numbers.
double sharpnessIn(const MeasuredImage& image, const Block& block, SharpnessMetric metric) {
    std::vector<float> power;
    for (std::int64_t column = block.firstColumn; column < block.endColumn; ++column)
        for (std::int64_t row = block.firstRow; row < block.endRow; ++row) {
            const double amplitude = image.amplitude(row, column);
            power.push_back(static_cast<float>(amplitude * amplitude));
        }
    const std::vector<float> whole(static_cast<std::size_t>(block.rows()), 1.0F);
    try {
        return sharpness({block.rows(), power, whole}, metric);
    } catch (const Error&) {
        return kNothing;
    }
}

std::string wordsOf(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
}

double inDb(double ratio) { return 20.0 * std::log10(ratio); }

/// One minus the overlap of two histograms.
double gcnrOf(const std::vector<float>& inside, const std::vector<float>& outside) {
    const auto [lowIn, highIn] = std::ranges::minmax(inside);
    const auto [lowOut, highOut] = std::ranges::minmax(outside);
    const double low = std::min(lowIn, lowOut);
    const double width = (std::max(highIn, highOut) - low) / static_cast<double>(kGcnrBins);
    if (!(width > 0.0)) return 0.0; // all pixels are equal
    const auto histogram = [&](const std::vector<float>& values) {
        std::vector<double> shares(kGcnrBins, 0.0);
        for (const float value : values) {
            const auto bin = static_cast<std::size_t>((value - low) / width);
            shares[std::min(bin, kGcnrBins - 1)] += 1.0 / static_cast<double>(values.size());
        }
        return shares;
    };
    const std::vector<double> a = histogram(inside);
    const std::vector<double> b = histogram(outside);
    double overlap = 0.0;
    for (std::size_t i = 0; i < kGcnrBins; ++i) overlap += std::min(a[i], b[i]);
    return 1.0 - overlap;
}

double areaOf(const Measurement& region) {
    const Bounds bounds = boundsOf(region);
    const double box = (bounds.right - bounds.left) * (bounds.bottom - bounds.top);
    if (region.kind == Kind::Rectangle) return box;
    if (region.kind == Kind::Ellipse) return std::numbers::pi / 4.0 * box;
    double twice = 0.0;
    for (std::size_t i = 0; i < region.places.size(); ++i) {
        const Place& a = region.places[i];
        const Place& b = region.places[(i + 1) % region.places.size()];
        twice += a.lateral * b.depth - b.lateral * a.depth;
    }
    return 0.5 * std::abs(twice);
}

} // namespace

std::vector<std::size_t> pixelsIn(const MeasuredImage& image, const Measurement& region) {
    const Block block = blockOf(image, region);
    std::vector<std::size_t> pixels;
    for (std::int64_t row = block.firstRow; row < block.endRow; ++row)
        for (std::int64_t column = block.firstColumn; column < block.endColumn; ++column)
            if (holds(region, {image.lateral.at(column), image.depth.at(row)}))
                pixels.push_back(static_cast<std::size_t>(row * image.lateral.size + column));
    return pixels;
}

std::vector<double> amplitudesIn(const MeasuredImage& image, const Measurement& region) {
    return amplitudesOf(image, valuesIn(image, region));
}

std::vector<Figure> figuresOfRegion(const MeasuredImage& image, const Measurement& region) {
    const std::vector<float> values = valuesIn(image, region);
    const std::vector<double> amplitudes = amplitudesOf(image, values);
    const Moments moments = momentsOf(amplitudes);
    const auto [low, high] = std::ranges::minmax(values);
    const std::string level = image.isDb ? "dB" : "";
    std::vector<Figure> figures;
    if (!image.isOverTime())
        figures.push_back({"area", "Area", areaOf(region), image.hasScale() ? "mm2" : "px"});
    const std::vector<Figure> statistics{
        {"pixels", "Pixels", static_cast<double>(values.size()), ""},
        {"mean", "Mean", image.isDb ? inDb(moments.mean) : moments.mean, level},
        {"min", "Lowest", low, level},
        {"max", "Highest", high, level},
        {"snr", "Speckle SNR", moments.mean / moments.deviation, ""},
        {"rayleigh_distance", "Distance from Rayleigh",
         distanceFromRayleigh(amplitudes, moments.power), ""},
    };
    figures.insert(figures.end(), statistics.begin(), statistics.end());
    if (region.kind != Kind::Rectangle || image.isOverTime()) return figures;
    const Block block = blockOf(image, region);
    const auto cell = [&](bool alongDepth) {
        const PixelAxis& axis = alongDepth ? image.depth : image.lateral;
        return cellWidth(image, block, moments, alongDepth) * std::abs(axis.step);
    };
    figures.push_back({"cell_lateral", "Speckle cell, lateral", cell(false), image.lateral.unit});
    figures.push_back({"cell_depth", "Speckle cell, in depth", cell(true), image.depth.unit});
    for (const auto& [name, metric] : sharpnessMetrics())
        figures.push_back({"sharpness_" + name, "Sharpness, " + wordsOf(name),
                           sharpnessIn(image, block, metric), ""});
    return figures;
}

std::vector<Figure> figuresOfContrast(const MeasuredImage& image, const Measurement& inside,
                                      const Measurement& outside) {
    const std::vector<float> valuesInside = valuesIn(image, inside);
    const std::vector<float> valuesOutside = valuesIn(image, outside);
    const Moments in = momentsOf(amplitudesOf(image, valuesInside));
    const Moments out = momentsOf(amplitudesOf(image, valuesOutside));
    return {
        {"contrast", "Contrast", inDb(in.mean / out.mean), "dB"},
        {"cnr", "CNR", std::abs(in.mean - out.mean) / std::hypot(in.deviation, out.deviation), ""},
        {"gcnr", "gCNR", gcnrOf(valuesInside, valuesOutside), ""},
    };
}

} // namespace echolux::measure
