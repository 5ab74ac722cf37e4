// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a pipeline's graph: stages come and go, links and views change.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// Sets one value of a stage. Nobody checks whether the stage has it: instantiate() does.
void setValue(StageConfig& stage, std::string_view key, ParamValue value);

// Each returns the edited pipeline and keeps all values. None checks whether the result fits the
// data: instantiate() does. Each throws Error naming a stage or port that does not exist.

/// Adds a stage of the type between the input `to` and what reaches it now. Its values are the
/// type's defaults.
PipelineConfig withStageBefore(const Snapshot& from, std::string_view typeId, const PortName& to);
/// The same between a view and what it shows now.
PipelineConfig withStageBeforeView(const Snapshot& from, std::string_view typeId,
                                   std::string_view view);
/// Adds a branch: a stage of the type that takes `output`, and a view of that stage. Throws Error
/// where there is no room for the view.
PipelineConfig withStageAfter(const Snapshot& from, std::string_view typeId,
                              const PortName& output);
/// Removes the stage. Each input and view that took one of its outputs takes what the stage took at
/// its first port.
PipelineConfig withoutStage(const Snapshot& from, std::string_view id);
/// Gives the stage another type. Values that both types have are kept. The id is kept unless it was
/// the name of the former type.
PipelineConfig withType(const Snapshot& from, std::string_view id, std::string_view typeId);
/// Replaces the link that leads to `to` now. A link of the frame before stays one.
PipelineConfig withLink(const Snapshot& from, const PortName& output, const PortName& to);
/// Adds a stage that takes what reaches `taker` now. Its outputs replace the links that lead to the
/// ports in `outputs`, in the same frame.
struct OutputFor {
    std::string output; ///< its port
    PortName to;
};
PipelineConfig withSource(const Snapshot& from, const StageConfig& stage, const PortName& taker,
                          const std::vector<OutputFor>& outputs);
/// Lets the view show `output` in place of what it shows now.
PipelineConfig withViewOf(const Snapshot& from, std::string_view view, const PortName& output);
/// Adds a view of `output`. Throws Error where there is no room.
PipelineConfig withView(const Snapshot& from, const PortName& output);
/// Adds a view of a stage's first output, or of the recording.
PipelineConfig withView(const Snapshot& from, std::string_view stage);
PipelineConfig withoutView(const Snapshot& from, std::string_view view);
inline constexpr const char* kOfB = "_b";
/// A against B: copies `stage` and what follows it up to the first view. The copies have names that
/// end in kOfB, and a view shows their result beside the first view.
PipelineConfig withBranch(const Snapshot& from, std::string_view stage);

/// Adds a view of the difference: what view number `first` shows less what view number `second`
/// shows. Throws Error where there is no room; precondition: both exist.
PipelineConfig withDifference(const Snapshot& from, std::size_t first, std::size_t second);

} // namespace echolux
