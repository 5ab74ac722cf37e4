// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data of point scatterers, as recorded by any array, computed element by element.
#pragma once

#include "app/source/echo_setup.hpp"
#include "app/source/phantom.hpp"
#include "app/source/pulsed_echoes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// The echo of scatterer q in the element k, when the elements e fire at the times t_e with the
/// weights a_e:
///   s(t) = b sum over e, k of a_e g_e g_k p(t - t_e - (l_e + l_k) / c),
/// with b the scatterer's amplitude, lengths l and gains g of ElementResponse (the sum also runs
/// over the parts of an element) and p the pulse of PulseBank. The transmitted field is the sum of
/// the waves of all elements, so beams have the width, side lobes and edges of their aperture. The
/// attenuation is that of the path 2 d, with d the distance of q from the array's centre, times
/// exp(-a f (l - d)) for each of the two ways. Screens add their delays to the ways and multiply
/// the gains: on reception always, on transmission where ScreenSetup::onTransmit. t_e is
/// idealDelay(): t = 0 when the wavefront crosses the origin. Single scattering; linear but for the
/// second harmonic of PulsedEchoes. On the CPU the same seed gives the same samples whatever the
/// number of threads; EchoSum says by how much the GPU may differ.
class EchoSimulator {
public:
    /// Throws Error where the set-up cannot be simulated (see checkSetup).
    EchoSimulator(const EchoSetup& setup, Phantom phantom, Backend backend = Backend::Cpu);

    const EchoSetup& setup() const { return m_setup; }
    const FrameSpec& frame() const { return m_frame; }
    const Phantom& phantom() const { return m_phantom; }
    Backend backend() const { return m_sums.backend(); }
    const EchoConverter& converter() const { return m_converter; }

    /// Echoes of frame `index` without noise and converter, [transmit][channel][sample]; valid
    /// until the next call.
    std::span<const double> echoes(std::int64_t index);
    /// The output of the converter: with noise, rounded and limited to its range.
    void render(std::int64_t index, std::span<std::int16_t> out);

private:
    EchoSetup m_setup;
    FrameSpec m_frame;
    Phantom m_phantom;
    PulsedEchoes m_sums;
    std::vector<double> m_still; ///< echoes of all that does not move
    std::vector<double> m_echoes;
    std::vector<Scatterer> m_moving;
    EchoConverter m_converter;
};

} // namespace echolux
