// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of the stage `flow`, where the formulas stand: products of frames, means over a box of
// pixels, velocities. Include it only from .cu files.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/flow/shift_search.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace echolux::flow {

/// Products of frames, one value per pixel each.
struct LagSums {
    Complex* lag;
    Complex* other; ///< lag of every other pair, from the second on; null: `lag` has all pairs
    Complex* axial; ///< D; null: not wanted
};

struct LagOne {
    const Complex* in;
    float* power;
    LagSums sums;
    int frames;
    StackedRows of;

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t x) const {
        const std::int64_t pixels = of.rows * of.laterals;
        const std::int64_t p = z * of.laterals + x;
        float sum = 0.0F;
        Complex product;
        Complex second;
        Complex former = in[p];
        for (int f = 0; f < frames; ++f) {
            const Complex now = in[f * pixels + p];
            sum += norm(now);
            if (f > 0) {
                Complex& to = sums.other != nullptr && f % 2 == 0 ? second : product;
                to = to + conj(former) * now;
            }
            former = now;
        }
        power[p] = sum / static_cast<float>(frames);
        const int evenPairs = (frames - 1) / 2;
        const int pairs = sums.other != nullptr ? frames - 1 - evenPairs : frames - 1;
        sums.lag[p] = (1.0F / static_cast<float>(pairs)) * product;
        if (sums.other != nullptr) sums.other[p] = (1.0F / static_cast<float>(evenPairs)) * second;
        if (sums.axial != nullptr)
            sums.axial[p] = overDepth(z + 1 < of.top(z) + of.depths ? p : p - of.laterals);
    }

private:
    ECHOLUX_HD Complex overDepth(std::int64_t p) const {
        const std::int64_t pixels = of.rows * of.laterals;
        Complex sum;
        for (int f = 0; f < frames; ++f)
            sum = sum + conj(in[f * pixels + p]) * in[f * pixels + p + of.laterals];
        return (1.0F / static_cast<float>(frames)) * sum;
    }
};

/// Means over a box of pixels; at the borders over the part of it that lies inside.
struct FlowAverage {
    const float* power;
    LagSums sums;
    float* amplitude;
    LagSums means; ///< the lags divided by R0
    StackedRows of;
    HalfBox half;

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t x) const {
        float sum = 0.0F;
        Complex product;
        Complex second;
        Complex overDepth;
        std::int64_t count = 0;
        const std::int64_t top = of.top(z);
        const std::int64_t bottom = top + of.depths;
        const std::int64_t firstZ = z - half.depth < top ? top : z - half.depth;
        const std::int64_t firstX = x - half.lateral < 0 ? 0 : x - half.lateral;
        for (std::int64_t i = firstZ; i <= z + half.depth && i < bottom; ++i) {
            for (std::int64_t k = firstX; k <= x + half.lateral && k < of.laterals; ++k) {
                const std::int64_t p = i * of.laterals + k;
                sum += power[p];
                product = product + sums.lag[p];
                if (sums.other != nullptr) second = second + sums.other[p];
                if (sums.axial != nullptr) overDepth = overDepth + sums.axial[p];
                ++count;
            }
        }
        const std::int64_t at = z * of.laterals + x;
        amplitude[at] = sqrtf(sum / static_cast<float>(count));
        means.lag[at] = sum > 0.0F ? (1.0F / sum) * product : Complex{};
        if (sums.other != nullptr) means.other[at] = sum > 0.0F ? (1.0F / sum) * second : Complex{};
        if (sums.axial != nullptr) means.axial[at] = overDepth;
    }
};

/// f0 of a pixel as a part of the parameter `frequency`.
struct MeanFrequency {
    Complex expected; ///< exp(-j arg D) at the parameter's frequency
    float perRadian;  ///< part of that frequency

    ECHOLUX_HD float operator()(Complex axial) const {
        constexpr float kLeast = 0.5F; // noise gives any frequency
        constexpr float kMost = 2.0F;
        const Complex beside = axial * expected;
        return fminf(kMost, fmaxf(kLeast, 1.0F + perRadian * atan2f(beside.im, beside.re)));
    }
};

