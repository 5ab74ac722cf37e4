// SPDX-License-Identifier: GPL-3.0-or-later
// The samples with names.
#include "app/source/oct_sample.hpp"

#include "app/source/option_range.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace echolux {

namespace {

constexpr double kMicro = 1e-6;

/// A layer in a textbook's units: um, dB, 1 / mm.
struct LayerRow {
    const char* name;
    double topUm;
    double levelDb;
    double specularDb; ///< at most -100: none
    double attenuationPerMm;
    double pitUm;
};

double amplitude(double db) { return db <= -100.0 ? 0.0 : std::pow(10.0, db / 20.0); }

void addLayers(OctSample& sample, const std::vector<LayerRow>& rows) {
    std::string text;
    for (const LayerRow& row : rows) {
        sample.layers.push_back({row.topUm * kMicro, amplitude(row.levelDb),
                                 amplitude(row.specularDb), row.attenuationPerMm * 1e3,
                                 row.pitUm * kMicro});
        text += fmt::format("{}{} from {:g}", text.empty() ? "" : ", ", row.name, row.topUm);
    }
    sample.truth.emplace_back("layers",
                              text + fmt::format(" um below the surface, which lies {:.4g} um "
                                                 "below zero delay in the middle",
                                                 sample.startM / kMicro));
}

void addVessel(OctSample& sample, const OctSampleRequest& request, OctVessel vessel) {
    vessel.swing = request.vesselMoves ? 0.2 : 0.0;
    vessel.z += sample.startM;
    sample.truth.emplace_back(
        "vessel", fmt::format("centre x {:.4g}, z {:.4g} um, radius {:.4g} um +- {:g} %, blood at "
                              "{:.0f} dB",
                              vessel.x / kMicro, vessel.z / kMicro, vessel.radius / kMicro,
                              100.0 * vessel.swing, 20.0 * std::log10(vessel.level)));
    sample.vessel = vessel;
}

void makeRetina(OctSample& sample, const OctSampleRequest& request) {
    sample.bowM = 25 * kMicro;
    sample.pitWidthM = 0.35 * sample.halfWidthM;
    sample.undulationM = 1.5 * kMicro;
    sample.roughnessM = 0.6 * kMicro;
    addLayers(sample, {{"nerve fibres", 0, -8, -12, 2, 86},
                       {"ganglion cells", 28, -16, -200, 1, 62},
                       {"inner nuclei", 92, -24, -200, 1, 8},
                       {"outer plexus", 126, -15, -200, 1, 3},
                       {"outer nuclei", 148, -28, -200, 1, 0},
                       {"limiting membrane", 216, -17, -200, 1, 0},
                       {"inner segments", 220, -22, -200, 1, 0},
                       {"ellipsoid zone", 240, -4, -10, 2, 0},
                       {"outer segments", 250, -19, -200, 1, 0},
                       {"pigment epithelium", 274, -1, -6, 12, 0},
                       {"choroid", 294, -13, -200, 9, 0},
                       {"sclera", 390, -36, -200, 4, 0}});
    addVessel(sample, request, {0.55 * sample.halfWidthM, 66 * kMicro, 32 * kMicro, 0, 0.03});
}

void makeSkin(OctSample& sample, const OctSampleRequest& request) {
    sample.bowM = 60 * kMicro;
    sample.undulationM = 7 * kMicro;
    sample.roughnessM = 5 * kMicro;
    addLayers(sample, {{"horny layer", 0, -4, 4, 2, 0},
                       {"epidermis", 30, -18, -200, 2, 0},
                       {"papillae", 130, -8, -200, 3, 0},
                       {"dermis", 240, -12, -200, 3, 0},
                       {"fat", 900, -26, -200, 1, 0}});
    addVessel(sample, request, {-0.3 * sample.halfWidthM, 360 * kMicro, 85 * kMicro, 0, 0.02});
}

void makeFlow(OctSample& sample, const OctSampleRequest& request) {
    addLayers(sample, {{"gel", 0, -12, -200, 1, 0}, {"clear gel", 360, -200, -200, 0, 0}});
    const auto add = [&](double x, double speed) {
        const bool moves = request.vesselMoves && request.transitS > 0.0;
        const OctFlow flow{.x = x * sample.halfWidthM,
                           .z = sample.startM + 180 * kMicro,
                           .radius = 70 * kMicro,
                           .level = amplitude(-12),
                           .peakMps = moves ? speed * request.flowMps : 0.0,
                           .transitS = moves ? request.transitS : 0.0};
        std::string text =
            fmt::format("centre x {:.4g}, z {:.4g} um, radius {:.4g} um, {:.6g} mm/s "
                        "towards the probe on the axis, parabolic",
                        flow.x / kMicro, flow.z / kMicro, flow.radius / kMicro, 1e3 * flow.peakMps);
        if (moves && request.frameIntervalS > 0.0 && request.frameIntervalS <= flow.transitS)
            text += fmt::format("; correlation {:.4f} from one B-scan to the next",
                                flow.correlationAfter(request.frameIntervalS));
        sample.truth.emplace_back(fmt::format("flow {}", sample.flows.size() + 1), text);
        sample.flows.push_back(flow);
    };
    add(-0.4, 1.0);
    add(0.4, -0.5);
}

/// Straight vessels below swaying ones, so that the tails of these cross them.
void makePlexus(OctSample& sample, const OctSampleRequest& request) {
    sample.undulationM = 10 * kMicro;
    addLayers(sample, {{"upper tissue", 0, -10, -200, 1, 0},
                       {"lower tissue", 150, -12, -200, 1, 0},
                       {"clear gel", 330, -200, -200, 0, 0}});
    const auto add = [&](double x, double depthM, double radiusM, double sway) {
        const bool moves = request.vesselMoves && request.transitS > 0.0;
        sample.flows.push_back({.x = x * sample.halfWidthM,
                                .z = sample.startM + depthM,
                                .radius = radiusM,
                                .level = amplitude(-10),
                                .transitS = moves ? request.transitS : 0.0,
                                .swayM = sway * sample.halfWidthM,
                                .swayPeriodM = sample.halfWidthM,
                                .tail = moves ? 0.8 : 0.0});
        const OctFlow& flow = sample.flows.back();
        sample.truth.emplace_back(
            fmt::format("flow {}", sample.flows.size()),
            fmt::format("centre x {:.4g} + {:.4g} sin(2 pi y / {:.4g}), z {:.4g} um, radius {:.4g} "
                        "um, across the beam; tail {:g}",
                        flow.x / kMicro, flow.swayM / kMicro, flow.swayPeriodM / kMicro,
                        flow.z / kMicro, flow.radius / kMicro, flow.tail));
    };
    for (const double x : {-0.55, 0.0, 0.55}) add(x, 80 * kMicro, 25 * kMicro, 0.2);
    for (const double x : {-0.3, 0.3}) add(x, 230 * kMicro, 32 * kMicro, 0.0);
}

void makeLayers(OctSample& sample, const OctSampleRequest&) {
    sample.bowM = 15 * kMicro;
    sample.undulationM = 1.0 * kMicro;
    sample.roughnessM = 0.3 * kMicro;
    std::vector<LayerRow> rows;
    for (int i = 0; i < 10; ++i)
        rows.push_back(
            {i % 2 == 0 ? "film" : "glue", 45.0 * i, i % 2 == 0 ? -22.0 : -34.0, -4.0, 1.0, 0.0});
    addLayers(sample, rows);
}

void makePoints(OctSample& sample, const OctSampleRequest& request) {
    constexpr int kRows = 5;
    constexpr int kColumns = 6;
    std::string text;
    for (int row = 0; row < kRows; ++row) {
        for (int column = 0; column < kColumns; ++column) {
            const double across = (column + 0.5) / kColumns * 2.0 - 1.0;
            const double down = (row + 0.15 * (column % 2)) / kRows;
            const Point point{0.9 * across * sample.halfWidthM, 0.0,
                              sample.startM + 0.9 * down * (request.rangeM - sample.startM)};
            sample.points.push_back(point);
            text += fmt::format("({:.4g}, {:.4g}) ", point.x / kMicro, point.z / kMicro);
        }
    }
    text.pop_back();
    sample.truth.emplace_back("points", text + " um, x and z");
}

void makeMirror(OctSample& sample, const OctSampleRequest& request) {
    checkRange("--mirror-depth", " um", request.mirrorDepthM / kMicro, -request.rangeM / kMicro,
               request.rangeM / kMicro);
    sample.mirrorM = request.mirrorDepthM;
    sample.truth.emplace_back("mirror",
                              fmt::format("{:.6g} um below zero delay", *sample.mirrorM / kMicro));
}

struct NamedSample {
    const char* name;
    const char* help;
    std::function<void(OctSample&, const OctSampleRequest&)> make;
    bool hasBlood = false;
};

const std::vector<NamedSample>& samples() {
    static const std::vector<NamedSample> all{
        {"retina", "thin layers with a pit, and a vessel", makeRetina},
        {"skin", "rough, strongly scattering layers, and a vessel", makeSkin},
        {"vessels", "gel with two vessels in which blood flows", makeFlow, true},
        {"plexus", "tissue with vessels at two depths and tails below them", makePlexus, true},
        {"layers", "a stack of films", makeLayers},
        {"points", "point reflectors alone", makePoints},
        {"mirror", "one reflector in every line, at --mirror-depth", makeMirror}};
    return all;
}

} // namespace

