// SPDX-License-Identifier: GPL-3.0-or-later
// Looks stages up.
#include "gpu/stage/registry.hpp"

#include "gpu/core/nearest_word.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <utility>

namespace echolux {

namespace stages {
#define ECHOLUX_STAGE(id) const StageType& id();
#include "gpu/stages/stages.def"
#undef ECHOLUX_STAGE
} // namespace stages

namespace {

struct AddedStages {
    std::shared_mutex mutex;
    std::deque<StageType> types;           ///< none is ever removed
    std::vector<const StageType*> inForce; ///< the newest of each id
};

AddedStages& added() {
    static AddedStages kAdded;
    return kAdded;
}

} // namespace

std::span<const StageType* const> builtinStages() {
    static const std::array kTypes = {
#define ECHOLUX_STAGE(id) &stages::id(),
#include "gpu/stages/stages.def"
#undef ECHOLUX_STAGE
    };
    return kTypes;
}

std::vector<const StageType*> knownStages() {
    std::vector<const StageType*> all(builtinStages().begin(), builtinStages().end());
    const std::shared_lock lock(added().mutex);
    all.insert(all.end(), added().inForce.begin(), added().inForce.end());
    return all;
}

void addStages(const std::string& owner, std::vector<StageType> types) {
    const std::scoped_lock lock(added().mutex);
    std::vector<const StageType*>& inForce = added().inForce;
    for (const StageType& type : types) {
        const bool isBuiltIn = std::ranges::any_of(
            builtinStages(), [&](const StageType* each) { return each->id == type.id; });
        const auto other = std::ranges::find_if(inForce, [&](const StageType* each) {
            return each->id == type.id && each->plugin != owner;
        });
        if (!isBuiltIn && other == inForce.end()) continue;
        throw Error(
            fmt::format("The plugin {} brings a stage '{}', but {} has that id already; one "
                        "of them must be renamed.",
                        owner, type.id,
                        isBuiltIn ? std::string("a built-in stage")
                                  : "a stage of the plugin " + (*other)->plugin));
    }
    std::erase_if(inForce, [&](const StageType* each) { return each->plugin == owner; });
    for (StageType& type : types) {
        type.plugin = owner;
        added().types.push_back(std::move(type));
        inForce.push_back(&added().types.back());
    }
}

const StageType& stageType(std::string_view id) {
    std::vector<std::string> known;
    for (const StageType* type : knownStages()) {
        if (type->id == id) return *type;
        known.push_back(type->id);
    }
    throw Error(fmt::format("There is no stage '{}'{}; choose one of {}.", id,
                            didYouMean(id, known), fmt::join(known, ", ")));
}

const StageType& stageTypeWith(Role role) {
    for (const StageType* type : builtinStages())
        if (type->role == role) return *type;
    throw Error("No stage has this role.");
}

} // namespace echolux
