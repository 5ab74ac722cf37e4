// SPDX-License-Identifier: GPL-3.0-or-later
// Least squares by normal equations, which Chebyshev's polynomials keep well conditioned.
#include "app/calibration/chebyshev_fit.hpp"

#include "gpu/core/error.hpp"

#include <cmath>
#include <cstddef>

namespace echolux {

double chebyshev(std::span<const double> coefficients, double x) {
    double before = 0.0;
    double last = 0.0;
    for (std::size_t i = coefficients.size(); i-- > 1;) { // Clenshaw's recurrence
        const double next = coefficients[i] + 2.0 * x * last - before;
        before = last;
        last = next;
    }
    return (coefficients.empty() ? 0.0 : coefficients[0]) + x * last - before;
}

std::vector<double> solveSymmetric(std::vector<double> matrix, std::vector<double> right) {
    const std::size_t n = right.size();
    for (std::size_t column = 0; column < n; ++column) {
        for (std::size_t row = column; row < n; ++row) {
            double sum = matrix[row * n + column];
            for (std::size_t i = 0; i < column; ++i)
                sum -= matrix[row * n + i] * matrix[column * n + i];
            if (row > column) {
                matrix[row * n + column] = sum / matrix[column * n + column];
                continue;
            }
            if (!(sum > 1e-13 * std::abs(matrix[column * n + column])))
                throw Error("The values do not determine a curve of this order; take a lower "
                            "order, or a recording with more light.");
            matrix[column * n + column] = std::sqrt(sum);
        }
    }
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t i = 0; i < row; ++i) right[row] -= matrix[row * n + i] * right[i];
        right[row] /= matrix[row * n + row];
    }
    for (std::size_t row = n; row-- > 0;) {
        for (std::size_t i = row + 1; i < n; ++i) right[row] -= matrix[i * n + row] * right[i];
        right[row] /= matrix[row * n + row];
    }
    return right;
}

std::vector<double> fitChebyshev(std::span<const double> x, std::span<const double> y,
                                 std::span<const double> weights, int order) {
    const auto terms = static_cast<std::size_t>(order) + 1;
    std::vector<double> matrix(terms * terms, 0.0);
    std::vector<double> right(terms, 0.0);
    std::vector<double> values(terms, 1.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (terms > 1) values[1] = x[i];
        for (std::size_t t = 2; t < terms; ++t)
            values[t] = 2.0 * x[i] * values[t - 1] - values[t - 2];
        const double square = weights[i] * weights[i];
        for (std::size_t row = 0; row < terms; ++row) {
            right[row] += square * values[row] * y[i];
            for (std::size_t column = 0; column < terms; ++column)
                matrix[row * terms + column] += square * values[row] * values[column];
        }
    }
    return solveSymmetric(std::move(matrix), std::move(right));
}

} // namespace echolux
