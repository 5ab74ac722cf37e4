// SPDX-License-Identifier: GPL-3.0-or-later
// The spans of a stage's sliders, for lookups.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <map>
#include <string>
#include <utility>

namespace echolux::testing_support {

inline std::map<std::string, std::pair<double, double>> spansByKey(const StageState& stage) {
    std::map<std::string, std::pair<double, double>> spans;
    for (const SliderSpan& span : stage.spans()) spans[span.key] = {span.min, span.max};
    return spans;
}

} // namespace echolux::testing_support
