// SPDX-License-Identifier: GPL-3.0-or-later
// Whether an encoded HDF5 datatype can be decoded within its bytes.
#pragma once

#include <cstddef>
#include <span>

namespace echolux {

/// NOTE: HDF5 1.10 copies as many values of an enumeration as its header says, each as large as its
/// base type says, from wherever that leads. `bytes` begin with a datatype message: HDF5 File
/// Format Specification 3.0, section IV.A.2.d. False where a part of it lies beyond them, a member
/// lies beyond its compound, or types are nested more than 16 deep.
bool datatypeFits(std::span<const std::byte> bytes);

} // namespace echolux
