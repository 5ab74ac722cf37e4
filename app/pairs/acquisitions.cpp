// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pairs/acquisitions.hpp"

#include "app/source/array_design.hpp"
#include "app/source/transmit_design.hpp"
#include "gpu/core/counter_random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace echolux::pairs {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kPulseHz = 5e6;
/// Between rows of voxels: delays jump from before to after a focus, and rounding would decide for
/// a row that passes through it.
constexpr double kFocusM = 9.01e-3;
constexpr double kBehindM = 10e-3;
/// Of a matrix array, whose waves would else be weaker beside the axis, which moves points there.
constexpr double kNearBehindM = 6e-3;
constexpr double kOpens = 12.0; ///< degrees
constexpr std::int64_t kRowElements = 48;
constexpr std::int64_t kActive = 16; ///< of focused lines that walk
/// The edges of an aperture send waves of their own, which move points; a window weakens them.
constexpr ApertureWindow kWindow = ApertureWindow::Tukey;

ElementDesign elementsOf(double pitchM, double heightM = 0.0) {
    return {.pitchM = pitchM, .widthM = 0.9 * pitchM, .heightM = heightM};
}

Probe linear() { return linearProbe(kRowElements, elementsOf(0.25e-3)); }
Probe phased() { return linearProbe(kRowElements, elementsOf(0.154e-3)); }
Probe curved() { return curvedProbe(kRowElements, 25e-3, elementsOf(0.3e-3)); }
Probe concave() { return concaveProbe(kRowElements, 30e-3, elementsOf(0.3e-3)); }
constexpr std::int64_t kColumns = 8;
constexpr double kMatrixPitchM = 0.45e-3;
Probe matrix() {
    return matrixProbe({.columns = kColumns, .rows = kColumns, .pitchYM = kMatrixPitchM},
                       elementsOf(kMatrixPitchM, 0.9 * kMatrixPitchM));
}
Probe rowColumn() {
    constexpr std::int64_t kLines = 20;
    return rowColumnProbe(kLines, elementsOf(0.3e-3, kLines * 0.3e-3));
}

constexpr std::array kArrays{
    ArrayRow{"linear", Layout::Walking, linear}, ArrayRow{"phased", Layout::Steered, phased},
    ArrayRow{"curved", Layout::Walking, curved}, ArrayRow{"concave", Layout::Walking, concave},
    ArrayRow{"matrix", Layout::Grid, matrix},    ArrayRow{"row-column", Layout::Crossed, rowColumn},
};

/// A window along columns and rows of the matrix array, which has few of them.
std::vector<float> matrixWeights() {
    const std::vector<float> line = weightsOf(linearProbe(kColumns, elementsOf(kMatrixPitchM)),
                                              {0, kColumns}, ApertureWindow::Hann);
    std::vector<float> weights;
    for (const float row : line)
        for (const float column : line) weights.push_back(row * column);
    return weights;
}

/// Of a matrix array; angles in degrees.
void addTowards(EchoSetup& setup, Wave wave, double angle, double elevation, double metres = 0.0) {
    Transmit transmit = waveTowards(setup.acquisition.probe, wave, angle * kDegree,
                                    elevation * kDegree, Steering::Tilts, metres);
    if (wave == Wave::Diverging) transmit.apodization = matrixWeights();
    setup.acquisition.transmits.push_back(std::move(transmit));
}

/// A wave of one set of a row-column array, whose source is a line.
Transmit across(Wave wave, bool columnsSend, double lateral, double depth) {
    return {.wave = wave,
            .source = {columnsSend ? lateral : 0.0, columnsSend ? 0.0 : lateral, depth}};
}

void addAllElements(EchoSetup& setup, Transmit transmit) {
    const Probe& probe = setup.acquisition.probe;
    transmit.apodization = weightsOf(probe, {0, std::ssize(probe.elements)}, kWindow);
    setup.acquisition.transmits.push_back(std::move(transmit));
}

constexpr std::array kTilts{std::array{0.0, 0.0}, std::array{-1.0, 0.0}, std::array{1.0, 0.0},
                            std::array{0.0, -1.0}, std::array{0.0, 1.0}};

void addPlane(const ArrayRow& array, EchoSetup& setup) {
    constexpr double kAngle = 6.0;
    if (array.layout == Layout::Grid) {
        for (const auto& [x, y] : kTilts) addTowards(setup, Wave::Plane, x * kAngle, y * kAngle);
        return;
    }
    for (const bool columns : {true, false}) {
        for (const double part : {-1.0, 0.0, 1.0}) {
            Transmit transmit;
            (columns ? transmit.angleRad : transmit.elevationRad) = part * kAngle * kDegree;
            if (array.layout == Layout::Crossed)
                addCrossed(setup.acquisition, columns, transmit);
            else if (columns)
                addAllElements(setup, transmit);
        }
    }
}

