// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the pixels in a region, and of one region against another.
#include "app/measure/beam_geometry.hpp"
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

/// In beam space any row and line may be in the region.
Block blockOf(const MeasuredImage& image, const Measurement& region) {
    if (image.beams != nullptr) return {0, image.depth.size, 0, image.lateral.size};
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

/// `isInBlock`: the place was found by blockOf() on axes, which rounds.
bool holds(const Measurement& region, const Place& at, bool isInBlock) {
    if (region.kind == Kind::Rectangle) {
        const Bounds bounds = boundsOf(region);
        return isInBlock || (at.lateral >= bounds.left && at.lateral <= bounds.right &&
                             at.depth >= bounds.top && at.depth <= bounds.bottom);
    }
    if (region.kind == Kind::Outline) return isInOutline(region.places, at);
    const Place& centre = region.places[0];
    const Place& half = region.places[1];
    return std::hypot((at.lateral - centre.lateral) / half.lateral,
                      (at.depth - centre.depth) / half.depth) <= 1.0;
}

/// The smallest block that holds all pixels of a region, and which pixels of it are the region's.
struct Patch {
    Block block{};
    std::vector<char> inside; ///< [row][column] of the block

    bool holds(std::int64_t row, std::int64_t column) const {
        return inside[static_cast<std::size_t>((row - block.firstRow) * block.columns() + column -
                                               block.firstColumn)] != 0;
    }
};

Patch patchOf(const MeasuredImage& image, const std::vector<std::size_t>& pixels) {
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
    Patch patch{{kFar, 0, kFar, 0}, {}};
    Block& block = patch.block;
    const auto placed = [&](std::size_t pixel) {
        const auto index = static_cast<std::int64_t>(pixel);
        return std::pair(index / image.lateral.size, index % image.lateral.size);
    };
    for (const std::size_t pixel : pixels) {
        const auto [row, column] = placed(pixel);
        block = {std::min(block.firstRow, row), std::max(block.endRow, row + 1),
                 std::min(block.firstColumn, column), std::max(block.endColumn, column + 1)};
    }
    patch.inside.resize(static_cast<std::size_t>(block.rows() * block.columns()), 0);
    for (const std::size_t pixel : pixels) {
        const auto [row, column] = placed(pixel);
        patch.inside[static_cast<std::size_t>((row - block.firstRow) * block.columns() + column -
                                              block.firstColumn)] = 1;
    }
    return patch;
}

std::vector<std::size_t> filledPixelsIn(const MeasuredImage& image, const Measurement& region) {
    std::vector<std::size_t> pixels = pixelsIn(image, region);
    if (pixels.size() < 2)
        throw Error(fmt::format("The region '{}' holds {} of the image; make it larger, or move it "
                                "into the image.",
                                region.name, pixels.empty() ? "no pixel" : "one pixel"));
    return pixels;
}

std::vector<float> valuesOf(const MeasuredImage& image, const std::vector<std::size_t>& pixels) {
    std::vector<float> values;
    values.reserve(pixels.size());
    for (const std::size_t pixel : pixels) values.push_back(image.values[pixel]);
    return values;
}

std::vector<float> valuesIn(const MeasuredImage& image, const Measurement& region) {
    return valuesOf(image, filledPixelsIn(image, region));
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

/// Autocovariance of the region's amplitudes at a shift of `lag` pixels along one axis, over the
/// pairs of pixels that both are in the region. NaN without a pair.
double covariance(const MeasuredImage& image, const Patch& patch, double mean, std::int64_t lag,
                  bool alongDepth) {
    const Block& block = patch.block;
    const std::int64_t down = alongDepth ? lag : 0;
    const std::int64_t right = alongDepth ? 0 : lag;
    double sum = 0.0;
    std::int64_t pairs = 0;
    for (std::int64_t row = block.firstRow; row + down < block.endRow; ++row)
        for (std::int64_t column = block.firstColumn; column + right < block.endColumn; ++column) {
            if (!patch.holds(row, column) || !patch.holds(row + down, column + right)) continue;
            sum += (image.amplitude(row, column) - mean) *
                   (image.amplitude(row + down, column + right) - mean);
            ++pairs;
        }
    return pairs > 0 ? sum / static_cast<double>(pairs) : kNothing;
}

/// Full width at half maximum of the autocovariance, in pixels. NaN where it does not fall to half
/// within the region.
double cellWidth(const MeasuredImage& image, const Patch& patch, const Moments& moments,
                 bool alongDepth) {
    const double full = moments.deviation * moments.deviation;
    const std::int64_t most = (alongDepth ? patch.block.rows() : patch.block.columns()) - 1;
    double former = full;
    for (std::int64_t lag = 1; lag <= most && full > 0.0; ++lag) {
        const double now = covariance(image, patch, moments.mean, lag, alongDepth);
        if (now <= 0.5 * full)
            return 2.0 * (static_cast<double>(lag) - (0.5 * full - now) / (former - now));
        former = now;
    }
    return kNothing;
}

/// Mean distance of neighbouring pixels across.
double stepAcross(const MeasuredImage& image, const std::vector<std::size_t>& pixels) {
    if (image.beams == nullptr) return std::abs(image.lateral.step);
    double sum = 0.0;
    for (const std::size_t pixel : pixels) {
        const auto index = static_cast<std::int64_t>(pixel);
        sum += image.beams->spacingAt(static_cast<double>(index / image.lateral.size),
                                      index % image.lateral.size);
    }
    return sum / static_cast<double>(pixels.size());
}

std::vector<double> amplitudesOf(const MeasuredImage& image, const std::vector<float>& values) {
    std::vector<double> amplitudes;
    amplitudes.reserve(values.size());
    for (const float value : values) amplitudes.push_back(image.amplitudeOf(value));
    return amplitudes;
}

/// The powers of a region's block as sharpness() takes them.
struct PatchPower {
    std::vector<float> power; ///< [column][row]
    std::vector<float> share; ///< the same: 1 in the region, else 0
};

PatchPower powerOf(const MeasuredImage& image, const Patch& patch) {
    const Block& block = patch.block;
    PatchPower made;
    for (std::int64_t column = block.firstColumn; column < block.endColumn; ++column)
        for (std::int64_t row = block.firstRow; row < block.endRow; ++row) {
            const double amplitude = image.amplitude(row, column);
            made.power.push_back(std::isnan(amplitude) ? 0.0F
                                                       : static_cast<float>(amplitude * amplitude));
            made.share.push_back(patch.holds(row, column) ? 1.0F : 0.0F);
        }
    return made;
}

/// NaN where the region is dark or holds values that are not finite.
double sharpnessIn(const PatchPower& region, std::int64_t rows, SharpnessMetric metric) {
    try {
        return sharpness({rows, region.power, region.share}, metric);
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
        for (std::int64_t column = block.firstColumn; column < block.endColumn; ++column) {
            const auto pixel = static_cast<std::size_t>(row * image.lateral.size + column);
            if (!std::isnan(image.values[pixel]) &&
                holds(region, image.placeOf(row, column), image.beams == nullptr))
                pixels.push_back(pixel);
        }
    return pixels;
}

std::vector<double> amplitudesIn(const MeasuredImage& image, const Measurement& region) {
    return amplitudesOf(image, valuesIn(image, region));
}

std::vector<Figure> figuresOfRegion(const MeasuredImage& image, const Measurement& region) {
    const std::vector<std::size_t> pixels = filledPixelsIn(image, region);
    const std::vector<float> values = valuesOf(image, pixels);
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
    const Patch patch = patchOf(image, pixels);
    figures.push_back({"cell_lateral", "Speckle cell, lateral",
                       cellWidth(image, patch, moments, false) * stepAcross(image, pixels),
                       image.beams != nullptr ? image.depth.unit : image.lateral.unit});
    figures.push_back({"cell_depth", "Speckle cell, in depth",
                       cellWidth(image, patch, moments, true) * std::abs(image.depth.step),
                       image.depth.unit});
    const PatchPower power = powerOf(image, patch);
    for (const auto& [name, metric] : sharpnessMetrics())
        figures.push_back({"sharpness_" + name, "Sharpness, " + wordsOf(name),
                           sharpnessIn(power, patch.block.rows(), metric), ""});
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
