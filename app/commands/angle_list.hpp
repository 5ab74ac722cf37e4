// SPDX-License-Identifier: GPL-3.0-or-later
// Reads angles that users type.
#pragma once

#include <string>
#include <vector>

namespace echolux {

/// Reads "-10:10:5" (first, last, step) or "-10,0,10", in degrees; returns rad. Throws Error for
/// other texts and for more than 1024 angles.
std::vector<double> parseAngles(const std::string& text);

} // namespace echolux
