// SPDX-License-Identifier: GPL-3.0-or-later
// Determines the kind of array from the places of a probe's elements.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

enum class ArrayShape {
    Linear,    ///< on a straight line along x
    Phased,    ///< like Linear, with a pitch of at most 0.6 wavelengths, so it can steer far
    Curved,    ///< on an arc in the x-z plane
    Matrix,    ///< on a grid; some of its places may be empty
    RowColumn, ///< long lines along x and along y
    Other,
};
std::string_view nameOf(ArrayShape shape); ///< "linear", "phased", "curved", "row-column", ...

struct ArrayKind {
    ArrayShape shape = ArrayShape::Other;
    std::size_t elements = 0;
    std::size_t columns = 0; ///< Matrix: places along x; RowColumn: lines that extend along y
    std::size_t rows = 0;    ///< Matrix: places along y; RowColumn: lines that extend along x
    double radiusM = 0.0;    ///< Curved
};

ArrayKind arrayKindOf(const Probe& probe, double soundSpeedMps);

/// The long axes of a row-column array that a file describes without a word for them: its elements
/// stand in two rows that cross at right angles, along x and along y, and are at least half as high
/// (Probe::elementHeightM) as these rows are long. Empty for other arrays.
std::vector<LongAxis> crossedLines(const Probe& probe);

/// "linear array, 128 elements", "curved array, 96 elements, radius 60 mm",
/// "matrix array, 32 x 32 elements", "row-column array, 64 + 64 lines".
std::string describe(const ArrayKind& kind);

} // namespace echolux
