// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that an encoded HDF5 datatype can be decoded within its bytes.
#pragma once

#include <cstddef>
#include <span>

namespace echolux {

/// True where all parts of a datatype message are within `bytes`, all members are within their
/// compounds, and types are nested at most 16 deep. `bytes` begin with the message: HDF5 File
/// Format Specification 3.0, section IV.A.2.d. NOTE: HDF5 1.10 copies as many values of an
/// enumeration as its header says, each of the size that its base type says, even beyond the
/// message.
bool datatypeFits(std::span<const std::byte> bytes);

} // namespace echolux
