// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a pipeline's graph: stages come and go, links and views change.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace echolux {

// Each returns the pipeline as it would be, values kept; whether it fits the data is found out by
// instantiate(). They throw Error naming a stage or port that does not exist.

/// A stage of the type on the way into `to`, at the type's usual values.
PipelineConfig withStageBefore(const Snapshot& from, std::string_view typeId, const PortName& to);
/// The same on the way into a view.
PipelineConfig withStageBeforeView(const Snapshot& from, std::string_view typeId,
                                   std::string_view view);
/// The end of a new branch: a stage of the type that takes `output`, and a view of it. Throws Error
/// where there is no room for the view.
PipelineConfig withStageAfter(const Snapshot& from, std::string_view typeId,
                              const PortName& output);
/// What the stage took at its first port goes to all that took one of its outputs.
PipelineConfig withoutStage(const Snapshot& from, std::string_view id);
/// Values that the new type has as well are kept, and the id, unless it was the former type's.
PipelineConfig withType(const Snapshot& from, std::string_view id, std::string_view typeId);
/// In place of the link that leads to `to` now, of the same frame as that.
PipelineConfig withLink(const Snapshot& from, const PortName& output, const PortName& to);
/// A stage of the type that takes what reaches `taker` now, and whose outputs go to other ports, in
/// the same frame, in place of the links that lead there.
struct OutputFor {
    std::string output; ///< its port
    PortName to;
};
PipelineConfig withSource(const Snapshot& from, const StageConfig& stage, const PortName& taker,
                          const std::vector<OutputFor>& outputs);
/// In place of what the view shows now.
PipelineConfig withViewOf(const Snapshot& from, std::string_view view, const PortName& output);
/// An output beside what is shown already. Throws Error where there is no room.
PipelineConfig withView(const Snapshot& from, const PortName& output);
/// The first output of a stage, or the recording.
PipelineConfig withView(const Snapshot& from, std::string_view stage);
PipelineConfig withoutView(const Snapshot& from, std::string_view view);
/// A against B: `stage` and what follows it up to the first view stands twice, the second time
/// under names that end in _b, and is shown beside the first.
PipelineConfig withBranch(const Snapshot& from, std::string_view stage);

/// A view more, of what the first view shows less what the second one shows. Throws Error where
/// there is no room; precondition: both exist.
PipelineConfig withDifference(const Snapshot& from, std::size_t first, std::size_t second);

} // namespace echolux
