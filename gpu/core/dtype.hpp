// SPDX-License-Identifier: GPL-3.0-or-later
// Sample types that recordings and stages exchange.
#pragma once

#include <cstddef>
#include <string_view>

namespace echolux {

enum class DType {
    U8,         ///< unsigned 8 bit
    I16,        ///< signed 16 bit
    U16,        ///< unsigned 16 bit
    Packed12,   ///< unsigned 12 bit, two samples in three bytes, low nibble of byte 1 to sample 0
    F32,        ///< IEEE single
    ComplexI16, ///< (I, Q) pair of signed 16 bit
    ComplexF32, ///< (re, im) pair of IEEE single
};

/// Bytes that `count` consecutive samples take (Packed12 rounds up to whole bytes).
std::size_t bytesOf(DType type, std::size_t count);
std::string_view
nameOf(DType type); ///< "u8", "i16", "u16", "packed12", "f32", "complex_i16", "complex_f32"
bool isComplex(DType type);

} // namespace echolux
