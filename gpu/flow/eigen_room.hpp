// SPDX-License-Identifier: GPL-3.0-or-later
// Memory in which eigenvectors are found. Include it only from .cu files.
#pragma once

#include "gpu/flow/wide_complex.hpp"

#include <cstdint>

namespace echolux::flow {

/// Compute memory for n x n: matrix and vectors of even size, rotations, order.
struct EigenRoom {
    WideComplex* matrix;   ///< [m][m] with m = evenSize(n); destroyed: its diagonal holds the
                           ///< eigenvalues
    WideComplex* vectors;  ///< [m][m], row f, column k: component f of eigenvector k
    WideComplex* rotation; ///< [m]: cosine (real) of each pair, then sine
    int* order;            ///< [m]: columns of `vectors`, largest eigenvalue first

    /// Of block number `block`, where this is that of the first one.
    ECHOLUX_HD EigenRoom of(std::int64_t block, std::int64_t m) const {
        return {matrix + block * m * m, vectors + block * m * m, rotation + block * m,
                order + block * m};
    }
};

ECHOLUX_HD inline int evenSize(int n) { return n + n % 2; }

} // namespace echolux::flow
