// SPDX-License-Identifier: GPL-3.0-or-later
// Sums all paths frequency by frequency, on twice the record's length, so that no echo wraps round.
#include "app/source/cube_simulator.hpp"

#include "app/source/option_range.hpp"
#include "app/source/pulse_bank.hpp"
#include "gpu/core/counter_random.hpp"
#include "gpu/core/error.hpp"
#include "gpu/exec/host_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace echolux {

namespace {

using Phasor = std::complex<double>;

constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr double kLobes = 2.0;  ///< half width of the scatterers, in wavelength * depth / aperture
constexpr double kSigmas = 4.0; ///< half width of the spectrum that is summed

/// Equally spaced frequencies, Hz.
struct Bins {
    double firstHz = 0.0;
    double stepHz = 0.0;
    std::size_t count = 0;

    double at(std::size_t bin) const { return firstHz + static_cast<double>(bin) * stepHz; }
};

GaussianPulse pulseOf(const CubeSetup& setup) {
    return {setup.centreFrequencyHz, setup.fractionalBandwidth};
}

Bins binsOf(const CubeSetup& setup) {
    const double step = setup.samplingHz / static_cast<double>(2 * setup.samples);
    const double aside = kSigmas * pulseOf(setup).sigmaHz();
    const double first = std::max(1.0, std::ceil((setup.centreFrequencyHz - aside) / step));
    const double last = std::min(static_cast<double>(setup.samples - 1),
                                 std::floor((setup.centreFrequencyHz + aside) / step));
    return {first * step, step, static_cast<std::size_t>(std::max(last - first + 1.0, 1.0))};
}

/// Half of the depth whose echoes the record holds whole.
double halfDepth(const CubeSetup& setup) {
    const double half = 0.5 * static_cast<double>(setup.samples) / setup.samplingHz;
    return 0.5 * setup.soundSpeedMps * (half - pulseOf(setup).halfLengthS());
}

/// Half width of the scatterers along an axis with `elements` elements.
double halfWidth(const CubeSetup& setup, std::int64_t elements) {
    constexpr double kWidest = 0.25; // of the depth
    if (elements < 2) return 0.0;
    const double wavelength = setup.soundSpeedMps / setup.centreFrequencyHz;
    const double aperture = static_cast<double>(elements) * setup.pitchM;
    return setup.focusM * std::min(kLobes * wavelength / aperture, kWidest);
}

std::vector<CubeScatterer> scatterersOf(const CubeSetup& setup) {
    const CounterRandom random(setup.seed, RandomStream::Speckle);
    const double x = halfWidth(setup, setup.columns);
    const double y = halfWidth(setup, setup.rows);
    const double z = halfDepth(setup);
    std::vector<CubeScatterer> scatterers;
    for (std::int64_t i = 0; i < setup.scatterers; ++i) {
        const auto number = static_cast<std::uint32_t>(i);
        const auto at = random.uniform(number, 0);
        scatterers.push_back({{(2.0 * at[0] - 1.0) * x, (2.0 * at[1] - 1.0) * y,
                               setup.focusM + (2.0 * at[2] - 1.0) * z},
                              random.normal(number, 1)[0]});
    }
    return scatterers;
}

/// exp(-2 pi j f delay) for one frequency after the other.
class Turning {
public:
    Turning(const Bins& bins, double delayS)
        : m_re(std::cos(kTwoPi * bins.firstHz * delayS)),
          m_im(-std::sin(kTwoPi * bins.firstHz * delayS)),
          m_stepRe(std::cos(kTwoPi * bins.stepHz * delayS)),
          m_stepIm(-std::sin(kTwoPi * bins.stepHz * delayS)) {}
    double re() const { return m_re; }
    double im() const { return m_im; }
    void advance() {
        const double re = m_re * m_stepRe - m_im * m_stepIm;
        m_im = m_re * m_stepIm + m_im * m_stepRe;
        m_re = re;
    }

private:
    double m_re;
    double m_im;
    double m_stepRe;
    double m_stepIm;
};

class CubeSum {
public:
    CubeSum(const CubeSetup& setup, const AberrationTruth& truth,
            const std::vector<CubeScatterer>& scatterers)
        : m_setup(setup), m_truth(truth), m_scatterers(scatterers), m_bins(binsOf(setup)),
          m_elements(setup.elements()) {}

