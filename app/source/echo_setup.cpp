// SPDX-License-Identifier: GPL-3.0-or-later
// Checks a set-up of any array, and derives the timing from its geometry.
#include "app/source/echo_setup.hpp"

#include "app/dataset/transmit/transmit_clock.hpp"
#include "app/source/element_response.hpp"
#include "app/source/option_range.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace echolux {

namespace {

/// The times on the common clock between which the wanted echoes arrive.
struct Window {
    double firstS;
    double lastS;
};

/// The corners of a box, or points along the outer arc of a sector. They include the farthest
/// points of the region.
std::vector<Point> farPlaces(const ImagedRegion& region) {
    std::vector<Point> places;
    for (const double y : {-region.halfElevationM, region.halfElevationM}) {
        if (!region.sector) {
            for (const double x : {-region.halfWidthM, region.halfWidthM})
                for (const double z : {region.startDepthM, region.depthM})
                    places.push_back({x, y, z});
            continue;
        }
        const SectorOutline& sector = *region.sector;
        const double radius = sector.innerRadiusM + region.depthM;
        for (const double part : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
            const double angle = part * sector.halfAngleRad;
            places.push_back(
                {radius * std::sin(angle), y, sector.apexZ + radius * std::cos(angle)});
        }
    }
    return places;
}

/// Where the beam of a focused wave leaves the region.
Point endOfBeam(const Transmit& transmit, const ImagedRegion& region) {
    const Point& from = transmit.origin;
    const Point& to = transmit.source;
    const double length = distance(from, to);
    const double part = region.depthM / length;
    return {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y),
            from.z + part * (to.z - from.z)};
}

double latestEcho(const EchoSetup& setup, const Transmit& transmit,
                  const std::vector<double>& firing) {
    const auto& elements = setup.acquisition.probe.elements;
    const double c = setup.acquisition.soundSpeedMps;
    std::vector<Point> places{endOfBeam(transmit, setup.region)};
    if (transmit.wave != Wave::Focused) places = farPlaces(setup.region);
    double latest = 0.0;
    for (const Point& place : places) {
        double there = -std::numeric_limits<double>::infinity();
        double back = 0.0;
        for (std::size_t e = 0; e < elements.size(); ++e) {
            const double seconds = distance(elements[e], place) / c;
            back = std::max(back, seconds);
            if (!std::isnan(firing[e])) there = std::max(there, firing[e] + seconds);
        }
        latest = std::max(latest, back + (transmit.wave == Wave::None ? 0.0 : there));
    }
    return latest;
}

Window windowOf(const EchoSetup& setup, std::size_t index) {
    const Transmit& transmit = setup.acquisition.transmits[index];
    const std::vector<double> firing = firingTimes(setup, index);
    double first = std::numeric_limits<double>::infinity();
    for (const double time : firing)
        if (!std::isnan(time)) first = std::min(first, time);
    const double pulse = setup.pulse().halfLengthS();
    const double ways = transmit.wave == Wave::None ? 1.0 : 2.0;
    const double start =
        first + ways * setup.region.startDepthM / setup.acquisition.soundSpeedMps - pulse;
    const double margin = screenMarginS(setup.screens);
    const double sent = setup.excitation.chirp ? setup.excitation.chirp->lengthS : 0.0;
    return {std::floor((start - margin) * setup.samplingHz) / setup.samplingHz,
            latestEcho(setup, transmit, firing) + pulse + margin + sent};
}

/// Of each transmit. Those of a code begin together, as decoding adds them up.
std::vector<Window> windowsOf(const EchoSetup& setup) {
    std::vector<Window> windows;
    for (std::size_t i = 0; i < setup.acquisition.transmits.size(); ++i)
        windows.push_back(windowOf(setup, i));
    if (setup.code == SpatialCode::None) return windows;
    const double first = std::ranges::min(windows, {}, &Window::firstS).firstS;
    for (Window& window : windows) window.firstS = first;
    return windows;
}

