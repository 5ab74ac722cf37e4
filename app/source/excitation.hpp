// SPDX-License-Identifier: GPL-3.0-or-later
// The pulses that each wave is sent with, the second harmonic of its echoes, and codes of the
// elements.
#pragma once

#include "app/source/chirp.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

struct EchoSetup;

/// How often each wave is sent, see pulsesOf().
enum class PulseSequence : std::uint8_t { One, Inverted, Amplitude, Three };

/// p(t) = a Re(P(t) exp(j phi)), with P the analytic pulse.
struct SentPulse {
    double amplitude = 1.0; ///< a
    double phaseRad = 0.0;  ///< phi
};

/// One: p. Inverted: p, -p. Amplitude: p / 2, p, p / 2. Three: phases of 0, 120 and 240 degrees.
std::span<const SentPulse> pulsesOf(PulseSequence sequence);

struct Excitation {
    PulseSequence pulses = PulseSequence::One;
    /// The second harmonic over the fundamental, in the echo of a scatterer where the field of the
    /// strongest wave is 1, without attenuation. 0: none.
    double harmonicPart = 0.0;
    std::optional<Chirp> chirp = {}; ///< in place of a short pulse

    bool operator==(const Excitation&) const = default;
};

/// Codes in which elements fire at once, with the transmits of a code as rows of a matrix.
enum class SpatialCode : std::uint8_t {
    None,
    Hadamard,       ///< weights 1 and -1
    SSequence,      ///< weights 1 and 0
    HadamardDelays, ///< -1 is a delay of half a period
};

/// Adds a plane wave at angle 0 for each row of the code, with the row's entries as weights, or as
/// delays. Elements that do not lie at z = 0 fire as for that wave, see idealDelay(). Throws Error
/// that names the command's options where the code has no matrix for the number of elements.
void addCoded(EchoSetup& setup, SpatialCode code);

/// Throws Error that names the command's options. The rest of the set-up has been checked.
void checkExcitation(const EchoSetup& setup);

/// For a recording's notes: what is sent other than one short pulse at a time.
std::vector<std::pair<std::string, std::string>> excitationNotes(const EchoSetup& setup);

} // namespace echolux
