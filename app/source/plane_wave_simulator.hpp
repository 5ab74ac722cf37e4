// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data of point scatterers under plane waves, as recorded by a linear array.
#pragma once

#include "app/source/echo_converter.hpp"
#include "app/source/phantom.hpp"
#include "app/source/plane_wave_setup.hpp"
#include "app/source/pulse_bank.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// An echo of scatterer p in element e under the plane wave of angle a:
///   arrival    t = (x sin a + z cos a) / c + r / c,  r = |p - e|
///   amplitude  s D(theta) G(r) A(L), with s the scatterer's amplitude,
///   D = sinc(w sin theta / lambda) cos theta: a strip of width w in a soft baffle, at the centre
///       frequency (Selfridge, Kino and Khuri-Yakub, Appl. Phys. Lett. 37, 1980)
///   G = sqrt(r0 / r) or r0 / r with r0 = 10 mm, not above its value at one wavelength
///   A = attenuation along L = z / cos a + r, see PulseBank, which also lowers the frequency
///   shape      the pulse of PulseBank, its peak at t.
/// Screens add their delays to t and multiply the amplitude: for the straight way from p to e, and,
/// with ScreenSetup::onTransmit, for the way of the plane wave to p. t = 0 when the plane wave
/// crosses the array's centre; transmit and receive are linear and single scattering; the wave is
/// plane everywhere, as from an array without ends. The same seed gives the same samples whatever
/// the number of threads.
class PlaneWaveSimulator {
public:
    /// Throws Error where the set-up cannot be simulated (see checkSetup).
    PlaneWaveSimulator(const PlaneWaveSetup& setup, Phantom phantom);

    const PlaneWaveSetup& setup() const { return m_setup; }
    const FrameSpec& frame() const { return m_frame; }
    const Phantom& phantom() const { return m_phantom; }

    /// Echoes of frame `index` without noise and converter, [transmit][channel][sample]; valid
    /// until the next call.
    std::span<const double> echoes(std::int64_t index);
    /// The output of the converter: with noise, rounded and limited to its range.
    void render(std::int64_t index, std::span<std::int16_t> out);

    const EchoConverter& converter() const { return m_converter; }

private:
    struct Wavefront {
        double sine = 0.0;
        double cosine = 1.0;
        double firstSampleS = 0.0;
    };

    void addEchoes(const std::vector<Scatterer>& scatterers, std::vector<double>& sum) const;
    void addEchoes(const std::vector<Scatterer>& scatterers, std::int64_t element,
                   std::vector<double>& sum) const;
    /// `past` is the effect of the screens on the way there and back.
    void addEcho(const Scatterer& scatterer, double receiveM, double gain, const Wavefront& wave,
                 const echoes::ScreenEffect& past, double* trace) const;
    echoes::ScreenEffect sentPast(const Scatterer& scatterer, const Wavefront& wave) const;
    double receiveGain(const Scatterer& scatterer, double elementX, double receiveM) const;
    double attenuation(double pathM) const;

    PlaneWaveSetup m_setup;
    FrameSpec m_frame;
    Phantom m_phantom;
    double m_longestPathM = 0.0;
    PulseBank m_pulses;
    std::vector<double> m_attenuation; ///< of paths at equal steps
    std::vector<Wavefront> m_waves;
    echoes::ScreenTables m_screens;
    std::int64_t m_samples = 0;
    std::vector<double> m_still; ///< echoes of all that does not move
    std::vector<double> m_echoes;
    std::vector<Scatterer> m_moving;
    EchoConverter m_converter;
};

} // namespace echolux
