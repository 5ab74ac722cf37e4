// SPDX-License-Identifier: GPL-3.0-or-later
// Delays from the phase differences of neighbours, a weighted Poisson problem on the grid of
// elements. With phases m_kn = arg R_kn of pairs and weights e_kn = |W_kn|^2:
//   minimise  sum_pairs e_kn (phi_k - phi_n - m_kn)^2 + ridge sum_k phi_k^2
// by conjugate gradients. Conjugate gradients are slow for long waves over the array. So the
// preconditioner solves these directly: it is the inverse of the same problem with even weights in
// the grid's lowest cosine modes, plus the inverse of the diagonal. Phases are taken relative to
// the current solution, twice, so that a pair whose phase is beyond half a turn is counted
// correctly. A team does all steps. On CUDA the cost of a step is mainly the waiting of the team's
// members for each other, so sums are computed where their terms are made.
#pragma once

#include "gpu/aberration/aberration_formula.hpp"
#include "gpu/exec/team.hpp"

namespace echolux::aberration {

/// Arrays of the solver, floats in compute memory.
struct SolverMemory {
    float* phase = nullptr;             ///< [place] phi; in: the start, out: the solution
    float* residual = nullptr;          ///< [place]
    float* step = nullptr;              ///< [place]
    float* image = nullptr;             ///< [place] the operator applied to `step`
    float* better = nullptr;            ///< [place] the preconditioner applied to `residual`
    float* diagonal = nullptr;          ///< [place]
    float* half = nullptr;              ///< [rows][kMostModes]
    float* modes = nullptr;             ///< [kMostModes][kMostModes]
    float* eigenvalues = nullptr;       ///< [kMostModes][kMostModes] of the problem with even
                                        ///< weights
    float* partials = nullptr;          ///< kTeamPartials floats for a wide team
    const float* rowModes = nullptr;    ///< [rows][kMostModes] orthonormal cosines along a column
    const float* columnModes = nullptr; ///< [columns][kMostModes]

    static std::size_t floatsFor(std::int32_t rows, std::int32_t columns) {
        return 6 * static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) +
               (static_cast<std::size_t>(rows) + 2 * kMostModes) * kMostModes + kTeamPartials;
    }
    void layOut(float* at, std::int32_t rows, std::int32_t columns) {
        const std::ptrdiff_t places = std::ptrdiff_t{rows} * columns;
        phase = at;
        residual = phase + places;
        step = residual + places;
        image = step + places;
        better = image + places;
        diagonal = better + places;
        half = diagonal + places;
        modes = half + std::ptrdiff_t{rows} * kMostModes;
        eigenvalues = modes + kMostModes * kMostModes;
        partials = eigenvalues + kMostModes * kMostModes;
    }
};

ECHOLUX_HD inline int modesOf(int size) { return size < kMostModes ? size : kMostModes; }

