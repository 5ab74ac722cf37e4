// SPDX-License-Identifier: GPL-3.0-or-later
// Probes by their design: linear, curved, matrix and row-column arrays.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <cstdint>

namespace echolux {

/// What all elements have in common. A height of 0 means unknown: the array then images one plane.
struct ElementDesign {
    double pitchM = 0.3e-3;
    double widthM = 0.27e-3;
    double heightM = 0.0;
    double elevationFocusM = 0.0; ///< 0: no lens
};

/// x = (i - (n - 1) / 2) pitch.
Probe linearProbe(std::int64_t elements, const ElementDesign& design);

/// Elements on an arc of `radiusM` about (0, 0, -radiusM cos(edge)), with the outermost elements at
/// z = 0. Neighbours are one pitch apart along their chord. Throws Error that names the command's
/// options where the arc would be longer than a half circle.
Probe curvedProbe(std::int64_t elements, double radiusM, const ElementDesign& design);
/// The same arc seen from its other side: it opens towards the tissue, and all elements face its
/// centre (0, 0, radiusM cos(edge)).
Probe concaveProbe(std::int64_t elements, double radiusM, const ElementDesign& design);

/// Columns along x, rows along y. After every `rowsPerBlock` rows there is a gap, because arrays
/// are made of blocks with dead rows between them.
struct MatrixDesign {
    std::int64_t columns = 16;
    std::int64_t rows = 16;
    double pitchYM = 0.3e-3;
    std::int64_t rowsPerBlock = 0; ///< 0: no gaps
    double gapM = 0.0;
};
/// Element [row][column], centred; `design.heightM` is along y.
Probe matrixProbe(const MatrixDesign& matrix, const ElementDesign& design);

/// First `lines` columns, which extend along y and are one pitch apart in x; then `lines` rows,
/// which extend along x.
Probe rowColumnProbe(std::int64_t lines, const ElementDesign& design);

} // namespace echolux
