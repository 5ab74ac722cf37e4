// SPDX-License-Identifier: GPL-3.0-or-later
// The parameter table of the stage spectral_doppler.
#pragma once

#include "gpu/stage/param_table.hpp"
#include "gpu/stages/spectral_doppler.hpp"

#include <numbers>

namespace echolux {

inline ParamRow gateRow(const char* key, const char* label, double min, double max, ParamKind kind,
                        const char* help) {
    return {.key = key,
            .label = label,
            .unit = "m",
            .min = min,
            .max = max,
            .step = 1e-4,
            .kind = kind,
            .help = help,
            .displayUnit = "mm",
            .displayFactor = 1e3};
}

inline ParamTable spectralDopplerTable() {
    using P = SpectralDopplerParams;
    return ParamTable::of<P>()
        .real(&P::depthM, gateRow("depth", "Gate depth", 0.0, 1.0, ParamKind::Live,
                                  "Depth of the gate's middle. Beyond the image the gate lies at "
                                  "its edge."))
        .real(&P::lateralM, gateRow("lateral", "Gate lateral", -1.0, 1.0, ParamKind::Live,
                                    "Lateral position of the gate."))
        .real(&P::lengthM, gateRow("length", "Gate length", 1e-5, 0.02, ParamKind::Structural,
                                   "Extent of the gate over depth. The spectra of its pixels are "
                                   "averaged: a longer gate gives less speckle and takes in more "
                                   "velocities."))
        .integer(&P::window, {.key = "window",
                              .label = "Window",
                              .unit = "pulses",
                              .min = 16,
                              .max = 512,
                              .kind = ParamKind::Structural,
                              .help = "Pulses per spectrum. More give finer velocities and coarser "
                                      "times."})
        .integer(&P::hop, {.key = "hop",
                           .label = "Hop",
                           .unit = "pulses",
                           .min = 1,
                           .max = 512,
                           .kind = ParamKind::Structural,
                           .help = "Pulses from one spectrum to the next."})
        .integer(&P::lines, {.key = "lines",
                             .label = "Lines",
                             .min = 16,
                             .max = 4096,
                             .scale = ParamScale::Log,
                             .kind = ParamKind::Structural,
                             .help = "Number of spectra that are shown, the newest included."})
        .real(&P::wallFilterMps, {.key = "wall_filter",
                                  .label = "Wall filter",
                                  .unit = "m/s",
                                  .min = 0.0,
                                  .max = 2.0,
                                  .step = 0.005,
                                  .help = "Slower velocities are left out, and the mean of the "
                                          "pulses is subtracted before the transform. 0 leaves "
                                          "everything.",
                                  .displayUnit = "cm/s",
                                  .displayFactor = 100.0})
        .real(&P::angleRad, flow::angleRow())
        .real(&P::baseline, {.key = "baseline",
                             .label = "Baseline",
                             .min = -0.5,
                             .max = 0.5,
                             .step = 0.01,
                             .help = "Part of the range of velocities by which it is shifted: at "
                                     "0.5 all flow counts as towards the probe, up to twice the "
                                     "largest velocity of 0."})
        .real(&P::rangeDb, {.key = "range",
                            .label = "Dynamic range",
                            .unit = "dB",
                            .min = 10.0,
                            .max = 100.0,
                            .step = 1.0,
                            .help = "Range of levels below the strongest that is shown."})
        .real(&P::traceThresholdDb,
              {.key = "trace_threshold",
               .label = "Trace threshold",
               .unit = "dB",
               .min = 1.0,
               .max = 60.0,
               .step = 1.0,
               .help = "The outputs mean and maximum count levels that are at most this far below "
                       "the strongest that is shown."})
        .real(&P::frequencyHz, flow::frequencyRow())
        .real(&P::soundSpeedMps, flow::soundSpeedRow())
        .flag(&P::inverted, flow::invertRow())
        .build();
}

} // namespace echolux
