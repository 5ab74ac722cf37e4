// SPDX-License-Identifier: GPL-3.0-or-later
// How values become colours; uniforms of the shader, never a recomputation.
#pragma once

namespace echolux {

struct DisplaySettings {
    double min = -60.0; ///< value of the map's first entry
    double max = 0.0;   ///< value of its last
    double gamma = 1.0; ///< of the position between them, > 0
    bool inverted = false;
    bool smooth = true; ///< linear filter, else nearest sample
};

} // namespace echolux
