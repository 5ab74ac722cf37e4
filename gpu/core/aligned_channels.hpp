// SPDX-License-Identifier: GPL-3.0-or-later
// Channels whose delays were taken out before they were recorded.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <optional>

namespace echolux {

/// The point on which the channels were aligned before they were recorded: its echoes reach all
/// elements at once. Such channels are stated as those of a single unsteered plane wave, heard by
/// elements on a sphere (in one plane: an arc) round the point. Empty for all other recordings.
std::optional<Point> alignedOn(const Acquisition& acquisition);

} // namespace echolux
