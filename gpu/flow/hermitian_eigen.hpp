// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues and eigenvectors of a small Hermitian matrix by cyclic Jacobi rotations, as a team.
// Include it only from .cu files.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/exec/team.hpp"

#include <cmath>

namespace echolux::flow {

/// Compute memory for n x n: matrix and vectors of even size, rotations, order.
struct EigenRoom {
    Complex* matrix; ///< [m][m] with m = evenSize(n); destroyed: its diagonal holds the eigenvalues
    Complex* vectors;  ///< [m][m], row f, column k: component f of eigenvector k
    Complex* rotation; ///< [m]: cosine (real) of each pair, then sine
    int* order;        ///< [m]: columns of `vectors`, largest eigenvalue first
};

ECHOLUX_HD inline int evenSize(int n) { return n + n % 2; }

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
/// round are independent of each other. After kSweeps sweeps the rest is below single precision for
/// up to 256 rows.
struct HermitianEigen {
    static constexpr int kSweeps = 9;

    EigenRoom room;
    int n;

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        const int m = evenSize(n);
        team.each(m * m, [&](int i) { room.vectors[i] = {i / m == i % m ? 1.0F : 0.0F, 0.0F}; });
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
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
        team.each(m, [&](int i) { room.order[rankOf(i, m)] = i; });
    }

private:
    /// The unitary rotation [c, s; -conj(s), c] with real c that zeroes the element (p, q).
    ECHOLUX_HD void findRotation(int i, int round, int m) const {
        const PlayerPair pair = pairOf(i, round, m);
        const Complex off = room.matrix[pair.p * m + pair.q];
        const float size = sqrtf(norm(off));
        Complex cosine{1.0F, 0.0F};
        Complex sine{0.0F, 0.0F};
        if (size > 0.0F) {
            const float tau =
                (room.matrix[pair.q * m + pair.q].re - room.matrix[pair.p * m + pair.p].re) /
                (2.0F * size);
            const float t = (tau >= 0.0F ? 1.0F : -1.0F) / (fabsf(tau) + sqrtf(1.0F + tau * tau));
            const float c = 1.0F / sqrtf(1.0F + t * t);
            cosine.re = c;
            sine = (t * c / size) * off;
        }
        room.rotation[i] = cosine;
        room.rotation[m / 2 + i] = sine;
    }
    /// A <- J^H A.
    ECHOLUX_HD void rotateRows(int i, int k, int round, int m) const {
        const PlayerPair pair = pairOf(i, round, m);
        const float c = room.rotation[i].re;
        const Complex s = room.rotation[m / 2 + i];
        Complex& p = room.matrix[pair.p * m + k];
        Complex& q = room.matrix[pair.q * m + k];
        const Complex former = p;
        p = c * former - s * q;
        q = conj(s) * former + c * q;
    }
    /// A <- A J, and V <- V J.
    ECHOLUX_HD void rotateColumns(Complex* matrix, int i, int k, int round, int m) const {
        const PlayerPair pair = pairOf(i, round, m);
        const float c = room.rotation[i].re;
        const Complex s = room.rotation[m / 2 + i];
        Complex& p = matrix[k * m + pair.p];
        Complex& q = matrix[k * m + pair.q];
        const Complex former = p;
        p = c * former - conj(s) * q;
        q = s * former + c * q;
    }
    /// Values that are not numbers count as the least, so that each number of a column occurs once.
    ECHOLUX_HD float valueOf(int i, int m) const {
        constexpr float kLeast = -3e38F;
        const float value = room.matrix[i * m + i].re;
        return value > kLeast ? value : kLeast;
    }
    /// How many eigenvalues come before number i.
    ECHOLUX_HD int rankOf(int i, int m) const {
        const float own = valueOf(i, m);
        int before = 0;
        for (int k = 0; k < m; ++k) {
            const float other = valueOf(k, m);
            before += other > own || (other == own && k < i) ? 1 : 0;
        }
        return before;
    }
};

} // namespace echolux::flow
