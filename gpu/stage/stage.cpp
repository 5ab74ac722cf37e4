// SPDX-License-Identifier: GPL-3.0-or-later
// Port checks and the registry of built-in stages.
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

namespace echolux {

namespace stages {
#define ECHOLUX_STAGE(id) const StageType& id();
#include "gpu/stages/stages.def"
#undef ECHOLUX_STAGE
} // namespace stages

void Stage::prepare(const Exec&, const FrameSpec&, const StagePlan&, const Params&) {}

void checkPort(const StageType& type, const FrameSpec& input) {
    if (std::ranges::find(type.input.dtypes, input.dtype) == type.input.dtypes.end()) {
        std::vector<std::string_view> names;
        for (const DType dtype : type.input.dtypes) names.push_back(nameOf(dtype));
        throw Error(fmt::format(
            "Stage '{}' takes {} samples, but what reaches it is {}; put a converting stage before "
            "it or take it out.",
            type.id, fmt::join(names, " or "), input.describe()));
    }
    if (type.input.axes.empty()) return;
    const bool stacked =
        type.input.stacks && !input.axes.empty() && input.axes.front().name == AxisName::Elevation;
    const std::span<const Axis> axes = std::span(input.axes).subspan(stacked ? 1 : 0);
    const bool fits = std::ranges::equal(type.input.axes, axes, {}, {}, &Axis::name);
    if (!fits) {
        std::vector<std::string_view> names;
        for (const AxisName axis : type.input.axes) names.push_back(nameOf(axis));
        throw Error(fmt::format(
            "Stage '{}' takes frames with the axes {}, but what reaches it is {}; move it in the "
            "pipeline or take it out.",
            type.id, fmt::join(names, ", "), input.describe()));
    }
}

std::span<const StageType* const> builtinStages() {
    static const std::array kTypes = {
#define ECHOLUX_STAGE(id) &stages::id(),
#include "gpu/stages/stages.def"
#undef ECHOLUX_STAGE
    };
    return kTypes;
}

const StageType& stageType(std::string_view id) {
    std::vector<std::string_view> known;
    for (const StageType* type : builtinStages()) {
        if (type->id == id) return *type;
        known.push_back(type->id);
    }
    throw Error(
        fmt::format("There is no stage '{}'; choose one of {}.", id, fmt::join(known, ", ")));
}

} // namespace echolux
