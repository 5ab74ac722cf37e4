// SPDX-License-Identifier: GPL-3.0-or-later
// Angles as people type them.
#pragma once

#include <string>
#include <vector>

namespace echolux {

/// "-10:10:5" (first, last, step) or "-10,0,10", in degrees, to rad. Throws Error for what is
/// neither, or for more than 1024 angles.
std::vector<double> parseAngles(const std::string& text);

} // namespace echolux
