// SPDX-License-Identifier: GPL-3.0-or-later
// The pseudo-inverse of a real matrix.
#pragma once

#include "gpu/decoding/codes.hpp"

namespace echolux::decoding {

struct PseudoInverse {
    CodeMatrix matrix; ///< [columns][rows] of the given one
    /// The largest singular value over the smallest; infinite where columns depend on each other.
    double condition = 1.0;
};

/// Of a matrix with at least as many rows as columns, by one-sided Jacobi rotations (Hestenes
/// 1958). A matrix without a finite condition number has no inverse; `matrix` is then empty. The
/// latest one is remembered, because a stage is planned again with each step of a slider.
PseudoInverse pseudoInverse(const CodeMatrix& of);

} // namespace echolux::decoding
