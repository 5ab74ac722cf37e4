// SPDX-License-Identifier: GPL-3.0-or-later
// Places, delays and apertures of `beamform`, for host and device. Every product that is added is
// an explicit fma, so that host and device round in the same way. Lengths in m.
#pragma once

#include "gpu/beamform/beamform_phasor.hpp"
#include "gpu/core/portable.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::das {

struct Place {
    float x = 0.0F;
    float y = 0.0F;
    float z = 0.0F;
    float range = 0.0F;         ///< along the beam, for a place on a beam
    float beamX = 0.0F;         ///< x at the begin of the beam, for a place on a beam
    std::int32_t transmit = -1; ///< number in the frame of the only transmit that images it; -1:
                                ///< all transmits do
    float ahead = 0.0F;         ///< as in Beam
};

/// A line of a beam grid: (x, y, z) = start + range (sine, 0, cosine).
struct Beam {
    float x = 0.0F;
    float z = 0.0F;
    float sine = 0.0F;
    float cosine = 1.0F;
    std::int32_t transmit = -1; ///< as in Place
    float ahead = 0.0F;         ///< path of its transmit's wave at its begin, beyond beamPath
    float weight = 1.0F;        ///< with which the transmit counts, where beams are blended
};

/// Numbers of a pixel along the axes of a grid.
struct Voxel {
    std::int32_t column = 0;
    std::int32_t row = 0;
    std::int32_t slice = 0;
};

/// Pixel (slice, row, column) lies at (x0 + column dx, y0 + slice dy, z0 + row dz), or, on a beam
/// grid, at range z0 + row dz of beam[column].
struct Grid {
    std::int32_t lateral = 0;
    std::int32_t depth = 0;
    float x0 = 0.0F;
    float dx = 0.0F;
    float z0 = 0.0F;
    float dz = 0.0F;
    std::int32_t elevation = 1;
    float y0 = 0.0F;
    float dy = 0.0F;
    const Beam* beam = nullptr; ///< [lateral]; null: pixels are Cartesian

    ECHOLUX_HD float x(int column) const { return std::fma(static_cast<float>(column), dx, x0); }
    ECHOLUX_HD float y(int slice) const { return std::fma(static_cast<float>(slice), dy, y0); }
    ECHOLUX_HD float z(int row) const { return std::fma(static_cast<float>(row), dz, z0); }
    ECHOLUX_HD std::int64_t pixels() const {
        return static_cast<std::int64_t>(lateral) * depth * elevation;
    }
    ECHOLUX_HD Place at(int column, int row, int slice) const {
        if (beam == nullptr) return {x(column), y(slice), z(row)};
        return on(beam[column], row, slice);
    }
    ECHOLUX_HD Place on(const Beam& b, int row, int slice) const {
        const float range = z(row);
        return {std::fma(range, b.sine, b.x),
                y(slice),
                std::fma(range, b.cosine, b.z),
                range,
                b.x,
                b.transmit,
                b.ahead};
    }
    ECHOLUX_HD Place at(const Voxel& v) const { return at(v.column, v.row, v.slice); }
    ECHOLUX_HD Voxel voxel(std::int64_t pixel) const {
        const std::int64_t line = pixel / lateral;
        return {static_cast<std::int32_t>(pixel % lateral), static_cast<std::int32_t>(line % depth),
                static_cast<std::int32_t>(line / depth)};
    }
    ECHOLUX_HD std::int64_t pixel(const Voxel& v) const {
        return (std::int64_t{v.slice} * depth + v.row) * lateral + v.column;
    }
    ECHOLUX_HD Place at(std::int64_t pixel) const { return at(voxel(pixel)); }
};

/// Where the delay of a pixel is in a table. A table lacks the axes along which its delays do not
/// change: then the step is 0.
struct TableSteps {
    std::int64_t begin = 0;
    std::int64_t perSlice = 0;
    std::int32_t perRow = 1;
    std::int32_t perColumn = 0;

    ECHOLUX_HD std::int64_t at(const Voxel& v) const {
        return begin + v.slice * perSlice + std::int64_t{v.row} * perRow +
               std::int64_t{v.column} * perColumn;
    }
    /// True for the first of the pixels that share an entry.
    ECHOLUX_HD bool isFirst(const Voxel& v) const {
        return (perColumn > 0 || v.column == 0) && (perSlice > 0 || v.slice == 0);
    }
};

struct Element {
    float x = 0.0F;
    float y = 0.0F;
    float z = 0.0F;
};

/// The direction that an element faces, and which coordinates count in the distance to it: 0 along
/// a long element, else 1.
struct Face {
    float normalX = 0.0F;
    float normalY = 0.0F;
    float normalZ = 1.0F;
    float countsX = 1.0F;
    float countsY = 1.0F;
};

/// Transmit path to a pixel p. Plane: p . direction. Otherwise, with source s: pathOffset + |p -
/// s|; for a focused wave fromSource() in place of |p - s|. On a beam that only this transmit
/// images: beamPath + ahead + range. The sample index that belongs to a path is path *
/// indexPerMetre + indexOffset.
struct TransmitConstants {
    bool plane = true;
    bool focused = false;
    float directionX = 0.0F; ///< direction of a plane wave; else unit vector from the origin to the
                             ///< source, of a focused wave from the begin of its beam
    float directionZ = 1.0F;
    float sourceX = 0.0F;
    float sourceZ = 0.0F;
    float pathOffset = 0.0F;
    float indexOffset = 0.0F; ///< (t0 offset - time of sample 0) * fs
    float phaseCycles = 0.0F; ///< fd * (time of sample 0 - iqPhaseZero), whole cycles removed
    std::int32_t line = 0;    ///< number of the transmit in the frame
    float directionY = 0.0F;
    float sourceY = 0.0F;
    float beamPath = 0.0F; ///< path at the begin of the beam
    float countsX = 1.0F;  ///< 0: the wave comes from lines along x, so x does not count; else 1
    float countsY = 1.0F;
    float flat = 0.0F; ///< m before and behind a focus where the wave is rather plane
};