void addDiverging(const ArrayRow& array, EchoSetup& setup) {
    const Probe& probe = setup.acquisition.probe;
    auto& transmits = setup.acquisition.transmits;
    switch (array.layout) {
    case Layout::Walking:
        for (const ActiveElements active : walk(kRowElements, 2 * kRowElements / 3, 3))
            transmits.push_back(divergingWave(probe, active, kBehindM, kWindow));
        return;
    case Layout::Steered:
        for (const double degrees : {-15.0, 0.0, 15.0})
            transmits.push_back(steeredDiverging(probe, degrees * kDegree, kBehindM, kWindow));
        return;
    case Layout::Grid:
        for (const auto& [x, y] : kTilts)
            addTowards(setup, Wave::Diverging, kOpens * x, kOpens * y, -kNearBehindM);
        return;
    case Layout::Crossed:
        for (const bool columns : {true, false})
            for (const double x : {-1.5e-3, 0.0, 1.5e-3})
                addCrossed(setup.acquisition, columns,
                           across(Wave::Diverging, columns, x, -kBehindM));
    }
}

void addFocused(const ArrayRow& array, EchoSetup& setup) {
    Acquisition& acquisition = setup.acquisition;
    const Probe& probe = acquisition.probe;
    switch (array.layout) {
    case Layout::Walking:
        setup.channels = kActive;
        for (const ActiveElements active :
             walk(kRowElements, kActive, kRowElements - kActive + 1)) {
            acquisition.transmits.push_back(focusedLine(probe, active, kFocusM, kWindow));
            for (std::int64_t i = 0; i < active.count; ++i)
                acquisition.receiveElements.push_back(static_cast<std::int32_t>(active.first + i));
        }
        return;
    case Layout::Steered:
        for (int line = -8; line <= 8; ++line)
            acquisition.transmits.push_back(
                steeredLine(probe, 1.5 * line * kDegree, kFocusM, kWindow));
        return;
    case Layout::Grid:
        for (int x = -1; x <= 1; ++x)
            for (int y = -1; y <= 1; ++y)
                addTowards(setup, Wave::Focused, 4.0 * x, 4.0 * y, kFocusM);
        return;
    case Layout::Crossed:
        for (const bool columns : {true, false})
            for (int x = -3; x <= 3; ++x)
                addCrossed(acquisition, columns,
                           across(Wave::Focused, columns, x * 0.5e-3, kFocusM));
    }
}

void addElements(const ArrayRow& array, EchoSetup& setup) {
    const Probe& probe = setup.acquisition.probe;
    const auto count = static_cast<std::int64_t>(probe.elements.size());
    for (std::int64_t e = 0; e < count; ++e) {
        if (array.layout == Layout::Crossed)
            addCrossed(setup.acquisition, 2 * e < count, singleElement(probe, e));
        else if (e % 2 == 0 && (array.layout != Layout::Grid || e / kColumns % 2 == 0))
            setup.acquisition.transmits.push_back(singleElement(probe, e));
    }
}

/// Nothing is sent: the points themselves sound.
void addNothing(const ArrayRow& array, EchoSetup& setup) {
    Transmit nothing;
    nothing.wave = Wave::None;
    for (const bool columns : {true, false}) {
        if (array.layout == Layout::Crossed)
            addCrossed(setup.acquisition, columns, nothing);
        else if (columns)
            setup.acquisition.transmits.push_back(nothing);
    }
}

constexpr std::array kTransmits{
    TransmitRow{"plane", addPlane},           TransmitRow{"diverging", addDiverging},
    TransmitRow{"focused", addFocused, true}, TransmitRow{"elements", addElements},
    TransmitRow{"one-way", addNothing},
};

/// Depth of the face in the middle of the array.
double faceOf(const ArrayRow& array) {
    const Probe probe = array.probe();
    return std::ranges::min(probe.elements, {}, [](const Point& p) { return std::hypot(p.x, p.y); })
        .z;
}

