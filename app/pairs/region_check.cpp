// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of regions and the other measurements: against the beamformed samples, and against what
// the scene holds.
#include "app/dataset/recording/ensemble.hpp"
#include "app/measure/measured_image.hpp"
#include "app/pairs/expectations.hpp"
#include "app/pairs/findings.hpp"
#include "app/pairs/images.hpp"
#include "app/session/checked_image.hpp"
#include "app/sweep/frame_imager.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::pairs {
namespace {

using measure::Kind;
using measure::Measured;
using measure::Measurement;
using measure::Place;

constexpr double kMm = 1e3;
constexpr const char* kInside = "inside";
constexpr const char* kOutside = "outside";

Place placeAt(double x, double z) { return {kMm * x, kMm * z}; }

/// The dark cyst without its rim, and speckle below it.
Measurement insideOf(const SceneTruth& truth) {
    const Place half = placeAt(0.6 * truth.cyst.radius, 0.6 * truth.cyst.radius);
    return {.name = kInside,
            .kind = Kind::Ellipse,
            .places = {placeAt(truth.cyst.x, truth.cyst.z), half}};
}

Measurement outsideOf(const SceneTruth& truth, Kind kind) {
    const auto& [x, y, z] = truth.speckle;
    const double half = truth.speckleHalfM;
    Measurement region{.name = kOutside, .kind = kind};
    if (kind == Kind::Ellipse)
        region.places = {placeAt(x, z), placeAt(2.0 * half, half)};
    else if (kind == Kind::Rectangle)
        region.places = {placeAt(x - 2.0 * half, z - half), placeAt(x + 2.0 * half, z + half)};
    else
        region.places = {placeAt(x - 2.0 * half, z - half), placeAt(x + 2.0 * half, z - half),
                         placeAt(x, z + half)};
    return region;
}

bool isIn(const Measurement& region, const Point& p) {
    const double u = kMm * p.x;
    const double v = kMm * p.z;
    const std::vector<Place>& at = region.places;
    switch (region.kind) {
    case Kind::Ellipse:
        return std::hypot((u - at[0].lateral) / at[1].lateral, (v - at[0].depth) / at[1].depth) <=
               1.0;
    case Kind::Rectangle:
        return u >= at[0].lateral && u <= at[1].lateral && v >= at[0].depth && v <= at[1].depth;
    default: { // the triangle: it is as wide as the rectangle above, and ends in a corner below
        const double down = (v - at[0].depth) / (at[2].depth - at[0].depth);
        return down >= 0.0 &&
               std::abs(u - at[2].lateral) <= (1.0 - down) * 0.5 * (at[1].lateral - at[0].lateral);
    }
    }
}

struct Statistics {
    double mean = 0.0;
    double deviation = 0.0;
};

/// Of the beamformed amplitudes in a region, in the plane y = 0.
Statistics statisticsOf(const Image& amplitudes, const Measurement& region) {
    double least = HUGE_VAL; // of |y|
    std::vector<std::pair<double, double>> inside;
    for (std::size_t i = 0; i < amplitudes.values.size(); ++i) {
        const Point at = amplitudes.placeOf(i);
        if (!isIn(region, at) || std::isnan(amplitudes.values[i])) continue;
        least = std::min(least, std::abs(at.y));
        inside.emplace_back(std::abs(at.y), amplitudes.values[i]);
    }
    std::erase_if(inside, [&](const auto& each) { return each.first > least + 1e-9; });
    Statistics result;
    const auto count = static_cast<double>(inside.size());
    for (const auto& [y, value] : inside) result.mean += value / count;
    for (const auto& [y, value] : inside)
        result.deviation += (value - result.mean) * (value - result.mean) / count;
    result.deviation = std::sqrt(result.deviation);
    return result;
}

/// Measures the scene's first frame as the pipeline of its kind shows it.
std::vector<Measured> measured(const Task& task, Scene scene,
                               const std::vector<Measurement>& measurements) {
    const auto recording = task.open(scene);
    const FrameSpec& raw = recording->info().frame;
    const SnapshotPtr snapshot = imagingSnapshot(raw, std::nullopt);
    std::vector<std::byte> bytes(snapshot->input.bytes());
    readFrames(*recording, 0, bytes);
    BackendChoice place;
    place.backend = task.backend;
    FrameImager imager(place, *snapshot, "");
    return measureAll(imager.image(snapshot, bytes, 0), measurements);
}

Image beamformed(const Task& task, Scene scene) {
    const auto recording = task.open(scene);
    return outputOf(*recording, imagingSnapshot(recording->info().frame, std::nullopt),
                    task.backend, "envelope");
}

double figureOf(const std::vector<Measured>& all, const std::string& name, const std::string& id) {
    const auto at = std::ranges::find(all, name, &Measured::name);
    if (at == all.end()) throw Error(fmt::format("Nothing is measured by the name {}.", name));
    if (!at->problem.empty()) throw Error(at->problem);
    const auto figure = std::ranges::find(at->figures, id, &measure::Figure::id);
    return figure == at->figures.end() ? std::nan("") : figure->value;
}

void near(Findings& found, const std::string& what, double got, double expected, double tolerable) {
    found.expect(std::abs(got - expected) <= tolerable,
                 fmt::format("{} is {:.4g} where {:.4g} is right", what, got, expected));
}

void compareRegion(const Task& task, Kind kind, Findings& found) {
    const Measurement region = outsideOf(task.truth(Scene::Cyst), kind);
    const auto all = measured(task, Scene::Cyst, {region});
    const Statistics own = statisticsOf(beamformed(task, Scene::Cyst), region);
    const double snr = own.mean / own.deviation;
    near(found, "the speckle SNR", figureOf(all, kOutside, "snr"), snr, 0.03 * snr);
    const double half = kMm * task.truth(Scene::Cyst).speckleHalfM;
    const double box = 8.0 * half * half;
    const double area = kind == Kind::Ellipse   ? 2.0 * std::numbers::pi * half * half
                        : kind == Kind::Outline ? 0.5 * box
                                                : box;
    near(found, "the area", figureOf(all, kOutside, "area"), area, 1e-6);
    found.add("snr", figureOf(all, kOutside, "snr"), "");
}

/// Lengths, places and angles, which the scene itself tells.
void measureLengths(const Task& task, Kind kind, Findings& found) {
    const std::vector<Point> points = task.truth(Scene::Points).points;
    const auto at = [&](std::size_t i) { return placeAt(points[i].x, points[i].z); };
    const double tolerable = kMm * tolerableOffsetM(task.acquired);
    const Place top = at(0);
    const Place middle = at(1);
    const double step = middle.depth - top.depth;
    const Place left{middle.lateral - 1.2, middle.depth};
    const Place right{middle.lateral + 1.2, middle.depth};
    Measurement made{.name = "it", .kind = kind};
    switch (kind) {
    case Kind::Point:
    case Kind::Blob: made.places = {middle}; break;
    case Kind::Calliper:
        made.places = {middle};
        made.surfaces.span = measure::Surfaces::Span{top.depth - 1.0, middle.depth + 1.0};
        break;
    case Kind::Line: made.places = {left, right}; break;
    case Kind::Polyline:
    case Kind::Angle: made.places = {left, middle, top}; break;
    case Kind::Sensitivity:
        made.inside = "mirror";
        made.outside = "noise";
        break;
    default: break;
    }
    std::vector<Measurement> all{made};
    if (kind == Kind::Sensitivity) {
        all.push_back({.name = "mirror", .kind = Kind::Point, .places = {middle}});
        all.push_back({.name = "noise", .kind = Kind::Rectangle, .places = {left, at(2)}});
    }
    const auto result = measured(task, Scene::Points, all);
    const auto of = [&](const char* id) { return figureOf(result, "it", id); };
    switch (kind) {
    case Kind::Point:
        near(found, "the lateral place", of("lateral"), middle.lateral, tolerable);
        near(found, "the depth", of("depth"), middle.depth, tolerable);
        break;
    case Kind::Calliper: // between two places
        near(found, "the thickness", of("thickness"), step, 2.0 * tolerable);
        break;
    case Kind::Line: near(found, "the length", of("length"), 2.4, 1e-6); break;
    case Kind::Polyline: near(found, "the length", of("length"), 1.2 + step, 1e-6); break;
    case Kind::Angle: near(found, "the angle", of("angle"), 90.0, 1e-6); break;
    case Kind::Blob:
        if (!result.front().problem.empty()) throw Error(result.front().problem);
        found.expect(!result.front().figures.empty(), "a blob has no figures");
        break;
    default: of("none"); // throws where it is refused
    }
}

} // namespace

