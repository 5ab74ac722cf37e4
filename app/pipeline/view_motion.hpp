// SPDX-License-Identifier: GPL-3.0-or-later
// The motion of what a view shows.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <array>
#include <optional>

namespace echolux {

/// The outputs "lateral" (velocity to the right) and "axial" (velocity towards the probe) of the
/// stage whose first output the view shows, like those of `vector_flow`. Empty where the stage has
/// no such outputs, or they differ from the first one in layout.
std::optional<std::array<Source, 2>> motionOf(const Snapshot& snapshot, const ViewState& view);

} // namespace echolux
