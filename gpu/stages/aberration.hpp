// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the stage `aberration`, for other code that makes the same estimate.
#pragma once

#include "gpu/aberration/aberration_params.hpp"
#include "gpu/aberration/host_estimate.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace echolux {

/// The filter from which an estimate starts.
enum class WarmStart {
    None,      ///< no delays
    Frame,     ///< that of the same patch, from the previous estimate
    Neighbour, ///< that of the patch beside it in this frame. The first patch starts as with Frame
};

struct AberrationParams : aberration::FocusParams, aberration::SolveParams {
    std::int64_t patches = 1; ///< number of patches side by side in the region; each has its own
                              ///< filter
    std::int64_t every = 4;   ///< number of frames from one estimate to the next
    WarmStart warmStart = WarmStart::Frame;
};

/// The part of the region that belongs to patch number `patch`, with its share of the points.
aberration::FocusParams focusOfPatch(const AberrationParams& params, std::int64_t patch);

/// Reads the estimate of patch number `patch`, without its steps, from the state that the stage
/// leaves to the next frame. Empty where the size of the state does not match the numbers of
/// elements, of places of their grid and of patches.
std::optional<aberration::Estimate> estimateIn(std::span<const std::byte> state,
                                               const aberration::ElementGrid& grid,
                                               std::int64_t patches, std::int64_t patch);

} // namespace echolux
