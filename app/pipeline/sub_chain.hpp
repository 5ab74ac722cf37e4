// SPDX-License-Identifier: GPL-3.0-or-later
// Part of a graph as a pipeline of its own, for plots and searches that look at one stage.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <string_view>

namespace echolux {

/// The stages from the recording to `last`, `last` included, as a chain with every value. At a
/// stage with several inputs the chain follows the first one and leaves the stage out, unless it is
/// of the type `kept`. The further inputs of such a stage have no link then.
PipelineConfig chainTo(const Snapshot& snapshot, Source last, std::string_view kept = {});

/// chainTo() the first active stage of the type; the first view where there is none.
PipelineConfig chainToType(const Snapshot& snapshot, std::string_view typeId);

} // namespace echolux
