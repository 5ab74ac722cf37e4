// SPDX-License-Identifier: GPL-3.0-or-later
// Minimum variance in the signal's subspace at one pixel (Asl and Mahloojifar, IEEE UFFC 57(11),
// 2010): the weights w = R^-1 1 / (1^T R^-1 1) are projected on the eigenvectors e_k of the
// covariance whose eigenvalues l_k are at least `eigenspace` times the largest. With all in the
// basis of the e_k, and the loading d:
//   1^T R^-1 1 = sum over all k of |e_k^H 1|^2 / (l_k + d)
//   w_p^H x    = (sum over kept k of conj(e_k^H 1) (e_k^H x) / (l_k + d)) / (1^T R^-1 1)
// Eigenvalues are those before loading. Include it only from .cu files.
#pragma once

#include "gpu/flow/hermitian_eigen.hpp"
#include "gpu/stages/combine_minimum_variance.hpp"

namespace echolux::channels {

/// Scratch memory of a pixel: of the host's thread, or shared by a block.
struct EigenspaceRoom {
    Covariance* covariance;
    Complex* mean;               ///< [kMostSubarray]
    flow::WideComplex* steering; ///< [kMostSubarray] e_k^H 1
    flow::WideComplex* echo;     ///< [kMostSubarray] e_k^H x
    flow::EigenRoom eigen;
};

/// Bytes for so many values, which shared memory can hold.
template <class T, int kCount> struct RoomOf {
    alignas(T) unsigned char bytes[kCount * sizeof(T)];
    ECHOLUX_HD T* first() { return reinterpret_cast<T*>(bytes); }
};

struct EigenspaceMemory {
    RoomOf<flow::WideComplex, kMostSubarray * kMostSubarray> matrix;
    RoomOf<flow::WideComplex, kMostSubarray * kMostSubarray> vectors;
    RoomOf<flow::WideComplex, kMostSubarray> rotation;
    RoomOf<flow::WideComplex, kMostSubarray> steering;
    RoomOf<flow::WideComplex, kMostSubarray> echo;
    RoomOf<Covariance, 1> covariance;
    RoomOf<Complex, kMostSubarray> mean;
    RoomOf<int, kMostSubarray> order;

    ECHOLUX_HD EigenspaceRoom room() {
        return {covariance.first(),
                mean.first(),
                steering.first(),
                echo.first(),
                {matrix.first(), vectors.first(), rotation.first(), order.first()}};
    }
};
static_assert(kMostSubarray % 2 == 0); // evenSize() of any subarray fits

struct EigenspaceVariance {
    MinimumVariance plain;

    /// The last step, w_p^H x, is made by every member of the team.
    template <class Team> ECHOLUX_HD Complex operator()(const Team& team, std::int64_t pixel,
                                                        const EigenspaceRoom& room) const {
        const PixelChannels<Complex> own = plain.rowAt(pixel, 0);
        const Subarrays parts = plain.subarraysOf(own);
        if (parts.count() == 0) return {};
        const int size = parts.size();
        Covariance& covariance = *room.covariance;
        team.each(1, [&](int) { covariance.size = size; });
        team.each(parts.lags(), [&](int lag) { plain.average(pixel, parts, lag, covariance); });
        team.each(size, [&](int i) { room.mean[i] = MinimumVariance::echoOf(own, parts, i); });
        if (plain.backwards) team.each(1, [&](int) { covariance.averageBackwards(); });
        const int m = flow::evenSize(size);
        team.each(m * m, [&](int i) { room.eigen.matrix[i] = entryOf(covariance, i / m, i % m); });
        flow::HermitianEigen{room.eigen, size}(team);
        team.each(m, [&](int k) { turn(room, size, k); });
        return MinimumVariance::scaleOf(parts) * projected(room, size);
    }

private:
    ECHOLUX_HD static flow::WideComplex entryOf(Covariance& covariance, int row, int column) {
        if (row >= covariance.size || column >= covariance.size) return {};
        const Complex value =
            row >= column ? covariance.at(row, column) : conj(covariance.at(column, row));
        return {value.re, row == column ? 0.0 : value.im};
    }
    /// Makes e_k^H 1 and e_k^H x.
    ECHOLUX_HD static void turn(const EigenspaceRoom& room, int size, int k) {
        const int m = flow::evenSize(size);
        flow::WideComplex steering;
        flow::WideComplex echo;
        for (int i = 0; i < size; ++i) {
            const flow::WideComplex entry = conj(room.eigen.vectors[i * m + k]);
            steering = steering + entry;
            echo = echo + entry * flow::WideComplex{room.mean[i].re, room.mean[i].im};
        }
        room.steering[k] = steering;
        room.echo[k] = echo;
    }
    ECHOLUX_HD Complex projected(const EigenspaceRoom& room, int size) const {
        const int m = flow::evenSize(size);
        double level = 0.0;
        double largest = 0.0;
        for (int k = 0; k < m; ++k) {
            const double value = room.eigen.matrix[k * m + k].re;
            level += value / size;
            largest = value > largest ? value : largest;
        }
        const double least = static_cast<double>(kLeastOfCovariance) * level;
        flow::WideComplex top;
        double bottom = 0.0;
        for (int k = 0; k < m; ++k) {
            const double value = room.eigen.matrix[k * m + k].re;
            const double loaded = value + static_cast<double>(plain.loading) * level;
            const double inverse = 1.0 / (loaded > least ? loaded : least);
            bottom += inverse * norm(room.steering[k]);
            if (value >= static_cast<double>(plain.eigenspace) * largest)
                top = top + inverse * (conj(room.steering[k]) * room.echo[k]);
        }
        return bottom > 0.0 ? narrowed((1.0 / bottom) * top) : Complex{};
    }
};

} // namespace echolux::channels
