// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of `flow` and their table.
#pragma once

#include "gpu/stages/doppler.hpp"
#include "gpu/stages/motion_windows.hpp"

#include <cstdint>

namespace echolux {

enum class FlowEstimator { Lag, TwoLags, CrossCorrelation };
enum class FlowStagger { None, OneToTwo, TwoToThree, ThreeToFour, FourToFive };

struct FlowParams : flow::DopplerParams {
    FlowEstimator estimator = FlowEstimator::Lag;
    FlowStagger stagger = FlowStagger::None;
    std::int64_t windowPixels = 31;
    double search = 3.0;
    std::int64_t depthPixels = 3;
    std::int64_t lateralPixels = 3;
    double thresholdDb = 30.0;
    double mostSpread = 0.6;
    double baseline = 0.0;
    double angleRad = 0.0;
    bool inverted = false;
};

/// The table of FlowParams.
inline ParamTable flowTable() {
    using P = FlowParams;
    return ParamTable::of<P>()
        .choice(&P::estimator,
                {{"autocorrelation", "Autocorrelation"},
                 {"autocorrelation_2d", "2D autocorrelation"},
                 {"cross_correlation", "Cross-correlation"}},
                {.key = "estimator",
                 .label = "Estimator",
                 .kind = ParamKind::Structural,
                 .help = "Autocorrelation (Kasai) takes 'frequency' for all depths. The 2D "
                         "autocorrelation (Loupas) measures the frequency of each pixel's echoes, "
                         "which attenuation and scatterers change. Cross-correlation finds the "
                         "shift over depth from frame to frame; it also tells velocities above "
                         "the limit of the others, and is slower."})
        .integer(&P::windowPixels, {.key = "window",
                                    .label = "Window over depth",
                                    .unit = "pixels",
                                    .min = 1,
                                    .max = kMostWindowPixels,
                                    .step = 2,
                                    .help = "Height of the box whose echoes are compared. It is "
                                            "'lateral_pixels' wide. Even numbers count as the next "
                                            "odd one.",
                                    .onlyWith = {"estimator", "cross_correlation"}})
        .real(&P::search, {.key = "search",
                           .label = "Search",
                           .min = 1,
                           .max = 16,
                           .step = 0.5,
                           .help = "Largest velocity that is looked for, as a multiple of the "
                                   "largest one of the autocorrelation. The time grows with it.",
                           .onlyWith = {"estimator", "cross_correlation"}})
        .choice(&P::stagger,
                {{"none", "Equal intervals"},
                 {"one_to_two", "1:2"},
                 {"two_to_three", "2:3"},
                 {"three_to_four", "3:4"},
                 {"four_to_five", "4:5"}},
                {.key = "stagger",
                 .label = "Stagger",
                 .kind = ParamKind::Structural,
                 .help = "Ratio of the two intervals that alternate from frame to frame, the "
                         "shorter one first. The recording's frame rate is the mean. Two phases "
                         "give velocities above the limit of one."})
        .integer(&P::depthPixels,
                 {.key = "depth_pixels",
                  .label = "Average over depth",
                  .unit = "pixels",
                  .min = 1,
                  .max = 31,
                  .step = 2,
                  .help = "Height of the box over which each pixel is averaged. Even "
                          "numbers count as the next odd one."})
        .integer(&P::lateralPixels,
                 {.key = "lateral_pixels",
                  .label = "Average across",
                  .unit = "pixels",
                  .min = 1,
                  .max = 31,
                  .step = 2,
                  .help = "Width of the box over which each pixel is averaged. Even "
                          "numbers count as the next odd one."})
        .real(&P::thresholdDb,
              {.key = "threshold",
               .label = "Threshold",
               .unit = "dB",
               .min = 0,
               .max = 120,
               .step = 1,
               .help = "Pixels that are weaker than the strongest one by more than this "
                       "show no flow."})
        .real(&P::mostSpread,
              {.key = "max_spread",
               .label = "Most spread",
               .min = 0,
               .max = 1,
               .step = 0.01,
               .help = "Pixels whose phase changes by amounts that differ more than this "
                       "from frame to frame show no flow: 0 is a pure tone, noise is near "
                       "1."})
        .real(&P::baseline,
              {.key = "baseline",
               .label = "Baseline",
               .min = -0.5,
               .max = 0.5,
               .step = 0.01,
               .help = "Part of the range of velocities by which it is shifted: at 0.5 all "
                       "flow counts as towards the probe, up to twice the largest velocity "
                       "of 0."})
        .real(&P::angleRad, flow::angleRow())
        .real(&P::frequencyHz, flow::frequencyRow())
        .real(&P::soundSpeedMps, flow::soundSpeedRow())
        .flag(&P::inverted, flow::invertRow())
        .build();
}

} // namespace echolux