/// Of images whose depths are `depthStepM` apart. `lackingAngle`: what they lack of their carrier
/// from depth to depth, in radians.
inline MeanFrequency meanFrequency(double depthStepM, double frequencyHz, double soundSpeedMps,
                                   double lackingAngle) {
    const double expected = 4.0 * std::numbers::pi * depthStepM * frequencyHz / soundSpeedMps;
    const double turned = lackingAngle - expected;
    return {{static_cast<float>(std::cos(turned)), static_cast<float>(std::sin(turned))},
            static_cast<float>(1.0 / expected)};
}

/// The phase that lies within half a turn of `baseline`, both in radians.
struct NearBaseline {
    Complex back; ///< exp(-j baseline)
    float baseline;

    ECHOLUX_HD float operator()(Complex lag) const {
        const Complex beside = lag * back;
        return baseline + atan2f(beside.im, beside.re);
    }
    ECHOLUX_HD float wrapped(float phase) const {
        constexpr float kTurn = 2.0F * std::numbers::pi_v<float>;
        return phase - kTurn * rintf((phase - baseline) / kTurn);
    }
};

inline NearBaseline nearBaseline(double radians) {
    return {{static_cast<float>(std::cos(radians)), static_cast<float>(-std::sin(radians))},
            static_cast<float>(radians)};
}

/// The phase p over a time t, of the phases a, b over the intervals m t and n t, n = m + 1:
///   a + 2 pi k = m p,  b + 2 pi k = n p,  k = round((m b - n a) / 2 pi)
/// for phases without noise; p is their least-squares solution. k is right as long as the error of
/// m b - n a is less than half a turn. (Zrnic and Mahapatra, Two methods of ambiguity resolution in
/// pulse Doppler weather radars, IEEE Trans. Aerosp. Electron. Syst. 21, 1985; Posada et al.,
/// Staggered multiple-PRF ultrafast color Doppler, IEEE Trans. Med. Imaging 35, 2016.)
struct StaggeredPhase {
    float shorter; ///< m; 0: intervals are equal
    float longer;  ///< n

    ECHOLUX_HD float operator()(Complex first, Complex second) const {
        constexpr float kTurn = 2.0F * std::numbers::pi_v<float>;
        const float a = atan2f(first.im, first.re);
        const float b = atan2f(second.im, second.re);
        const float whole = kTurn * rintf((shorter * b - longer * a) / kTurn);
        return (shorter * (a + whole) + longer * (b + whole)) /
               (shorter * shorter + longer * longer);
    }
};

/// What FlowOutputs takes of the search for shifts, see shift_search.hpp.
struct FoundShift {
    BestLag best;          ///< null: no shifts are searched
    float radiansPerPixel; ///< phase of a shift by a pixel, at the parameter `frequency`
};

struct FlowOutputs {
    const float* amplitude;
    LagSums means;
    FoundShift shift;
    const float* maximum;
    float* velocity; ///< null: nobody reads it; likewise the others
    float* copiedAmplitude;
    float* spread;
    MeanFrequency frequency;
    StaggeredPhase staggered;
    NearBaseline phase;
    float perRadian;
    float threshold; ///< of the maximum
    float mostSpread;

    ECHOLUX_HD void operator()(std::int64_t p) const {
        const float alike = likeness(p);
        const float rest = fmaxf(0.0F, fminf(1.0F, 1.0F - alike));
        const bool flows = amplitude[p] >= threshold * *maximum && amplitude[p] > 0.0F &&
                           alike > 0.0F && rest <= mostSpread;
        if (velocity != nullptr) velocity[p] = flows ? perRadian * phaseOf(p) : 0.0F;
        if (copiedAmplitude != nullptr) copiedAmplitude[p] = amplitude[p];
        if (spread != nullptr) spread[p] = rest;
    }

private:
    ECHOLUX_HD float likeness(std::int64_t p) const {
        if (shift.best.quality != nullptr) return shift.best.quality[p];
        const float one = sqrtf(norm(means.lag[p]));
        return means.other == nullptr ? one : 0.5F * (one + sqrtf(norm(means.other[p])));
    }
    ECHOLUX_HD float phaseOf(std::int64_t p) const {
        const float part = means.axial != nullptr ? frequency(means.axial[p]) : 1.0F;
        if (shift.best.quality != nullptr)
            return shift.best.phase[p] / part -
                   shift.radiansPerPixel * static_cast<float>(shift.best.lag[p]);
        if (means.other != nullptr)
            return phase.wrapped(staggered(means.lag[p], means.other[p])) / part;
        return phase(means.lag[p]) / part;
    }
};

} // namespace echolux::flow
