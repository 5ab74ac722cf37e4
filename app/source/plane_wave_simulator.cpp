// SPDX-License-Identifier: GPL-3.0-or-later
// Sums the echoes of all scatterers, element by element.
#include "app/source/plane_wave_simulator.hpp"

#include "gpu/echoes/element_path.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {

namespace {

constexpr double kReferenceM = 10e-3;
constexpr std::size_t kAttenuationSteps = 4096;

/// Upper bound of z / cos a + r for echoes in the record.
double longestPath(const PlaneWaveSetup& setup, const FrameSpec& frame) {
    double longest = 0.0;
    for (const Transmit& transmit : frame.acquisition->transmits) {
        const double last = transmit.firstSampleS +
                            static_cast<double>(frame.sizeOf(AxisName::Sample)) / setup.samplingHz;
        longest = std::max(longest, last * setup.soundSpeedMps / std::cos(transmit.angleRad));
    }
    return longest + 2.0 * setup.apertureM();
}

FrameSpec checkedFrame(const PlaneWaveSetup& setup) {
    checkSetup(setup);
    return frameOf(setup);
}

} // namespace

PlaneWaveSimulator::PlaneWaveSimulator(const PlaneWaveSetup& setup, Phantom phantom)
    : m_setup(setup), m_frame(checkedFrame(setup)), m_phantom(std::move(phantom)),
      m_longestPathM(longestPath(setup, m_frame)),
      m_pulses({setup.centreFrequencyHz, setup.fractionalBandwidth}, setup.samplingHz,
               setup.attenuationDbPerCmMhz, m_longestPathM),
      m_samples(m_frame.sizeOf(AxisName::Sample)) {
    for (std::size_t i = 0; i <= kAttenuationSteps; ++i)
        m_attenuation.push_back(m_pulses.amplitude(m_longestPathM * static_cast<double>(i) /
                                                   static_cast<double>(kAttenuationSteps)));
    for (const Transmit& transmit : m_frame.acquisition->transmits)
        m_waves.push_back(
            {std::sin(transmit.angleRad), std::cos(transmit.angleRad), transmit.firstSampleS});
    if (m_setup.screens.any()) m_screens = screensOf(m_setup);
    m_still.assign(static_cast<std::size_t>(m_frame.count()), 0.0);
    addEchoes(m_phantom.still, m_still);
    m_converter = EchoConverter(m_setup.converter, echoes(0));
}

double PlaneWaveSimulator::attenuation(double pathM) const {
    const double position = std::min(pathM / m_longestPathM, 1.0) * kAttenuationSteps;
    const auto at = std::min(static_cast<std::size_t>(position), kAttenuationSteps - 1);
    const double fraction = position - static_cast<double>(at);
    return m_attenuation[at] + fraction * (m_attenuation[at + 1] - m_attenuation[at]);
}

double PlaneWaveSimulator::receiveGain(const Scatterer& scatterer, double elementX,
                                       double receiveM) const {
    const double sine = (scatterer.x - elementX) / receiveM;
    const double cosine = scatterer.z / receiveM;
    const double ratio = kReferenceM / std::max(receiveM, m_setup.wavelengthM());
    const double spreading = m_setup.spreading == Spreading::Spherical ? ratio : std::sqrt(ratio);
    return spreading * cosine * echoes::sinc(m_setup.elementWidthM * sine / m_setup.wavelengthM());
}

void PlaneWaveSimulator::addEcho(const Scatterer& scatterer, double receiveM, double gain,
                                 const Wavefront& wave, const echoes::ScreenEffect& past,
                                 double* trace) const {
    const double transmitM = scatterer.x * wave.sine + scatterer.z * wave.cosine;
    const double arrivalS = (transmitM + receiveM) / m_setup.soundSpeedMps + past.delayS;
    const double position = (arrivalS - wave.firstSampleS) * m_setup.samplingHz;
    const double whole = std::floor(position);
    if (whole < -1e6 || whole > static_cast<double>(m_samples) + 1e6) return;
    const double pathM = scatterer.z / wave.cosine + receiveM;
    const double* pulse = m_pulses.echo(pathM, position - whole);
    const double amplitude = gain * attenuation(pathM) * std::exp(past.logGain);
    const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(whole) - m_pulses.lead();
    const auto taps = static_cast<std::ptrdiff_t>(m_pulses.taps());
    const std::ptrdiff_t from = std::max<std::ptrdiff_t>(0, -start);
    const std::ptrdiff_t to = std::min<std::ptrdiff_t>(taps, m_samples - start);
    for (std::ptrdiff_t tap = from; tap < to; ++tap) trace[start + tap] += amplitude * pulse[tap];
}

// The straight path of the wave to the scatterer, from the point where it leaves z = 0.
echoes::ScreenEffect PlaneWaveSimulator::sentPast(const Scatterer& s, const Wavefront& wave) const {
    const double leavesX = s.x - s.z * wave.sine / wave.cosine;
    return passScreens(m_screens.view(), {leavesX, 0.0, 0.0}, {s.x, 0.0, s.z});
}

void PlaneWaveSimulator::addEchoes(const std::vector<Scatterer>& scatterers, std::int64_t element,
                                   std::vector<double>& sum) const {
    const double elementX = m_setup.elementX(element);
    for (const Scatterer& scatterer : scatterers) {
        const double receiveM = std::hypot(scatterer.x - elementX, scatterer.z);
        if (scatterer.z <= 0.0) continue;
        const double gain = scatterer.amplitude * receiveGain(scatterer, elementX, receiveM);
        const echoes::ScreenEffect heard =
            passScreens(m_screens.view(), {elementX, 0.0, 0.0}, {scatterer.x, 0.0, scatterer.z});
        std::int64_t trace = element;
        for (const Wavefront& wave : m_waves) {
            echoes::ScreenEffect past = heard;
            if (m_setup.screens.onTransmit && m_setup.screens.any()) {
                const echoes::ScreenEffect sent = sentPast(scatterer, wave);
                past = {past.delayS + sent.delayS, past.logGain + sent.logGain};
            }
            addEcho(scatterer, receiveM, gain, wave, past,
                    &sum[static_cast<std::size_t>(trace * m_samples)]);
            trace += m_setup.elements;
        }
    }
}

// One thread sums a trace in the order of the scatterers, so the result is reproducible.
void PlaneWaveSimulator::addEchoes(const std::vector<Scatterer>& scatterers,
                                   std::vector<double>& sum) const {
    oneapi::tbb::parallel_for(std::int64_t{0}, m_setup.elements,
                              [&](std::int64_t element) { addEchoes(scatterers, element, sum); });
}

std::span<const double> PlaneWaveSimulator::echoes(std::int64_t index) {
    if (!m_phantom.moves()) return m_still;
    m_phantom.movingAt(static_cast<double>(index) / m_setup.frameRateHz, m_moving);
    m_echoes = m_still;
    addEchoes(m_moving, m_echoes);
    return m_echoes;
}

void PlaneWaveSimulator::render(std::int64_t index, std::span<std::int16_t> out) {
    m_converter.convert(index, echoes(index), static_cast<std::size_t>(m_samples), out);
}

} // namespace echolux
