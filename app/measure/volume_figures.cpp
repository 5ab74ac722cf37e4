// SPDX-License-Identifier: GPL-3.0-or-later
// The brightest voxel, widths and distances in space, and connected voxels.
#include "app/measure/figures.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace echolux::measure {
namespace {

/// Half-open numbers of the pixels of an axis at most `reach` away from a place.
std::pair<std::int64_t, std::int64_t> around(const PixelAxis& axis, double place, double reach) {
    const double pixels = std::abs(reach / axis.step);
    const double at = axis.indexOf(place);
    const auto first = static_cast<std::int64_t>(std::ceil(std::max(at - pixels, 0.0)));
    const auto last = static_cast<std::int64_t>(
        std::floor(std::min(at + pixels, static_cast<double>(axis.size - 1))));
    return {first, std::max(first, last + 1)};
}

using Span = std::pair<std::int64_t, std::int64_t>;

/// In beam space any row and line may be near.
Span rowsAround(const MeasuredImage& image, const Place& place, double reach) {
    return image.beams != nullptr ? Span{0, image.depth.size}
                                  : around(image.depth, place.depth, reach);
}

Span columnsAround(const MeasuredImage& image, const Place& place, double reach) {
    return image.beams != nullptr ? Span{0, image.lateral.size}
                                  : around(image.lateral, place.lateral, reach);
}

double distanceOf(const Place& a, const Place& b) {
    return std::hypot(b.lateral - a.lateral, b.depth - a.depth, b.elevation - a.elevation);
}

struct Voxel {
    std::int64_t plane, row, column;
};

Voxel voxelAt(const MeasuredImage& image, std::size_t index) {
    const auto n = static_cast<std::int64_t>(index);
    const std::int64_t line = n / image.lateral.size;
    return {line / image.depth.size, line % image.depth.size, n % image.lateral.size};
}

std::size_t indexOf(const MeasuredImage& image, const Voxel& voxel) {
    return static_cast<std::size_t>(
        (voxel.plane * image.depth.size + voxel.row) * image.lateral.size + voxel.column);
}

/// Indices of the voxels that hang together with the first one by their faces and reach
/// `threshold`. Throws Error where one of them lies at the edge: its end is not known.
std::vector<std::size_t> connected(const MeasuredImage& image, const Measurement& blob,
                                   std::size_t first, double threshold) {
    std::vector<char> seen(image.values.size(), 0);
    std::vector<std::size_t> found{first};
    seen[first] = 1;
    const std::array<std::int64_t, 3> sizes{image.elevation.size, image.depth.size,
                                            image.lateral.size};
    const auto refuse = [&] {
        throw Error(fmt::format("The blob '{}' reaches the edge of the image; choose a smaller "
                                "threshold, or a wider image.",
                                blob.name));
    };
    for (std::size_t next = 0; next < found.size(); ++next) {
        const Voxel at = voxelAt(image, found[next]);
        for (std::size_t axis = image.isVolume() ? 0 : 1; axis < sizes.size(); ++axis) {
            for (const std::int64_t way : {-1, 1}) {
                std::array<std::int64_t, 3> to{at.plane, at.row, at.column};
                to[axis] += way;
                if (to[axis] < 0 || to[axis] == sizes[axis]) refuse();
                const std::size_t index = indexOf(image, {to[0], to[1], to[2]});
                if (std::isnan(image.values[index])) refuse();
                if (seen[index] != 0 || !(image.dbOf(image.values[index]) >= threshold)) continue;
                seen[index] = 1;
                found.push_back(index);
            }
        }
    }
    return found;
}

std::vector<Figure> figuresOfPlacedPoint(const MeasuredImage& volume, const Measurement& point) {
    const Voxel brightest = voxelAt(volume, brightestPixel(volume, point));
    const double elevation = volume.elevation.at(brightest.plane);
    Measurement there = point;
    there.places = {{volume.lateral.at(brightest.column), volume.depth.at(brightest.row)}};
    std::vector<Figure> figures = figuresOfPoint(volume.planeAt(elevation), there);
    std::vector<double> db;
    for (std::int64_t plane = 0; plane < volume.elevation.size; ++plane)
        db.push_back(
            volume.dbOf(volume.values[indexOf(volume, {plane, brightest.row, brightest.column})]));
    const Cut cut(db, static_cast<std::size_t>(brightest.plane), placesOn(volume.elevation));
    const std::string& unit = volume.elevation.unit;
    figures.push_back(
        {"elevation", "Elevation", elevation + cut.offset * volume.elevation.step, unit});
    figures.push_back({"elevation_width", "Width in elevation, -6 dB", cut.width(6.0), unit});
    figures.push_back({"elevation_width_20", "Width in elevation, -20 dB", cut.width(20.0), unit});
    return figures;
}

} // namespace

