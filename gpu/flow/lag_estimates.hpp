// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of the stage `flow`, where the formulas stand: products of frames, means over a box of
// pixels, velocities. Include it only from .cu files.
#pragma once

#include "gpu/core/complex.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace echolux::flow {

struct LagOne {
    const Complex* in;
    float* power;
    Complex* lag;
    Complex* axial; ///< D; null: not wanted
    int frames;
    std::int64_t pixels;
    std::int64_t laterals;

    ECHOLUX_HD void operator()(std::int64_t p) const {
        float sum = 0.0F;
        Complex product;
        Complex former = in[p];
        for (int f = 0; f < frames; ++f) {
            const Complex now = in[f * pixels + p];
            sum += norm(now);
            if (f > 0) product = product + conj(former) * now;
            former = now;
        }
        power[p] = sum / static_cast<float>(frames);
        lag[p] = (1.0F / static_cast<float>(frames - 1)) * product;
        if (axial != nullptr) axial[p] = overDepth(p + laterals < pixels ? p : p - laterals);
    }

private:
    ECHOLUX_HD Complex overDepth(std::int64_t p) const {
        Complex sum;
        for (int f = 0; f < frames; ++f)
            sum = sum + conj(in[f * pixels + p]) * in[f * pixels + p + laterals];
        return (1.0F / static_cast<float>(frames)) * sum;
    }
};

/// Means over a box of pixels; at the borders over the part of it that lies inside.
struct FlowAverage {
    const float* power;
    const Complex* lag;
    const Complex* axial; ///< null: not wanted
    float* amplitude;
    Complex* meanLag; ///< divided by R0
    Complex* meanAxial;
    std::int64_t depths;
    std::int64_t laterals;
    std::int64_t halfDepth;
    std::int64_t halfLateral;

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t x) const {
        float sum = 0.0F;
        Complex product;
        Complex overDepth;
        std::int64_t count = 0;
        const std::int64_t firstZ = z - halfDepth < 0 ? 0 : z - halfDepth;
        const std::int64_t firstX = x - halfLateral < 0 ? 0 : x - halfLateral;
        for (std::int64_t i = firstZ; i <= z + halfDepth && i < depths; ++i) {
            for (std::int64_t k = firstX; k <= x + halfLateral && k < laterals; ++k) {
                sum += power[i * laterals + k];
                product = product + lag[i * laterals + k];
                if (axial != nullptr) overDepth = overDepth + axial[i * laterals + k];
                ++count;
            }
        }
        const std::int64_t at = z * laterals + x;
        amplitude[at] = sqrtf(sum / static_cast<float>(count));
        meanLag[at] = sum > 0.0F ? (1.0F / sum) * product : Complex{};
        if (axial != nullptr) meanAxial[at] = overDepth;
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

/// Of images whose depths are `depthStepM` apart.
inline MeanFrequency meanFrequency(double depthStepM, double frequencyHz, double soundSpeedMps) {
    const double expected = 4.0 * std::numbers::pi * depthStepM * frequencyHz / soundSpeedMps;
    return {{static_cast<float>(std::cos(expected)), static_cast<float>(-std::sin(expected))},
            static_cast<float>(1.0 / expected)};
}

struct FlowOutputs {
    const float* amplitude;
    const Complex* lag;
    const Complex* axial; ///< null: the frequency is the parameter
    const float* maximum;
    float* velocity; ///< null: nobody reads it; likewise the others
    float* copiedAmplitude;
    float* spread;
    MeanFrequency frequency;
    float perRadian;
    float baseline;  ///< in radians
    float threshold; ///< of the maximum
    float mostSpread;

    ECHOLUX_HD void operator()(std::int64_t p) const {
        const Complex mean = lag[p];
        const float rest = fmaxf(0.0F, fminf(1.0F, 1.0F - sqrtf(norm(mean))));
        const bool flows =
            amplitude[p] >= threshold * *maximum && amplitude[p] > 0.0F && rest <= mostSpread;
        if (velocity != nullptr) velocity[p] = flows ? velocityOf(p) : 0.0F;
        if (copiedAmplitude != nullptr) copiedAmplitude[p] = amplitude[p];
        if (spread != nullptr) spread[p] = rest;
    }

private:
    ECHOLUX_HD float velocityOf(std::int64_t p) const {
        const Complex beside = lag[p] * Complex{cosf(baseline), -sinf(baseline)};
        const float turned = baseline + atan2f(beside.im, beside.re);
        return perRadian * turned / (axial != nullptr ? frequency(axial[p]) : 1.0F);
    }
};

} // namespace echolux::flow