double OctFlow::fromAxis(const Point& at) const {
    const double sway =
        swayM == 0.0 ? 0.0 : swayM * std::sin(2.0 * std::numbers::pi * at.y / swayPeriodM);
    return std::hypot(at.x - x - sway, at.z - z) / radius;
}

bool OctFlow::contains(const Point& at) const { return fromAxis(at) < 1.0; }

double OctFlow::speedAt(const Point& at) const {
    const double r = fromAxis(at);
    return r < 1.0 ? peakMps * (1.0 - r * r) : 0.0;
}

double OctFlow::correlationAfter(double timeS) const {
    const double q = timeS / transitS;
    const double angle = 0.5 * std::numbers::pi * q;
    return (1.0 - 0.5 * q) * std::cos(angle) + std::sin(angle) / std::numbers::pi;
}

void chooseFlow(const OctSetup& setup, OctSampleRequest& request) {
    request.frameIntervalS = 1.0 / setup.frameRateHz;
    request.flowMps =
        0.6 * setup.centreWavelengthM * setup.frameRateHz / (4.0 * setup.refractiveIndex);
    request.transitS = 1.5 * request.frameIntervalS;
}

const std::vector<std::pair<std::string, std::string>>& octSampleNames() {
    static const std::vector<std::pair<std::string, std::string>> names = [] {
        std::vector<std::pair<std::string, std::string>> all;
        for (const NamedSample& sample : samples()) all.emplace_back(sample.name, sample.help);
        return all;
    }();
    return names;
}

bool hasBlood(const std::string& sample) {
    return std::ranges::any_of(samples(), [&](const NamedSample& named) {
        return named.hasBlood && named.name == sample;
    });
}

OctSample makeOctSample(const OctSampleRequest& request) {
    checkRange("--start-depth", " um", request.startDepthM / kMicro, 0, request.rangeM / kMicro);
    checkRange("--breathing", " um", request.breathingM / kMicro, 0, request.rangeM / kMicro);
    for (const NamedSample& named : samples()) {
        if (request.name != named.name) continue;
        OctSample sample;
        sample.startM = request.startDepthM;
        sample.halfWidthM = request.widthM / 2.0;
        sample.breathingM = request.breathingM;
        sample.periodS = request.periodS;
        named.make(sample, request);
        return sample;
    }
    std::string names;
    for (const NamedSample& named : samples())
        names += fmt::format("{}{}", names.empty() ? "" : ", ", named.name);
    throw Error(fmt::format("There is no sample '{}': choose one of {}.", request.name, names));
}

} // namespace echolux
