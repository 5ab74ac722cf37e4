// SPDX-License-Identifier: GPL-3.0-or-later
// The beamformer in force, for questions about single pixels.
#pragma once

#include "app/lab/beam_geometry.hpp"
#include "app/pipeline/snapshot.hpp"

#include <optional>

namespace echolux {

/// Nothing where the pipeline has no beamformer.
std::optional<lab::BeamGeometry> runningBeams(const Snapshot& snapshot);

} // namespace echolux
