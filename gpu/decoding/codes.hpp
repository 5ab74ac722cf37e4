// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices of codes: a row per transmit, a column per element.
#pragma once

#include <cstddef>
#include <vector>

namespace echolux::decoding {

/// Row-major.
struct CodeMatrix {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<double> values;

    double& at(std::size_t row, std::size_t column) { return values[row * columns + column]; }
    double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
    bool operator==(const CodeMatrix&) const = default;
};

/// Whether `size` has a Hadamard matrix of Sylvester's kind: a power of two.
bool hasHadamard(std::size_t size);
/// Sylvester's: +1 where `row` and `column` share an even number of binary ones, else -1.
CodeMatrix hadamard(std::size_t size);

/// Whether `size` + 1 is a power of two, and `size` at least 1.
bool hasSMatrix(std::size_t size);
/// The Hadamard matrix of `size` + 1 without its first row and column: 1 where that has -1, else 0
/// (Harwit and Sloane, Hadamard Transform Optics, 1979).
CodeMatrix sMatrix(std::size_t size);

} // namespace echolux::decoding
