// SPDX-License-Identifier: GPL-3.0-or-later
// The place of a spot between pixels, from the pixels around its brightest one. Three methods:
//
//   weighted average   c = sum(w p) / sum(w), w = a^2 minus the least a^2 of the window. Power in
//                      place of amplitude a makes noise around the spot count less
//   radial symmetry    the point from which the lines along the gradients pass at the least
//                      distances: R. Parthasarathy, Rapid, accurate particle tracking by
//                      calculation of radial symmetry centers, Nature Methods 9, 2012. Gradients
//                      lie between four pixels and are smoothed over 3 x 3 of them; a line counts
//                      |g|^2 / distance from the centroid of |g|^2, as there
//   Gaussian           log a = c0 + c1 z + c2 x + c3 z^2 + c4 x^2 by least squares with the weights
//                      a^2, over the 3 x 3 pixels in the middle and those above a tenth of the
//                      peak: H. Guo, A simple algorithm for fitting a Gaussian function, IEEE
//                      Signal Processing Magazine 28(5), 2011
//
// Coordinates count from the brightest pixel in units of the window's half height and half width,
// so that the window is square. NOTE: radial symmetry has no bias only for spots that are round in
// these units. Where the image's border cuts the window, the weighted average is biased inwards.
#pragma once

#include "gpu/core/portable.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::flow {

enum class SpotMethod { WeightedAverage, RadialSymmetry, Gaussian };

/// From the brightest pixel, in pixels.
struct SpotOffset {
    float depth = 0.0F;
    float lateral = 0.0F;
};

/// An amplitude as it counts: neither NaN, infinite nor negative.
ECHOLUX_HD inline float soundAmplitude(float value) {
    return std::isfinite(value) && value > 0.0F ? value : 0.0F;
}

/// The part of a window that lies in the image. The centre is the brightest pixel, above 0.
struct SpotWindow {
    const float* image;
    std::int64_t laterals;
    std::int64_t z; ///< of the centre
    std::int64_t x;
    int firstZ; ///< first and last row and column, from the centre
    int lastZ;
    int firstX;
    int lastX;
    int depthRadius;
    int lateralRadius;

    ECHOLUX_HD static SpotWindow at(const float* image, std::int64_t depths, std::int64_t laterals,
                                    std::int64_t pixel, int depthRadius, int lateralRadius) {
        const std::int64_t z = pixel / laterals;
        const std::int64_t x = pixel % laterals;
        const auto before = [](int radius, std::int64_t room) {
            return room < radius ? static_cast<int>(room) : radius;
        };
        return {image,
                laterals,
                z,
                x,
                -before(depthRadius, z),
                before(depthRadius, depths - 1 - z),
                -before(lateralRadius, x),
                before(lateralRadius, laterals - 1 - x),
                depthRadius,
                lateralRadius};
    }

    ECHOLUX_HD float amplitude(int dz, int dx) const {
        return soundAmplitude(image[(z + dz) * laterals + x + dx]);
    }
    /// Relative to the brightest pixel, so that no sum overflows.
    ECHOLUX_HD float at(int dz, int dx) const { return amplitude(dz, dx) / amplitude(0, 0); }
    ECHOLUX_HD float unitZ() const { return 1.0F / static_cast<float>(depthRadius); }
    ECHOLUX_HD float unitX() const { return 1.0F / static_cast<float>(lateralRadius); }
    ECHOLUX_HD bool isThin() const { return lastZ - firstZ < 2 || lastX - firstX < 2; }

    ECHOLUX_HD float power(int dz, int dx) const { return at(dz, dx) * at(dz, dx); }
    ECHOLUX_HD float leastPower() const {
        float value = 1.0F;
        for (int dz = firstZ; dz <= lastZ; ++dz)
            for (int dx = firstX; dx <= lastX; ++dx) value = fminf(value, power(dz, dx));
        return value;
    }
};

