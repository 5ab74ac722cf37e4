// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of `combine`.
#pragma once

#include "gpu/stage/param_table.hpp"
#include "gpu/stages/combine_formula.hpp"

#include <cstdint>

namespace echolux {

enum class Combining {
    Sum,
    Coherence,
    Generalized,
    Phase,
    Circular,
    Sign,
    ShortLag,
    Multiply,
    MinimumVariance
};
/// Over which a spatial frequency has its whole cycles.
enum class SpectrumOf { Aperture, Array };

struct CombineParams {
    Combining method = Combining::Coherence;
    std::int64_t lowBins = 2;
    SpectrumOf spectrum = SpectrumOf::Aperture;
    std::int64_t lags = 10;
    std::int64_t rows = 13;
    std::int64_t order = 2;
    double subarray = 0.5;
    double loading = 0.01;
    std::int64_t averagedRows = 3;
    bool backwards = false;
    double eigenspace = 0.0;
    double exponent = 1.0;
    double blend = 1.0;
};

inline ParamTable combineTable() {
    using P = CombineParams;
    return ParamTable::of<P>()
        .choice(&P::method,
                {{"sum", "Sum"},
                 {"coherence_factor", "Coherence factor"},
                 {"generalized_coherence", "Generalized coherence"},
                 {"phase_coherence", "Phase coherence"},
                 {"circular_coherence", "Circular coherence"},
                 {"sign_coherence", "Sign coherence"},
                 {"short_lag_coherence", "Short-lag coherence"},
                 {"multiply", "Multiply and sum"},
                 {"minimum_variance", "Minimum variance"}},
                {.key = "method",
                 .label = "Method",
                 .kind = ParamKind::Structural,
                 .help = "How the channels become a pixel: their sum, the sum weighted by how well "
                         "they agree, or sums of their products."})
        .integer(&P::lowBins, {.key = "low_bins",
                               .label = "Low frequencies",
                               .min = 0,
                               .max = 32,
                               .step = 1,
                               .help = "M0: spatial frequencies up to so many cycles over the "
                                       "aperture count as coherent. 0: the coherence factor.",
                               .onlyWith = {"method", "generalized_coherence"}})
        .choice(&P::spectrum, {{"aperture", "Aperture"}, {"array", "Whole array"}},
                {.key = "spectrum",
                 .label = "Cycles over",
                 .help = "What the spatial frequencies are counted over: the channels in the "
                         "aperture, or all, with zeros outside the aperture.",
                 .onlyWith = {"method", "generalized_coherence"}})
        .integer(&P::lags, {.key = "lags",
                            .label = "Lags",
                            .min = 1,
                            .max = 64,
                            .step = 1,
                            .help = "Channels up to so many elements apart are compared.",
                            .onlyWith = {"method", "short_lag_coherence"}})
        .integer(&P::rows, {.key = "rows",
                            .label = "Rows compared",
                            .min = 1,
                            .max = 63,
                            .step = 2,
                            .help = "Height of the piece over which two channels are compared, in "
                                    "rows of the image. One to two wavelengths are usual.",
                            .oddOnly = true,
                            .onlyWith = {"method", "short_lag_coherence"}})
        .integer(&P::order, {.key = "order",
                             .label = "Order",
                             .min = 2,
                             .max = channels::kMostOrder,
                             .step = 1,
                             .help = "How many channels are multiplied with each other.",
                             .onlyWith = {"method", "multiply"}})
        .real(&P::subarray, {.key = "subarray",
                             .label = "Subarray",
                             .min = 0.05,
                             .max = 0.8,
                             .step = 0.01,
                             .help = "Length of the parts over which the aperture is averaged, as "
                                     "a part of its channels; 32 channels at most. Longer ones "
                                     "resolve more, and cancel more of what is sought.",
                             .onlyWith = {"method", "minimum_variance"}})
        .real(&P::loading, {.key = "loading",
                            .label = "Diagonal loading",
                            .min = 0.001,
                            .max = 1.0,
                            .step = 0.001,
                            .help = "White noise that is assumed besides, as a part of the power. "
                                    "More of it is more robust, and nearer to the sum.",
                            .onlyWith = {"method", "minimum_variance"}})
        .integer(&P::averagedRows, {.key = "averaged_rows",
                                    .label = "Rows averaged",
                                    .min = 1,
                                    .max = 63,
                                    .step = 2,
                                    .help = "Rows of the image over which the covariance is "
                                            "averaged. More keep the speckle more even.",
                                    .oddOnly = true,
                                    .onlyWith = {"method", "minimum_variance"}})
        .flag(&P::backwards, {.key = "backwards",
                              .label = "Forward-backward",
                              .help = "The covariance is averaged with that of the aperture read "
                                      "from its other end.",
                              .onlyWith = {"method", "minimum_variance"}})
        .real(&P::eigenspace,
              {.key = "eigenspace",
               .label = "Eigenspace",
               .min = 0.0,
               .max = 1.0,
               .step = 0.01,
               .help = "Weights are projected on the eigenvectors of the covariance whose "
                       "eigenvalues are at least such a part of the largest: fewer side lobes and "
                       "less noise, but holes in speckle. 0: off. It takes many times as long.",
               .onlyWith = {"method", "minimum_variance"}})
        .real(&P::exponent, {.key = "exponent",
                             .label = "Exponent",
                             .min = 0.1,
                             .max = 4.0,
                             .step = 0.05,
                             .help = "Power of the weight. Above 1 it suppresses more."})
        .real(&P::blend, {.key = "blend",
                          .label = "Blend",
                          .min = 0.0,
                          .max = 1.0,
                          .step = 0.01,
                          .help = "0: the sum of the channels. 1: the method alone."})
        .build();
}

} // namespace echolux