std::int64_t sampleCount(const EchoSetup& setup) {
    double most = 0.0;
    for (const Window& window : windowsOf(setup))
        most = std::max(most, (window.lastS - window.firstS) * setup.samplingHz);
    return static_cast<std::int64_t>(std::ceil(most)) + 1;
}

/// Each transmit with all its pulses.
void repeatForPulses(const EchoSetup& setup, Acquisition& acquisition) {
    const std::size_t pulses = pulsesOf(setup.excitation.pulses).size();
    if (pulses == 1) return;
    std::vector<Transmit> transmits;
    std::vector<std::int32_t> heard;
    const auto channels = static_cast<std::ptrdiff_t>(setup.channels);
    auto own = acquisition.receiveElements.begin();
    for (const Transmit& transmit : acquisition.transmits) {
        transmits.insert(transmits.end(), pulses, transmit);
        if (acquisition.receiveElements.empty()) continue;
        for (std::size_t i = 0; i < pulses; ++i) heard.insert(heard.end(), own, own + channels);
        own += channels;
    }
    acquisition.transmits = std::move(transmits);
    acquisition.receiveElements = std::move(heard);
}

} // namespace

std::vector<double> firingTimes(const EchoSetup& setup, const Transmit& transmit) {
    const Acquisition& acquisition = setup.acquisition;
    std::vector<double> times;
    for (std::size_t e = 0; e < acquisition.probe.elements.size(); ++e) {
        const bool fires = transmit.apodization.empty() || transmit.apodization[e] != 0.0F;
        times.push_back(fires ? idealDelay(transmit, acquisition.probe.elements[e],
                                           acquisition.soundSpeedMps, acquisition.steering)
                              : std::numeric_limits<double>::quiet_NaN());
    }
    return times;
}

std::vector<double> firingTimes(const EchoSetup& setup, std::size_t transmit) {
    std::vector<double> times = firingTimes(setup, setup.acquisition.transmits[transmit]);
    if (setup.codeDelaysS.empty()) return times;
    for (std::size_t e = 0; e < times.size(); ++e) times[e] += setup.codeDelaysS[transmit][e];
    return times;
}

void checkSetup(const EchoSetup& setup) {
    const Acquisition& acquisition = setup.acquisition;
    const ImagedRegion& region = setup.region;
    checkRange("--fc", " MHz", setup.centreFrequencyHz * 1e-6, 0.02, 100);
    checkRange("--bandwidth", " %", setup.fractionalBandwidth * 100, 5, 150);
    checkRange("--sound-speed", " m/s", acquisition.soundSpeedMps, 300, 10000);
    checkRange("--depth", " mm", region.depthM * 1e3, 1, 2000);
    checkRange("--start-depth", " mm", region.startDepthM * 1e3, 0, region.depthM * 1e3 - 1);
    checkRange("--elevation", " mm", region.halfElevationM * 2e3, 0, 1000);
    checkRange("--frame-rate", " Hz", setup.frameRateHz, 0.01, 1e6);
    checkRange("--attenuation", " dB/(cm MHz)", setup.attenuationDbPerCmMhz, 0, 10);
    checkConverter(setup.converter);
    checkScreens(setup.screens, region.depthM);
    checkSampling(setup.samplingHz, setup.centreFrequencyHz, setup.fractionalBandwidth);
    checkExcitation(setup);
    const std::size_t transmits =
        acquisition.transmits.size() * pulsesOf(setup.excitation.pulses).size();
    if (transmits < 1 || transmits > 4096)
        throw Error(fmt::format(
            "A frame would have {} transmits: ask for 1 to 4096 lines or waves.", transmits));
    const double samples = static_cast<double>(sampleCount(setup)) *
                           static_cast<double>(setup.channels) * static_cast<double>(transmits);
    if (samples > static_cast<double>(kMaxFrameSamples))
        throw Error(fmt::format("One frame would have {:.3g} samples, more than {}: ask for fewer "
                                "elements, lines or waves, or reduce --depth or --fs.",
                                samples, kMaxFrameSamples));
}

