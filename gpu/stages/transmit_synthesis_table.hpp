// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of `transmit_synthesis` and their table.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <cstdint>

namespace echolux {

enum class SentWave { Plane, Focused };

struct SynthesisParams {
    static constexpr double kRadPerDegree = 0.017453292519943295;

    SentWave wave = SentWave::Plane;
    std::int64_t waves = 3;
    double spanRad = 8.0 * kRadPerDegree; ///< plane waves: angle from the first to the last
    double spanM = 10e-3;                 ///< focused waves: distance from the first focus to the
                                          ///< last
    double focusM = 20e-3;                ///< depth
    double fNumber = 1.5;                 ///< f-number of the elements that send a focused wave
    double strength = 1.0;
};

/// The table of SynthesisParams.
inline ParamTable synthesisTable() {
    using P = SynthesisParams;
    constexpr double kRadPerDegree = P::kRadPerDegree;
    constexpr std::int64_t kMostSentWaves = 128;
    const auto focused = [](ParamRow row) {
        row.unit = "m";
        row.displayUnit = "mm";
        row.displayFactor = 1e3;
        row.kind = ParamKind::Structural;
        row.onlyWith = {"wave", "focused"};
        return row;
    };
    return ParamTable::of<P>()
        .choice(&P::wave, {{"plane", "Plane"}, {"focused", "Focused"}},
                {.key = "wave",
                 .label = "Wave",
                 .kind = ParamKind::Structural,
                 .help = "Kind of wave that all elements send together."})
        .integer(&P::waves, {.key = "waves",
                             .label = "Waves",
                             .min = 1,
                             .max = kMostSentWaves,
                             .step = 1,
                             .scale = ParamScale::Log,
                             .kind = ParamKind::Structural,
                             .help = "Number of waves sent one after the other for each frame."})
        .real(&P::spanRad,
              {.key = "angle_span",
               .label = "Angle span",
               .unit = "rad",
               .min = 0.0,
               .max = 1.5,
               .step = 0.5 * kRadPerDegree,
               .kind = ParamKind::Structural,
               .help = "From the first plane wave to the last, centred on straight ahead.",
               .displayUnit = "deg",
               .displayFactor = 1.0 / kRadPerDegree,
               .onlyWith = {"wave", "plane"}})
        .real(&P::spanM,
              focused({.key = "focus_span",
                       .label = "Focus span",
                       .min = 0.0,
                       .max = 0.2,
                       .step = 1e-4,
                       .help = "Distance along the array from the first focus to the last."}))
        .real(&P::focusM, focused({.key = "focus_depth",
                                   .label = "Focus depth",
                                   .min = 1e-3,
                                   .max = 0.3,
                                   .step = 1e-4,
                                   .help = "Depth at which focused waves converge."}))
        .real(&P::fNumber, {.key = "f_number",
                            .label = "Transmit f-number",
                            .min = 0.5,
                            .max = 10.0,
                            .step = 0.1,
                            .kind = ParamKind::Structural,
                            .help = "Focus depth over the width of the transmit aperture; a "
                                    "greater one makes the focus longer and wider.",
                            .onlyWith = {"wave", "focused"}})
        .real(&P::strength, {.key = "strength",
                             .label = "Strength",
                             .min = 0.0,
                             .max = 1.0,
                             .step = 0.05,
                             .help = "Part of the estimated delays that is applied: 0 sends "
                                     "uncorrected waves, 1 corrects them fully."})
        .build();
}

} // namespace echolux
