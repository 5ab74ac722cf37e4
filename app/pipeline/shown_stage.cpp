// SPDX-License-Identifier: GPL-3.0-or-later
// What the type of a stage shows of one instance.
#include "app/pipeline/snapshot.hpp"

namespace echolux {
namespace {

/// NOTE: plots and sliders stop no edit, so nothing is thrown, whatever the code of a plugin does.
template <class Made, class... More>
std::vector<Made> shownBy(std::vector<Made> (*make)(const ShownStage&, More...),
                          const StageState& stage, More... more) {
    if (make == nullptr) return {};
    try {
        return make({stage.input(), stage.params, stage.defaults}, more...);
    } catch (...) {
        return {};
    }
}

} // namespace

std::vector<StageCurve> StageState::curves() const { return shownBy(type->shown.curves, *this); }

std::vector<SliderSpan> StageState::spans() const {
    std::vector<SliderSpan> spans = shownBy(type->shown.spans, *this);
    for (const ParamRow& row : type->table.rows()) {
        const std::int64_t size = row.along ? input().sizeOf(*row.along) : 1;
        if (row.type == ParamType::Integer && size > 1)
            spans.push_back({row.key, 1.0, static_cast<double>(size)});
    }
    return spans;
}

std::vector<CompanionValue> StageState::companions(std::string_view key) const {
    return shownBy(type->shown.companions, *this, key);
}

} // namespace echolux