void checkSpeckle(const Task& task, const std::string& /*name*/, Findings& found) {
    const SceneTruth truth = task.truth(Scene::Cyst);
    const Measurement inside = insideOf(truth);
    const Measurement outside = outsideOf(truth, Kind::Rectangle);
    const auto all = measured(
        task, Scene::Cyst,
        {inside,
         outside,
         {.name = "contrast", .kind = Kind::Contrast, .inside = kInside, .outside = kOutside}});
    const Image amplitudes = beamformed(task, Scene::Cyst);
    const Statistics in = statisticsOf(amplitudes, inside);
    const Statistics out = statisticsOf(amplitudes, outside);
    const double snr = out.mean / out.deviation;
    const double contrast = 20.0 * std::log10(in.mean / out.mean);
    const double cnr = std::abs(in.mean - out.mean) / std::hypot(in.deviation, out.deviation);
    near(found, "the speckle SNR", figureOf(all, kOutside, "snr"), snr, 0.03 * snr);
    near(found, "the contrast", figureOf(all, "contrast", "contrast"), contrast, 0.3);
    near(found, "the CNR", figureOf(all, "contrast", "cnr"), cnr, 0.05 * cnr);
    found.add("snr", figureOf(all, kOutside, "snr"), "");
    found.add("snr_beamformed", snr, "");
    found.add("contrast", figureOf(all, "contrast", "contrast"), "dB");
    found.add("contrast_beamformed", contrast, "dB");
}

void checkMeasurement(const Task& task, const std::string& name, Findings& found) {
    const auto kind = std::ranges::find(
        measure::kAllKinds, name, [](Kind each) { return std::string(measure::nameOf(each)); });
    if (*kind == Kind::Contrast) return checkSpeckle(task, name, found);
    if (measure::isRegion(*kind)) return compareRegion(task, *kind, found);
    measureLengths(task, *kind, found);
}

} // namespace echolux::pairs
