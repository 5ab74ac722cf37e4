// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of `refocus`.
#pragma once

#include "gpu/decoding/refocusing.hpp"
#include "gpu/stage/param_table.hpp"

namespace echolux {

/// What is known of the delays of elements beside their wave.
enum class DelayCode { Recorded, Hadamard };

struct RefocusParams {
    DelayCode code = DelayCode::Recorded;
    double codeDelayS = 1e-7;
    decoding::RefocusMethod method = decoding::RefocusMethod::Inverse;
    double damping = 1e-3;
    double lowestHz = 1e6;
    double highestHz = 10e6;
};

inline ParamRow refocusEdge(const char* key, const char* label, const char* help) {
    return {.key = key,
            .label = label,
            .unit = "Hz",
            .min = 0.0,
            .max = 2e8,
            .step = 1e5,
            .kind = ParamKind::Structural,
            .help = help,
            .displayUnit = "MHz",
            .displayFactor = 1e-6};
}

inline ParamTable refocusTable() {
    using P = RefocusParams;
    return ParamTable::of<P>()
        .choice(&P::code, {{"recorded", "As recorded"}, {"hadamard_delays", "Hadamard delays"}},
                {.key = "code",
                 .label = "Code",
                 .kind = ParamKind::Structural,
                 .help =
                     "What the recording does not tell. Hadamard delays: in transmit t, element "
                     "e fires later where the Hadamard matrix has -1."})
        .real(&P::codeDelayS, {.key = "code_delay",
                               .label = "Code delay",
                               .unit = "s",
                               .min = 0.0,
                               .max = 1e-5,
                               .step = 1e-9,
                               .kind = ParamKind::Structural,
                               .help = "How much later. Half a period of the pulse is usual: a "
                                       "pulse delayed so is nearly the inverted one.",
                               .displayUnit = "ns",
                               .displayFactor = 1e9,
                               .onlyWith = {"code", "hadamard_delays"}})
        .choice(&P::method, {{"adjoint", "Adjoint"}, {"inverse", "Inverse"}},
                {.key = "method",
                 .label = "Method",
                 .kind = ParamKind::Structural,
                 .help = "Adjoint: every transmit is delayed back to each element and added up. "
                         "Inverse: the least squares solution, which tells elements apart."})
        .real(&P::damping, {.key = "damping",
                            .label = "Damping",
                            .min = 1e-9,
                            .max = 1.0,
                            .step = 1e-4,
                            .scale = ParamScale::Log,
                            .kind = ParamKind::Structural,
                            .help = "Regularisation, as a part of the mean power of an element "
                                    "over all transmits. More of it lets less noise through.",
                            .onlyWith = {"method", "inverse"}})
        .real(&P::lowestHz,
              refocusEdge("lowest", "Lowest frequency", "Frequencies below become zero."))
        .real(&P::highestHz, refocusEdge("highest", "Highest frequency",
                                         "Frequencies above become zero. The narrower the band, "
                                         "the less is computed."))
        .build();
}

} // namespace echolux
