// SPDX-License-Identifier: GPL-3.0-or-later
// Part of a graph as a pipeline of its own, for plots and searches that look at one stage.
#pragma once

#include "app/pipeline/snapshot.hpp"

namespace echolux {

/// The stages from the recording to `last`, `last` included, as a chain with every value. At a
/// stage with several inputs the chain follows the first one and leaves the stage out, unless it
/// has the role `kept`. The further inputs of such a stage have no link then.
PipelineConfig chainTo(const Snapshot& snapshot, Source last, Role kept = Role::None);

/// chainTo() this stage of the snapshot; the first view where it is null.
PipelineConfig chainTo(const Snapshot& snapshot, const StageState* last);

} // namespace echolux
