// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/pictures/dicom_regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>
#include <tuple>

namespace echolux {

namespace {

constexpr double kRegionUnitM = 1e-2;

bool sameRegionScale(const DicomRegion& a, const DicomRegion& b) {
    const auto near = [](double p, double q) { return std::abs(p - q) <= 1e-4 * std::abs(q); };
    return a.kind == b.kind && a.metricAcross == b.metricAcross && a.metricDown == b.metricDown &&
           near(a.stepX, b.stepX) && near(a.stepY, b.stepY);
}

bool regionContains(const DicomRegion& outer, const DicomRegion& inner) {
    return outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right &&
           outer.bottom >= inner.bottom;
}

std::string_view kindName(DicomRegion::Kind kind) {
    constexpr std::array<std::string_view, 5> kNames{"picture", "tissue", "M-mode", "spectrum",
                                                     "waveform"};
    return kNames[static_cast<std::size_t>(kind)];
}

DicomPart regionPartOf(const DicomRegion& region, std::size_t number, std::int64_t columns,
                       std::int64_t rows) {
    const auto within = [](double pixel, std::int64_t size) {
        return static_cast<std::int64_t>(std::clamp(pixel, 0.0, static_cast<double>(size - 1)));
    };
    DicomPart part;
    part.left = within(region.left, columns);
    part.top = within(region.top, rows);
    part.columns = within(region.right, columns) - part.left + 1;
    part.rows = within(region.bottom, rows) - part.top + 1;
    part.scale = region;
    part.name = fmt::format("region {} ({}", number, kindName(region.kind));
    const bool square = region.metricAcross && region.metricDown;
    if (square && std::abs(region.stepX - region.stepY) < 1e-9)
        part.name += fmt::format(", {:.3g} mm per pixel", 10.0 * region.stepX);
    else if (square)
        part.name +=
            fmt::format(", {:.3g} x {:.3g} mm per pixel", 10.0 * region.stepX, 10.0 * region.stepY);
    part.name += ')';
    return part;
}

} // namespace

std::vector<DicomPart> partsOf(std::vector<DicomRegion> regions, std::int64_t columns,
                               std::int64_t rows) {
    std::erase_if(regions, [](const DicomRegion& region) {
        return region.kind == DicomRegion::Kind::Other || !(region.stepX > 0.0) ||
               !(region.stepY > 0.0) || region.right <= region.left ||
               region.bottom <= region.top || !(std::abs(region.area()) < 1e12);
    });
    // The largest one of tissue whose pixels have a length is the usual one.
    const auto rank = [](const DicomRegion& region) {
        const bool length = region.metricAcross && region.metricDown;
        return std::tuple(length && region.kind == DicomRegion::Kind::Tissue, region.area());
    };
    std::ranges::stable_sort(regions, std::ranges::greater(), rank);
    std::vector<DicomRegion> apart;
    for (const DicomRegion& region : regions) {
        const bool known = std::ranges::any_of(apart, [&](const DicomRegion& other) {
            return sameRegionScale(other, region) && regionContains(other, region);
        });
        if (!known) apart.push_back(region);
    }
    const DicomPart whole{.name = "whole picture", .columns = columns, .rows = rows};
    const bool alike = std::ranges::all_of(
        apart, [&](const DicomRegion& region) { return sameRegionScale(region, apart.front()); });
    if (apart.empty()) return {whole};
    if (alike) {
        DicomPart only = whole;
        only.scale = apart.front();
        return {only};
    }
    std::vector<DicomPart> parts;
    for (const DicomRegion& region : apart)
        parts.push_back(regionPartOf(region, parts.size() + 1, columns, rows));
    parts.push_back(whole);
    parts.back().name += " without a scale";
    return parts;
}

void takePlaces(const DicomPart& part, PictureAxis& lateral, PictureAxis& depth) {
    if (!part.scale) return;
    const DicomRegion& region = *part.scale;
    DicomRegion::Reference at{0.5 * (region.right - region.left), 0.0, 0.0, 0.0};
    if (region.reference) at = *region.reference;
    // Pixels of the picture and of this part, at which the value is known.
    const double zeroX = region.left + at.pixelX - static_cast<double>(part.left);
    const double zeroY = region.top + at.pixelY - static_cast<double>(part.top);
    if (region.metricAcross)
        placeAlong(lateral, {region.stepX}, {at.valueX - zeroX * region.stepX}, kRegionUnitM);
    if (region.metricDown)
        placeAlong(depth, {region.stepY}, {at.valueY - zeroY * region.stepY}, kRegionUnitM);
}

} // namespace echolux