    /// [element][sample]
    std::vector<double> channels() const {
        const std::vector<Phasor> sent = transmitted();
        const std::vector<Phasor> turns = toSamples();
        const auto samples = static_cast<std::size_t>(m_setup.samples);
        std::vector<double> values(m_elements.size() * samples, 0.0);
        host::eachIndex(std::ssize(m_elements), [&](std::int64_t element) {
            const auto k = static_cast<std::size_t>(element);
            const std::vector<Phasor> spectrum = received(k, sent);
            double* line = values.data() + k * samples;
            for (std::size_t b = 0; b < m_bins.count; ++b) {
                const Phasor part = spectrum[b];
                const Phasor* turn = turns.data() + b * samples;
                for (std::size_t n = 0; n < samples; ++n)
                    line[n] += part.real() * turn[n].real() - part.imag() * turn[n].imag();
            }
        });
        return values;
    }

private:
    double pathDifference(std::size_t element, const CubeScatterer& scatterer) const {
        const Point& e = m_elements[element];
        const Point& p = scatterer.place;
        return (std::hypot(p.x - e.x, p.y - e.y, p.z - e.z) -
                std::hypot(e.x, e.y, m_setup.focusM - e.z)) /
               m_setup.soundSpeedMps;
    }
    double amplitudeOf(std::size_t element) const {
        return m_truth.amplitude.empty() ? 1.0 : m_truth.amplitude[element];
    }

    /// [scatterer][bin], times its strength.
    std::vector<Phasor> transmitted() const {
        const bool passes = m_setup.screens.onTransmit;
        std::vector<Phasor> sent(m_scatterers.size() * m_bins.count);
        host::eachIndex(std::ssize(m_scatterers), [&](std::int64_t scatterer) {
            const auto i = static_cast<std::size_t>(scatterer);
            Phasor* out = sent.data() + i * m_bins.count;
            for (std::size_t k = 0; k < m_elements.size(); ++k) {
                const double delay =
                    pathDifference(k, m_scatterers[i]) + (passes ? m_truth.delayS[k] : 0.0);
                const double amplitude = passes ? amplitudeOf(k) : 1.0;
                Turning turn(m_bins, delay);
                for (std::size_t b = 0; b < m_bins.count; ++b, turn.advance())
                    out[b] += Phasor(amplitude * turn.re(), amplitude * turn.im());
            }
            const double scale = m_scatterers[i].strength / static_cast<double>(m_elements.size());
            for (std::size_t b = 0; b < m_bins.count; ++b) out[b] *= scale;
        });
        return sent;
    }

    /// The spectrum of one element's echoes.
    std::vector<Phasor> received(std::size_t element, const std::vector<Phasor>& sent) const {
        std::vector<Phasor> sum(m_bins.count);
        for (std::size_t i = 0; i < m_scatterers.size(); ++i) {
            Turning turn(m_bins,
                         pathDifference(element, m_scatterers[i]) + m_truth.delayS[element]);
            const Phasor* from = sent.data() + i * m_bins.count;
            for (std::size_t b = 0; b < m_bins.count; ++b, turn.advance())
                sum[b] += Phasor(from[b].real() * turn.re() - from[b].imag() * turn.im(),
                                 from[b].real() * turn.im() + from[b].imag() * turn.re());
        }
        for (std::size_t b = 0; b < m_bins.count; ++b) {
            const double aside =
                (m_bins.at(b) - m_setup.centreFrequencyHz) / pulseOf(m_setup).sigmaHz();
            sum[b] *= amplitudeOf(element) * std::exp(-0.5 * aside * aside);
        }
        return sum;
    }

    /// exp(2 pi j f t), [bin][sample]; t = 0 in the middle of the record.
    std::vector<Phasor> toSamples() const {
        const auto samples = static_cast<std::size_t>(m_setup.samples);
        std::vector<Phasor> turns(m_bins.count * samples);
        for (std::size_t b = 0; b < m_bins.count; ++b)
            for (std::size_t n = 0; n < samples; ++n) {
                const double middle = 0.5 * static_cast<double>(samples - 1);
                const double t = (static_cast<double>(n) - middle) / m_setup.samplingHz;
                turns[b * samples + n] = std::polar(1.0, kTwoPi * m_bins.at(b) * t);
            }
        return turns;
    }

