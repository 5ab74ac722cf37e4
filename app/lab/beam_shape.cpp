// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/beam_shape.hpp"

#include "app/lab/beam_field.hpp"
#include "app/lab/beam_section.hpp"

#include <algorithm>
#include <utility>

namespace echolux::lab {
namespace {

constexpr std::size_t kPoints = 1601;

/// Position where the level is crossed between sample `inside` and its neighbour `outside`.
double crossing(const std::vector<double>& levels, const std::vector<double>& across,
                std::size_t inside, std::size_t outside, double level) {
    const double part = (levels[inside] - level) / (levels[inside] - levels[outside]);
    return across[inside] + part * (across[outside] - across[inside]);
}

} // namespace

BeamPattern measured(std::vector<double> levelDb, const std::vector<double>& across) {
    constexpr double kWidthDb = -6.0;
    BeamPattern pattern;
    const auto& levels = levelDb;
    const auto top = static_cast<std::size_t>(std::ranges::max_element(levels) - levels.begin());
    pattern.peak = across[top];
    std::size_t left = top;
    std::size_t right = top;
    while (left > 0 && levels[left] >= levels[top] + kWidthDb) --left;
    while (right + 1 < levels.size() && levels[right] >= levels[top] + kWidthDb) ++right;
    const double level = levels[top] + kWidthDb;
    if (levels[left] < level && levels[right] < level) {
        pattern.from = crossing(levels, across, left + 1, left, level);
        pattern.to = crossing(levels, across, right - 1, right, level);
        pattern.width = pattern.to - pattern.from;
    }
    while (left > 0 && levels[left - 1] < levels[left]) --left;
    while (right + 1 < levels.size() && levels[right + 1] < levels[right]) ++right;
    for (std::size_t i = 1; i + 1 < levels.size(); ++i) {
        const bool isLobe =
            (i < left || i > right) && levels[i] > levels[i - 1] && levels[i] >= levels[i + 1];
        if (isLobe && levels[i] > BeamShape::kFloorDb)
            pattern.sideLobeDb = std::max(pattern.sideLobeDb.value_or(levels[i]), levels[i]);
    }
    pattern.levelDb = std::move(levelDb);
    return pattern;
}

BeamShape beamShape(const BeamGeometry& geometry, PlanePoint pixel) {
    const BeamSection section = sectionAt(geometry, pixel);
    BeamShape shape{.overAngle = section.overAngle,
                    .across = BeamSection::evenly(section.first, section.last, kPoints),
                    .pixelAt = section.pixelAt,
                    .depthM = section.depthM};
    std::vector<PlanePoint> points;
    for (const double position : shape.across) points.push_back(section.at(position));
    const PixelFields fields = fieldsAt(geometry, pixel, points, BeamShape::kMostTerms);
    shape.transmits = fields.transmits;
    shape.nearestAlone = fields.nearestAlone;
    shape.elements = fields.elements;
    if (fields.heard.empty()) return shape;
    const auto measure = [&](const Field& field) {
        return measured(inDecibels(magnitudeOf(field), BeamShape::kFloorDb), shape.across);
    };
    shape.sent = measure(fields.sent);
    shape.heard = measure(fields.heard);
    shape.both = measure(fields.both);
    return shape;
}

} // namespace echolux::lab
