// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pipeline/stacked_frames.hpp"

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

FrameSpec stacked(FrameSpec frame, std::int64_t bscans) {
    frame.axes.insert(frame.axes.begin(), {AxisName::Elevation, bscans, 1.0, 0.0, ""});
    return frame;
}

bool isAlone(const StageState& stage) {
    return stage.bypass ||
           (!stage.plan.mixesBscans && stage.plan.stateBytes == 0 && !stage.readsFrameBefore());
}

/// True where the images of a stack equal those of its frames. Defaults may depend on the number of
/// lines.
bool imagesAlike(const Snapshot& single, const Snapshot& several) {
    const std::int64_t frames = several.input.axes.front().size;
    return several.output().count() == frames * single.output().count() &&
           std::ranges::equal(single.stages, several.stages,
                              [](const StageState& a, const StageState& b) {
                                  return a.params == b.params && (a.bypass || isAlone(b));
                              });
}

} // namespace

bool canStack(const Snapshot& single) {
    return single.input.spectrometer != nullptr && single.input.axes.size() == 2 &&
           single.views.size() == 1 && std::ranges::all_of(single.stages, isAlone);
}

SnapshotPtr stackedSnapshot(const Snapshot& single, std::int64_t bscans) {
    if (!canStack(single)) return nullptr;
    SnapshotPtr several = withInput(single, stacked(single.input, bscans));
    return imagesAlike(single, *several) ? several : nullptr;
}

} // namespace echolux