    const CubeSetup& m_setup;
    const AberrationTruth& m_truth;
    const std::vector<CubeScatterer>& m_scatterers;
    Bins m_bins;
    std::vector<Point> m_elements;
};

void addNoise(const CubeSetup& setup, std::vector<double>& values) {
    double power = 0.0;
    for (const double value : values) power += value * value;
    const double rms =
        std::sqrt(power / static_cast<double>(values.size())) * std::pow(10.0, -setup.snrDb / 20.0);
    const CounterRandom random(setup.seed, RandomStream::Noise);
    for (std::size_t i = 0; i < values.size(); i += 4) {
        const auto four = random.normal(static_cast<std::uint32_t>(i / 4));
        for (std::size_t j = i; j < std::min(i + 4, values.size()); ++j)
            values[j] += rms * four[j - i];
    }
}

AberrationTruth truthOf(const CubeSetup& setup) {
    const std::vector<Point> elements = setup.elements();
    if (!setup.screens.any()) return {.delayS = std::vector(elements.size(), 0.0), .amplitude = {}};
    const auto along = [&](std::int64_t count) {
        return count < 2 ? 0.0 : static_cast<double>(count) * setup.pitchM;
    };
    const echoes::ScreenTables screens =
        makeScreens(setup.screens.screens, elements, {},
                    {.halfXM = along(setup.columns), .halfYM = along(setup.rows)});
    return aberrationTruth(screens, elements, {0.0, 0.0, setup.focusM});
}

} // namespace

std::vector<Point> CubeSetup::elements() const {
    std::vector<Point> places;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            places.push_back(
                {(static_cast<double>(column) - 0.5 * static_cast<double>(columns - 1)) * pitchM,
                 (static_cast<double>(row) - 0.5 * static_cast<double>(rows - 1)) * pitchM, 0.0});
    return places;
}

void checkSetup(const CubeSetup& setup) {
    checkRange("--columns", "", static_cast<double>(setup.columns), 2, 256);
    checkRange("--rows", "", static_cast<double>(setup.rows), 1, 256);
    checkRange("--samples", "", static_cast<double>(setup.samples), 16, 8192);
    checkRange("--pitch", " mm", setup.pitchM * 1e3, 0.001, 100);
    checkRange("--focus", " mm", setup.focusM * 1e3, 1, 1000);
    checkRange("--fc", " MHz", setup.centreFrequencyHz * 1e-6, 0.02, 100);
    checkRange("--bandwidth", " %", setup.fractionalBandwidth * 100, 5, 150);
    checkSampling(setup.samplingHz, setup.centreFrequencyHz, setup.fractionalBandwidth);
    checkRange("--sound-speed", " m/s", setup.soundSpeedMps, 300, 10000);
    checkRange("--scatterers", "", static_cast<double>(setup.scatterers), 1, 100000);
    checkRange("--snr", " dB", setup.snrDb, -40, 200);
    checkScreens(setup.screens, setup.focusM);
    const double diagonal =
        0.5 * setup.pitchM * std::hypot(setup.columns - 1, setup.rows - 1) / setup.focusM;
    if (diagonal > 0.9)
        throw Error(fmt::format("--pitch {:g} mm makes an array that reaches {:.3g} times as far "
                                "from its centre as --focus {:g} mm is deep: choose a smaller "
                                "pitch or a deeper focus.",
                                setup.pitchM * 1e3, diagonal, setup.focusM * 1e3));
    if (!(halfDepth(setup) > 0.0))
        throw Error(fmt::format("--samples {} are shorter than a pulse of --bandwidth {:g} %: "
                                "choose {:.0f} or more.",
                                setup.samples, setup.fractionalBandwidth * 100,
                                std::ceil(4.0 * pulseOf(setup).halfLengthS() * setup.samplingHz)));
    if (!(halfDepth(setup) < 0.5 * setup.focusM))
        throw Error(fmt::format("--samples {} hold echoes from {:g} mm round a focus only {:g} mm "
                                "deep: choose fewer samples or a deeper focus.",
                                setup.samples, 2e3 * halfDepth(setup), setup.focusM * 1e3));
}

SimulatedCube simulateCube(const CubeSetup& setup) {
    checkSetup(setup);
    SimulatedCube cube;
    cube.truth = truthOf(setup);
    cube.scatterers = scatterersOf(setup);
    cube.values = CubeSum(setup, cube.truth, cube.scatterers).channels();
    addNoise(setup, cube.values);
    double largest = 0.0;
    for (const double value : cube.values) largest = std::max(largest, std::abs(value));
    for (double& value : cube.values) value /= largest;
    return cube;
}

} // namespace echolux
