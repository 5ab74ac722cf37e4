// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues and eigenvectors of a Hermitian matrix, as a team: of a small one by cyclic Jacobi
// rotations. Include it only from .cu files.
#pragma once

#include "gpu/flow/tridiagonal_eigen.hpp"

#include <cmath>

namespace echolux::flow {

/// Most rows that are turned by rotations. More take QL steps (gpu/flow/tridiagonal_eigen.hpp),
/// because rotations take many times as long.
inline constexpr int kMostRotated = 128;

/// The two indices of pair `i` in round `round` of a tournament of m players, m even: each meets
/// each once in m - 1 rounds.
struct PlayerPair {
    int p;
    int q;
};
ECHOLUX_HD inline PlayerPair pairOf(int i, int round, int m) {
    const int others = m - 1;
    const int a = i == 0 ? others : (round + i) % others;
    const int b = (round + others - i) % others;
    return a < b ? PlayerPair{a, b} : PlayerPair{b, a};
}

/// Golub and Van Loan, Matrix Computations, 4th ed., 8.5: rotations that zero the pairs of one
/// round are independent of each other. Sweeps end where each element a[p][q] is below kSettled of
/// sqrt(a[p][p] a[q][q]), so that also neighbouring eigenvalues that are nearly equal, and far
/// below the largest, have vectors of their own. They take 6 to 9 sweeps.
struct HermitianEigen {
    static constexpr int kMostSweeps = 14;
    static constexpr double kSettled = 1e-14;
    static constexpr double kNothing = 1e-18; ///< of the largest element of the diagonal

    EigenRoom room;
    int n;

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        const int m = evenSize(n);
        team.each(m * m, [&](int i) { room.vectors[i] = {i / m == i % m ? 1.0 : 0.0, 0.0}; });
        if (n > kMostRotated)
            TridiagonalEigen{room, n}(team);
        else
            rotate(team, m);
        team.each(m, [&](int i) { room.order[rankOf(i, m)] = i; });
    }

private:
    template <class Team> ECHOLUX_HD void rotate(const Team& team, int m) const {
        for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
            const double nothing = kNothing * largest(m);
            const float unsettled = team.sum(m * m, [&](int i) {
                return i / m < i % m && isUnsettled(i / m, i % m, nothing, m) ? 1.0F : 0.0F;
            });
            if (!(unsettled > 0.0F)) break;
            for (int round = 0; round < m - 1; ++round) {
                team.each(m / 2, [&](int i) { findRotation(i, round, m); });
                team.each(m / 2 * m, [&](int i) { rotateRows(i / m, i % m, round, m); });
                team.each(m * m, [&](int i) {
                    const bool matrix = i < m / 2 * m;
                    const int at = matrix ? i : i - m / 2 * m;
                    rotateColumns(matrix ? room.matrix : room.vectors, at / m, at % m, round, m);
                });
            }
        }
    }
    ECHOLUX_HD double diagonal(int i, int m) const { return room.matrix[i * m + i].re; }
    ECHOLUX_HD double largest(int m) const {
        double most = 0.0;
        for (int i = 0; i < m; ++i) most = diagonal(i, m) > most ? diagonal(i, m) : most;
        return most;
    }
    ECHOLUX_HD bool isUnsettled(int p, int q, double nothing, int m) const {
        const double own = fabs(diagonal(p, m) * diagonal(q, m));
        return norm(room.matrix[p * m + q]) > kSettled * kSettled * own + nothing * nothing;
    }
    /// The unitary rotation [c, s; -conj(s), c] with real c that zeroes the element (p, q).
    ECHOLUX_HD void findRotation(int i, int round, int m) const {
        const PlayerPair pair = pairOf(i, round, m);
        const WideComplex off = room.matrix[pair.p * m + pair.q];
        const double size = sqrt(norm(off));
        WideComplex cosine{1.0, 0.0};
        WideComplex sine{0.0, 0.0};
        if (size > 0.0) {
            const double tau = (diagonal(pair.q, m) - diagonal(pair.p, m)) / (2.0 * size);
            const double t = (tau >= 0.0 ? 1.0 : -1.0) / (fabs(tau) + sqrt(1.0 + tau * tau));
            const double c = 1.0 / sqrt(1.0 + t * t);
            cosine.re = c;
            sine = (t * c / size) * off;
        }
        room.rotation[i] = cosine;
        room.rotation[m / 2 + i] = sine;
    }
    /// A <- J^H A.
    ECHOLUX_HD void rotateRows(int i, int k, int round, int m) const {
        const PlayerPair pair = pairOf(i, round, m);
        const double c = room.rotation[i].re;
        const WideComplex s = room.rotation[m / 2 + i];
        WideComplex& p = room.matrix[pair.p * m + k];
        WideComplex& q = room.matrix[pair.q * m + k];
        const WideComplex former = p;
        p = c * former - s * q;
        q = conj(s) * former + c * q;
    }
    /// A <- A J, and V <- V J.
    ECHOLUX_HD void rotateColumns(WideComplex* matrix, int i, int k, int round, int m) const {
        const PlayerPair pair = pairOf(i, round, m);
        const double c = room.rotation[i].re;
        const WideComplex s = room.rotation[m / 2 + i];
        WideComplex& p = matrix[k * m + pair.p];
        WideComplex& q = matrix[k * m + pair.q];
        const WideComplex former = p;
        p = c * former - conj(s) * q;
        q = s * former + c * q;
    }
    /// Values that are not numbers count as the least, so that each number of a column occurs once.
    ECHOLUX_HD double valueOf(int i, int m) const {
        constexpr double kLeast = -1e300;
        const double value = diagonal(i, m);
        return value > kLeast ? value : kLeast;
    }
    /// How many eigenvalues come before number i.
    ECHOLUX_HD int rankOf(int i, int m) const {
        const double own = valueOf(i, m);
        int before = 0;
        for (int k = 0; k < m; ++k) {
            const double other = valueOf(k, m);
            before += other > own || (other == own && k < i) ? 1 : 0;
        }
        return before;
    }
};

} // namespace echolux::flow
