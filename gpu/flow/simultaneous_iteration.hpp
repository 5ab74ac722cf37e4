// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of the simultaneous iteration with a few vectors. Vectors are rows of frames,
// [frame][vector], with a multiple of kVectorsAtOnce vectors, so that a thread reads several at
// once. Include it only from .cu files.
#pragma once

#include "gpu/core/unroll.hpp"
#include "gpu/exec/lane_sum.hpp"
#include "gpu/exec/team.hpp"
#include "gpu/flow/several_sums.hpp"
#include "gpu/flow/wide_complex.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::flow {

constexpr int kVectorsAtOnce = kSumsAtOnce; ///< vectors that one item handles

/// Unit-size numbers without a pattern, the same in every run; beyond `count` zero.
struct Scatter {
    Complex* vectors;
    int count;
    int padded;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const bool used = i % padded < count;
        const std::uint32_t bits = mixed(static_cast<std::uint32_t>(i) + 1U);
        vectors[i] = used ? Complex{part(bits), part(bits >> 16U)} : Complex{};
    }

private:
    ECHOLUX_HD static float part(std::uint32_t bits) {
        return static_cast<float>(bits & 0xffffU) / 32768.0F - 1.0F;
    }
    /// Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014: a mix of bits.
    ECHOLUX_HD static std::uint32_t mixed(std::uint32_t x) {
        x = (x ^ (x >> 16U)) * 0x85ebca6bU;
        x = (x ^ (x >> 13U)) * 0xc2b2ae35U;
        return x ^ (x >> 16U);
    }
};

/// z = G q for kVectorsAtOnce vectors. Item: frame * groups + group.
struct TimesGram {
    const Complex* matrix; ///< [frames][frames]
    const Complex* vectors;
    Complex* products;
    int frames;
    int padded;

    template <class Lanes> ECHOLUX_HD void operator()(std::int64_t item, const Lanes& lanes) const {
        const int groups = padded / kVectorsAtOnce;
        const std::int64_t f = item / groups;
        const std::int64_t first = item % groups * kVectorsAtOnce;
        SeveralSums<1> sums;
        for (std::int64_t g = lanes.own; g < frames; g += Lanes::step) {
            sums.add(matrix + f * frames + g, 1, vectors + g * padded + first);
        }
        ECHOLUX_UNROLL
        for (int j = 0; j < kVectorsAtOnce; ++j) {
            const Complex sum{laneSum(lanes, sums.re[j][0]), laneSum(lanes, sums.im[j][0])};
            if (lanes.own == 0) products[f * padded + first + j] = sum;
        }
    }
};

/// W[i][j] = sum over f of conj(z_i[f]) z_j[f], in double precision: products of one round differ
/// in size as the squares of singular values do. Item: i * count + j.
struct InnerProducts {
    const Complex* products;
    WideComplex* inner;
    int frames;
    int count;
    int padded;

    template <class Lanes> ECHOLUX_HD void operator()(std::int64_t item, const Lanes& lanes) const {
        const std::int64_t i = item / count;
        const std::int64_t j = item % count;
        if (i > j) return;
        double re = 0.0;
        double im = 0.0;
        for (std::int64_t f = lanes.own; f < frames; f += Lanes::step) {
            const Complex a = products[f * padded + i];
            const Complex b = products[f * padded + j];
            const auto wide = [](float value) { return static_cast<double>(value); };
            re += wide(a.re) * wide(b.re) + wide(a.im) * wide(b.im);
            im += wide(a.re) * wide(b.im) - wide(a.im) * wide(b.re);
        }
        const WideComplex sum{laneSum(lanes, re), laneSum(lanes, im)};
        if (lanes.own == 0) inner[item] = sum;
    }
};

