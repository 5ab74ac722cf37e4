// SPDX-License-Identifier: GPL-3.0-or-later
// How values become colours. These are uniforms of the shader; changing them recomputes nothing.
#pragma once

namespace echolux {

struct DisplaySettings {
    double min = -60.0; ///< value of the map's first entry
    double max = 0.0;   ///< value of the map's last entry
    double gamma = 1.0; ///< exponent of the position between min and max, > 0
    bool inverted = false;
    bool smooth = true; ///< linear filter; false: nearest sample
};

} // namespace echolux
