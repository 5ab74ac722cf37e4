// SPDX-License-Identifier: GPL-3.0-or-later
// The echoes of scatterers under every pulse of every wave, with their second harmonic.
#pragma once

#include "app/source/echo_setup.hpp"
#include "app/source/phantom.hpp"
#include "app/source/pulse_bank.hpp"
#include "gpu/echoes/echo_sum.hpp"

#include <cstdint>
#include <list>
#include <vector>

namespace echolux {

/// Let u be the field of a wave at a scatterer, with the attenuation of the way to it, u + j v the
/// analytic field, and E and V what a channel hears where the scatterer sends back u and v. With
/// the pulse a Re(P exp(j phi)) the channel hears
///   a (cos(phi) E - sin(phi) V) + a^2 (part / F) (cos(2 phi) H - sin(2 phi) K)
/// where H and K are heard of Re((u + j v)^2) and Im((u + j v)^2): a second harmonic that arises at
/// the scatterer, as strong as the square of the field there. It does not build up along the way.
/// Directivity and attenuation on the way back are those at 2 fc. F is the largest field that a
/// short pulse of amplitude 1 has, over the waves, at the wave's reference place, without
/// attenuation. That is the focus of a focused wave, else the point in front of the array's middle
/// at half the depth of the region. Each wave is computed once, whatever its pulses.
class PulsedEchoes {
public:
    /// `frame` is that of frameOf().
    PulsedEchoes(const EchoSetup& setup, const FrameSpec& frame, Backend backend);

    Backend backend() const { return m_parts.front().sum.backend(); }
    /// sum[transmit][channel][sample] += the echoes.
    void add(const std::vector<Scatterer>& scatterers, std::vector<double>& sum);

private:
    enum class Part : std::uint8_t { Field, Turned, Square, TurnedSquare };
    struct PartSum {
        Part part;
        EchoSum sum;
    };

    EchoArray array(Part part) const;
    EchoPoint echoOf(const Scatterer& scatterer, Part part) const;
    double factor(Part part, const SentPulse& pulse) const;
    double referenceField() const;
    void addPulses(Part part, std::vector<double>& sum) const;

    EchoSetup m_setup;
    std::vector<std::int64_t> m_firstSamples; ///< of each wave
    std::int64_t m_samples = 0;               ///< of a trace
    Point m_centre;                           ///< of the array
    PulseBank m_pulses;
    double m_harmonic = 0.0; ///< part / F
    std::list<PartSum> m_parts;
    std::vector<EchoPoint> m_points;
    std::vector<double> m_waves; ///< echoes of one part, [wave][channel][sample]
};

} // namespace echolux
