// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues and eigenvectors of a Hermitian matrix of some hundred rows, as a team: Householder
// reflections make it tridiagonal, and implicit QL steps diagonal (Golub and Van Loan, Matrix
// Computations, 4th ed., 8.3; reflections as LAPACK's zhetd2 has them). An eigenvalue is as exact
// as the largest one. Include it only from .cu files.
#pragma once

#include "gpu/exec/lane_sum.hpp"
#include "gpu/exec/team.hpp"
#include "gpu/flow/eigen_room.hpp"

#include <cmath>

namespace echolux::flow {

/// Leaves the eigenvalues on the diagonal of `room.matrix`, and their vectors in the columns of
/// `room.vectors`, which is the identity before. Meanwhile the matrix holds of each reflection
/// I - tau v v^H its v in the row k behind the diagonal and its tau below the diagonal, and beside
/// each element of the diagonal, as its imaginary part, the element below it.
struct TridiagonalEigen {
    static constexpr int kLanes = 32;
    static constexpr int kTogether = 8; ///< columns that lie side by side in memory

    EigenRoom room;
    int n; ///< at least 2

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        for (int k = 0; k + 1 < n; ++k) reflect(team, k);
        team.each(1, [&](int) { begin(); });
        for (int step = 0; step < kMostSteps * n; ++step) {
            team.each(1, [&](int) { nextStep(); });
            const int first = room.order[0];
            const int last = room.order[1];
            if (first >= n) break;
            team.each(n, [&](int f) { rotateRow(f, first, last); });
        }
        team.template eachByLanes<kTogether>(
            (n + kTogether - 1) / kTogether,
            [&](int group, const auto& lanes) { reflectColumns(group, lanes); });
    }

private:
    static constexpr int kMostSteps = 30; ///< per eigenvalue; two are usual
    static constexpr double kSettled = 1e-16;
    static constexpr double kNothing = 1e-18; ///< of the largest element of the diagonal

    ECHOLUX_HD WideComplex& at(int i, int j) const { return room.matrix[i * evenSize(n) + j]; }
    ECHOLUX_HD double& diagonal(int i) const { return at(i, i).re; }
    ECHOLUX_HD double& below(int i) const { return at(i, i).im; }
    ECHOLUX_HD WideComplex& tau(int k) const { return at(k + 1, k); }
    /// A number of step k of the reflections, which no later step reads.
    ECHOLUX_HD WideComplex& scratch(int k) const { return room.rotation[k]; }
    ECHOLUX_HD WideComplex& w(int i) const { return room.rotation[i]; }

    /// Makes the column k zero from the second element below the diagonal on.
    template <class Team> ECHOLUX_HD void reflect(const Team& team, int k) const {
        const int rest = n - k - 1;
        const int from = k + 1;
        team.template eachByLanes<kLanes>(
            1, [&](int, const auto& lanes) { findReflection(k, lanes); });
        if (norm(tau(k)) == 0.0) return;
        team.each(rest, [&](int i) {
            WideComplex& v = at(k, from + i);
            v = i == 0 ? WideComplex{1.0, 0.0} : conj(v) * scratch(k);
        });
        team.template eachByLanes<kLanes>(rest, [&](int i, const auto& lanes) {
            const WideComplex sum = product(lanes, k, [&](int j) { return at(from + i, j); });
            if (lanes.own == 0) w(from + i) = tau(k) * sum;
        });
        team.template eachByLanes<kLanes>(1, [&](int, const auto& lanes) {
            const WideComplex sum = product(lanes, k, [&](int j) { return conj(w(j)); });
            if (lanes.own == 0) scratch(k) = -0.5 * (tau(k) * sum);
        });
        team.each(rest, [&](int i) { w(from + i) = w(from + i) + scratch(k) * at(k, from + i); });
        team.template eachByLanes<kLanes>(rest, [&](int i, const auto& lanes) {
            const int row = from + i;
            const WideComplex v = at(k, row);
            for (int j = from + lanes.own; j < n; j += lanes.step)
                at(row, j) = at(row, j) - v * conj(w(j)) - w(row) * conj(at(k, j));
        });
    }
    /// Sum over j of value(j) v[j] of reflection k.
    template <class Lanes, class F>
    ECHOLUX_HD WideComplex product(const Lanes& lanes, int k, const F& value) const {
        WideComplex sum;
        for (int j = k + 1 + lanes.own; j < n; j += Lanes::step) sum = sum + value(j) * at(k, j);
        return {laneSum(lanes, sum.re), laneSum(lanes, sum.im)};
    }
    template <class Lanes> ECHOLUX_HD void findReflection(int k, const Lanes& lanes) const {
        double own = 0.0;
        for (int j = k + 2 + lanes.own; j < n; j += Lanes::step) own += norm(at(k, j));
        const double others = laneSum(lanes, own);
        if (lanes.own != 0) return;
        const WideComplex alpha = conj(at(k, k + 1));
        const bool isDone = !(others > 0.0) && alpha.im == 0.0;
        const double size = sqrt(norm(alpha) + others);
        const double beta = isDone ? alpha.re : alpha.re > 0.0 ? -size : size;
        tau(k) = {};
        below(k) = beta;
        if (isDone) return;
        tau(k) = {(beta - alpha.re) / beta, -alpha.im / beta};
        const WideComplex off = alpha - WideComplex{beta, 0.0};
        scratch(k) = (1.0 / norm(off)) * conj(off);
    }

