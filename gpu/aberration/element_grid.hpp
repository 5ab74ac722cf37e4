// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements are neighbours: an array as a dense grid of places.
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

/// Throws Error, a sentence, where the elements of an array that is no line stand on no grid, as
/// those of a row-column array.
ElementGrid elementGrid(const Probe& probe);
/// Of a cube of aligned channels.
ElementGrid denseGrid(std::int32_t rows, std::int32_t columns);

/// `values` (one per element) less their mean and their least-squares plane over the grid, which
/// move an image and do not blur it. `weights`: per element, empty = all alike.
std::vector<double> withoutPistonAndTilt(const ElementGrid& grid, std::span<const double> values,
                                         std::span<const double> weights = {});
/// Root of the mean square; 0 of none.
double rootMeanSquare(std::span<const double> values);

} // namespace echolux::aberration