ECHOLUX_HD inline float hypotenuse(float a, float b) { return std::sqrt(std::fma(a, a, b * b)); }
ECHOLUX_HD inline float hypotenuse(float a, float b, float c) {
    return std::sqrt(std::fma(c, c, std::fma(a, a, b * b)));
}

/// Signed distance of (u, z) from a line in the plane of one lateral coordinate u and depth.
struct Edge {
    float u = 0.0F;
    float z = 0.0F;
    float offset = 1.0F;

    ECHOLUX_HD float distance(float lateral, float depth) const {
        return std::fma(u, lateral, std::fma(z, depth, offset));
    }
};

/// How wide a wave is where the edges of its aperture meet. m
struct Waist {
    float half = 0.0F;   ///< on each side of its middle
    bool isBeam = false; ///< of a focused wave, which is a Gaussian beam with this waist
};

/// The region of a transmitted wave: between the two edges of its aperture, along the wave, in x
/// and in y. Beyond a focus the edges have changed sides. In the focus they meet, but the region
/// is never thinner than its waist.
struct Shadow {
    static constexpr float kFaded = 3.0F; ///< a beam ends where its amplitude is exp(-kFaded)

    Edge x[2];
    Edge y[2];
    Waist waistX;
    Waist waistY;

    /// 1 inside and 0 outside; of a beam its amplitude. Far from its focus a beam is as wide as its
    /// edges are apart.
    ECHOLUX_HD static float between(const Edge (&edges)[2], float lateral, float depth,
                                    const Waist& waist) {
        const float a = edges[0].distance(lateral, depth);
        const float b = edges[1].distance(lateral, depth);
        const float half = 0.5F * std::fabs(a + b);
        const float aside = 0.5F * std::fabs(a - b);
        if (!waist.isBeam) return a * b >= 0.0F || aside <= waist.half ? 1.0F : 0.0F;
        const float width = hypotenuse(half, waist.half);
        const float out = aside / width;
        const float faded = out * out;
        return faded <= kFaded ? std::sqrt(waist.half / width) * std::exp(-faded) : 0.0F;
    }
    ECHOLUX_HD float at(const Place& p) const {
        return between(x, p.x, p.z, waistX) * between(y, p.y, p.z, waistY);
    }
};

/// A product that is rounded by itself and not fused with a following sum. On the host this holds
/// in .cu files, which are compiled without contraction.
ECHOLUX_HD inline float product(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

/// The path of a wave of a source to a place at `distance` from it, `along` of it along the beam.
/// Round its focus a focused wave is a Gaussian beam. This is the wave of a source at a complex
/// place (Deschamps, Electronics Letters 7(23), 1971): the distance is the square root of
/// distance^2 - flat^2 + 2 j along flat, and the path is its real part. Far from the focus that is
/// the distance, negative before the focus; on the beam it is `along`.
ECHOLUX_HD inline float fromSource(const TransmitConstants& t, float along, float distance) {
    if (!t.focused) return distance;
    if (t.flat == 0.0F) return along < 0.0F ? -distance : distance;
    const float re = std::fma(distance, distance, -(t.flat * t.flat));
    const float im = 2.0F * along * t.flat;
    const float length = hypotenuse(re, im);
    if (re < 0.0F) return along * t.flat / std::sqrt(0.5F * (length - re));
    return std::copysign(std::sqrt(0.5F * (length + re)), along);
}

/// For places in the plane y = 0, where the array lies, too.
ECHOLUX_HD inline float transmitIndex(const TransmitConstants& t, float indexPerMetre, float x,
                                      float z) {
    float path = 0.0F;
    if (t.plane) {
        path = std::fma(z, t.directionZ, x * t.directionX);
    } else {
        const float dx = x - t.sourceX;
        const float dz = z - t.sourceZ;
        const float distance = hypotenuse(dx, dz);
        const float along = std::fma(dx, t.directionX, dz * t.directionZ);
        path = t.pathOffset + fromSource(t, along, distance);
    }
    return std::fma(path, indexPerMetre, t.indexOffset);
}

/// For places anywhere. In the plane y = 0 it gives the same numbers as the function above.
ECHOLUX_HD inline float transmitIndex(const TransmitConstants& t, float indexPerMetre,
                                      const Place& p) {
    float path = 0.0F;
    if (p.transmit >= 0) {
        path = t.beamPath + p.ahead + p.range;
    } else if (t.plane) {
        path = std::fma(p.y, t.directionY, std::fma(p.z, t.directionZ, p.x * t.directionX));
    } else {
        const float dx = (p.x - t.sourceX) * t.countsX;
        const float dy = (p.y - t.sourceY) * t.countsY;
        const float dz = p.z - t.sourceZ;
        const float distance = hypotenuse(dx, dz, dy);
        const float along =
            std::fma(dy, t.directionY, std::fma(dx, t.directionX, dz * t.directionZ));
        path = t.pathOffset + fromSource(t, along, distance);
    }
    return std::fma(path, indexPerMetre, t.indexOffset);
}

} // namespace echolux::das
