// SPDX-License-Identifier: GPL-3.0-or-later
// Part of a graph by itself, for those who look at what one stage does.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <string_view>

namespace echolux {

/// What leads from the recording to `last`, itself included, as a chain with every value. Where a
/// stage takes several frames the first is followed, and the stage itself left out unless it is of
/// the type `kept`, whose further inputs are linked to nothing then.
PipelineConfig chainTo(const Snapshot& snapshot, Source last, std::string_view kept = {});

/// chainTo() the first active stage of the type, else the first view.
PipelineConfig chainToType(const Snapshot& snapshot, std::string_view typeId);

} // namespace echolux