std::vector<Scatterer> speckleRound(const Circle& cyst, const EchoSetup& setup) {
    constexpr double kHalfWidthM = 3.2e-3;
    constexpr double kHeightM = 8e-3;
    constexpr double kDensity = 6.0; ///< per square wavelength
    const double area = 2.0 * kHalfWidthM * kHeightM;
    const auto count =
        static_cast<std::uint32_t>(kDensity * area / (setup.wavelengthM() * setup.wavelengthM()));
    const CounterRandom random(setup.converter.seed, RandomStream::Speckle);
    std::vector<Scatterer> speckle;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto u = random.uniform(i);
        const Scatterer s{(2.0 * u[0] - 1.0) * kHalfWidthM, cyst.z + (u[1] - 0.4) * kHeightM,
                          boxMuller(u[2], u[3])[0]};
        if (std::hypot(s.x - cyst.x, s.z - cyst.z) >= cyst.radius) speckle.push_back(s);
    }
    return speckle;
}

void fill(FlowingTube& tube, const EchoSetup& setup) {
    constexpr double kDensity = 2.0;
    const double area = 2.0 * tube.radius * tube.length;
    const auto count =
        static_cast<std::uint32_t>(kDensity * area / (setup.wavelengthM() * setup.wavelengthM()));
    const CounterRandom random(setup.converter.seed, RandomStream::Blood);
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto u = random.uniform(i);
        tube.blood.push_back({(u[0] - 0.5) * tube.length, (2.0 * u[1] - 1.0) * tube.radius,
                              boxMuller(u[2], u[3])[0]});
    }
}

} // namespace

std::span<const ArrayRow> arrayRows() { return kArrays; }
std::span<const TransmitRow> transmitRows() { return kTransmits; }

EchoSetup setupOf(const ArrayRow& array, const TransmitRow& transmit) {
    EchoSetup setup;
    setup.acquisition.probe = array.probe();
    setup.channels = std::ssize(setup.acquisition.probe.elements);
    if (array.layout == Layout::Crossed) setup.channels /= 2;
    const double face = faceOf(array);
    setup.region.halfWidthM = 3e-3;
    setup.region.halfElevationM = array.isVolume() ? 2e-3 : 0.0;
    setup.region.startDepthM = 3e-3;
    setup.region.depthM = 14e-3 + std::max(face, 0.0);
    setup.centreFrequencyHz = kPulseHz;
    setup.fractionalBandwidth = 0.4; // a longer pulse tells velocities better
    setup.samplingHz = 4.0 * kPulseHz;
    setup.frameRateHz = 4000.0;
    setup.attenuationDbPerCmMhz = 0.0;
    setup.converter = {.snrDb = 50.0};
    transmit.add(array, setup);
    return setup;
}

SceneTruth truthOf(const ArrayRow& array, Scene scene) {
    const double face = faceOf(array);
    SceneTruth truth;
    truth.cyst = {0.0, face + 8.5e-3, 1.4e-3};
    truth.speckle = {0.0, 0.0, face + 11.4e-3};
    // Towards the probe and to the right, so that its velocity along the axis is positive.
    truth.vessel = {.x = 0.0,
                    .z = face + 8e-3,
                    .angleRad = -60.0 * kDegree,
                    .radius = 1.6e-3,
                    .length = 5e-3,
                    .peakMps = 0.14,
                    .plug = true};
    const auto at = [&](double x, double y, double z) {
        truth.points.push_back({x * 1e-3, y * 1e-3, face + z * 1e-3});
    };
    if (scene == Scene::Moving) {
        at(-0.8, 0.0, 12.2);
        at(0.8, 0.0, 12.9);
    } else if (scene == Scene::Points) {
        // Each at a range of its own, so that side lobes of few transmits do not move another one.
        for (const double z : {6.0, 9.0, 12.0}) at(0.0, 0.0, z);
        at(-0.8, 0.0, 7.5);
        at(0.8, 0.0, 10.5);
        if (array.isVolume()) at(0.0, 0.8, 9.9);
    }
    return truth;
}

Phantom phantomOf(const ArrayRow& array, const EchoSetup& setup, Scene scene) {
    /// Speckle is 1. Beside a vessel points are so bright that its side lobes do not move them.
    const double bright = scene == Scene::Moving ? 120.0 : 40.0;
    SceneTruth truth = truthOf(array, scene);
    Phantom phantom;
    phantom.periodS = 1.0;
    for (const Point& p : truth.points) phantom.still.push_back({p.x, p.z, bright, p.y});
    if (scene == Scene::Cyst) phantom.still = speckleRound(truth.cyst, setup);
    if (scene != Scene::Moving) return phantom;
    fill(truth.vessel, setup);
    phantom.tubes.push_back(std::move(truth.vessel));
    return phantom;
}

} // namespace echolux::pairs
