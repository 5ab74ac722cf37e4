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

/// A sharpness that tells terms near `terms` apart better than the usual one does.
using SharpnessCloseTo = std::function<SharpnessOf(const DispersionTerms& terms)>;

struct DispersionTrial {
    DispersionTerms terms{};
    double sharpness = 0.0;
    DispersionTerms best{}; ///< so far by the same sharpness, this trial counted
    double bestSharpness = 0.0;
    std::int64_t number = 0; ///< from 1
    double progress = 0.0;   ///< 0 .. 1, about
};

/// Called after each trial, in the searching thread; false ends the search with the best so far.
using OnTrial = std::function<bool(const DispersionTrial& trial)>;

struct DispersionSearchOptions {
    bool quartic = false;                               ///< c3 too, else it stays 0
    DispersionTerms largest = {1000.0, 2000.0, 4000.0}; ///< of either sign
    SharpnessCloseTo closeTo = {};                      ///< for the last fits; may be empty
};

struct DispersionFound {
    DispersionTerms terms{};
    double sharpness = 0.0;
    double sharpnessWithout = 0.0; ///< at c1 = c2 = c3 = 0
    std::int64_t trials = 0;
    bool stopped = false; ///< by the callback
};

/// Works in powers of v = m / (n - 1) - 1/2, phi = a2 v^2 + a3 v^3 + a4 (v^4 - 0.214 v^2) but for a
/// straight line: there the terms hardly depend on each other, where c1, c2 and c3 do. First a
/// coarse grid over all a2 and a3 that the largest terms allow, a4 = 0; then each term alone, in
/// turn until nothing changes; then grids of three values per term on which a paraboloid is fitted,
/// whose top is the next centre, smaller and smaller. The fit averages over the unevenness that
/// speckle gives the sharpness. Twice over, the fits are repeated with the sharpness close to what
/// was found, where there is one. The sharpest of the last trials is the result, its sharpness the
/// first one; without a4 c1 = 4 a2 - 6 a3 and c2 = -8 a3. Throws Error, one sentence, where no
/// trial stands out of the coarse grid: the image holds nothing that could become sharp.
DispersionFound searchDispersion(const SharpnessOf& sharpnessOf,
                                 const DispersionSearchOptions& options, const OnTrial& onTrial);

/// Which terms, from 0, end within 5 % of the largest: the search may have stopped short there.
std::vector<std::size_t> termsNearLimit(const DispersionFound& found,
                                        const DispersionSearchOptions& options);

} // namespace echolux
