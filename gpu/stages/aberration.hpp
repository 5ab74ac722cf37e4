// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the stage `aberration`, for those who estimate as it does.
#pragma once

#include "gpu/aberration/aberration_params.hpp"
#include "gpu/aberration/host_estimate.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace echolux {

struct AberrationParams : aberration::FocusParams, aberration::SolveParams {
    std::int64_t patches = 1; ///< side by side across the region, each with a filter of its own
    std::int64_t every = 4;   ///< frames from one estimate to the next
    bool warmStart = true;    ///< from the frame before's filter
};

/// The part of the region that patch number `patch` is, with its share of the points.
aberration::FocusParams focusOfPatch(const AberrationParams& params, std::int64_t patch);

/// The estimate, without its steps, of patch number `patch` out of what the stage leaves to the
/// next frame; nothing where that is not of so many elements, places of their grid and patches.
std::optional<aberration::Estimate> estimateIn(std::span<const std::byte> state,
                                               const aberration::ElementGrid& grid,
                                               std::int64_t patches, std::int64_t patch);

} // namespace echolux
