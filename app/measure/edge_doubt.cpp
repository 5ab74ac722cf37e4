// SPDX-License-Identifier: GPL-3.0-or-later
// Whether an echo's peak lies within its shape, or may lie beyond.
#include "app/measure/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux::measure {
namespace {

/// An echo of so many times the mean power of a region is no speckle: of 100 000 pixels of speckle
/// the greatest power is about 12 times their mean.
constexpr double kStandsOut = 16.0;

/// A pixel beside it is brighter, or there is none.
bool isOnSlope(const MeasuredImage& image, std::size_t pixel) {
    const std::int64_t columns = image.lateral.size;
    const std::int64_t rows = image.depth.size;
    const auto index = static_cast<std::int64_t>(pixel);
    const std::int64_t plane = index / (rows * columns);
    const std::int64_t row = index / columns % rows;
    const std::int64_t column = index % columns;
    const std::int64_t planesBeside = image.isVolume() ? 1 : 0;
    for (std::int64_t p = plane - planesBeside; p <= plane + planesBeside; ++p)
        for (std::int64_t r = row - 1; r <= row + 1; ++r)
            for (std::int64_t c = column - 1; c <= column + 1; ++c) {
                const bool exists = p >= 0 && r >= 0 && c >= 0 && p < image.elevation.size &&
                                    r < rows && c < columns;
                if (!exists) return true;
                const float beside =
                    image.values[static_cast<std::size_t>((p * rows + r) * columns + c)];
                if (std::isnan(beside) || beside > image.values[pixel]) return true;
            }
    return false;
}

std::string doubtOfPoint(const MeasuredImage& image, const Measurement& point) {
    if (!isOnSlope(image, brightestPixel(image, point))) return {};
    return fmt::format("The brightest pixel near '{}' lies at the edge of what is searched, so the "
                       "peak may lie beyond; move it, or search farther.",
                       point.name);
}

std::string doubtOfRegion(const MeasuredImage& image, const Measurement& region) {
    const std::vector<std::size_t> pixels = pixelsIn(image, region);
    const std::size_t brightest = *std::ranges::max_element(
        pixels, {}, [&](std::size_t pixel) { return image.values[pixel]; });
    double power = 0.0;
    for (const double amplitude : amplitudesIn(image, region))
        power += amplitude * amplitude / static_cast<double>(pixels.size());
    const double most = std::pow(image.amplitudeOf(image.values[brightest]), 2);
    if (!(most > kStandsOut * power) || !isOnSlope(image, brightest)) return {};
    return fmt::format("The brightest echo in '{}' lies at its edge, so the peak may lie beyond; "
                       "move the region, or make it larger.",
                       region.name);
}

} // namespace

std::string doubtAtEdge(const MeasuredImage& image, const Measurement& shape) {
    if (image.isOverTime()) return {};
    if (shape.kind == Kind::Point || shape.kind == Kind::Blob) return doubtOfPoint(image, shape);
    return isRegion(shape.kind) ? doubtOfRegion(image, shape) : std::string();
}

} // namespace echolux::measure
