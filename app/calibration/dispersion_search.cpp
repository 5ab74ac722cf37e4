// SPDX-License-Identifier: GPL-3.0-or-later
// Searches coarse grids, then fits paraboloids.
#include "app/calibration/dispersion_search.hpp"

#include "app/calibration/chebyshev_fit.hpp"
#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace echolux {

namespace {

/// a2, a3, a4 in rad.
using Centred = std::array<double, 3>;

// One step changes the phase by about one radian at |v| = 0.35, where the light is still strong
// enough to count.
constexpr Centred kStep = {6.0, 20.0, 100.0};
constexpr Centred kCoarseStep = {12.0, 60.0, 0.0};
constexpr double kFinest = 0.06; ///< part of kStep
constexpr double kShrink = 0.6;
constexpr int kMostFits = 16;
constexpr int kMostRounds = 6;
constexpr int kCloseRounds = 2;
constexpr double kCloseScale = 0.5; ///< part of kStep
/// The part of v^2 that v^4 contains over a flat spectrum, when a straight line is left free.
constexpr double kQuadraticInQuartic = 3.0 / 14.0;
/// The best value must exceed the coarse grid's median by this part of it. Noise alone reaches
/// 0.015 in 64 lines, tissue 0.1.
constexpr double kLeastRise = 0.02;

/// m / (n - 1) = -2 x, so c1 x^2 = c1 / 4 (v + 1/2)^2, and so on. The result compares coefficients
/// of v.
DispersionTerms termsOf(const Centred& a) {
    const double a2 = a[0] - kQuadraticInQuartic * a[2];
    return {4.0 * a2 - 6.0 * a[1] + 6.0 * a[2], -8.0 * a[1] + 16.0 * a[2], 16.0 * a[2]};
}

/// Thrown to end the search.
struct Stopped {};

class Search {
public:
    Search(const SharpnessOf& sharpnessOf, const DispersionSearchOptions& options,
           const OnTrial& onTrial)
        : m_first(sharpnessOf), m_sharpnessOf(sharpnessOf), m_options(options), m_onTrial(onTrial),
          m_terms(options.quartic ? 3 : 2) {}

    DispersionFound run() {
        m_found.sharpness = -std::numeric_limits<double>::infinity();
        try {
            m_found.sharpnessWithout = at(m_centre);
            findCoarsely();
            refine(1.0, 0.85);
            if (m_options.closeTo) refineClosely();
        } catch (const Stopped&) {
            m_found.stopped = true;
        }
        return m_found;
    }

private:
    double at(const Centred& place) {
        const DispersionTerms terms = termsOf(place);
        for (std::size_t i = 0; i < terms.size(); ++i)
            if (std::abs(terms[i]) > m_options.largest[i])
                return -std::numeric_limits<double>::infinity();
        const double sharpness = m_sharpnessOf(terms);
        if (!std::isfinite(sharpness)) return sharpness;
        ++m_found.trials;
        if (sharpness > m_found.sharpness) {
            m_found.sharpness = sharpness;
            m_found.terms = terms;
            m_best = place;
        }
        const DispersionTrial trial{terms,          sharpness, m_found.terms, m_found.sharpness,
                                    m_found.trials, m_progress};
        if (m_onTrial && !m_onTrial(trial)) throw Stopped{};
        return sharpness;
    }

    /// Tries `centre` + i step with |i| <= reach along one term, and keeps the best.
    void scan(std::size_t term, std::int64_t reach) {
        Centred best = m_centre;
        double sharpest = -std::numeric_limits<double>::infinity();
        for (std::int64_t i = -reach; i <= reach; ++i) {
            Centred place = m_centre;
            place[term] += static_cast<double>(i) * kStep[term];
            const double sharpness = at(place);
            if (sharpness > sharpest) {
                sharpest = sharpness;
                best = place;
            }
        }
        m_centre = best;
    }

    /// Tries all a2 and a3 that the largest terms allow, without a4.
    void findOnGrid() {
        const auto rows = static_cast<std::int64_t>(m_options.largest[1] / 8.0 / kCoarseStep[1]);
        const double reach = m_options.largest[0] / 4.0;
        std::vector<double> all;
        Centred best{};
        double sharpest = m_found.sharpnessWithout;
        for (std::int64_t row = -rows; row <= rows; ++row) {
            const double a3 = static_cast<double>(row) * kCoarseStep[1];
            // |4 a2 - 6 a3| is at most the largest c1.
            const auto first =
                static_cast<std::int64_t>(std::ceil((1.5 * a3 - reach) / kCoarseStep[0]));
            const auto last =
                static_cast<std::int64_t>(std::floor((1.5 * a3 + reach) / kCoarseStep[0]));
            for (std::int64_t i = first; i <= last; ++i) {
                const Centred place{static_cast<double>(i) * kCoarseStep[0], a3, 0.0};
                const double sharpness = at(place);
                if (!std::isfinite(sharpness)) continue;
                all.push_back(sharpness);
                if (sharpness <= sharpest) continue;
                sharpest = sharpness;
                best = place;
            }
            m_progress =
                0.5 * static_cast<double>(row + rows + 1) / static_cast<double>(2 * rows + 1);
        }
        m_centre = best;
        if (all.empty()) return;
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
        std::ranges::nth_element(all, middle);
        m_median = *middle;
    }