    /// order[0], order[1]: the rows that a step turns, first and last; order[2]: steps for `first`.
    ECHOLUX_HD void begin() const {
        double largest = 0.0;
        for (int i = 0; i < n; ++i)
            largest = fabs(diagonal(i)) > largest ? fabs(diagonal(i)) : largest;
        below(n - 1) = 0.0;
        room.rotation[n - 1] = {kNothing * largest, 0.0};
        room.order[0] = 0;
        room.order[2] = 0;
    }
    ECHOLUX_HD bool isSplitBehind(int i) const {
        const double own = fabs(diagonal(i)) + fabs(diagonal(i + 1));
        return !(fabs(below(i)) > kSettled * own + room.rotation[n - 1].re);
    }
    /// Finds the next rows that are not diagonal yet, and turns their tridiagonal matrix once.
    ECHOLUX_HD void nextStep() const {
        int first = room.order[0];
        int last = first;
        while (first < n) {
            last = first;
            while (last + 1 < n && !isSplitBehind(last)) ++last;
            if (last > first && room.order[2] < kMostSteps) break;
            ++first;
            room.order[2] = 0;
        }
        room.order[0] = first;
        room.order[1] = last;
        ++room.order[2];
        if (first < n) turn(first, last);
    }
    /// An implicit QL step. Writes cosine and sine of the rows i and i + 1 to rotation[i].
    ECHOLUX_HD void turn(int first, int last) const {
        const double slope = (diagonal(first + 1) - diagonal(first)) / (2.0 * below(first));
        const double root = sqrt(slope * slope + 1.0);
        double g = diagonal(last) - diagonal(first) +
                   below(first) / (slope + (slope >= 0.0 ? root : -root));
        double s = 1.0;
        double c = 1.0;
        double p = 0.0;
        for (int i = last - 1; i >= first; --i) {
            const double f = s * below(i);
            const double b = c * below(i);
            const double r = sqrt(f * f + g * g);
            below(i + 1) = r;
            const bool isSplit = !(r > 0.0); // only rounding is left of both
            s = isSplit ? 0.0 : f / r;
            c = isSplit ? 1.0 : g / r;
            g = diagonal(i + 1) - p;
            const double q = (diagonal(i) - g) * s + 2.0 * c * b;
            p = s * q;
            diagonal(i + 1) = g + p;
            g = c * q - b;
            room.rotation[i] = {c, s};
        }
        diagonal(first) -= p;
        below(first) = g;
        below(last) = 0.0;
    }
    ECHOLUX_HD void rotateRow(int f, int first, int last) const {
        WideComplex* row = room.vectors + f * evenSize(n);
        for (int i = last - 1; i >= first; --i) {
            const double c = room.rotation[i].re;
            const double s = room.rotation[i].im;
            const double here = row[i].re;
            const double next = row[i + 1].re;
            row[i + 1].re = s * here + c * next;
            row[i].re = c * here - s * next;
        }
    }
    /// All reflections of some columns, the last one first.
    template <class Lanes> ECHOLUX_HD void reflectColumns(int group, const Lanes& lanes) const {
        constexpr int kOwn = kTogether / Lanes::step;
        const int size = evenSize(n);
        const int first = group * kTogether + lanes.own;
        const auto isIn = [&](int i) { return first + i * Lanes::step < n; };
        for (int k = n - 2; k >= 0; --k) {
            WideComplex sums[kOwn];
            for (int j = k + 1; j < n; ++j) {
                const WideComplex v = conj(at(k, j));
                const WideComplex* row = room.vectors + j * size + first;
                for (int i = 0; i < kOwn && isIn(i); ++i)
                    sums[i] = sums[i] + v * row[i * Lanes::step];
            }
            for (int i = 0; i < kOwn; ++i) sums[i] = tau(k) * sums[i];
            for (int j = k + 1; j < n; ++j) {
                const WideComplex v = at(k, j);
                WideComplex* row = room.vectors + j * size + first;
                for (int i = 0; i < kOwn && isIn(i); ++i)
                    row[i * Lanes::step] = row[i * Lanes::step] - sums[i] * v;
            }
        }
    }
};

} // namespace echolux::flow
