// SPDX-License-Identifier: GPL-3.0-or-later
// An array as a dense grid of places, which tells which elements are neighbours.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux::aberration {

/// Rows lie along y, columns along x. Linear, curved and phased arrays are one row; a matrix array
/// with gaps has places without an element.
struct ElementGrid {
    std::int32_t rows = 1;
    std::int32_t columns = 0;
    std::vector<std::int32_t> placeOf = {}; ///< of each element: row * columns + column

    std::int32_t places() const { return rows * columns; }
    std::size_t elements() const { return placeOf.size(); }
    bool isLine() const { return rows == 1; }
};

/// Throws Error, a sentence, where the elements are neither a line nor a grid, as in a row-column
/// array.
ElementGrid elementGrid(const Probe& probe);
/// The grid of a cube of aligned channels.
ElementGrid denseGrid(std::int32_t rows, std::int32_t columns);

/// `values` (one per element) minus their mean and minus their least-squares plane over the grid.
/// Mean and plane move an image but do not blur it. `weights` are per element; empty: all alike.
std::vector<double> withoutPistonAndTilt(const ElementGrid& grid, std::span<const double> values,
                                         std::span<const double> weights = {});
/// Root of the mean square; 0 where there are no values.
double rootMeanSquare(std::span<const double> values);

} // namespace echolux::aberration
