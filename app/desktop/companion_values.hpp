// SPDX-License-Identifier: GPL-3.0-or-later
// Values that change together with a choice, in the same step of the undo list.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {

/// Other values of `stage` to set after its parameter `key` got its present value. A method of
/// estimating aberration sets the constants that it was published with, as in `echolux aberration`.
/// A coefficient of k_linearize sets the length of the lines, so that a preset gives the same curve
/// on lines of another length. Empty for other parameters.
std::vector<std::pair<std::string, ParamValue>> companionsOf(const StageState& stage,
                                                             std::string_view key);

} // namespace echolux