ECHOLUX_HD inline SpotOffset weightedAverage(const SpotWindow& window) {
    const float floor = window.leastPower();
    float sum = 0.0F;
    SpotOffset moment;
    for (int dz = window.firstZ; dz <= window.lastZ; ++dz) {
        for (int dx = window.firstX; dx <= window.lastX; ++dx) {
            const float weight = window.power(dz, dx) - floor;
            sum += weight;
            moment.depth += weight * static_cast<float>(dz);
            moment.lateral += weight * static_cast<float>(dx);
        }
    }
    return {moment.depth / sum, moment.lateral / sum};
}

/// A gradient in the units of the window.
struct SpotGradient {
    float z = 0.0F;
    float x = 0.0F;
    ECHOLUX_HD float square() const { return z * z + x * x; }
};

/// Between the pixels (dz, dx) and (dz + 1, dx + 1), smoothed; beyond the window it is 0.
ECHOLUX_HD inline SpotGradient smoothGradient(const SpotWindow& window, int dz, int dx) {
    SpotGradient sum;
    for (int i = dz - 1; i <= dz + 1; ++i) {
        for (int k = dx - 1; k <= dx + 1; ++k) {
            if (i < window.firstZ || i >= window.lastZ || k < window.firstX || k >= window.lastX)
                continue;
            const float along = window.at(i + 1, k + 1) - window.at(i, k);
            const float against = window.at(i + 1, k) - window.at(i, k + 1);
            sum.z += along + against;
            sum.x += along - against;
        }
    }
    return {sum.z * static_cast<float>(window.depthRadius),
            sum.x * static_cast<float>(window.lateralRadius)};
}

ECHOLUX_HD inline SpotOffset radialSymmetry(const SpotWindow& window) {
    if (window.isThin()) return {};
    constexpr float kHalf = 0.5F;     // the middle of four pixels
    constexpr float kNearest = 0.01F; // a line through the centroid itself counts no more
    float sum = 0.0F;
    float centreZ = 0.0F;
    float centreX = 0.0F;
    for (int dz = window.firstZ; dz < window.lastZ; ++dz) {
        for (int dx = window.firstX; dx < window.lastX; ++dx) {
            const float weight = smoothGradient(window, dz, dx).square();
            sum += weight;
            centreZ += weight * (static_cast<float>(dz) + kHalf) * window.unitZ();
            centreX += weight * (static_cast<float>(dx) + kHalf) * window.unitX();
        }
    }
    centreZ /= sum;
    centreX /= sum;
    // The lines through p with the normal n: sum w (n . (c - p))^2 is least.
    float zz = 0.0F;
    float zx = 0.0F;
    float xx = 0.0F;
    float rightZ = 0.0F;
    float rightX = 0.0F;
    for (int dz = window.firstZ; dz < window.lastZ; ++dz) {
        for (int dx = window.firstX; dx < window.lastX; ++dx) {
            const SpotGradient gradient = smoothGradient(window, dz, dx);
            const float z = (static_cast<float>(dz) + kHalf) * window.unitZ() - centreZ;
            const float x = (static_cast<float>(dx) + kHalf) * window.unitX() - centreX;
            const float weight = 1.0F / fmaxf(kNearest, sqrtf(z * z + x * x));
            // n = (-g.x, g.z) / |g|, and w holds |g|^2
            zz += weight * gradient.x * gradient.x;
            zx -= weight * gradient.x * gradient.z;
            xx += weight * gradient.z * gradient.z;
            const float along = gradient.z * x - gradient.x * z;
            rightZ -= weight * gradient.x * along;
            rightX += weight * gradient.z * along;
        }
    }
    const float determinant = zz * xx - zx * zx;
    return {(centreZ + (xx * rightZ - zx * rightX) / determinant) / window.unitZ(),
            (centreX + (zz * rightX - zx * rightZ) / determinant) / window.unitX()};
}

