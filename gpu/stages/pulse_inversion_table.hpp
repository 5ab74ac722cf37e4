// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of `pulse_inversion`.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <vector>

namespace echolux {

enum class PulseScheme { Inversion, Difference, AmplitudeModulation, ThreePhases, Weights };
enum class PulseOrder { PulsesFirst, WavesFirst };
enum class PickedHarmonic { Third, Second, Fundamental };
enum class HarmonicBand { Automatic, Fundamental, Second, Third };

struct PulseInversionParams {
    PulseScheme scheme = PulseScheme::Inversion;
    PulseOrder order = PulseOrder::PulsesFirst;
    PickedHarmonic harmonic = PickedHarmonic::Third;
    std::vector<double> weights = {0.5, 0.5};
    HarmonicBand band = HarmonicBand::Automatic;
};

inline ParamTable pulseInversionTable() {
    using P = PulseInversionParams;
    return ParamTable::of<P>()
        .choice(&P::scheme,
                {{"pulse_inversion", "Pulse inversion"},
                 {"difference", "Difference"},
                 {"amplitude_modulation", "Amplitude modulation"},
                 {"three_phases", "Three phases"},
                 {"weights", "Weights"}},
                {.key = "scheme",
                 .label = "Scheme",
                 .kind = ParamKind::Structural,
                 .help = "Pulses that each wave was sent with, and what their echoes become: of a "
                         "pulse and its inverse, the mean (even harmonics) or half the difference "
                         "(odd ones); of half, full and half amplitude, what is not linear; of 0, "
                         "120 and 240 degrees, a harmonic; or a sum of your own."})
        .choice(&P::order,
                {{"pulses_first", "Pulses of a wave"}, {"waves_first", "Waves of a pulse"}},
                {.key = "order",
                 .label = "Order",
                 .kind = ParamKind::Structural,
                 .help = "What follows each other in the recording: all pulses of the first wave, "
                         "then those of the next one; or all waves with the first pulse, then all "
                         "with the next one."})
        .choice(&P::harmonic,
                {{"third", "Third"}, {"second", "Second"}, {"fundamental", "Fundamental"}},
                {.key = "harmonic",
                 .label = "Harmonic",
                 .kind = ParamKind::Structural,
                 .help = "Harmonic that three phases keep. Only IQ or analytic samples tell the "
                         "second and the fundamental apart.",
                 .onlyWith = {"scheme", "three_phases"}})
        .list(&P::weights, {.key = "weights",
                            .label = "Weights",
                            .min = -10.0,
                            .max = 10.0,
                            .step = 0.01,
                            .kind = ParamKind::Structural,
                            .help = "Weight of each pulse, in the order in which they were sent. "
                                    "There are as many pulses as numbers.",
                            .onlyWith = {"scheme", "weights"}})
        .choice(&P::band,
                {{"automatic", "Automatic"},
                 {"fundamental", "Fundamental"},
                 {"second", "Second"},
                 {"third", "Third"}},
                {.key = "harmonic_band",
                 .label = "Harmonic band",
                 .kind = ParamKind::Structural,
                 .help = "Harmonic that later stages image: the centre frequency, and with it "
                         "their default bands, become so many times what was sent. Automatic: "
                         "the first that the scheme keeps."})
        .build();
}

} // namespace echolux
