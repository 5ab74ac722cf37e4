// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of `transmit_synthesis` and their table.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <cstdint>

namespace echolux {

enum class SentWave { Plane, Focused, Diverging };

struct SynthesisParams {
    static constexpr double kRadPerDegree = 0.017453292519943295;

    SentWave wave = SentWave::Plane;
    std::int64_t waves = 3;
    double spanRad = 8.0 * kRadPerDegree; ///< plane waves: angle from the first to the last
    double spanM = 10e-3;                 ///< focused waves: distance from the first focus to the
                                          ///< last
    double focusM = 20e-3;                ///< depth
    double fNumber = 1.5;                 ///< f-number of the elements that send a focused wave
    double sourceSpanM = 10e-3;           ///< diverging waves: distance from the first source to
                                          ///< the last
    double behindM = 5e-3;                ///< distance of their sources behind the array
    double strength = 1.0;
};

/// A length that counts with waves of one kind alone.
inline ParamRow sentLengthRow(const char* wave, const char* key, const char* label, double min,
                              double max, const char* help) {
    return {.key = key,
            .label = label,
            .unit = "m",
            .min = min,
            .max = max,
            .step = 1e-4,
            .kind = ParamKind::Structural,
            .help = help,
            .displayUnit = "mm",
            .displayFactor = 1e3,
            .onlyWith = {"wave", wave}};
}

/// The table of SynthesisParams.
inline ParamTable synthesisTable() {
    using P = SynthesisParams;
    constexpr double kRadPerDegree = P::kRadPerDegree;
    constexpr std::int64_t kMostSentWaves = 128;
    return ParamTable::of<P>()
        .choice(&P::wave, {{"plane", "Plane"}, {"focused", "Focused"}, {"diverging", "Diverging"}},
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
              sentLengthRow("focused", "focus_span", "Focus span", 0.0, 0.2,
                            "Distance along the array from the first focus to the last."))
        .real(&P::focusM, sentLengthRow("focused", "focus_depth", "Focus depth", 1e-3, 0.3,
                                        "Depth at which focused waves converge."))
        .real(&P::fNumber, {.key = "f_number",
                            .label = "Transmit f-number",
                            .min = 0.5,
                            .max = 10.0,
                            .step = 0.1,
                            .kind = ParamKind::Structural,
                            .help = "Focus depth over the width of the transmit aperture; a "
                                    "greater one makes the focus longer and wider.",
                            .onlyWith = {"wave", "focused"}})
        .real(&P::sourceSpanM,
              sentLengthRow("diverging", "source_span", "Source span", 0.0, 0.2,
                            "Distance along the array from the first virtual source to the last."))
        .real(&P::behindM, sentLengthRow("diverging", "behind", "Behind the array", 1e-4, 0.3,
                                         "Distance of the virtual sources behind the array. "
                                         "All elements fire."))
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
