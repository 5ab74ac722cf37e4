// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes and arrays of one estimate, as kernels take them.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/portable.hpp"

#include <cstdint>

namespace echolux::aberration {

constexpr int kMostRadius = 3;     ///< of a grid
constexpr int kMostLineRadius = 7; ///< of a line
constexpr int kMostOffsets = 24;   ///< half of the neighbours, each pair once
constexpr int kMostModes = 24;     ///< per axis, that the solver begins with
constexpr int kPartPlaces = 8;     ///< side by side, of which a part of the aperture consists
constexpr float kFloor = 1e-5F;    ///< Herikstad's, of data whose maximum is 1

/// From an element to a neighbour.
struct Offset {
    std::int32_t row = 0;
    std::int32_t column = 0;
};

/// Of some places, for one point and bin.
struct BeamSum {
    Complex beam;        ///< sum over k of conj(S_k) / |S_k| Y_k
    float energy = 0.0F; ///< sum over k of |Y_k|^2
    float heard = 0.0F;  ///< elements that are not silent
};

/// All that an estimate works on; the arrays lie in compute memory.
struct Problem {
    std::int32_t rows = 1;
    std::int32_t columns = 0;
    std::int32_t points = 0;
    std::int32_t bins = 0;
    std::int32_t offsets = 0;
    Offset offset[kMostOffsets] = {};
    std::int32_t kernelPlaces = 1;    ///< of the whole kernel with its centre
    bool published = false;           ///< points weigh alike and coherence has Herikstad's floor
    bool iterated = false;            ///< `cross` is |W| R once coherence is known
    const float* binHz = nullptr;     ///< [bins]
    const Complex* spectra = nullptr; ///< [place][point][bin]
    float* loudness = nullptr;        ///< mean energy of an element in a bin; iterated: 1
    float* weight = nullptr;          ///< [point] for the whole aperture
    float* partWeight = nullptr;      ///< [part][point] for the elements of a part
    float* share = nullptr;           ///< [point] by which amplitudes count, 0 to 1
    float* evened = nullptr;          ///< [point] the same over the mean energy of who heard it
    BeamSum* sum = nullptr;           ///< [point][bin]
    BeamSum* part = nullptr;          ///< [part][point][bin]
    Complex* cross = nullptr;         ///< [offset][place] R with the neighbour at +offset
    float* power = nullptr;           ///< [place]
    float* alike = nullptr;           ///< [place] points of the same weight that were as many
    float* level = nullptr;           ///< [place] mean energy against that of all who heard a point
    float* listened = nullptr;        ///< [place] sum of the shares of the points that it heard
    float* coherence = nullptr;       ///< [offset][place] |W|
    Complex* filter = nullptr;        ///< [place] S

    ECHOLUX_HD std::int32_t places() const { return rows * columns; }
    /// Each row is cut evenly.
    ECHOLUX_HD std::int32_t partsOfRow() const {
        const std::int32_t parts = (columns + kPartPlaces / 2) / kPartPlaces;
        return parts > 1 ? parts : 1;
    }
    ECHOLUX_HD std::int32_t parts() const { return rows * partsOfRow(); }
    /// First place of part number `i`; of the one after the last, the end.
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
    /// Place at `offset` from `place`, -1 outside.
    ECHOLUX_HD std::int32_t neighbour(std::int32_t place, Offset by, int sign) const {
        const std::int32_t row = place / columns + sign * by.row;
        const std::int32_t column = place % columns + sign * by.column;
        const bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
        return inside ? row * columns + column : -1;
    }
    /// Calls visit(pair, neighbour, sign) for the neighbours of `place` at every step-th offset
    /// from `first` on; sign -1: the pair is the neighbour's. One division for all of them.
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
