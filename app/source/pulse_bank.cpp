// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of a Gaussian pulse by path length and by fraction of a sample.
#include "app/source/pulse_bank.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>

namespace echolux {

namespace {

constexpr std::size_t kPhases = 256;
constexpr std::size_t kPathSteps = 32;
constexpr double kSmallest = 1e-4; // -80 dB
constexpr double kLeastCentre = 0.5;
constexpr auto kFine = static_cast<std::int64_t>(kPhases);
using std::numbers::pi;

/// dB/(cm MHz) -> Np/(m Hz): 1 Np = 20 / ln 10 dB.
double nepers(double dbPerCmMhz) { return dbPerCmMhz * 100.0 / 1e6 * std::numbers::ln10 / 20.0; }

/// y(t) = integral of x(s) h(t - s) ds at t = m / (256 fs), by the trapezoidal rule with at least
/// 32 steps in a period, over all s at which h is above -80 dB. h is the analytic Gaussian pulse,
/// with a spectrum of 1 at its centre.
class FilteredChirp {
public:
    FilteredChirp(const Chirp& chirp, const GaussianPulse& pulse, double centreHz,
                  double samplingHz) {
        constexpr double kStepsPerPeriod = 32.0;
        const double fineHz = samplingHz * static_cast<double>(kPhases);
        const double highestHz = std::max({chirp.startHz, chirp.endHz, centreHz});
        m_every = std::max<std::int64_t>(
            1, static_cast<std::int64_t>(fineHz / (kStepsPerPeriod * highestHz)));
        const double stepS = static_cast<double>(m_every) / fineHz;
        for (double n = 0.0; n * stepS <= chirp.lengthS; ++n)
            m_chirp.push_back(chirp.at(n * stepS));
        const double sigma = pulse.sigmaS();
        m_reach = static_cast<std::int64_t>(pulse.halfLengthS() * fineHz);
        const double scale = stepS / (sigma * std::sqrt(2.0 * pi));
        for (std::int64_t m = -m_reach; m <= m_reach; ++m) {
            const double t = static_cast<double>(m) / fineHz;
            m_band.push_back(std::polar(scale * std::exp(-t * t / (2.0 * sigma * sigma)),
                                        2.0 * pi * centreHz * t));
        }
    }
    std::complex<double> at(std::int64_t m) const {
        const std::int64_t last = std::min((m + m_reach) / m_every, std::ssize(m_chirp) - 1);
        double real = 0.0;
        double imaginary = 0.0;
        for (std::int64_t n = std::max<std::int64_t>(0, (m - m_reach + m_every - 1) / m_every);
             m + m_reach >= 0 && n <= last; ++n) {
            const auto& x = m_chirp[static_cast<std::size_t>(n)];
            const auto& h = m_band[static_cast<std::size_t>(m - n * m_every + m_reach)];
            real += x.real() * h.real() - x.imag() * h.imag();
            imaginary += x.real() * h.imag() + x.imag() * h.real();
        }
        return {real, imaginary};
    }

private:
    std::int64_t m_every = 1; ///< steps of the fine grid between points of the chirp
    std::int64_t m_reach = 0;
    std::vector<std::complex<double>> m_chirp;
    std::vector<std::complex<double>> m_band;
};

} // namespace

double GaussianPulse::sigmaS() const {
    return std::sqrt(2.0 * std::numbers::ln2) / (pi * fractionalBandwidth * centreFrequencyHz);
}

double GaussianPulse::sigmaHz() const { return 1.0 / (2.0 * pi * sigmaS()); }

double GaussianPulse::halfLengthS() const {
    return sigmaS() * std::sqrt(-2.0 * std::log(kSmallest));
}

PulseBank::PulseBank(const GaussianPulse& pulse, double samplingHz, double attenuationDbPerCmMhz,
                     double longestPathM, const PulseDetails& details)
    : m_pulse(pulse), m_nepersPerHzM(nepers(attenuationDbPerCmMhz)) {
    const double lengthS = details.chirp ? details.chirp->lengthS : 0.0;
    m_lead = static_cast<std::ptrdiff_t>(std::ceil(pulse.halfLengthS() * samplingHz));
    m_taps = static_cast<std::size_t>(m_lead) + 2 +
             static_cast<std::size_t>(std::ceil((pulse.halfLengthS() + lengthS) * samplingHz));
    if (attenuationDbPerCmMhz > 0.0) {
        m_paths = kPathSteps + 1;
        m_pathStepM = longestPathM / static_cast<double>(kPathSteps);
    }
    const std::size_t values = m_paths * (kPhases + 1) * m_taps;
    if (details.chirp) {
        m_table.resize(values);
        if (details.turned) m_turned.resize(values);
        oneapi::tbb::parallel_for(std::size_t{0}, m_paths, [&](std::size_t path) {
            setChirp(*details.chirp, path, samplingHz, details.turned);
        });
        return;
    }
    m_table.reserve(values);
    for (std::size_t path = 0; path < m_paths; ++path)
        addGaussian(centreFrequencyHz(m_pathStepM * static_cast<double>(path)), samplingHz,
                    details.turned);
}

void PulseBank::addGaussian(double centreHz, double samplingHz, bool turned) {
    const double sigma = m_pulse.sigmaS();
    for (std::size_t phase = 0; phase <= kPhases; ++phase) {
        for (std::size_t tap = 0; tap < m_taps; ++tap) {
            const double position = static_cast<double>(tap) - static_cast<double>(m_lead) -
                                    static_cast<double>(phase) / kPhases;
            const double t = position / samplingHz;
            const double envelope = std::exp(-t * t / (2.0 * sigma * sigma));
            m_table.push_back(envelope * std::cos(2.0 * pi * centreHz * t));
            if (turned) m_turned.push_back(envelope * std::sin(2.0 * pi * centreHz * t));
        }
    }
}

void PulseBank::setChirp(const Chirp& chirp, std::size_t path, double samplingHz, bool turned) {
    const double centreHz = centreFrequencyHz(m_pathStepM * static_cast<double>(path));
    const FilteredChirp filtered(chirp, m_pulse, centreHz, samplingHz);
    const std::size_t first = path * (kPhases + 1) * m_taps;
    for (std::size_t phase = 0; phase <= kPhases; ++phase) {
        for (std::size_t tap = 0; tap < m_taps; ++tap) {
            const auto from = static_cast<std::int64_t>(tap) - m_lead;
            const std::complex<double> value =
                filtered.at(from * kFine - static_cast<std::int64_t>(phase));
            const std::size_t at = first + phase * m_taps + tap;
            m_table[at] = value.real();
            if (turned) m_turned[at] = value.imag();
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
