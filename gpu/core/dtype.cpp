// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes and names of the sample types.
#include "gpu/core/dtype.hpp"

namespace echolux {

std::size_t bytesOf(DType type, std::size_t count) {
    switch (type) {
    case DType::U8: return count;
    case DType::I16:
    case DType::U16: return 2 * count;
    case DType::Packed12: return (3 * count + 1) / 2;
    case DType::F32:
    case DType::ComplexI16: return 4 * count;
    case DType::ComplexF32: return 8 * count;
    }
    return 0;
}

std::string_view nameOf(DType type) {
    switch (type) {
    case DType::U8: return "u8";
    case DType::I16: return "i16";
    case DType::U16: return "u16";
    case DType::Packed12: return "packed12";
    case DType::F32: return "f32";
    case DType::ComplexI16: return "complex_i16";
    case DType::ComplexF32: return "complex_f32";
    }
    return "unknown";
}

bool isComplex(DType type) { return type == DType::ComplexI16 || type == DType::ComplexF32; }

} // namespace echolux
