// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of `displacement` and their table.
#pragma once

#include "gpu/stages/doppler.hpp"
#include "gpu/stages/motion_windows.hpp"

#include <cstdint>

namespace echolux {

enum class MotionMethod { Phase, Correlation };
enum class MotionReference { Previous, First };

struct DisplacementParams : flow::DopplerParams {
    MotionMethod method = MotionMethod::Phase;
    MotionReference reference = MotionReference::Previous;
    std::int64_t depthPixels = 31;
    std::int64_t lateralPixels = 3;
    std::int64_t searchPixels = 8;
};

/// The table of DisplacementParams.
inline ParamTable displacementTable() {
    using P = DisplacementParams;
    ParamRow speed = flow::soundSpeedRow();
    speed.help = "Speed of sound in the tissue.";
    return ParamTable::of<P>()
        .choice(&P::method, {{"phase", "Phase"}, {"correlation", "Correlation"}},
                {.key = "method",
                 .label = "Method",
                 .help = "Phase: the change of phase, for motion of less than a quarter of a "
                         "wavelength. Correlation: the shift at which both frames are most alike, "
                         "then the phase; for larger motion, and slower."})
        .choice(&P::reference, {{"previous", "Previous frame"}, {"first", "First frame"}},
                {.key = "reference",
                 .label = "Reference",
                 .help = "The frame from which the motion to the last frame is measured: the one "
                         "before it, or the first one of the ensemble."})
        .integer(&P::depthPixels, {.key = "depth_pixels",
                                   .label = "Window over depth",
                                   .unit = "pixels",
                                   .min = 1,
                                   .max = kMostWindowPixels,
                                   .step = 2,
                                   .help = "Height of the box whose echoes are compared. Even "
                                           "numbers count as the next odd one."})
        .integer(&P::lateralPixels, {.key = "lateral_pixels",
                                     .label = "Window across",
                                     .unit = "pixels",
                                     .min = 1,
                                     .max = kMostWindowPixels,
                                     .step = 2,
                                     .help = "Width of the box whose echoes are compared. Even "
                                             "numbers count as the next odd one."})
        .integer(&P::searchPixels, {.key = "search",
                                    .label = "Search",
                                    .unit = "pixels",
                                    .min = 1,
                                    .max = kMostWindowPixels,
                                    .step = 1,
                                    .help = "Largest shift that is tried, towards the probe and "
                                            "away from it. The time grows with it.",
                                    .onlyWith = {"method", "correlation"}})
        .real(&P::frequencyHz, flow::frequencyRow())
        .real(&P::soundSpeedMps, speed)
        .build();
}

} // namespace echolux
