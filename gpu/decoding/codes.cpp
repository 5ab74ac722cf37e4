// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/decoding/codes.hpp"

#include <bit>

namespace echolux::decoding {
namespace {

bool isNegative(std::size_t row, std::size_t column) {
    return std::popcount(row & column) % 2 == 1;
}

template <class Entry> CodeMatrix square(std::size_t size, const Entry& entry) {
    CodeMatrix matrix{size, size, {}};
    for (std::size_t row = 0; row < size; ++row)
        for (std::size_t column = 0; column < size; ++column)
            matrix.values.push_back(entry(row, column));
    return matrix;
}

} // namespace

bool hasHadamard(std::size_t size) { return std::has_single_bit(size); }

CodeMatrix hadamard(std::size_t size) {
    return square(size, [](std::size_t row, std::size_t column) {
        return isNegative(row, column) ? -1.0 : 1.0;
    });
}

bool hasSMatrix(std::size_t size) { return size > 0 && std::has_single_bit(size + 1); }

CodeMatrix sMatrix(std::size_t size) {
    return square(size, [](std::size_t row, std::size_t column) {
        return isNegative(row + 1, column + 1) ? 1.0 : 0.0;
    });
}

} // namespace echolux::decoding
