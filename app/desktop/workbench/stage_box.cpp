// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/workbench/stage_box.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

bool isInPlane(const FrameSpec& image) {
    const Axis* lateral = image.find(AxisName::Lateral);
    const Axis* depth = image.find(AxisName::Depth);
    return image.sector == nullptr && lateral != nullptr && lateral->unit == "m" &&
           depth != nullptr && depth->unit == "m";
}

Rect boxOf(const StageState& stage, const FrameSpec& image) {
    const ImageBox& box = *stage.type->shown.box;
    const double lateral = stage.params.real(box.lateral).value_or(0.0);
    const double halfWide = 0.5 * stage.params.real(box.width).value_or(box.drawnWidthM);
    const Axis& axis = *image.find(AxisName::Depth);
    double top = axis.origin;
    double bottom = axis.origin + static_cast<double>(axis.size - 1) * axis.spacing;
    if (const auto depth = stage.params.real(box.depth)) {
        const double halfHigh = 0.5 * stage.params.real(box.height).value_or(0.0);
        top = *depth - halfHigh;
        bottom = *depth + halfHigh;
    }
    return {lateral - halfWide, top, lateral + halfWide, bottom};
}

std::vector<std::pair<std::string, double>> placesOf(const StageState& stage, const Rect& box) {
    const ImageBox& keys = *stage.type->shown.box;
    std::vector<std::pair<std::string, double>> places{{keys.depth, box.centre().y},
                                                       {keys.lateral, box.centre().x},
                                                       {keys.height, box.height()},
                                                       {keys.width, box.width()}};
    std::erase_if(places, [](const auto& place) { return place.first.empty(); });
    return places;
}

Workbench::Value nearestValue(const StageState& stage, const std::string& key, double value,
                              double partOfStep) {
    const ParamRow& row = *stage.type->table.find(key);
    const double step = partOfStep * row.step;
    return {stage.id, key, std::clamp(std::round(value / step) * step, row.min, row.max)};
}

} // namespace echolux
