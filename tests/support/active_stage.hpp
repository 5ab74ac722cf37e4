// SPDX-License-Identifier: GPL-3.0-or-later
// Looks a stage of a pipeline up by the id of its type.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <string_view>

namespace echolux::testing_support {

/// The first active instance of the type, or null.
inline const StageState* activeStage(const Snapshot& snapshot, std::string_view typeId) {
    return snapshot.findActive([&](const StageType& type) { return type.id == typeId; });
}

} // namespace echolux::testing_support
