// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices of clutter filters, in double precision.
#include "gpu/flow/clutter_matrices.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>

namespace echolux::flow {
namespace {

using Series = std::vector<double>; ///< a value per frame

/// Appends the part of `values` that the orthonormal `basis` does not hold, if there is one.
void append(std::vector<Series>& basis, Series values) {
    const auto energyOf = [&values] {
        double sum = 0.0;
        for (const double value : values) sum += value * value;
        return sum;
    };
    const double whole = energyOf();
    for (int twice = 0; twice < 2; ++twice) { // Gram and Schmidt, repeated for precision
        for (const Series& former : basis) {
            double along = 0.0;
            for (std::size_t f = 0; f < values.size(); ++f) along += values[f] * former[f];
            for (std::size_t f = 0; f < values.size(); ++f) values[f] -= along * former[f];
        }
    }
    const double left = energyOf();
    constexpr double kNothing = 1e-20;
    if (!(left > kNothing * whole)) return;
    for (double& value : values) value /= std::sqrt(left);
    basis.push_back(std::move(values));
}

/// x - Q Q^T x.
Series without(const std::vector<Series>& basis, Series x) {
    const Series whole = x;
    for (const Series& each : basis) {
        double along = 0.0;
        for (std::size_t f = 0; f < x.size(); ++f) along += whole[f] * each[f];
        for (std::size_t f = 0; f < x.size(); ++f) x[f] -= along * each[f];
    }
    return x;
}

/// The matrix of y = (I - Q Q^T) H x. Column g of H is responseTo(g).
template <class ResponseTo> std::vector<Complex>
matrixOf(int frames, const std::vector<Series>& basis, const ResponseTo& responseTo) {
    const auto count = static_cast<std::size_t>(frames);
    std::vector<Complex> matrix(count * count);
    for (std::size_t g = 0; g < count; ++g) {
        const Series row = without(basis, responseTo(g));
        for (std::size_t f = 0; f < count; ++f)
            matrix[g * count + f].re = static_cast<float>(row[f]);
    }
    return matrix;
}

Series impulse(int frames, std::size_t at) {
    Series values(static_cast<std::size_t>(frames), 0.0);
    values[at] = 1.0;
    return values;
}

std::vector<Complex> withoutBasis(int frames, const std::vector<Series>& basis) {
    return matrixOf(frames, basis, [&](std::size_t g) { return impulse(frames, g); });
}

/// The filter's output for the input `x`, from the state `s` (direct form II, transposed).
Series run(const DigitalFilter& filter, Series s, const Series& x) {
    Series y(x.size());
    for (std::size_t n = 0; n < x.size(); ++n) {
        y[n] = filter.b[0] * x[n] + (s.empty() ? 0.0 : s[0]);
        for (std::size_t k = 0; k < s.size(); ++k) {
            const double next = k + 1 < s.size() ? s[k + 1] : 0.0;
            s[k] = next + filter.b[k + 1] * x[n] - filter.a[k + 1] * y[n];
        }
    }
    return y;
}

} // namespace

std::vector<Complex> withoutPolynomials(int frames, int order) {
    std::vector<Series> basis;
    for (int degree = 0; degree <= std::min(order, frames - 1); ++degree) {
        Series values(static_cast<std::size_t>(frames));
        for (int f = 0; f < frames; ++f) {
            const double t = frames > 1 ? 2.0 * f / (frames - 1) - 1.0 : 0.0;
            values[static_cast<std::size_t>(f)] = std::pow(t, degree);
        }
        append(basis, std::move(values));
    }
    return withoutBasis(frames, basis);
}

std::vector<Complex> withoutCosines(int frames, int components) {
    std::vector<Series> basis;
    for (int k = 0; k < std::min(components, frames); ++k) {
        Series values(static_cast<std::size_t>(frames));
        for (int f = 0; f < frames; ++f)
            values[static_cast<std::size_t>(f)] =
                std::cos(std::numbers::pi * k * (f + 0.5) / frames);
        append(basis, std::move(values));
    }
    return withoutBasis(frames, basis);
}

DigitalFilter butterworthHighPass(int order, double cutoff) {
    using Pole = std::complex<double>;
    const double edge = 2.0 * std::tan(0.5 * std::numbers::pi * cutoff);
    std::vector<Pole> a{1.0};
    for (int k = 0; k < order; ++k) {
        const Pole prototype =
            std::polar(1.0, std::numbers::pi * (2.0 * k + order + 1.0) / (2.0 * order));
        const Pole analogue = edge / prototype;
        const Pole pole = (2.0 + analogue) / (2.0 - analogue);
        a.push_back(0.0);
        for (std::size_t i = a.size() - 1; i > 0; --i) a[i] -= pole * a[i - 1];
    }
    DigitalFilter filter;
    double gain = 0.0; // at half the sampling rate, of numerator 1
    for (std::size_t i = 0; i < a.size(); ++i) {
        filter.a.push_back(a[i].real());
        gain += (i % 2 == 0 ? 1.0 : -1.0) * a[i].real();
    }
    gain /= std::pow(2.0, order);
    double binomial = 1.0; // of (1 - 1 / z)^order
    for (int i = 0; i <= order; ++i) {
        filter.b.push_back(gain * binomial);
        binomial *= -static_cast<double>(order - i) / (i + 1);
    }
    return filter;
}

DigitalFilter windowedHighPass(int order, double cutoff) {
    DigitalFilter filter;
    double gain = 0.0;
    for (int i = 0; i <= order; ++i) {
        const double n = i - 0.5 * order;
        const double ideal =
            n == 0.0 ? 1.0 - cutoff
                     : -std::sin(std::numbers::pi * cutoff * n) / (std::numbers::pi * n);
        const double window = 0.54 - 0.46 * std::cos(2.0 * std::numbers::pi * i / order);
        filter.b.push_back(ideal * window);
        filter.a.push_back(i == 0 ? 1.0 : 0.0);
        gain += ((i - order / 2) % 2 == 0 ? 1.0 : -1.0) * filter.b.back();
    }
    for (double& tap : filter.b) tap /= gain;
    return filter;
}

std::vector<Complex> filtered(int frames, const DigitalFilter& filter) {
    const std::size_t states = filter.b.size() - 1;
    const Series silence(static_cast<std::size_t>(frames), 0.0);
    const Series rest(states, 0.0);
    std::vector<Series> transients;
    for (std::size_t k = 0; k < states; ++k) {
        Series state = rest;
        state[k] = 1.0;
        append(transients, run(filter, state, silence));
    }
    return matrixOf(frames, transients,
                    [&](std::size_t g) { return run(filter, rest, impulse(frames, g)); });
}

} // namespace echolux::flow
