// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data of point scatterers as any array would record them, element by element.
#pragma once

#include "app/source/echo_setup.hpp"
#include "app/source/element_response.hpp"
#include "app/source/phantom.hpp"
#include "app/source/pulse_bank.hpp"
#include "app/source/transmit_field.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// The echo of scatterer q in the element k, when the elements e fire at the times t_e with the
/// weights a_e:
///   s(t) = b sum over e, k of a_e g_e g_k p(t - t_e - (l_e + l_k) / c),
/// with b the scatterer's amplitude, lengths l and gains g of ElementResponse (sums over the parts
/// of an element too) and p the pulse of PulseBank: the transmitted field is the sum of what each
/// element sends, so that beams have the width, side lobes and edges of their aperture. Attenuation
/// is that of the path 2 d, d the distance of q from the array's centre, times exp(-a f (l - d))
/// for each way. t_e is idealDelay(): t = 0 when the wavefront crosses the origin. Linear and
/// single scattering. The same seed gives the same samples whatever the number of threads.
class EchoSimulator {
public:
    /// Throws Error where the set-up cannot be simulated (see checkSetup).
    EchoSimulator(const EchoSetup& setup, Phantom phantom);

    const EchoSetup& setup() const { return m_setup; }
    const FrameSpec& frame() const { return m_frame; }
    const Phantom& phantom() const { return m_phantom; }
    const EchoConverter& converter() const { return m_converter; }

    /// Echoes of frame `index` without noise and converter, [transmit][channel][sample]; valid
    /// until the next call.
    std::span<const double> echoes(std::int64_t index);
    /// What the converter delivers: noise added, rounded and limited to its range.
    void render(std::int64_t index, std::span<std::int16_t> out);

private:
    using Scatterers = std::span<const Scatterer>;
    struct Firing {
        std::size_t element = 0;
        double sample = 0.0; ///< of the common clock
        double weight = 1.0;
    };

    /// The paths of a run of scatterers to all parts of all elements, [element][part][scatterer].
    struct Paths {
        std::vector<double> samples;
        std::vector<double> gains;
    };

    void addEchoes(const std::vector<Scatterer>& scatterers, std::vector<double>& sum);
    void findPaths(Scatterers run);
    void buildFields(Scatterers run, std::size_t transmit);
    void hear(Scatterers run, std::size_t transmit, std::span<double> sum) const;
    std::size_t pathIndex(std::size_t element, std::size_t part) const;
    double centreDistance(const Scatterer& scatterer) const;

    EchoSetup m_setup;
    FrameSpec m_frame;
    Phantom m_phantom;
    ElementResponse m_response;
    Point m_centre; ///< of the array
    PulseBank m_pulses;
    std::size_t m_fineness = 1; ///< of the fields' grid
    std::size_t m_samples = 0;  ///< of a trace
    std::vector<std::vector<Firing>> m_firings;
    std::vector<std::ptrdiff_t> m_firstSamples; ///< of each transmit, on the common clock
    Paths m_paths;
    std::vector<TransmitField> m_fields;
    std::vector<double> m_still; ///< echoes of all that does not move
    std::vector<double> m_echoes;
    std::vector<Scatterer> m_moving;
    EchoConverter m_converter;
};

} // namespace echolux
