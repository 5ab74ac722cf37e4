// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a set-up and its scatterers into the input of EchoSum, and the sums into codes.
#include "app/source/echo_simulator.hpp"

#include "app/source/element_response.hpp"
#include "gpu/core/firing.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace echolux {

namespace {

FrameSpec checkedFrame(const EchoSetup& setup) {
    checkSetup(setup);
    return frameOf(setup);
}

Point centreOf(const std::vector<Point>& elements) {
    Point sum;
    for (const Point& e : elements) sum = {sum.x + e.x, sum.y + e.y, sum.z + e.z};
    const auto count = static_cast<double>(elements.size());
    return {sum.x / count, sum.y / count, sum.z / count};
}

double nearest(const EchoSetup& setup) {
    constexpr double kLeastWavelengths = 10.0;
    return std::max(setup.region.startDepthM, kLeastWavelengths * setup.wavelengthM());
}

double longestPath(const EchoSetup& setup) {
    const ImagedRegion& region = setup.region;
    const double inner = region.sector ? region.sector->innerRadiusM : region.halfWidthM;
    return 2.0 * std::hypot(region.depthM + inner, region.halfElevationM);
}

/// So many that a period has at least 24 points of the grid.
std::int64_t fineness(const EchoSetup& setup) {
    constexpr double kPointsPerPeriod = 24.0;
    const double perPeriod = setup.samplingHz / setup.centreFrequencyHz;
    return static_cast<std::int64_t>(std::max(1.0, std::ceil(kPointsPerPeriod / perPeriod)));
}

EchoPulses pulsesOf(const PulseBank& bank) {
    return {bank.table(), static_cast<std::int64_t>(PulseBank::phases()),
            static_cast<std::int64_t>(bank.taps()), bank.lead()};
}

std::vector<Firing> firingsOf(const EchoSetup& setup, const Transmit& transmit) {
    if (transmit.wave == Wave::None) return {{.element = Firing::kScatterers}};
    const std::vector<double> times = firingTimes(setup, transmit);
    std::vector<Firing> firings;
    for (std::size_t e = 0; e < times.size(); ++e)
        if (!std::isnan(times[e]))
            firings.push_back({static_cast<std::int64_t>(e), times[e] * setup.samplingHz,
                               transmit.apodization.empty() ? 1.0 : transmit.apodization[e]});
    return firings;
}

} // namespace

EchoSimulator::EchoSimulator(const EchoSetup& setup, Phantom phantom, Backend backend)
    : m_setup(setup), m_frame(checkedFrame(setup)), m_phantom(std::move(phantom)),
      m_centre(centreOf(setup.acquisition.probe.elements)),
      m_pulses({setup.centreFrequencyHz, setup.fractionalBandwidth}, setup.samplingHz,
               setup.attenuationDbPerCmMhz, longestPath(setup)),
      m_samples(static_cast<std::size_t>(m_frame.sizeOf(AxisName::Sample))),
      m_sum(backend, array(), pulsesOf(m_pulses)) {
    m_still.assign(static_cast<std::size_t>(m_frame.count()), 0.0);
    addEchoes(m_phantom.still, m_still);
    m_converter = EchoConverter(m_setup.converter, echoes(0));
}

EchoArray EchoSimulator::array() const {
    const ElementResponse response(m_setup.acquisition.probe, m_setup.wavelengthM(),
                                   nearest(m_setup));
    EchoArray array;
    array.shape = response.shape();
    array.faces = response.faces();
    array.heard = m_setup.acquisition.receiveElements;
    array.channels = m_setup.channels;
    array.samples = static_cast<std::int64_t>(m_samples);
    array.samplesPerMetre = m_setup.samplingHz / m_setup.acquisition.soundSpeedMps;
    array.fineness = fineness(m_setup);
    array.samplingHz = m_setup.samplingHz;
    array.screens = screensOf(m_setup);
    array.screensOnTransmit = m_setup.screens.onTransmit;
    const bool everyElementIsHeard = array.heard.empty();
    for (const Transmit& transmit : m_frame.acquisition->transmits) {
        array.firings.push_back(firingsOf(m_setup, transmit));
        array.firstSamples.push_back(std::lround(transmit.firstSampleS * m_setup.samplingHz));
        for (std::int32_t channel = 0; everyElementIsHeard && channel < m_setup.channels; ++channel)
            array.heard.push_back(channel);
    }
    return array;
}

EchoPoint EchoSimulator::echoOf(const Scatterer& s) const {
    EchoPoint point;
    point.at = {s.x, s.y, s.z};
    point.centreM = std::hypot(s.x - m_centre.x, s.y - m_centre.y, s.z - m_centre.z);
    const double pathM = waysOf(m_setup.acquisition) * point.centreM;
    point.amplitude = s.amplitude * m_pulses.amplitude(pathM);
    point.decay = m_pulses.decay(pathM);
    point.pulse = static_cast<std::int64_t>(m_pulses.firstOf(pathM));
    return point;
}

void EchoSimulator::addEchoes(const std::vector<Scatterer>& scatterers, std::vector<double>& sum) {
    std::vector<EchoPoint> points(scatterers.size());
    oneapi::tbb::parallel_for(std::size_t{0}, points.size(),
                              [&](std::size_t i) { points[i] = echoOf(scatterers[i]); });
    m_sum.add(points, sum);
}

std::span<const double> EchoSimulator::echoes(std::int64_t index) {
    if (!m_phantom.moves()) return m_still;
    m_phantom.movingAt(static_cast<double>(index) / m_setup.frameRateHz, m_moving);
    m_echoes = m_still;
    addEchoes(m_moving, m_echoes);
    return m_echoes;
}

void EchoSimulator::render(std::int64_t index, std::span<std::int16_t> out) {
    m_converter.convert(index, echoes(index), m_samples, out);
}

} // namespace echolux
