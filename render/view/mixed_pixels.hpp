// SPDX-License-Identifier: GPL-3.0-or-later
// Whether neighbouring pixels, or their colours, may be mixed where a picture changes its size.
#pragma once

#include "gpu/core/frame_spec.hpp"

namespace echolux {

/// Between values on a circle, and between labels, lies none that means anything.
inline bool mayMixPixels(ValueKind kind) {
    return kind != ValueKind::Cyclic && kind != ValueKind::Label;
}

} // namespace echolux
