// SPDX-License-Identifier: GPL-3.0-or-later
// Looks for the outputs of motion by their names.
#include "app/pipeline/view_motion.hpp"

#include <algorithm>

namespace echolux {

std::optional<std::array<Source, 2>> motionOf(const Snapshot& snapshot, const ViewState& view) {
    const Source shown = snapshot.resolved(view.source);
    if (shown.isRecording() || shown.ofFrameBefore || shown.output != 0) return std::nullopt;
    const std::vector<std::string> names = snapshot.stages[shown.stage].type->outputNames();
    std::array<Source, 2> motion{shown, shown};
    for (const auto& [source, name] :
         {std::pair{&motion[0], "lateral"}, std::pair{&motion[1], "axial"}}) {
        const auto at = std::ranges::find(names, name);
        if (at == names.end()) return std::nullopt;
        source->output = static_cast<std::size_t>(at - names.begin());
        if (!snapshot.outputOf(*source).sameLayout(snapshot.outputOf(shown))) return std::nullopt;
    }
    return motion;
}

} // namespace echolux