std::size_t brightestPixel(const MeasuredImage& image, const Measurement& point) {
    const Place& place = point.places[0];
    const auto [firstRow, endRow] = rowsAround(image, place, point.search);
    const auto [firstColumn, endColumn] = columnsAround(image, place, point.search);
    // The elevation of a plane is not known.
    const double elevation = image.isVolume() ? place.elevation : image.elevation.at(0);
    const auto [firstPlane, endPlane] = around(image.elevation, elevation, point.search);
    std::optional<std::size_t> best;
    for (std::int64_t plane = firstPlane; plane < endPlane; ++plane)
        for (std::int64_t row = firstRow; row < endRow; ++row)
            for (std::int64_t column = firstColumn; column < endColumn; ++column) {
                Place at = image.placeOf(row, column);
                at.elevation = image.isVolume() ? image.elevation.at(plane) : place.elevation;
                const std::size_t index = indexOf(image, {plane, row, column});
                if (distanceOf(at, place) > point.search || std::isnan(image.values[index]))
                    continue;
                if (!best || image.values[index] > image.values[*best]) best = index;
            }
    if (!best)
        throw Error(fmt::format("No pixel lies within {:g} {} of '{}'; move it into the image, or "
                                "search farther.",
                                point.search, image.depth.unit, point.name));
    return *best;
}

std::vector<Figure> figuresOfBlob(const MeasuredImage& image, const Measurement& blob) {
    if (image.isOverTime())
        throw Error(fmt::format("'{}' needs lengths on both axes, and this view is over time; "
                                "measure it with a point or a line.",
                                blob.name));
    const std::size_t peak = brightestPixel(image, blob);
    const double level = image.dbOf(image.values[peak]);
    const std::vector<std::size_t> pixels = connected(image, blob, peak, level - blob.threshold);
    const auto count = static_cast<double>(pixels.size());
    double area = 0.0;
    for (const std::size_t pixel : pixels) {
        const Voxel at = voxelAt(image, pixel);
        area += image.areaOf(at.row, at.column);
    }
    const std::string& unit = image.depth.unit;
    const bool scaled = image.hasScale();
    std::vector<Figure> figures{{"peak", "Peak", level, "dB"}};
    figures.push_back(image.isVolume() ? Figure{"voxels", "Voxels", count, ""}
                                       : Figure{"pixels", "Pixels", count, ""});
    if (!image.isVolume()) {
        figures.push_back({"area", "Area", area, scaled ? "mm2" : "px"});
        figures.push_back({"equivalent_diameter", "Diameter of an equal disk",
                           2.0 * std::sqrt(area / std::numbers::pi), unit});
        return figures;
    }
    const double volume = area * std::abs(image.elevation.step);
    figures.push_back({"volume", "Volume", volume, scaled ? "mm3" : "px"});
    figures.push_back({"equivalent_diameter", "Diameter of an equal sphere",
                       std::cbrt(6.0 * volume / std::numbers::pi), unit});
    return figures;
}

std::vector<Figure> figuresInVolume(const MeasuredImage& volume, const Measurement& made) {
    if (made.kind == Kind::Point) return figuresOfPlacedPoint(volume, made);
    if (made.kind == Kind::Blob) return figuresOfBlob(volume, made);
    double length = 0.0;
    for (std::size_t n = 1; n < made.places.size(); ++n)
        length += distanceOf(made.places[n - 1], made.places[n]);
    return {{"length", "Length", length, volume.depth.unit}};
}

} // namespace echolux::measure
