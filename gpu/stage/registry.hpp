// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in stages, in the order of stages.def.
#pragma once

#include "gpu/stage/stage.hpp"

#include <span>
#include <string_view>

namespace echolux {

std::span<const StageType* const> builtinStages();
/// Throws Error that names the known ids where no stage has this id.
const StageType& stageType(std::string_view id);

} // namespace echolux
