// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels of the stage `scan_conversion`, where the formulas stand. Include it only from .cu files.
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/image/mixed_samples.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace echolux::sectors {

/// Whether a fractional row lies among the rows of the image, with a margin so that rounding does
/// not cut off the first and the last.
struct RowsHeld {
    static constexpr float kEdge = 1e-3F;
    float last;

    ECHOLUX_HD bool operator()(float row) const { return row >= -kEdge && row <= last + kEdge; }
};

/// Centres of square pixels.
struct PixelPlaces {
    std::int64_t width;
    float left, top, pixel;

    ECHOLUX_HD float x(std::int64_t i) const {
        return fmaf(static_cast<float>(i % width), pixel, left);
    }
    ECHOLUX_HD float z(std::int64_t i) const {
        return fmaf(static_cast<float>(i / width), pixel, top);
    }
};

template <class Rule> struct FromApex {
    mixed::MixedSamples<Rule> beams;
    PixelPlaces places;
    float* out;
    const float* angle; ///< [columns of beams], rising
    float first, last;  ///< angles between which the lines lie; first >= -pi
    float apexX, apexZ;
    float nearest, perRow; ///< distance of row 0 from the apex; 1 / distance of rows
    RowsHeld holds;

    static constexpr float kAngle = 1e-5F; // rad

    /// Fractional line number. The angle lies between the first and the last line.
    ECHOLUX_HD float lineAt(float a) const {
        int low = 0;
        int high = beams.columns - 1;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (angle[middle] <= a) {
                low = middle;
            } else {
                high = middle;
            }
        }
        const float gap = angle[high] - angle[low];
        return static_cast<float>(low) + (gap > 0.0F ? (a - angle[low]) / gap : 0.0F);
    }

    /// A turn further where that is needed to come behind the first line.
    ECHOLUX_HD float turned(float a) const {
        constexpr float kTurn = 2.0F * std::numbers::pi_v<float>;
        return a < first - kAngle ? a + kTurn : a;
    }

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float dx = places.x(i) - apexX;
        const float dz = places.z(i) - apexZ;
        const float distance = sqrtf(fmaf(dx, dx, dz * dz));
        float row = (distance - nearest) * perRow;
        float a = turned(atan2f(dx, dz));
        if (nearest < 0.0F) { // the lines meet in the apex: first the part before it
            const float before = (-distance - nearest) * perRow;
            const float opposite = turned(atan2f(-dx, -dz));
            if (holds(before) && opposite <= last + kAngle) {
                row = before;
                a = opposite;
            }
        }
        const bool inside = holds(row) && a <= last + kAngle;
        out[i] = inside ? beams.between(row, lineAt(a)) : mixed::noValue();
    }
};

/// A line with a start of its own.
struct OwnLine {
    float x, z;
    float sine, cosine;

    /// How far a place lies to the right of the line.
    ECHOLUX_HD float beside(float atX, float atZ) const {
        return fmaf(atX - x, cosine, -(atZ - z) * sine);
    }
};

template <class Rule> struct FromOwnLines {
    mixed::MixedSamples<Rule> beams;
    PixelPlaces places;
    float* out;
    const OwnLine* line; ///< [lines], each to the right of the previous ones
    float firstRange, perRow;
    RowsHeld holds;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float x = places.x(i);
        const float z = places.z(i);
        int low = 0;
        int high = beams.columns - 1;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (line[middle].beside(x, z) >= 0.0F) {
                low = middle;
            } else {
                high = middle;
            }
        }
        const OwnLine a = line[low];
        const OwnLine b = line[high];
        const float besideA = a.beside(x, z);
        const float gap = besideA - b.beside(x, z);
        const float u = gap > 0.0F ? besideA / gap : 0.0F;
        const float dx = x - fmaf(u, b.x - a.x, a.x);
        const float dz = z - fmaf(u, b.z - a.z, a.z);
        const float sine = fmaf(u, b.sine - a.sine, a.sine);
        const float cosine = fmaf(u, b.cosine - a.cosine, a.cosine);
        const float range = fmaf(dx, sine, dz * cosine) / sqrtf(fmaf(sine, sine, cosine * cosine));
        const float row = (range - firstRange) * perRow;
        constexpr float kEdge = RowsHeld::kEdge;
        const bool inside = holds(row) && gap > 0.0F && u >= -kEdge && u <= 1.0F + kEdge;
        out[i] = inside ? beams.between(row, static_cast<float>(low) + u) : mixed::noValue();
    }
};

} // namespace echolux::sectors
