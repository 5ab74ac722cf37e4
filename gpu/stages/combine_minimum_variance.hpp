// SPDX-License-Identifier: GPL-3.0-or-later
// Minimum variance (Capon) at one pixel; combine.cu states the formula. Each thread solves the
// equations of its own pixel.
#pragma once

#include "gpu/stages/combine_formula.hpp"

#include <cstdint>

namespace echolux::channels {

constexpr int kMostSubarray = 32;

/// A Hermitian matrix, of which the lower triangle is kept.
struct Covariance {
    Complex lower[kMostSubarray * (kMostSubarray + 1) / 2];
    int size = 0;

    ECHOLUX_HD Complex& at(int row, int column) { return lower[row * (row + 1) / 2 + column]; }

    ECHOLUX_HD float trace() {
        float sum = 0.0F;
        for (int i = 0; i < size; ++i) sum += at(i, i).re;
        return sum;
    }
    /// The mean with the matrix of the array read backwards and conjugated.
    ECHOLUX_HD void averageBackwards() {
        for (int row = 0; row < size; ++row) {
            for (int column = 0; column <= row; ++column) {
                const int otherRow = size - 1 - column; // of the entry that it is mirrored in
                const int otherColumn = size - 1 - row;
                const std::int64_t own = row * size + column;
                if (own > otherRow * size + otherColumn) continue;
                const Complex mean = 0.5F * (at(row, column) + at(otherRow, otherColumn));
                at(row, column) = mean;
                at(otherRow, otherColumn) = mean;
            }
        }
    }
    /// Becomes L of the Cholesky factors L L^H. `least`: of the squares on the diagonal.
    ECHOLUX_HD void factorise(float least) {
        for (int column = 0; column < size; ++column) {
            float square = at(column, column).re;
            for (int k = 0; k < column; ++k) square -= norm(at(column, k));
            const float pivot = sqrtf(square > least ? square : least);
            at(column, column) = {pivot, 0.0F};
            for (int row = column + 1; row < size; ++row) {
                Complex value = at(row, column);
                for (int k = 0; k < column; ++k) value = value - at(row, k) * conj(at(column, k));
                at(row, column) = (1.0F / pivot) * value;
            }
        }
    }
    /// L^-1 of a vector, in its place.
    ECHOLUX_HD void solve(Complex* vector) {
        for (int row = 0; row < size; ++row) {
            Complex value = vector[row];
            for (int k = 0; k < row; ++k) value = value - at(row, k) * vector[k];
            vector[row] = (1.0F / at(row, row).re) * value;
        }
    }
};

/// Adds x[l + row] conj x[l + column] of all subarrays l, diagonal by diagonal: from one entry to
/// the next a term comes and a term goes.
ECHOLUX_HD inline void addSubarrays(const PixelChannels<Complex>& channels, std::int64_t first,
                                    std::int64_t subarrays, Covariance& sum) {
    for (int lag = 0; lag < sum.size; ++lag) {
        Complex value;
        for (std::int64_t l = first; l < first + subarrays; ++l)
            value = value + channels[l + lag] * conj(channels[l]);
        sum.at(lag, 0) = sum.at(lag, 0) + value;
        for (int column = 1; column + lag < sum.size; ++column) {
            const std::int64_t gone = first + column - 1;
            const std::int64_t come = gone + subarrays;
            value = value + channels[come + lag] * conj(channels[come]) -
                    channels[gone + lag] * conj(channels[gone]);
            sum.at(column + lag, column) = sum.at(column + lag, column) + value;
        }
    }
}

/// The minimum variance beamformer's sum: n (mean over subarrays of w^H x), w = R^-1 1 / (1^T R^-1
/// 1), R averaged over subarrays and rows, loaded by `loading` times its mean diagonal.
struct MinimumVariance {
    const Complex* in;
    CombineShape shape;
    std::int64_t halfRows; ///< averaged above and below
    float subarray;        ///< part of the channels in the aperture
    float loading;
    bool backwards;

    ECHOLUX_HD Complex operator()(std::int64_t pixel) const {
        const PixelChannels<Complex> own = rowAt(pixel, 0);
        std::int64_t first = shape.channels;
        std::int64_t last = -1;
        for (std::int64_t i = 0; i < shape.channels; ++i) {
            if (norm(own[i]) == 0.0F) continue;
            first = i < first ? i : first;
            last = i;
        }
        if (last < 0) return {};
        const std::int64_t heard = last - first + 1;
        Covariance covariance;
        covariance.size = sizeOf(heard);
        const std::int64_t subarrays = heard - covariance.size + 1;
        average(pixel, first, subarrays, covariance);
        Complex steering[kMostSubarray];
        Complex mean[kMostSubarray];
        for (int i = 0; i < covariance.size; ++i) {
            steering[i] = {1.0F, 0.0F};
            mean[i] = {};
            for (std::int64_t l = 0; l < subarrays; ++l) mean[i] = mean[i] + own[first + l + i];
        }
        covariance.solve(steering);
        covariance.solve(mean);
        Complex top;
        float bottom = 0.0F;
        for (int i = 0; i < covariance.size; ++i) {
            top = top + conj(steering[i]) * mean[i];
            bottom += norm(steering[i]);
        }
        const float scale = static_cast<float>(heard) / static_cast<float>(subarrays);
        return bottom > 0.0F ? (scale / bottom) * top : Complex{};
    }

private:
    ECHOLUX_HD PixelChannels<Complex> rowAt(std::int64_t pixel, std::int64_t below) const {
        return {in + pixel + below * shape.laterals, shape.channels, shape.pixels};
    }
    ECHOLUX_HD int sizeOf(std::int64_t heard) const {
        const auto wanted = static_cast<int>(subarray * static_cast<float>(heard));
        return wanted < 1 ? 1 : wanted < kMostSubarray ? wanted : kMostSubarray;
    }
    /// Makes the factors of the loaded covariance.
    ECHOLUX_HD void average(std::int64_t pixel, std::int64_t first, std::int64_t subarrays,
                            Covariance& covariance) const {
        const std::int64_t row = pixel / shape.laterals % shape.depths;
        for (int i = 0; i < covariance.size * (covariance.size + 1) / 2; ++i)
            covariance.lower[i] = {};
        for (std::int64_t k = -halfRows; k <= halfRows; ++k)
            if (row + k >= 0 && row + k < shape.depths)
                addSubarrays(rowAt(pixel, k), first, subarrays, covariance);
        if (backwards) covariance.averageBackwards();
        constexpr float kLeast = 1e-6F; // of the mean diagonal; rounding may take as much away
        const float level = covariance.trace() / static_cast<float>(covariance.size);
        for (int i = 0; i < covariance.size; ++i) covariance.at(i, i).re += loading * level;
        covariance.factorise(kLeast * level);
    }
};

} // namespace echolux::channels
