// SPDX-License-Identifier: GPL-3.0-or-later
// Minimum variance (Capon) at one pixel; combine.cu states the formula. Each thread solves the
// equations of its own pixel.
#pragma once

#include "gpu/stages/combine_grid.hpp"

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

/// The parts of an aperture over which the covariance is averaged: rectangles of a matrix array,
/// else pieces of its line. A subarray's channels are numbered along its lines, one after the
/// other.
struct Subarrays {
    std::int64_t first;   ///< channel at the first one's begin
    std::int64_t perLine; ///< channels of the array
    int width;            ///< channels of a subarray along a line
    int height;           ///< its lines
    int along;            ///< subarrays along a line
    int across;

    ECHOLUX_HD int size() const { return width * height; }
    ECHOLUX_HD int count() const { return along * across; }
    /// From one channel of a subarray to another one, each of two opposite lags stands for both.
    ECHOLUX_HD int lags() const { return width + (height - 1) * (2 * width - 1); }
};

struct Lag {
    int along;
    int across; ///< 0 or more
};
/// `number`: below parts.lags().
ECHOLUX_HD inline Lag lagOf(const Subarrays& parts, int number) {
    const int row = 2 * parts.width - 1;
    const int further = number - parts.width;
    if (further < 0) return {number, 0};
    return {further % row - parts.width + 1, 1 + further / row};
}

/// Calls put(i, j, sum of x[l + i] conj x[l + j] over all subarrays l) for all entries whose
/// channels i and j of a subarray lie `lag` apart: from one to the next along a line, terms come
/// and terms go.
template <class Channels, class Put> ECHOLUX_HD void
eachOfLag(const Channels& channels, const Subarrays& parts, const Lag& lag, const Put& put) {
    const std::int64_t apart = lag.across * parts.perLine + lag.along;
    const auto sumAcross = [&](std::int64_t at) {
        Complex sum;
        for (int l = 0; l < parts.across; ++l, at += parts.perLine)
            sum = sum + channels[at + apart] * conj(channels[at]);
        return sum;
    };
    const int begin = lag.along < 0 ? -lag.along : 0;
    const int end = parts.width - (lag.along > 0 ? lag.along : 0);
    for (int line = 0; line + lag.across < parts.height; ++line) {
        std::int64_t at = parts.first + line * parts.perLine + begin;
        Complex value;
        for (int l = 0; l < parts.along; ++l) value = value + sumAcross(at + l);
        for (int i = line * parts.width + begin;; ++i, ++at) {
            put(i + lag.across * parts.width + lag.along, i, value);
            if (i + 1 == line * parts.width + end) break;
            value = value + sumAcross(at + parts.along) - sumAcross(at);
        }
    }
}

constexpr float kLeastOfCovariance = 1e-6F; // of the mean diagonal; rounding may take as much away

/// The minimum variance beamformer's sum: n (mean over subarrays of w^H x), w = R^-1 1 / (1^T R^-1
/// 1), R averaged over subarrays and rows, loaded by `loading` times its mean diagonal.
struct MinimumVariance {
    const Complex* in = nullptr;
    CombineShape shape;
    std::int64_t halfRows = 0; ///< averaged above and below
    float subarray = 0.5F;     ///< part of the channels in the aperture
    float loading = 0.0F;
    float eigenspace = 0.0F; ///< see EigenspaceVariance; 0: the weights stay
    bool backwards = false;

    ECHOLUX_HD Complex operator()(std::int64_t pixel) const {
        const PixelChannels<Complex> own = rowAt(pixel, 0);
        const Subarrays parts = subarraysOf(own);
        if (parts.count() == 0) return {};
        Covariance covariance;
        covariance.size = parts.size();
        Complex mean[kMostSubarray];
        for (int lag = 0; lag < parts.lags(); ++lag) average(pixel, parts, lag, covariance);
        for (int i = 0; i < parts.size(); ++i) mean[i] = echoOf(own, parts, i);
        if (backwards) covariance.averageBackwards();
        return scaleOf(parts) * throughFactors(covariance, mean);
    }

