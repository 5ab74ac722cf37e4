// SPDX-License-Identifier: GPL-3.0-or-later
// The range of codes that a sample type can hold.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <optional>

namespace echolux {

/// Nothing for floating point. For pairs, the range of each part.
std::optional<ConverterRange> fullRangeOf(DType type);

} // namespace echolux
