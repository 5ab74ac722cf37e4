// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the kinds of transmit, as in files and on screen.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <string_view>

namespace echolux {

std::string_view nameOf(Wave wave); ///< "plane", "diverging", "focused", "element"

} // namespace echolux
