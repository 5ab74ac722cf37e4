// SPDX-License-Identifier: GPL-3.0-or-later
// The parameter table of `aberration`.
#pragma once

#include "gpu/stage/param_table.hpp"
#include "gpu/stages/aberration.hpp"

namespace echolux {

inline ParamRow regionRow(const char* key, const char* label, double min, double max,
                          const char* help) {
    return {.key = key,
            .label = label,
            .unit = "m",
            .min = min,
            .max = max,
            .step = 1e-4,
            .help = help,
            .displayUnit = "mm",
            .displayFactor = 1e3};
}

inline ParamRow frequencyRow(const char* key, const char* label, const char* help) {
    return {.key = key,
            .label = label,
            .unit = "Hz",
            .min = 1e4,
            .max = 1e8,
            .step = 1e4,
            .kind = ParamKind::Structural,
            .help = help,
            .displayUnit = "MHz",
            .displayFactor = 1e-6};
}

/// The table of AberrationParams.
inline ParamTable aberrationTable() {
    using P = AberrationParams;
    return ParamTable::of<P>()
        .real(&P::lateralM, regionRow("region_lateral", "Region lateral", -0.2, 0.2,
                                      "Centre of the region whose echoes are compared."))
        .real(&P::depthM, regionRow("region_depth", "Region depth", 1e-3, 0.5,
                                    "Centre of the region whose echoes are compared."))
        .real(&P::elevationM,
              regionRow("region_elevation", "Region elevation", -0.2, 0.2,
                        "Matrix arrays: elevation of the plane that the region lies in."))
        .real(&P::widthM, regionRow("region_width", "Region width", 1e-4, 0.4,
                                    "Width of the region. One filter holds for all of it (one "
                                    "isoplanatic patch), or one for each of its patches."))
        .real(&P::heightM, regionRow("region_height", "Region height", 1e-4, 0.5,
                                     "Height of the region; a higher one averages more echoes."))
        .choice(static_cast<aberration::Method P::*>(&P::method),
                {{"least_squares", "Least squares"},
                 {"beam_sum", "Beam sum"},
                 {"conjugate", "Conjugate iteration"},
                 {"matlab", "Published, MATLAB"},
                 {"gpu", "Published, GPU"},
                 {"cpu", "Published, CPU"}},
                {.key = "method",
                 .label = "Method",
                 .help = "Least squares recovers delays best; the published iterations find no "
                         "delays, and amplitudes only where neighbours are coherent."})
        .integer(&P::radius,
                 {.key = "radius",
                  .label = "Neighbours",
                  .min = 1,
                  .max = 7,
                  .step = 1,
                  .kind = ParamKind::Structural,
                  .help =
                      "Number of neighbours on each side that an element is compared with; 2 is a "
                      "kernel of 5, or of 5 x 5 for matrix arrays. Matrix arrays allow 3 at most."})
        .integer(
            &P::points,
            {.key = "points",
             .label = "Points",
             .min = 1,
             .max = 8192,
             .step = 1,
             .scale = ParamScale::Log,
             .kind = ParamKind::Structural,
             .help = "Largest number of points in the region on which the channels are focused."})
        .real(&P::gateS,
              {.key = "gate",
               .label = "Gate",
               .unit = "s",
               .min = 1e-8,
               .max = 1e-4,
               .step = 1e-8,
               .kind = ParamKind::Structural,
               .help = "Length of the time window of echoes that is taken round each point.",
               .displayUnit = "us",
               .displayFactor = 1e6})
        .real(&P::centreHz, frequencyRow("centre_frequency", "Centre frequency",
                                         "Middle of the band in which channels are compared."))
        .real(&P::bandwidthHz, frequencyRow("bandwidth", "Bandwidth",
                                            "Width of the band in which channels are compared."))
        .integer(&P::bins,
                 {.key = "bins",
                  .label = "Bins",
                  .min = 1,
                  .max = 127,
                  .step = 1,
                  .kind = ParamKind::Structural,
                  .help = "Number of frequencies in the band at which channels are compared."})
        .integer(
            &P::passes,
            {.key = "passes",
             .label = "Passes",
             .min = 1,
             .max = 20,
             .step = 1,
             .help =
                 "How often the points' weights are renewed by how well each point is in focus.",
             .onlyWith = {"method", "least_squares"}})
        .integer(&P::iterations, {.key = "iterations",
                                  .label = "Iterations",
                                  .min = 1,
                                  .max = 1000,
                                  .step = 1,
                                  .scale = ParamScale::Log,
                                  .help = "Largest number of iterations: of each pass (least "
                                          "squares), or in all (other methods)."})
        .real(&P::mu, {.key = "mu",
                       .label = "Relaxation",
                       .min = 0.01,
                       .max = 1.0,
                       .step = 0.01,
                       .help = "Share of each iteration's change that is applied; 1: all of it. "
                               "Published values are 0.3 and 0.1."})
        .real(&P::epsilon, {.key = "epsilon",
                            .label = "Stop below",
                            .min = 0.0,
                            .max = 1.0,
                            .step = 0.001,
                            .help = "The iteration stops when its result changes by less than "
                                    "this; 0 makes all iterations."})
        .real(&P::focusPower,
              {.key = "focus_power",
               .label = "Focus weight",
               .min = 0.0,
               .max = 8.0,
               .step = 0.5,
               .help = "Each point is weighted by its coherence factor to this power; a greater "
                       "one suppresses echoes from beside the point."})
        .real(&P::partPower,
              {.key = "local_focus_power",
               .label = "Local focus weight",
               .min = 0.0,
               .max = 8.0,
               .step = 0.5,
               .help = "Like the focus weight, but with the coherence factor of the eight elements "
                       "around each element (least squares). It suppresses echoes from beside a "
                       "point, which reach only some elements."})
        .real(&P::minCoherence,
              {.key = "min_coherence",
               .label = "Least coherence",
               .min = 0.0,
               .max = 1.0,
               .step = 0.05,
               .help = "Least coherence of neighbouring channels. Below it, or close to what noise "
                       "alone would show, nothing is corrected."})
        .integer(
            &P::patches,
            {.key = "patches",
             .label = "Patches",
             .min = 1,
             .max = 8,
             .step = 1,
             .kind = ParamKind::Structural,
             .help = "Number of patches side by side across the region, each with its own filter."})
        .integer(&P::every, {.key = "every",
                             .label = "Estimate every",
                             .min = 1,
                             .max = 1000,
                             .step = 1,
                             .scale = ParamScale::Log,
                             .kind = ParamKind::Structural,
                             .help = "Frames from one estimate to the next."})
        .choice(&P::warmStart,
                {{"none", "None"}, {"frame", "Previous estimate"}, {"neighbour", "Patch beside"}},
                {.key = "warm_start",
                 .label = "Warm start",
                 .help = "The filter from which each estimate starts: none, that of the same patch "
                         "before, or that of the patch to the left. The leftmost patch starts "
                         "from its own."})
        .real(&P::soundSpeedMps, {.key = "speed_of_sound",
                                  .label = "Speed of sound",
                                  .unit = "m/s",
                                  .min = 1000,
                                  .max = 7000,
                                  .step = 1,
                                  .help = "Set it to the value of the stage Beamform."})
        .real(&P::t0OffsetS, {.key = "t0_offset",
                              .label = "t0 offset",
                              .unit = "s",
                              .min = -20e-6,
                              .max = 20e-6,
                              .step = 1e-8,
                              .help = "Set it to the value of the stage Beamform.",
                              .displayUnit = "us",
                              .displayFactor = 1e6})
        .build();
}

} // namespace echolux
