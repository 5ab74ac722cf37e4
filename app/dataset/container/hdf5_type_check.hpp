// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that an encoded HDF5 datatype can be decoded within its bytes.
#pragma once

#include <cstddef>
#include <span>

namespace echolux {

/// NOTE: HDF5 1.10 copies as many values of an enumeration as its header says, each of the size
/// that its base type says, even beyond the message. `bytes` begin with a datatype message: HDF5
/// File Format Specification 3.0, section IV.A.2.d. False where a part of the message is beyond
/// `bytes`, where a member is beyond its compound, or where types are nested more than 16 deep.
bool datatypeFits(std::span<const std::byte> bytes);

} // namespace echolux
