// SPDX-License-Identifier: GPL-3.0-or-later
// Measures each shape by its kind.
#include "app/measure/measurement.hpp"

#include "app/measure/figures.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

namespace echolux::measure {
namespace {

const Measurement& pointNamed(const std::vector<Measurement>& all, const std::string& name) {
    const auto found = std::ranges::find(all, name, &Measurement::name);
    if (found == all.end() || found->kind != Kind::Point)
        throw Error(fmt::format("There is no point '{}'; measure one, or name another.", name));
    return *found;
}

const Measurement& regionNamed(const std::vector<Measurement>& all, const std::string& name) {
    const auto found = std::ranges::find(all, name, &Measurement::name);
    if (found == all.end() || !isRegion(found->kind))
        throw Error(fmt::format("There is no region '{}'; draw one, or name another.", name));
    return *found;
}

/// What is measured beyond one plane: voxels, and distances between planes.
bool isInSpace(const Measurement& each, const MeasuredImage& image) {
    const bool along = each.kind == Kind::Line || each.kind == Kind::Polyline;
    const auto leaves = [&](const Place& place) {
        return place.elevation != each.places.front().elevation;
    };
    const bool voxels = each.kind == Kind::Point || each.kind == Kind::Blob;
    return (voxels && image.isVolume()) || (along && std::ranges::any_of(each.places, leaves));
}

/// Of the plane on which it is measured. What names shapes is measured on that of the first one.
double elevationOf(const Measurement& each, const std::vector<Measurement>& all) {
    if (!each.places.empty()) return each.places.front().elevation;
    const auto named = std::ranges::find(all, each.inside, &Measurement::name);
    return named != all.end() && !named->places.empty() ? named->places.front().elevation : 0.0;
}

std::vector<Figure> figuresOn(const MeasuredImage& image, const Measurement& each,
                              const std::vector<Measurement>& all) {
    switch (each.kind) {
    case Kind::Point: return figuresOfPoint(image, each);
    case Kind::Line: return figuresOfLine(image, each);
    case Kind::Polyline: return figuresOfPolyline(image, each);
    case Kind::Angle: return figuresOfAngle(image, each);
    case Kind::Rectangle:
    case Kind::Ellipse:
    case Kind::Outline: return figuresOfRegion(image, each);
    case Kind::Blob: return figuresOfBlob(image, each);
    case Kind::Calliper: return figuresOfCalliper(image, each);
    case Kind::Envelope: return figuresOfEnvelope(image, each);
    case Kind::Sensitivity:
        return figuresOfSensitivity(image, each, pointNamed(all, each.inside),
                                    regionNamed(all, each.outside));
    case Kind::Contrast: break;
    }
    return figuresOfContrast(image, regionNamed(all, each.inside), regionNamed(all, each.outside));
}

/// Levels are floats, so a smaller one is rounding of 0.
double withoutRounding(double db) {
    constexpr double kRounding = 1e-5;
    return std::abs(db) < kRounding ? 0.0 : db;
}

Measured measuredOn(const MeasuredImage& whole, const Measurement& each,
                    const std::vector<Measurement>& all) {
    Measured measured{each.name, each.kind};
    if (isInSpace(each, whole)) {
        measured.figures = figuresInVolume(whole, each);
        if (isShape(each.kind)) measured.note = doubtAtEdge(whole, each);
    } else {
        const MeasuredImage plane =
            whole.isVolume() ? whole.planeAt(elevationOf(each, all)) : MeasuredImage{};
        const MeasuredImage& image = whole.isVolume() ? plane : whole.samples();
        measured.figures = figuresOn(image, each, all);
        if (isShape(each.kind)) measured.note = doubtAtEdge(image, each);
        if (each.kind == Kind::Envelope) measured.traces = tracesOfEnvelope(image, each);
    }
    for (Figure& figure : measured.figures)
        if (figure.unit == "dB") figure.value = withoutRounding(figure.value);
    return measured;
}

} // namespace

std::string_view nameOf(Kind kind) {
    switch (kind) {
    case Kind::Point: return "point";
    case Kind::Line: return "line";
    case Kind::Polyline: return "polyline";
    case Kind::Angle: return "angle";
    case Kind::Rectangle: return "rectangle";
    case Kind::Ellipse: return "ellipse";
    case Kind::Outline: return "outline";
    case Kind::Blob: return "blob";
    case Kind::Calliper: return "calliper";
    case Kind::Envelope: return "envelope";
    case Kind::Sensitivity: return "sensitivity";
    case Kind::Contrast: break;
    }
    return "contrast";
}

bool isRegion(Kind kind) {
    return kind == Kind::Rectangle || kind == Kind::Ellipse || kind == Kind::Outline;
}

bool isShape(Kind kind) { return kind != Kind::Contrast && kind != Kind::Sensitivity; }

std::vector<Measurement> onView(const std::vector<Measurement>& all, const std::string& view,
                                bool first) {
    std::vector<Measurement> found;
    std::ranges::copy_if(all, std::back_inserter(found), [&](const Measurement& each) {
        return each.view.empty() ? first : each.view == view;
    });
    return found;
}

std::vector<Place> outlineOf(const Measurement& measurement) {
    const std::vector<Place>& places = measurement.places;
    const bool isEnvelope = measurement.kind == Kind::Envelope && !places.empty();
    if (measurement.kind == Kind::Rectangle || isEnvelope) {
        const auto& [a, b] = std::pair(places[0], places[1]);
        return {
            {a.lateral, a.depth}, {b.lateral, a.depth}, {b.lateral, b.depth}, {a.lateral, b.depth}};
    }
    if (measurement.kind == Kind::Calliper && measurement.surfaces.span) {
        const double lateral = places[0].lateral;
        return {{lateral, measurement.surfaces.span->from},
                {lateral, measurement.surfaces.span->to}};
    }
    if (measurement.kind != Kind::Ellipse) return places;
    constexpr int kCorners = 48;
    std::vector<Place> outline;
    for (int n = 0; n < kCorners; ++n) {
        const double turn = 2.0 * std::numbers::pi * n / kCorners;
        outline.push_back({places[0].lateral + places[1].lateral * std::cos(turn),
                           places[0].depth + places[1].depth * std::sin(turn)});
    }
    return outline;
}

Measured measureOne(const MeasuredImage& image, const Measurement& one,
                    const std::vector<Measurement>& all) {
    try {
        return measuredOn(image, one, all);
    } catch (const Error& error) {
        return {.name = one.name, .kind = one.kind, .problem = error.what()};
    }
}

std::vector<Measured> measureAll(const MeasuredImage& image,
                                 const std::vector<Measurement>& measurements) {
    std::vector<Measured> all;
    for (const Measurement& each : measurements)
        all.push_back(measureOne(image, each, measurements));
    return all;
}

std::vector<Measurement> asDrawn(const std::vector<Measurement>& measurements,
                                 const std::vector<Measured>& measured) {
    std::vector<Measurement> drawn;
    for (Measurement each : measurements) {
        const auto found = std::ranges::find(measured, each.name, &Measured::name);
        const bool hasTraces = found != measured.end() && !found->traces.empty();
        for (std::size_t n = 0; hasTraces && n < found->traces.size(); ++n)
            drawn.push_back({.name = n == 0 ? each.name : std::string(),
                             .kind = Kind::Polyline,
                             .view = each.view,
                             .places = found->traces[n]});
        if (hasTraces) continue;
        if (each.kind != Kind::Calliper || found == measured.end() || found->figures.empty()) {
            drawn.push_back(std::move(each));
            continue;
        }
        const auto depthOf = [&](const char* id) {
            return std::ranges::find(found->figures, id, &Figure::id)->value;
        };
        const double upper = depthOf("upper");
        const double lower = depthOf("lower");
        const double middle = each.places[0].lateral;
        const double bar = std::max(each.surfaces.width / 2.0, (lower - upper) / 4.0);
        each.kind = Kind::Polyline;
        each.places = {{middle - bar, upper}, {middle + bar, upper}, {middle, upper},
                       {middle, lower},       {middle - bar, lower}, {middle + bar, lower}};
        drawn.push_back(std::move(each));
    }
    return drawn;
}

} // namespace echolux::measure
