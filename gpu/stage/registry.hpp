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
/// The first stage whose parameters are P. Throws Error where there is none.
template <class P> const StageType& stageTypeWith() {
    for (const StageType* type : builtinStages())
        if (type->has<P>()) return *type;
    throw Error("No stage has these parameters.");
}
/// The first stage with the role. Throws Error where there is none.
const StageType& stageTypeWith(Role role);

} // namespace echolux
