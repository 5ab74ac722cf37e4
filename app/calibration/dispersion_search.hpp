// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the dispersion terms that make an image sharpest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace echolux {

/// c1, c2, c3 of the dispersion stage.
using DispersionTerms = std::array<double, 3>;

/// Larger is sharper; minus infinity for terms that cannot be tried.
using SharpnessOf = std::function<double(const DispersionTerms& terms)>;

/// Makes a sharpness that distinguishes terms near `terms` better than the usual one.
using SharpnessCloseTo = std::function<SharpnessOf(const DispersionTerms& terms)>;

struct DispersionTrial {
    DispersionTerms terms{};
    double sharpness = 0.0;
    DispersionTerms best{}; ///< the best so far by the same sharpness, this trial included
    double bestSharpness = 0.0;
    std::int64_t number = 0; ///< from 1
    double progress = 0.0;   ///< approximate, 0 to 1
};

/// Called after each trial on the searching thread. Returning false ends the search with the best
/// result so far.
using OnTrial = std::function<bool(const DispersionTrial& trial)>;

struct DispersionSearchOptions {
    bool quartic = false;                               ///< searches c3 too; else c3 stays 0
    DispersionTerms largest = {1000.0, 2000.0, 4000.0}; ///< largest magnitudes
    SharpnessCloseTo closeTo = {};                      ///< used for the last fits; may be empty
};

struct DispersionFound {
    DispersionTerms terms{};
    double sharpness = 0.0;
    double sharpnessWithout = 0.0; ///< at c1 = c2 = c3 = 0
    std::int64_t trials = 0;
    bool stopped = false; ///< the callback ended the search
};

/// The search uses powers of v = m / (n - 1) - 1/2: phi = a2 v^2 + a3 v^3 + a4 (v^4 - 0.214 v^2)
/// plus a straight line that does not matter. These terms hardly depend on each other, unlike c1,
/// c2 and c3.
/// First a coarse grid covers all a2 and a3 that the largest terms allow, with a4 = 0. Then each
/// term is improved alone, in turn, until nothing changes. Then a paraboloid is fitted on a grid of
/// three values per term; its top is the centre of the next, smaller grid. The fit averages over
/// the irregularities that speckle causes in the sharpness. Where options.closeTo is given, the
/// fits are repeated twice, each time with the sharpness that it makes for the result so far.
/// The result is the sharpest of the last trials. Its reported sharpness is always that of
/// `sharpnessOf`.
/// Without a4, c1 = 4 a2 - 6 a3 and c2 = -8 a3. Throws Error, one sentence, where no trial of the
/// coarse grid stands out, because the image holds nothing that could become sharp.
DispersionFound searchDispersion(const SharpnessOf& sharpnessOf,
                                 const DispersionSearchOptions& options, const OnTrial& onTrial);

/// Indices (from 0) of terms within 5 % of the largest allowed value. There the limit may have
/// stopped the search.
std::vector<std::size_t> termsNearLimit(const DispersionFound& found,
                                        const DispersionSearchOptions& options);

} // namespace echolux