/// W = R^H R, in place, upper half (Golub and Van Loan, 4.2). Where a vector depends on those
/// before it, its pivot becomes 0.
struct Cholesky {
    WideComplex* inner;
    int count;

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        for (int j = 0; j < count; ++j) {
            team.each(count - j, [&](int k) { divideRow(j, j + k); });
            const int rest = count - j - 1;
            team.each(1, [&](int) { pivotOf(j); });
            team.each(rest * rest, [&](int i) { subtract(j, j + 1 + i / rest, j + 1 + i % rest); });
        }
    }

private:
    ECHOLUX_HD WideComplex& at(int i, int j) const { return inner[i * count + j]; }
    /// NOTE: the pivot itself is divided last, by pivotOf(), since all of the row need it.
    ECHOLUX_HD void divideRow(int j, int k) const {
        if (k == j) return;
        const double pivot = at(j, j).re;
        const double scale = pivot > 0.0 ? 1.0 / sqrt(pivot) : 0.0;
        at(j, k) = {scale * at(j, k).re, scale * at(j, k).im};
    }
    ECHOLUX_HD void pivotOf(int j) const {
        const double pivot = at(j, j).re;
        at(j, j) = {pivot > 0.0 ? sqrt(pivot) : 0.0, 0.0};
    }
    ECHOLUX_HD void subtract(int j, int a, int b) const {
        if (a > b) return;
        const WideComplex x = at(j, a);
        const WideComplex y = at(j, b);
        WideComplex& rest = at(a, b);
        const double re = x.re * y.re + x.im * y.im;
        // What is left of a pivot after cancellation is rounding.
        constexpr double kRounding = 1e-13;
        if (a == b) {
            const bool isNothing = rest.re - re < kRounding * rest.re;
            rest = {isNothing ? 0.0 : rest.re - re, 0.0};
        } else {
            rest = {rest.re - re, rest.im - (x.re * y.im - x.im * y.re)};
        }
    }
};

/// q = z R^-1, one frame per item.
struct Orthonormal {
    const Complex* products;
    const WideComplex* upper;
    Complex* vectors;
    int count;
    int padded;

    ECHOLUX_HD void operator()(std::int64_t f) const {
        const Complex* z = products + f * padded;
        Complex* q = vectors + f * padded;
        for (int j = 0; j < count; ++j) {
            double re = static_cast<double>(z[j].re);
            double im = static_cast<double>(z[j].im);
            for (int i = 0; i < j; ++i) {
                const WideComplex r = upper[i * count + j];
                const auto qRe = static_cast<double>(q[i].re);
                const auto qIm = static_cast<double>(q[i].im);
                re -= qRe * r.re - qIm * r.im;
                im -= qRe * r.im + qIm * r.re;
            }
            const double pivot = upper[j * count + j].re;
            const double scale = pivot > 0.0 ? 1.0 / pivot : 0.0;
            q[j] = {static_cast<float>(scale * re), static_cast<float>(scale * im)};
        }
    }
};

/// All rounds for one of several Gram matrices, as a team.
struct Iteration {
    const Complex* matrices; ///< [block][frames][frames]
    Complex* vectors;        ///< [block][frames][padded], as `products`
    Complex* products;
    WideComplex* inner; ///< [block][count][count]
    int frames;
    int count;
    int padded;
    int rounds;

    template <class Team> ECHOLUX_HD void operator()(const Team& team, std::int64_t block) const {
        constexpr int kLanes = 8;
        const std::int64_t size = static_cast<std::int64_t>(frames) * padded;
        const Complex* matrix = matrices + block * frames * frames;
        Complex* q = vectors + block * size;
        Complex* z = products + block * size;
        WideComplex* w = inner + block * count * count;
        team.each(frames * padded, Scatter{q, count, padded});
        for (int round = 0; round < rounds; ++round) {
            team.template eachByLanes<kLanes>(frames * (padded / kVectorsAtOnce),
                                              TimesGram{matrix, q, z, frames, padded});
            team.template eachByLanes<kLanes>(count * count,
                                              InnerProducts{z, w, frames, count, padded});
            Cholesky{w, count}(team);
            team.each(frames, Orthonormal{z, w, q, count, padded});
        }
    }
};

} // namespace echolux::flow