FrameSpec frameOf(const EchoSetup& setup) {
    auto acquisition = std::make_shared<Acquisition>(setup.acquisition);
    acquisition->probe.centreFrequencyHz = setup.centreFrequencyHz;
    acquisition->probe.fractionalBandwidth = setup.fractionalBandwidth;
    const std::vector<Window> windows = windowsOf(setup);
    for (std::size_t i = 0; i < windows.size(); ++i)
        acquisition->transmits[i].firstSampleS = windows[i].firstS;
    repeatForPulses(setup, *acquisition);
    FrameSpec frame;
    frame.dtype = DType::I16;
    frame.axes = {{AxisName::Transmit, std::ssize(acquisition->transmits), 1.0, 0.0, ""},
                  {AxisName::Channel, setup.channels, 1.0, 0.0, ""},
                  {AxisName::Sample, sampleCount(setup), 1.0 / setup.samplingHz, 0.0, "s"}};
    frame.codeScale = setup.converter.codeScale();
    frame.converterRange = {-setup.converter.highestCode(), setup.converter.highestCode()};
    frame.centreFrequencyHz = setup.centreFrequencyHz;
    frame.acquisition = std::move(acquisition);
    return frame;
}

echoes::ScreenTables screensOf(const EchoSetup& setup) {
    const auto& elements = setup.acquisition.probe.elements;
    const ImagedRegion& region = setup.region;
    const bool curved = region.sector && region.sector->innerRadiusM > 0.0;
    echoes::ScreenShape shape;
    if (curved) shape = {region.sector->innerRadiusM, region.sector->apexZ};
    ScreenExtent extent{region.halfWidthM, region.halfElevationM};
    if (region.sector) {
        const double half = std::min(region.sector->halfAngleRad, std::numbers::pi / 2.0);
        extent.halfXM = curved ? shape.radiusM * half : region.depthM * std::sin(half);
    }
    for (const Point& e : elements) {
        extent.halfXM =
            std::max(extent.halfXM,
                     std::abs(curved ? shape.radiusM * std::atan2(e.x, e.z - shape.apexZ) : e.x));
        extent.halfYM = std::max(extent.halfYM, std::abs(e.y));
    }
    return makeScreens(setup.screens.screens, elements, shape, extent);
}

std::shared_ptr<const AberrationTruth> truthOf(const EchoSetup& setup) {
    if (!setup.screens.any()) return nullptr;
    const ImagedRegion& region = setup.region;
    Point focus{0.0, 0.0, behindScreens(setup.screens, region.startDepthM, region.depthM)};
    if (region.sector) focus.z += region.sector->apexZ + region.sector->innerRadiusM;
    const ElementResponse response(setup.acquisition.probe, setup.wavelengthM(), focus.z);
    return std::make_shared<const AberrationTruth>(
        aberrationTruth(screensOf(setup), response.faces(), focus));
}

PhantomRequest phantomFor(const EchoSetup& setup, const std::string& name, double density,
                          double periodS) {
    constexpr double kClearWavelengths = 5.0;
    const ImagedRegion& region = setup.region;
    const double start = std::max(region.startDepthM, kClearWavelengths * setup.wavelengthM());
    PhantomRequest request;
    request.name = name;
    request.halfElevationM = region.halfElevationM;
    request.wavelengthM = setup.wavelengthM();
    request.scatterersPerSquareWavelength = density;
    request.periodS = periodS;
    request.seed = setup.converter.seed;
    request.halfWidthM = region.halfWidthM;
    request.startDepthM = start;
    request.depthM = region.depthM;
    if (region.sector) {
        SectorOutline sector = *region.sector;
        const double radius = sector.innerRadiusM;
        sector.innerRadiusM = radius + start;
        sector.outerRadiusM = radius + region.depthM;
        request.sector = sector;
        const double half = std::min(sector.halfAngleRad, std::numbers::pi / 2.0);
        request.halfWidthM = sector.outerRadiusM * std::sin(half);
        request.startDepthM = std::max(start, sector.apexZ + sector.innerRadiusM * std::cos(half));
        request.depthM = sector.apexZ + sector.outerRadiusM;
    }
    return request;
}

} // namespace echolux
