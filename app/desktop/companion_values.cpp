// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/companion_values.hpp"

#include "gpu/oct/oct_params.hpp"
#include "gpu/stages/aberration.hpp"

namespace echolux {
namespace {

/// A coefficient of the resampling curve states the length of the lines that it was set for.
std::vector<std::pair<std::string, ParamValue>> lengthFor(const StageState& stage,
                                                          std::string_view key) {
    const bool isCoefficient = key == "c0" || key == "c1" || key == "c2" || key == "c3";
    if (!isCoefficient || stage.params.as<oct::KLinearizeParams>().lineLength != 0) return {};
    return {{"line_length", oct::linesOf(stage.input()).length}};
}

} // namespace

std::vector<std::pair<std::string, ParamValue>> companionsOf(const StageState& stage,
                                                             std::string_view key) {
    if (stage.type->has<oct::KLinearizeParams>()) return lengthFor(stage, key);
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
