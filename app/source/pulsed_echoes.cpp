// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a set-up and scatterers into the input of EchoSum, and sums of waves into those of pulses.
#include "app/source/pulsed_echoes.hpp"

#include "app/source/element_response.hpp"
#include "gpu/core/firing.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace echolux {

namespace {

using std::numbers::pi;

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
std::int64_t fineness(const EchoSetup& setup, double frequencyHz) {
    constexpr double kPointsPerPeriod = 24.0;
    const double perPeriod = setup.samplingHz / frequencyHz;
    return static_cast<std::int64_t>(std::max(1.0, std::ceil(kPointsPerPeriod / perPeriod)));
}

bool turnsPulses(const EchoSetup& setup) {
    return std::ranges::any_of(pulsesOf(setup.excitation.pulses),
                               [](const SentPulse& pulse) { return pulse.phaseRad != 0.0; });
}

PulseBank bankOf(const EchoSetup& setup) {
    return {setup.pulse(),
            setup.samplingHz,
            setup.attenuationDbPerCmMhz,
            longestPath(setup),
            {.chirp = setup.excitation.chirp,
             .turned = turnsPulses(setup) || setup.excitation.harmonicPart > 0.0}};
}

std::vector<Firing> firingsOf(const EchoSetup& setup, std::size_t wave) {
    const Transmit& transmit = setup.acquisition.transmits[wave];
    if (transmit.wave == Wave::None) return {{.element = Firing::kScatterers}};
    const std::vector<double> times = firingTimes(setup, wave);
    std::vector<Firing> firings;
    for (std::size_t e = 0; e < times.size(); ++e)
        if (!std::isnan(times[e]))
            firings.push_back({static_cast<std::int64_t>(e), times[e] * setup.samplingHz,
                               transmit.apodization.empty() ? 1.0 : transmit.apodization[e]});
    return firings;
}

/// Where the part of the harmonic counts.
Point referencePlace(const EchoSetup& setup, const Transmit& transmit) {
    if (transmit.wave == Wave::Focused) return transmit.source;
    const ImagedRegion& region = setup.region;
    const double depthM = 0.5 * (region.startDepthM + region.depthM);
    return {0.0, 0.0,
            depthM + (region.sector ? region.sector->apexZ + region.sector->innerRadiusM : 0.0)};
}

/// When the ideal wave passes its reference place, in seconds on the common clock.
double passesAt(const Acquisition& acquisition, const Transmit& transmit, const Point& place) {
    const double c = acquisition.soundSpeedMps;
    switch (transmit.wave) {
    case Wave::Focused: return norm(transmit.source) / c;
    case Wave::Diverging: return (distance(place, transmit.source) - norm(transmit.source)) / c;
    case Wave::Element: return distance(place, transmit.source) / c;
    case Wave::Plane:
    case Wave::None: break;
    }
    return idealDelay(transmit, place, c, acquisition.steering);
}

} // namespace

PulsedEchoes::PulsedEchoes(const EchoSetup& setup, const FrameSpec& frame, Backend backend)
    : m_setup(setup), m_samples(frame.sizeOf(AxisName::Sample)),
      m_centre(centreOf(setup.acquisition.probe.elements)), m_pulses(bankOf(setup)) {
    const auto& transmits = frame.acquisition->transmits;
    const std::size_t pulses = pulsesOf(setup.excitation.pulses).size();
    for (std::size_t t = 0; t < transmits.size(); t += pulses)
        m_firstSamples.push_back(std::lround(transmits[t].firstSampleS * setup.samplingHz));
    const auto add = [&](Part part) {
        const std::vector<double>& table =
            part == Part::Turned ? m_pulses.turned() : m_pulses.table();
        const EchoPulses bank{table, static_cast<std::int64_t>(PulseBank::phases()),
                              static_cast<std::int64_t>(m_pulses.taps()), m_pulses.lead(),
                              m_pulses.turned()};
        m_parts.push_back({part, EchoSum(backend, array(part), bank)});
    };
    add(Part::Field);
    if (turnsPulses(setup)) add(Part::Turned);
    if (!(setup.excitation.harmonicPart > 0.0)) return;
    const double field = referenceField();
    m_harmonic = setup.excitation.harmonicPart / (field > 0.0 ? field : 1.0);
    add(Part::Square);
    if (turnsPulses(setup)) add(Part::TurnedSquare);
}