    void findCoarsely() {
        findOnGrid();
        for (int round = 0; round < kMostRounds; ++round) {
            const Centred before = m_centre;
            for (std::size_t term = 0; term < m_terms; ++term) scan(term, 3);
            if (m_centre == before) break;
        }
        m_progress = 0.7;
        if (m_found.sharpness - m_median <= kLeastRise * std::abs(m_median))
            throw Error("The sharpness hardly changes with the dispersion: the region shows no "
                        "structure that could become sharp; choose a region and a frame that show "
                        "the sample.");
    }

    void refine(double scale, double progress) {
        const double before = m_progress;
        for (int fit = 0; fit < kMostFits && scale > kFinest; ++fit) {
            const std::vector<double> move = topOfParaboloid(scale);
            double farthest = 0.0;
            for (std::size_t term = 0; term < m_terms; ++term) {
                farthest = std::max(farthest, std::abs(move[term]));
                m_centre[term] += std::clamp(move[term], -1.0, 1.0) * scale * kStep[term];
            }
            if (farthest <= 1.0) scale *= kShrink;
            m_progress = before + (progress - before) * static_cast<double>(fit + 1) / kMostFits;
        }
        (void)at(m_centre); // a trial of the result, which an earlier trial may exceed
        m_progress = progress;
    }

    void refineClosely() {
        for (int round = 0; round < kCloseRounds; ++round) {
            measureBy(m_options.closeTo(m_found.terms));
            refine(kCloseScale, (m_progress + 1.0) / 2.0);
        }
        measureBy(m_first);
        (void)at(m_best);
    }

    void measureBy(SharpnessOf sharpnessOf) {
        m_sharpnessOf = std::move(sharpnessOf);
        m_found.sharpness = -std::numeric_limits<double>::infinity();
    }

    /// The top of a paraboloid through points round the centre in steps of `scale`. The best grid
    /// point where the paraboloid has no top.
    std::vector<double> topOfParaboloid(double scale) {
        const std::size_t n = m_terms;
        const std::size_t unknowns = 1 + n + n * (n + 1) / 2;
        std::vector<double> matrix(unknowns * unknowns, 0.0);
        std::vector<double> right(unknowns, 0.0);
        std::vector<double> best(n, 0.0);
        double sharpest = -std::numeric_limits<double>::infinity();
        bool whole = true;
        const int points = n == 3 ? 27 : 9;
        for (int point = 0; point < points; ++point) {
            const std::vector<double> step{double(point % 3 - 1), double(point / 3 % 3 - 1),
                                           double(point / 9 - 1)};
            Centred place = m_centre;
            for (std::size_t i = 0; i < n; ++i) place[i] += step[i] * scale * kStep[i];
            const double sharpness = at(place);
            if (!std::isfinite(sharpness)) {
                whole = false;
                continue;
            }
            if (sharpness > sharpest) {
                sharpest = sharpness;
                best.assign(step.begin(), step.begin() + static_cast<std::ptrdiff_t>(n));
            }
            const std::vector<double> row = quadratics(step);
            for (std::size_t i = 0; i < unknowns; ++i) {
                right[i] += row[i] * sharpness;
                for (std::size_t j = 0; j < unknowns; ++j)
                    matrix[i * unknowns + j] += row[i] * row[j];
            }
        }
        if (!whole) return best;
        try {
            const std::vector<double> c = solveSymmetric(std::move(matrix), std::move(right));
            return topOf(c);
        } catch (const Error&) { // the paraboloid is not curved downwards
            return best;
        }
    }

    /// 1, s_i, and s_i s_j for i <= j.
    std::vector<double> quadratics(const std::vector<double>& step) const {
        std::vector<double> row{1.0};
        for (std::size_t i = 0; i < m_terms; ++i) row.push_back(step[i]);
        for (std::size_t i = 0; i < m_terms; ++i)
            for (std::size_t j = i; j < m_terms; ++j) row.push_back(step[i] * step[j]);
        return row;
    }

    /// Where the gradient of 1, s_i, s_i s_j with coefficients `c` is zero. Throws Error where the
    /// paraboloid is open upwards or a saddle.
    std::vector<double> topOf(const std::vector<double>& c) const {
        const std::size_t n = m_terms;
        std::vector<double> bend(n * n, 0.0);
        std::vector<double> slope(c.begin() + 1, c.begin() + 1 + static_cast<std::ptrdiff_t>(n));
        std::size_t at = 1 + n;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = i; j < n; ++j, ++at) {
                bend[i * n + j] -= c[at];
                bend[j * n + i] -= c[at];
            }
        }
        return solveSymmetric(std::move(bend), std::move(slope));
    }

    const SharpnessOf& m_first;
    SharpnessOf m_sharpnessOf;
    const DispersionSearchOptions& m_options;
    const OnTrial& m_onTrial;
    std::size_t m_terms;
    Centred m_centre{};
    Centred m_best{};      ///< of m_found
    double m_median = 0.0; ///< median over the coarse grid
    DispersionFound m_found;
    double m_progress = 0.0;
};

} // namespace

DispersionFound searchDispersion(const SharpnessOf& sharpnessOf,
                                 const DispersionSearchOptions& options, const OnTrial& onTrial) {
    return Search(sharpnessOf, options, onTrial).run();
}

std::vector<std::size_t> termsNearLimit(const DispersionFound& found,
                                        const DispersionSearchOptions& options) {
    constexpr double kNear = 0.95;
    std::vector<std::size_t> near;
    for (std::size_t i = 0; i < found.terms.size(); ++i)
        if (std::abs(found.terms[i]) >= kNear * options.largest[i]) near.push_back(i);
    return near;
}

} // namespace echolux
