// SPDX-License-Identifier: GPL-3.0-or-later
// The parameter table of the stage clutter_filter.
#pragma once

#include "gpu/stage/param_table.hpp"
#include "gpu/stages/clutter_filter.hpp"

namespace echolux {

inline ParamTable clutterFilterTable() {
    using P = ClutterFilterParams;
    const ParamCondition ofHighPass{"method", "high_pass"};
    const ParamCondition ofSingular{"method", "svd"};
    const ParamCondition byNumber{"thresholds", "numbers"};
    const ParamCondition byLimits{"thresholds", "limits"};
    return ParamTable::of<P>()
        .choice(&P::method,
                {{"polynomial", "Polynomial"},
                 {"cosines", "Cosines"},
                 {"high_pass", "High-pass"},
                 {"svd", "Singular values"}},
                {.key = "method",
                 .label = "Method",
                 .kind = ParamKind::Structural,
                 .help = "Polynomial: subtracts a polynomial over time from each pixel. "
                         "Cosines: subtracts the slowest cosines over time. High-pass: "
                         "removes velocities below a cut-off. Singular values: leaves out "
                         "the parts that the whole image has in common, strongest first; "
                         "better where tissue moves."})
        .integer(&P::order, {.key = "order",
                             .label = "Order",
                             .min = 0,
                             .max = 4,
                             .help = "Degree of the polynomial. 0 removes the mean; higher orders "
                                     "remove slow motion of tissue, and slow flow.",
                             .onlyWith = {"method", "polynomial"}})
        .integer(&P::components,
                 {.key = "components",
                  .label = "Removed cosines",
                  .min = 1,
                  .max = 32,
                  .help = "How many cosines are subtracted, slowest first; the first one "
                          "is the mean.",
                  .onlyWith = {"method", "cosines"}})
        .real(&P::cutoffMps,
              {.key = "cutoff",
               .label = "Cut-off",
               .unit = "m/s",
               .min = 1e-4,
               .max = 10,
               .step = 1e-3,
               .scale = ParamScale::Log,
               .help = "Velocities below this are removed, of tissue and of slow blood.",
               .displayUnit = "cm/s",
               .displayFactor = 100.0,
               .onlyWith = ofHighPass})
        .choice(&P::design, {{"butterworth", "Butterworth"}, {"fir", "FIR, linear phase"}},
                {.key = "design",
                 .label = "Filter",
                 .help = "Both begin from the state that leaves the least energy, so that "
                         "no transient of the tissue is left.",
                 .onlyWith = ofHighPass})
        .integer(&P::filterOrder,
                 {.key = "filter_order",
                  .label = "Filter order",
                  .min = 1,
                  .max = 16,
                  .help = "Higher orders cut more sharply and take more from short "
                          "ensembles. FIR filters take the next even number.",
                  .onlyWith = ofHighPass})
        .flag(&P::continues,
              {.key = "continue",
               .label = "Continue",
               .kind = ParamKind::Structural,
               .help = "The filter goes on from ensemble to ensemble, in place of beginning anew "
                       "in each. For frames that follow each other evenly, also from ensemble to "
                       "ensemble. Then all frames pass the same filter, and slower blood is told "
                       "from tissue.",
               .onlyWith = ofHighPass})
        .real(&P::frequencyHz, flow::frequencyRow(ofHighPass))
        .real(&P::soundSpeedMps, flow::soundSpeedRow(ofHighPass))
        .choice(&P::thresholds,
                {{"numbers", "By number"},
                 {"automatic", "Automatic"},
                 {"limits", "By frequency and level"}},
                {.key = "thresholds",
                 .label = "Kept values",
                 .kind = ParamKind::Structural,
                 .help = "Automatic: the magnitudes of the images that belong to the "
                         "singular values are compared. Those of tissue are alike, and "
                         "those of blood are alike. By frequency and level: tissue is "
                         "slow, and noise is weak. Both compute all singular values of "
                         "each ensemble.",
                 .onlyWith = ofSingular})
        .integer(&P::first, {.key = "first",
                             .label = "First kept",
                             .min = 1,
                             .max = kMostEnsembleFrames,
                             .help = "The strongest singular value that is kept, counted from 1. "
                                     "Those before are tissue.",
                             .onlyWith = byNumber})
        .integer(&P::last, {.key = "last",
                            .label = "Last kept",
                            .min = 1,
                            .max = kMostEnsembleFrames,
                            .help = "The weakest singular value that is kept. Those behind are "
                                    "noise. Numbers beyond the frames of an ensemble count as the "
                                    "last one.",
                            .onlyWith = byNumber})
        .real(&P::cutHz, {.key = "cut_hz",
                          .label = "Slowest blood",
                          .unit = "Hz",
                          .min = 0,
                          .max = 1e5,
                          .step = 1,
                          .help = "Singular values are tissue up to the first one whose "
                                  "mean Doppler frequency is at least this, in either "
                                  "direction. 0: none is tissue.",
                          .onlyWith = byLimits})
        .real(&P::floorDb, {.key = "floor_db",
                            .label = "Weakest blood",
                            .unit = "dB",
                            .min = 1,
                            .max = 70,
                            .step = 1,
                            .help = "Singular values that are more than this below the "
                                    "largest one are noise. 0 dB is the largest.",
                            .onlyWith = byLimits})
        .integer(&P::blockDepth,
                 {.key = "block_depth",
                  .label = "Block depth",
                  .unit = "pixels",
                  .min = 0,
                  .max = 1024,
                  .kind = ParamKind::Structural,
                  .help = "Singular values are found in blocks of at most so many depths: better "
                          "where tissue moves differently in different places. 0: all depths.",
                  .onlyWith = ofSingular})
        .integer(&P::blockLateral, {.key = "block_lateral",
                                    .label = "Block width",
                                    .unit = "pixels",
                                    .min = 0,
                                    .max = 1024,
                                    .kind = ParamKind::Structural,
                                    .help = "The same across. A block lies within a slice of a "
                                            "volume. 0: all laterals.",
                                    .onlyWith = ofSingular})
        .choice(&P::overlap, {{"none", "None"}, {"half", "Half a block"}},
                {.key = "overlap",
                 .label = "Overlap of blocks",
                 .kind = ParamKind::Structural,
                 .help = "Half a block: what overlapping blocks give is averaged by smooth "
                         "weights, so that no seams show. It takes about four times as long.",
                 .onlyWith = ofSingular})
        .build();
}

} // namespace echolux
