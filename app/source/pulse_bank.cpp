// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of a Gaussian pulse by path length and by fraction of a sample.
#include "app/source/pulse_bank.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {

namespace {

constexpr std::size_t kPhases = 256;
constexpr std::size_t kPathSteps = 32;
constexpr double kSmallest = 1e-4; // -80 dB
constexpr double kLeastCentre = 0.5;
using std::numbers::pi;

/// dB/(cm MHz) -> Np/(m Hz): 1 Np = 20 / ln 10 dB.
double nepers(double dbPerCmMhz) { return dbPerCmMhz * 100.0 / 1e6 * std::numbers::ln10 / 20.0; }

} // namespace

double GaussianPulse::sigmaS() const {
    return std::sqrt(2.0 * std::numbers::ln2) / (pi * fractionalBandwidth * centreFrequencyHz);
}

double GaussianPulse::sigmaHz() const { return 1.0 / (2.0 * pi * sigmaS()); }

double GaussianPulse::halfLengthS() const {
    return sigmaS() * std::sqrt(-2.0 * std::log(kSmallest));
}

PulseBank::PulseBank(const GaussianPulse& pulse, double samplingHz, double attenuationDbPerCmMhz,
                     double longestPathM)
    : m_pulse(pulse), m_nepersPerHzM(nepers(attenuationDbPerCmMhz)) {
    m_lead = static_cast<std::ptrdiff_t>(std::ceil(pulse.halfLengthS() * samplingHz));
    m_taps = static_cast<std::size_t>(2 * m_lead + 2);
    if (attenuationDbPerCmMhz > 0.0) {
        m_paths = kPathSteps + 1;
        m_pathStepM = longestPathM / static_cast<double>(kPathSteps);
    }
    m_table.reserve(m_paths * (kPhases + 1) * m_taps);
    const double sigma = pulse.sigmaS();
    for (std::size_t path = 0; path < m_paths; ++path) {
        const double centre = centreFrequencyHz(m_pathStepM * static_cast<double>(path));
        for (std::size_t phase = 0; phase <= kPhases; ++phase) {
            for (std::size_t tap = 0; tap < m_taps; ++tap) {
                const double position = static_cast<double>(tap) - static_cast<double>(m_lead) -
                                        static_cast<double>(phase) / kPhases;
                const double t = position / samplingHz;
                m_table.push_back(std::exp(-t * t / (2.0 * sigma * sigma)) *
                                  std::cos(2.0 * pi * centre * t));
            }
        }
    }
}

std::size_t PulseBank::phases() { return kPhases; }

std::size_t PulseBank::firstOf(double pathM) const {
    std::size_t path = 0;
    if (m_paths > 1)
        path = std::min(m_paths - 1, static_cast<std::size_t>(pathM / m_pathStepM + 0.5));
    return path * (kPhases + 1) * m_taps;
}

const double* PulseBank::echo(double pathM, double fraction) const {
    const auto phase = static_cast<std::size_t>(fraction * kPhases + 0.5);
    return &m_table[firstOf(pathM) + phase * m_taps];
}

double PulseBank::shift(double pathM) const {
    const double sigma = m_pulse.sigmaHz();
    return std::min(m_nepersPerHzM * pathM,
                    (1.0 - kLeastCentre) * m_pulse.centreFrequencyHz / (sigma * sigma));
}

double PulseBank::centreFrequencyHz(double pathM) const {
    const double sigma = m_pulse.sigmaHz();
    return m_pulse.centreFrequencyHz - sigma * sigma * shift(pathM);
}

double PulseBank::amplitude(double pathM) const {
    const double total = m_nepersPerHzM * pathM;
    const double valid = shift(pathM);
    const double sigma = m_pulse.sigmaHz();
    return std::exp(-valid * m_pulse.centreFrequencyHz + 0.5 * sigma * sigma * valid * valid -
                    (total - valid) * centreFrequencyHz(pathM));
}

} // namespace echolux
