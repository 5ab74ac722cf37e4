// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters that the stages that draw boundaries of tissue share.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <cstdint>

namespace echolux {

inline constexpr std::int64_t kBoundaryThickness = 3;

/// The row of how thick boundaries are drawn, in pixels.
inline ParamRow thicknessRow() {
    return {.key = "thickness",
            .label = "Line thickness",
            .unit = "pixels",
            .min = 1,
            .max = 31,
            .step = 2,
            .help = "Height of the drawn lines, with the boundary in the middle. Even numbers "
                    "count as the next odd one."};
}

} // namespace echolux
