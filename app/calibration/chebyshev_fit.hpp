// SPDX-License-Identifier: GPL-3.0-or-later
// Smooth curves through weighted values.
#pragma once

#include <span>
#include <vector>

namespace echolux {

/// sum of c_i T_i(x), T_i Chebyshev's polynomials on -1 <= x <= 1.
double chebyshev(std::span<const double> coefficients, double x);

/// Coefficients of the polynomial of `order` that minimises the sum of (weight (y - f(x)))^2.
/// `weights` are 0 or greater, and more than `order` of them are not 0. Throws Error where the
/// values do not determine the polynomial.
std::vector<double> fitChebyshev(std::span<const double> x, std::span<const double> y,
                                 std::span<const double> weights, int order);

/// Solves the symmetric positive definite system `matrix` [row][column] times result = `right` by
/// Cholesky's decomposition. Throws Error where it is singular.
std::vector<double> solveSymmetric(std::vector<double> matrix, std::vector<double> right);

} // namespace echolux