template <class Team> class LeastSquares {
public:
    ECHOLUX_HD LeastSquares(const Team& team, const Problem& problem, const SolverMemory& memory)
        : m_team(team), p(problem), m(memory) {}

    /// Returns the total number of steps.
    ECHOLUX_HD int solve(int mostSteps) {
        constexpr int kRelinearisations = 2;
        prepare();
        int steps = 0;
        float enough = 0.0F; // set by the first descent, so that the second one only refines
        for (int i = 0; i < kRelinearisations; ++i) steps += descend(mostSteps, enough);
        return steps;
    }

private:
    ECHOLUX_HD float edge(std::int64_t pair) const { return p.coherence[pair] * p.coherence[pair]; }

    /// Computes the diagonal, the ridge, and the eigenvalues of the problem with even weights,
    /// which are the mean weights of pairs.
    ECHOLUX_HD void prepare() {
        const int places = p.places();
        constexpr float kRidge = 1e-4F;
        const float all = m_team.sum(places, [&](int k) {
            float sum = 0.0F;
            p.neighbours(k, 0, 1, [&](int pair, int, int) { sum += edge(pair); });
            m.diagonal[k] = sum;
            return sum;
        });
        m_ridge = kRidge * all / static_cast<float>(places) + 1e-20F;
        float even[kMostOffsets] = {};
        for (int o = 0; o < p.offsets; ++o) {
            const float weights = m_team.sum(places, [&](int k) {
                return p.neighbour(k, p.offset[o], 1) >= 0 ? edge(p.at(o, k)) : 0.0F;
            });
            even[o] = weights / static_cast<float>(places);
        }
        const int across = modesOf(p.columns);
        m_team.each(modesOf(p.rows) * across,
                    [&](int i) { m.eigenvalues[i] = eigenvalue(even, i / across, i % across); });
    }

    /// Conjugate gradients that start with phi.
    ECHOLUX_HD int descend(int mostSteps, float& enough) {
        const int places = p.places();
        m_team.each(places, [&](int k) { m.residual[k] = missing(k); });
        float product = precondition();
        m_team.each(places, [&](int k) { m.step[k] = m.better[k]; });
        constexpr float kEnough = 1e-5F; // of a square
        if (enough == 0.0F) enough = kEnough * product;
        int steps = 0;
        while (steps < mostSteps && product > enough && product > 0.0F) {
            const float bend = m_team.sum(places, [&](int k) {
                m.image[k] = applied(k);
                return m.step[k] * m.image[k];
            });
            if (!(bend > 0.0F)) break;
            const float length = product / bend;
            m_team.each(places, [&](int k) {
                m.phase[k] += length * m.step[k];
                m.residual[k] -= length * m.image[k];
            });
            const float next = precondition();
            const float share = next / product;
            m_team.each(places, [&](int k) { m.step[k] = m.better[k] + share * m.step[k]; });
            product = next;
            ++steps;
        }
        return steps;
    }

    /// sum_n e_kn wrapped(m_kn - phi_k + phi_n) - ridge phi_k
    ECHOLUX_HD float missing(int k) const {
        float sum = -m_ridge * m.phase[k];
        p.neighbours(k, 0, 1, [&](int pair, int n, int sign) {
            const float signedWeight = static_cast<float>(sign) * edge(pair);
            const Complex cross = p.cross[pair];
            const float turned = sign > 0 ? m.phase[n] - m.phase[k] : m.phase[k] - m.phase[n];
            if (signedWeight != 0.0F) sum += signedWeight * angle(cross * turn(turned));
        });
        return sum;
    }

    ECHOLUX_HD float applied(int k) const {
        float sum = (m.diagonal[k] + m_ridge) * m.step[k];
        p.neighbours(k, 0, 1, [&](int pair, int n, int) { sum -= edge(pair) * m.step[n]; });
        return sum;
    }

    /// Eigenvalue of the mode (i, j) of the problem with even weights.
    ECHOLUX_HD float eigenvalue(const float* even, int i, int j) const {
        constexpr float kPi = 3.14159265F;
        const float alongRows = kPi * static_cast<float>(i) / static_cast<float>(p.rows);
        const float alongColumns = kPi * static_cast<float>(j) / static_cast<float>(p.columns);
        float sum = m_ridge;
        for (int o = 0; o < p.offsets; ++o) {
            const float shape = std::cos(alongRows * static_cast<float>(p.offset[o].row)) *
                                std::cos(alongColumns * static_cast<float>(p.offset[o].column));
            sum += even[o] * (2.0F - 2.0F * shape);
        }
        return sum;
    }

    /// better = residual / diagonal + modes of residual / eigenvalues. Returns the product better .
    /// residual.
    ECHOLUX_HD float precondition() {
        const int down = modesOf(p.rows);
        const int across = modesOf(p.columns);
        m_team.template eachByLanes<32>(p.rows * across, [&](int i, const auto& lanes) {
            const int row = i / across;
            const int mode = i % across;
            float sum = 0.0F;
            for (auto c = static_cast<int>(lanes.own); c < p.columns; c += lanes.step)
                sum += m.residual[row * p.columns + c] * m.columnModes[c * kMostModes + mode];
            sum = laneSum(lanes, sum);
            if (lanes.own == 0) m.half[row * kMostModes + mode] = sum;
        });
        m_team.template eachByLanes<32>(down * across, [&](int i, const auto& lanes) {
            const int mode = i / across;
            const int column = i % across;
            float sum = 0.0F;
            for (auto r = static_cast<int>(lanes.own); r < p.rows; r += lanes.step)
                sum += m.half[r * kMostModes + column] * m.rowModes[r * kMostModes + mode];
            sum = laneSum(lanes, sum);
            if (lanes.own == 0) m.modes[mode * kMostModes + column] = sum / m.eigenvalues[i];
        });
        m_team.template eachByLanes<8>(p.rows * across, [&](int i, const auto& lanes) {
            const int row = i / across;
            const int column = i % across;
            float sum = 0.0F;
            for (auto mode = static_cast<int>(lanes.own); mode < down; mode += lanes.step)
                sum += m.modes[mode * kMostModes + column] * m.rowModes[row * kMostModes + mode];
            sum = laneSum(lanes, sum);
            if (lanes.own == 0) m.half[row * kMostModes + column] = sum;
        });
        return m_team.sum(p.places(), [&](int k) {
            const int row = k / p.columns;
            const int column = k % p.columns;
            float sum = m.residual[k] / (m.diagonal[k] + m_ridge);
            for (int mode = 0; mode < across; ++mode)
                sum += m.half[row * kMostModes + mode] * m.columnModes[column * kMostModes + mode];
            m.better[k] = sum;
            return m.residual[k] * sum;
        });
    }

    const Team& m_team;
    const Problem& p;
    const SolverMemory& m;
    float m_ridge = 0.0F;
};

} // namespace echolux::aberration