    ECHOLUX_HD PixelChannels<Complex> rowAt(std::int64_t pixel, std::int64_t below) const {
        return {in + pixel + below * shape.laterals, shape.channels, shape.pixels};
    }
    /// Of an aperture of so many lines and channels along them.
    ECHOLUX_HD Subarrays subarraysOf(const GridBox& heard) const {
        if (heard.along == 0) return {};
        int width = partOf(heard.along);
        int height = partOf(heard.across);
        while (width * height > kMostSubarray) width >= height ? --width : --height;
        return {heard.first,
                shape.perLine,
                width,
                height,
                static_cast<int>(heard.along) - width + 1,
                static_cast<int>(heard.across) - height + 1};
    }
    ECHOLUX_HD Subarrays subarraysOf(const PixelChannels<Complex>& channels) const {
        if (shape.isGrid()) return subarraysOf(boxOf(channels, shape.perLine));
        const Aperture aperture = apertureOf(channels);
        return subarraysOf(GridBox{aperture.first, aperture.length, 1});
    }
    /// Where all channels are heard.
    ECHOLUX_HD Subarrays largest() const {
        return subarraysOf(GridBox{0, shape.perLine, shape.lines()});
    }
    /// Makes the entries of one lag of the covariance, not yet loaded.
    ECHOLUX_HD void average(std::int64_t pixel, const Subarrays& parts, int lag,
                            Covariance& covariance) const {
        const std::int64_t row = pixel / shape.laterals % shape.depths;
        bool isFirst = true;
        for (std::int64_t k = -halfRows; k <= halfRows; ++k) {
            if (row + k < 0 || row + k >= shape.depths) continue;
            eachOfLag(rowAt(pixel, k), parts, lagOf(parts, lag), [&](int i, int j, Complex value) {
                Complex& entry = covariance.at(i, j);
                entry = isFirst ? value : entry + value;
            });
            isFirst = false;
        }
    }
    /// Sum over the subarrays of their channel number `i`.
    template <class Channels>
    ECHOLUX_HD static Complex echoOf(const Channels& channels, const Subarrays& parts, int i) {
        std::int64_t at = parts.first + i / parts.width * parts.perLine + i % parts.width;
        Complex sum;
        for (int line = 0; line < parts.across; ++line, at += parts.perLine)
            for (int l = 0; l < parts.along; ++l) sum = sum + channels[at + l];
        return sum;
    }
    /// Channels for each subarray.
    ECHOLUX_HD static float scaleOf(const Subarrays& parts) {
        const int heard = (parts.along + parts.width - 1) * (parts.across + parts.height - 1);
        return static_cast<float>(heard) / static_cast<float>(parts.count());
    }

private:
    ECHOLUX_HD int partOf(std::int64_t heard) const {
        const auto wanted = static_cast<int>(subarray * static_cast<float>(heard));
        return wanted < 1 ? 1 : wanted < kMostSubarray ? wanted : kMostSubarray;
    }
    /// w^H `mean`, by Cholesky's factors of the loaded covariance.
    ECHOLUX_HD Complex throughFactors(Covariance& covariance, Complex* mean) const {
        const float level = covariance.trace() / static_cast<float>(covariance.size);
        for (int i = 0; i < covariance.size; ++i) covariance.at(i, i).re += loading * level;
        covariance.factorise(kLeastOfCovariance * level);
        Complex steering[kMostSubarray];
        for (int i = 0; i < covariance.size; ++i) steering[i] = {1.0F, 0.0F};
        covariance.solve(steering);
        covariance.solve(mean);
        Complex top;
        float bottom = 0.0F;
        for (int i = 0; i < covariance.size; ++i) {
            top = top + conj(steering[i]) * mean[i];
            bottom += norm(steering[i]);
        }
        return bottom > 0.0F ? (1.0F / bottom) * top : Complex{};
    }
};

} // namespace echolux::channels
