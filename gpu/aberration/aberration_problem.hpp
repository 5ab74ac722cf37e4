// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes and arrays of one estimate, as arguments of kernels.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/portable.hpp"

#include <cstdint>

namespace echolux::aberration {

constexpr int kMostRadius = 3;     ///< neighbours on each side, in a grid of elements
constexpr int kMostLineRadius = 7; ///< neighbours on each side, in a line of elements
constexpr int kMostOffsets = 24;   ///< each pair of neighbours counts once, so this is half of all
                                   ///< neighbours
constexpr int kMostModes = 24;     ///< modes per axis of the solver's preconditioner
constexpr int kPartPlaces = 8;     ///< neighbouring places in one part of the aperture
constexpr float kFloor = 1e-5F;    ///< Herikstad's floor, for data whose maximum is 1

/// The step from an element to a neighbour.
struct Offset {
    std::int32_t row = 0;
    std::int32_t column = 0;
};

/// A sum over some places for one point and bin.
struct BeamSum {
    Complex beam;        ///< sum over k of conj(S_k) / |S_k| Y_k
    float energy = 0.0F; ///< sum over k of |Y_k|^2
    float heard = 0.0F;  ///< number of elements that are not silent
};

/// All data of an estimate. The arrays are in compute memory.
struct Problem {
    std::int32_t rows = 1;
    std::int32_t columns = 0;
    std::int32_t points = 0;
    std::int32_t bins = 0;
    std::int32_t offsets = 0;
    Offset offset[kMostOffsets] = {};
    std::int32_t kernelPlaces = 1;    ///< places of the whole kernel, its centre included
    bool published = false;           ///< all points have the same weight, and the coherence has
                                      ///< Herikstad's floor
    bool iterated = false;            ///< `cross` becomes |W| R once the coherence is known
    const float* binHz = nullptr;     ///< [bins]
    const Complex* spectra = nullptr; ///< [place][point][bin]
    float* loudness = nullptr;        ///< mean energy of an element in a bin; 1 for iterated
                                      ///< methods
    float* weight = nullptr;          ///< [point] weight for the whole aperture
    float* partWeight = nullptr;      ///< [part][point] weight for the elements of a part
    float* share = nullptr;           ///< [point] weight for amplitudes, 0 to 1
    float* evened = nullptr;          ///< [point] `share` over the mean energy of the elements that
                                      ///< heard the point
    BeamSum* sum = nullptr;           ///< [point][bin]
    BeamSum* part = nullptr;          ///< [part][point][bin]
    Complex* cross = nullptr;         ///< [offset][place] R of the place with its neighbour at
                                      ///< +offset
    float* power = nullptr;           ///< [place]
    float* alike = nullptr;           ///< [place] effective number of points: the number of points
                                      ///< of equal weight that would count the same
    float* level = nullptr;           ///< [place] mean energy relative to that of all elements that
                                      ///< heard the same points
    float* listened = nullptr;        ///< [place] sum of `share` over the points that the element
                                      ///< heard
    float* coherence = nullptr;       ///< [offset][place] |W|
    Complex* filter = nullptr;        ///< [place] S

    ECHOLUX_HD std::int32_t places() const { return rows * columns; }
    /// Number of parts in a row; all parts have about the same length.
    ECHOLUX_HD std::int32_t partsOfRow() const {
        const std::int32_t parts = (columns + kPartPlaces / 2) / kPartPlaces;
        return parts > 1 ? parts : 1;
    }
    ECHOLUX_HD std::int32_t parts() const { return rows * partsOfRow(); }
    /// First place of part number `i`. For i = parts() it is the end of all places.
    ECHOLUX_HD std::int32_t beginOf(std::int32_t i) const {
        const std::int32_t row = i / partsOfRow();
        return row * columns + (i - row * partsOfRow()) * columns / partsOfRow();
    }
    ECHOLUX_HD std::int32_t partOf(std::int32_t place) const {
        const std::int32_t row = place / columns;
        const std::int32_t column = place - row * columns;
        return row * partsOfRow() + ((column + 1) * partsOfRow() - 1) / columns;
    }
    ECHOLUX_HD std::int64_t perPlace() const { return static_cast<std::int64_t>(points) * bins; }
    /// The place at `sign` times the offset `by` from `place`; -1 outside the grid.
    ECHOLUX_HD std::int32_t neighbour(std::int32_t place, Offset by, int sign) const {
        const std::int32_t row = place / columns + sign * by.row;
        const std::int32_t column = place % columns + sign * by.column;
        const bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
        return inside ? row * columns + column : -1;
    }
    /// Calls visit(pair, neighbour, sign) for the neighbours of `place` at every step-th offset
    /// from `first` on. With sign -1 the pair is stored at the neighbour. Needs one division for
    /// all neighbours.
    template <class Visit>
    ECHOLUX_HD void neighbours(int place, int first, int step, const Visit& visit) const {
        const int row = place / columns;
        const int column = place - row * columns;
        for (int o = first; o < offsets; o += step) {
            const Offset by = offset[o];
            const int away = by.row * columns + by.column;
            const int behind = column + by.column;
            if (row + by.row < rows && behind >= 0 && behind < columns)
                visit(o * places() + place, place + away, 1);
            const int before = column - by.column;
            if (row - by.row >= 0 && before >= 0 && before < columns)
                visit(o * places() + place - away, place - away, -1);
        }
    }
    ECHOLUX_HD std::int64_t at(int o, std::int32_t place) const {
        return static_cast<std::int64_t>(o) * places() + place;
    }
};

} // namespace echolux::aberration
