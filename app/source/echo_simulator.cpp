// SPDX-License-Identifier: GPL-3.0-or-later
// Sums transmitted fields at scatterers, and what elements hear of them.
#include "app/source/echo_simulator.hpp"

#include "app/source/counter_random.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace echolux {

namespace {

constexpr std::size_t kRun = 128; // scatterers whose fields are kept at once

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

/// So that 24 points of the grid or more lie in a period.
std::size_t fineness(const EchoSetup& setup) {
    constexpr double kPointsPerPeriod = 24.0;
    const double perPeriod = setup.samplingHz / setup.centreFrequencyHz;
    return static_cast<std::size_t>(std::max(1.0, std::ceil(kPointsPerPeriod / perPeriod)));
}

} // namespace

EchoSimulator::EchoSimulator(const EchoSetup& setup, Phantom phantom)
    : m_setup(setup), m_frame(checkedFrame(setup)), m_phantom(std::move(phantom)),
      m_response(setup.acquisition.probe, setup.wavelengthM(), nearest(setup)),
      m_centre(centreOf(setup.acquisition.probe.elements)),
      m_pulses({setup.centreFrequencyHz, setup.fractionalBandwidth}, setup.samplingHz,
               setup.attenuationDbPerCmMhz, longestPath(setup)),
      m_fineness(fineness(setup)),
      m_samples(static_cast<std::size_t>(m_frame.sizeOf(AxisName::Sample))), m_fields(kRun) {
    for (const Transmit& transmit : m_frame.acquisition->transmits) {
        const std::vector<double> times = firingTimes(setup, transmit);
        std::vector<Firing>& firings = m_firings.emplace_back();
        for (std::size_t e = 0; e < times.size(); ++e)
            if (!std::isnan(times[e]))
                firings.push_back({e, times[e] * setup.samplingHz,
                                   transmit.apodization.empty() ? 1.0 : transmit.apodization[e]});
        m_firstSamples.push_back(std::lround(transmit.firstSampleS * setup.samplingHz));
    }
    m_still.assign(static_cast<std::size_t>(m_frame.count()), 0.0);
    addEchoes(m_phantom.still, m_still);
    m_converter = EchoConverter(m_setup.converter, echoes(0));
}

std::size_t EchoSimulator::pathIndex(std::size_t element, std::size_t part) const {
    return (element * m_response.parts() + part) * kRun;
}

double EchoSimulator::centreDistance(const Scatterer& s) const {
    return std::hypot(s.x - m_centre.x, s.y - m_centre.y, s.z - m_centre.z);
}

void EchoSimulator::findPaths(Scatterers run) {
    const std::size_t elements = m_response.elements();
    m_paths.samples.resize(elements * m_response.parts() * kRun);
    m_paths.gains.resize(m_paths.samples.size());
    const double samplesPerMetre = m_setup.samplingHz / m_setup.acquisition.soundSpeedMps;
    oneapi::tbb::parallel_for(std::size_t{0}, elements, [&](std::size_t element) {
        for (std::size_t part = 0; part < m_response.parts(); ++part) {
            const std::size_t first = pathIndex(element, part);
            for (std::size_t s = 0; s < run.size(); ++s) {
                const Path path = m_response.path(element, part, {run[s].x, run[s].y, run[s].z});
                const double centreM = centreDistance(run[s]);
                const double decay = m_pulses.decay(2.0 * centreM);
                m_paths.samples[first + s] = path.lengthM * samplesPerMetre;
                m_paths.gains[first + s] = path.gain * std::exp(-decay * (path.lengthM - centreM));
            }
        }
    });
}

void EchoSimulator::buildFields(Scatterers run, std::size_t transmit) {
    const std::vector<Firing>& firings = m_firings[transmit];
    oneapi::tbb::parallel_for(std::size_t{0}, run.size(), [&](std::size_t s) {
        const double pathM = 2.0 * centreDistance(run[s]);
        const double amplitude = run[s].amplitude * m_pulses.amplitude(pathM);
        std::vector<Arrival> arrivals;
        arrivals.reserve(firings.size() * m_response.parts());
        for (const Firing& firing : firings) {
            for (std::size_t part = 0; part < m_response.parts(); ++part) {
                const std::size_t at = pathIndex(firing.element, part) + s;
                const double gain = amplitude * firing.weight * m_paths.gains[at];
                if (gain != 0.0) arrivals.push_back({firing.sample + m_paths.samples[at], gain});
            }
        }
        m_fields[s].build(m_pulses, pathM, arrivals, m_fineness);
    });
}

// Each trace is summed by one thread in the order of the scatterers, hence reproducible.
void EchoSimulator::hear(Scatterers run, std::size_t transmit, std::span<double> sum) const {
    const auto channels = static_cast<std::size_t>(m_setup.channels);
    const auto& heard = m_setup.acquisition.receiveElements;
    oneapi::tbb::parallel_for(std::size_t{0}, channels, [&](std::size_t channel) {
        const std::size_t line = transmit * channels + channel;
        const std::size_t element = heard.empty() ? channel : static_cast<std::size_t>(heard[line]);
        const std::span<double> trace = sum.subspan(line * m_samples, m_samples);
        for (std::size_t s = 0; s < run.size(); ++s) {
            for (std::size_t part = 0; part < m_response.parts(); ++part) {
                const std::size_t at = pathIndex(element, part) + s;
                if (m_paths.gains[at] != 0.0)
                    m_fields[s].addTo(trace, m_firstSamples[transmit], m_paths.samples[at],
                                      m_paths.gains[at]);
            }
        }
    });
}

void EchoSimulator::addEchoes(const std::vector<Scatterer>& scatterers, std::vector<double>& sum) {
    const Scatterers all(scatterers);
    for (std::size_t first = 0; first < all.size(); first += kRun) {
        const Scatterers run = all.subspan(first, std::min(kRun, all.size() - first));
        findPaths(run);
        for (std::size_t transmit = 0; transmit < m_firings.size(); ++transmit) {
            buildFields(run, transmit);
            hear(run, transmit, sum);
        }
    }
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
