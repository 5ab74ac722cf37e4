// SPDX-License-Identifier: GPL-3.0-or-later
// The stages that there are: the built-in ones, in the order of stages.def, and those of plugins.
// All functions may be called by any thread.
#pragma once

#include "gpu/stage/stage.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

std::span<const StageType* const> builtinStages();
/// The built-in stages, then those that were added, in that order.
std::vector<const StageType*> knownStages();
/// Adds the stages of a plugin, each with `owner` as its plugin. If `owner` has added stages
/// before, the new ones replace them; the former types stay valid, because pipelines may still use
/// them. Throws Error, and adds none, where an id is built in or belongs to another owner.
void addStages(const std::string& owner, std::vector<StageType> types);
/// Throws Error that names the known ids where no stage has this id.
const StageType& stageType(std::string_view id);
/// The first built-in stage whose parameters are P. Throws Error where there is none.
template <class P> const StageType& stageTypeWith() {
    for (const StageType* type : builtinStages())
        if (type->has<P>()) return *type;
    throw Error("No stage has these parameters.");
}
/// The first built-in stage with the role. Throws Error where there is none.
const StageType& stageTypeWith(Role role);

} // namespace echolux
