// SPDX-License-Identifier: GPL-3.0-or-later
// Values that a choice brings along, in the same step.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {

/// What else of `stage` is set where its parameter `key` has just got its value: a method of
/// estimating aberration comes with the constants that it was published with, as in `echolux
/// aberration`; of others nothing.
std::vector<std::pair<std::string, ParamValue>> companionsOf(const StageState& stage,
                                                             std::string_view key);

} // namespace echolux