EchoArray PulsedEchoes::array(Part part) const {
    const double harmonic = part == Part::Field || part == Part::Turned ? 1.0 : 2.0;
    // Parts are short enough for the waves that are heard.
    const ElementResponse response(m_setup.acquisition.probe, m_setup.wavelengthM() / harmonic,
                                   nearest(m_setup));
    EchoArray array;
    array.shape = response.shape();
    array.shape.wavelengthM = m_setup.wavelengthM();
    array.faces = response.faces();
    array.heard = m_setup.acquisition.receiveElements;
    array.channels = m_setup.channels;
    array.samples = m_samples;
    array.samplesPerMetre = m_setup.samplingHz / m_setup.acquisition.soundSpeedMps;
    array.fineness = fineness(m_setup, harmonic * m_setup.centreFrequencyHz);
    array.samplingHz = m_setup.samplingHz;
    array.screens = screensOf(m_setup);
    array.screensOnTransmit = m_setup.screens.onTransmit;
    if (part == Part::Square) array.echoed = Echoed::Square;
    if (part == Part::TurnedSquare) array.echoed = Echoed::TurnedSquare;
    array.firstSamples = m_firstSamples;
    const bool everyElementIsHeard = array.heard.empty();
    for (std::size_t wave = 0; wave < m_firstSamples.size(); ++wave) {
        array.firings.push_back(firingsOf(m_setup, wave));
        for (std::int32_t channel = 0; everyElementIsHeard && channel < m_setup.channels; ++channel)
            array.heard.push_back(channel);
    }
    return array;
}

double PulsedEchoes::referenceField() const {
    const EchoArray sending = array(Part::Square);
    const double sigma = m_setup.pulse().sigmaS();
    double greatest = 0.0;
    for (std::size_t wave = 0; wave < sending.firings.size(); ++wave) {
        const Transmit& transmit = m_setup.acquisition.transmits[wave];
        const Point place = referencePlace(m_setup, transmit);
        const double passes = passesAt(m_setup.acquisition, transmit, place);
        std::complex<double> field = 0.0;
        for (const Firing& firing : sending.firings[wave]) {
            const auto& face = sending.faces[static_cast<std::size_t>(firing.element)];
            for (int part = 0; part < sending.shape.parts; ++part) {
                const echoes::ElementPath path =
                    echoes::elementPath(sending.shape, face, part, place);
                const double t = passes - firing.sample / m_setup.samplingHz -
                                 path.lengthM / m_setup.acquisition.soundSpeedMps;
                field += firing.weight * path.gain *
                         std::polar(std::exp(-t * t / (2.0 * sigma * sigma)),
                                    2.0 * pi * m_setup.centreFrequencyHz * t);
            }
        }
        greatest = std::max(greatest, std::abs(field));
    }
    return greatest;
}

EchoPoint PulsedEchoes::echoOf(const Scatterer& s, Part part) const {
    const bool squared = part == Part::Square || part == Part::TurnedSquare;
    EchoPoint point;
    point.at = {s.x, s.y, s.z};
    point.centreM = std::hypot(s.x - m_centre.x, s.y - m_centre.y, s.z - m_centre.z);
    const double pathM = waysOf(m_setup.acquisition) * point.centreM;
    // NOTE: the square of a pulse with the attenuation of the path at f has that at 2 f.
    point.amplitude = (squared ? 1.0 : s.amplitude) * m_pulses.amplitude(pathM);
    point.strength = s.amplitude;
    point.decay = m_pulses.decay(pathM);
    point.pulse = static_cast<std::int64_t>(m_pulses.firstOf(pathM));
    return point;
}

double PulsedEchoes::factor(Part part, const SentPulse& pulse) const {
    const double square = pulse.amplitude * pulse.amplitude * m_harmonic;
    switch (part) {
    case Part::Field: return pulse.amplitude * std::cos(pulse.phaseRad);
    case Part::Turned: return -pulse.amplitude * std::sin(pulse.phaseRad);
    case Part::Square: return square * std::cos(2.0 * pulse.phaseRad);
    case Part::TurnedSquare: return -square * std::sin(2.0 * pulse.phaseRad);
    }
    return 0.0;
}

void PulsedEchoes::add(const std::vector<Scatterer>& scatterers, std::vector<double>& sum) {
    const bool plain = m_parts.size() == 1 && pulsesOf(m_setup.excitation.pulses).size() == 1;
    for (PartSum& each : m_parts) {
        m_points.resize(scatterers.size());
        oneapi::tbb::parallel_for(std::size_t{0}, m_points.size(), [&](std::size_t i) {
            m_points[i] = echoOf(scatterers[i], each.part);
        });
        if (plain) return each.sum.add(m_points, sum);
        m_waves.assign(
            m_firstSamples.size() * static_cast<std::size_t>(m_setup.channels * m_samples), 0.0);
        each.sum.add(m_points, m_waves);
        addPulses(each.part, sum);
    }
}

void PulsedEchoes::addPulses(Part part, std::vector<double>& sum) const {
    const auto pulses = pulsesOf(m_setup.excitation.pulses);
    const auto record = static_cast<std::size_t>(m_setup.channels * m_samples);
    oneapi::tbb::parallel_for(std::size_t{0}, sum.size() / record, [&](std::size_t transmit) {
        const double scale = factor(part, pulses[transmit % pulses.size()]);
        const double* const wave = m_waves.data() + transmit / pulses.size() * record;
        double* const out = sum.data() + transmit * record;
        for (std::size_t i = 0; i < record; ++i) out[i] += scale * wave[i];
    });
}

} // namespace echolux
