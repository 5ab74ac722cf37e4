// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the kinds of transmit.
#include "app/dataset/transmit/wave_name.hpp"

namespace echolux {

std::string_view nameOf(Wave wave) {
    switch (wave) {
    case Wave::Plane: return "plane";
    case Wave::Diverging: return "diverging";
    case Wave::Focused: return "focused";
    case Wave::Element: return "element";
    case Wave::None: return "none";
    }
    return "unknown";
}

} // namespace echolux
