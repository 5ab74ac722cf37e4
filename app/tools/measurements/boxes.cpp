// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes from shapes, and shapes from boxes.
#include "app/tools/measurements/boxes.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

using measure::Kind;
using measure::Measurement;

Rect boxOfCalliper(const Measurement& made, const MeasuredAxes& axes) {
    const double aside = std::max(made.surfaces.width, std::abs(axes.lateral.step)) / 2.0;
    const auto [top, bottom] = std::minmax(
        {axes.depth.at(0), axes.depth.at(std::max<std::int64_t>(axes.depth.size, 1) - 1)});
    const measure::Surfaces::Span span =
        made.surfaces.span.value_or(measure::Surfaces::Span{top, bottom});
    const double lateral = made.places[0].lateral;
    return {lateral - aside, span.from, lateral + aside, span.to};
}

} // namespace

Rect boxOf(const Measurement& made, const MeasuredAxes& axes) {
    if (made.kind == Kind::Calliper) return boxOfCalliper(made, axes);
    std::vector<measure::Place> outline = outlineOf(made);
    if (made.kind == Kind::Point || made.kind == Kind::Blob) {
        const measure::Place at = outline.front();
        outline = {{at.lateral - made.search, at.depth - made.search},
                   {at.lateral + made.search, at.depth + made.search}};
    }
    const auto [left, right] = std::ranges::minmax(outline, {}, &measure::Place::lateral);
    const auto [top, bottom] = std::ranges::minmax(outline, {}, &measure::Place::depth);
    return {left.lateral, top.depth, right.lateral, bottom.depth};
}

void moveTo(Measurement& made, const Rect& to, const MeasuredAxes& axes) {
    const Rect from = boxOf(made, axes);
    const auto scaled = [](double at, double first, double last, double newFirst, double newLast) {
        const double share = last > first ? (at - first) / (last - first) : 0.5;
        return newFirst + share * (newLast - newFirst);
    };
    const auto moved = [&](const measure::Place& at) {
        return measure::Place{scaled(at.lateral, from.left, from.right, to.left, to.right),
                              scaled(at.depth, from.top, from.bottom, to.top, to.bottom),
                              at.elevation};
    };
    if (made.kind == Kind::Ellipse) {
        made.places = {moved(made.places[0]), {to.width() / 2.0, to.height() / 2.0}};
        return;
    }
    if (made.kind == Kind::Point || made.kind == Kind::Blob) {
        made.places = {{to.centre().x, to.centre().y, made.places[0].elevation}};
        made.search = std::min(to.width(), to.height()) / 2.0;
        return;
    }
    if (made.kind == Kind::Calliper) {
        made.places = {{to.centre().x, to.centre().y, made.places[0].elevation}};
        made.surfaces.width = to.width();
        if (to.height() > 0.0) made.surfaces.span = {to.top, to.bottom};
        return;
    }
    for (measure::Place& place : made.places) place = moved(place);
}

} // namespace echolux