/// Solves A c = b for a symmetric positive definite A, by the Cholesky factors of A in its lower
/// half. What is singular gives values that are not finite.
template <int kSize>
ECHOLUX_HD inline void solveDefinite(float (&matrix)[kSize][kSize], float (&vector)[kSize]) {
    for (int i = 0; i < kSize; ++i) {
        for (int k = 0; k <= i; ++k) {
            float sum = matrix[i][k];
            for (int n = 0; n < k; ++n) sum -= matrix[i][n] * matrix[k][n];
            matrix[i][k] = i == k ? sqrtf(sum) : sum / matrix[k][k];
        }
        for (int n = 0; n < i; ++n) vector[i] -= matrix[i][n] * vector[n];
        vector[i] /= matrix[i][i];
    }
    for (int i = kSize - 1; i >= 0; --i) {
        for (int n = i + 1; n < kSize; ++n) vector[i] -= matrix[n][i] * vector[n];
        vector[i] /= matrix[i][i];
    }
}

ECHOLUX_HD inline SpotOffset gaussianFit(const SpotWindow& window) {
    if (window.isThin()) return {};
    constexpr int kTerms = 5;
    constexpr float kFoot = 0.2F;
    float matrix[kTerms][kTerms] = {};
    float vector[kTerms] = {};
    for (int dz = window.firstZ; dz <= window.lastZ; ++dz) {
        for (int dx = window.firstX; dx <= window.lastX; ++dx) {
            const float value = window.at(dz, dx);
            const bool isMiddle = dz >= -1 && dz <= 1 && dx >= -1 && dx <= 1;
            if (!(value > (isMiddle ? 0.0F : kFoot))) continue;
            const float z = static_cast<float>(dz) * window.unitZ();
            const float x = static_cast<float>(dx) * window.unitX();
            const float terms[kTerms] = {1.0F, z, x, z * z, x * x};
            const float weight = value * value;
            for (int i = 0; i < kTerms; ++i) {
                for (int k = 0; k <= i; ++k) matrix[i][k] += weight * terms[i] * terms[k];
                vector[i] += weight * terms[i] * logf(value);
            }
        }
    }
    solveDefinite(matrix, vector);
    // Only a peak has a place: both curvatures are negative.
    if (!(vector[3] < 0.0F && vector[4] < 0.0F)) return {};
    return {-0.5F * vector[1] / vector[3] / window.unitZ(),
            -0.5F * vector[2] / vector[4] / window.unitX()};
}

ECHOLUX_HD inline bool isWithin(float place, int first, int last) {
    constexpr float kHalf = 0.5F; // to the edges of the outer pixels
    return place >= static_cast<float>(first) - kHalf && place <= static_cast<float>(last) + kHalf;
}

/// 0 where the method finds no place within the window.
ECHOLUX_HD inline SpotOffset spotOffset(const SpotWindow& window, SpotMethod method) {
    SpotOffset found = method == SpotMethod::WeightedAverage  ? weightedAverage(window)
                       : method == SpotMethod::RadialSymmetry ? radialSymmetry(window)
                                                              : gaussianFit(window);
    // NOTE: not a number fails these comparisons, too.
    const bool inside = isWithin(found.depth, window.firstZ, window.lastZ) &&
                        isWithin(found.lateral, window.firstX, window.lastX);
    return inside ? found : SpotOffset{};
}

/// Variances of the spot about the place, in square pixels, from the weights of the weighted
/// average; twice their mean squares, which are those of the power of a Gaussian.
ECHOLUX_HD inline SpotOffset spotVariances(const SpotWindow& window, SpotOffset place) {
    const float floor = window.leastPower();
    float sum = 0.0F;
    SpotOffset squares;
    for (int dz = window.firstZ; dz <= window.lastZ; ++dz) {
        for (int dx = window.firstX; dx <= window.lastX; ++dx) {
            const float weight = window.power(dz, dx) - floor;
            const float z = static_cast<float>(dz) - place.depth;
            const float x = static_cast<float>(dx) - place.lateral;
            sum += weight;
            squares.depth += weight * z * z;
            squares.lateral += weight * x * x;
        }
    }
    return {2.0F * squares.depth / sum, 2.0F * squares.lateral / sum};
}

} // namespace echolux::flow
