// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/companion_values.hpp"

#include "gpu/stages/aberration.hpp"

namespace echolux {

std::vector<std::pair<std::string, ParamValue>> companionsOf(const StageState& stage,
                                                             std::string_view key) {
    if (!stage.type->has<AberrationParams>() || key != "method") return {};
    const aberration::Method method = stage.params.as<AberrationParams>().method;
    aberration::SolveParams usual = stage.defaults.as<AberrationParams>();
    if (aberration::isIterated(method)) usual = aberration::usualFor(method);
    return {{"radius", usual.radius},
            {"iterations", usual.iterations},
            {"mu", usual.mu},
            {"epsilon", usual.epsilon}};
}

} // namespace echolux
