// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that the fused OCT chain needs: of each frame, and for its tables.
#pragma once

#include "gpu/fused/mean_spectrum.hpp"
#include "gpu/fused/oct_chain_kernel.hpp"
#include "gpu/fused/oct_chain_parts.hpp"
#include "gpu/oct/oct_formula.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/stage.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux::fused {

inline std::size_t roomForDepths(const OctChainParts& parts) {
    OctChainShape shape;
    shape.grid = static_cast<int>(parts.grid());
    shape.fullRange = parts.isFullRange();
    return static_cast<std::size_t>(depthPlaces(shape));
}

/// Where a frame's own buffers lie in the workspace.
struct WorkspaceLayout {
    std::size_t partial = 0;  ///< sums of codes, [chunk][sample]
    std::size_t spectrum = 0; ///< the mean line
    std::size_t lines = 0;    ///< complex A-scans that the pattern is taken from
    std::size_t survey = 0;   ///< scratch of the pattern
    std::size_t constant = 0; ///< what is subtracted at each depth
    std::size_t bytes = 0;

    explicit WorkspaceLayout(const OctChainParts& parts) {
        const auto take = [this](std::size_t& at, std::size_t size) {
            at = bytes;
            bytes += aligned(size);
        };
        const auto samples = static_cast<std::size_t>(parts.samples());
        const auto depths = static_cast<std::size_t>(parts.depths());
        if (parts.meanLines() > 0) {
            take(partial, meanScratchBytes(parts.samples()));
            take(spectrum, samples * sizeof(float));
        }
        if (parts.pattern != nullptr) {
            const auto count = static_cast<std::size_t>(parts.patternLines());
            take(lines, count * depths * sizeof(Complex));
            take(survey, oct::patternScratchBytes(parts.depths()));
        }
        take(constant, roomForDepths(parts) * sizeof(Complex));
    }
};

/// Sizes of the tables, for prepare() and for the memory check.
struct TableSizes {
    std::size_t grid = 0;
    std::size_t weights = 0;
    std::size_t passTwiddles = 0;
    std::size_t warpTwiddles = 0;
    std::size_t movingScales = 0;
    std::size_t depths = 0;
    std::size_t samples = 0;

    explicit TableSizes(const OctChainParts& parts) {
        const auto points = static_cast<int>(parts.grid());
        const auto warps = static_cast<std::size_t>(warpsPerPair(points));
        grid = static_cast<std::size_t>(points);
        OctChainShape most;
        most.grid = points;
        most.tapGroups = tapGroups(parts.mostTaps());
        most.turned = parts.isGridded();
        weights = grid * kTapsPerGroup * static_cast<std::size_t>(weightGroups(most));
        passTwiddles = static_cast<std::size_t>(fused::passTwiddles(points));
        warpTwiddles = static_cast<std::size_t>(fused::warpTwiddles(points));
        movingScales = warps * kLanes * kLanes;
        depths = roomForDepths(parts);
        samples = static_cast<std::size_t>(parts.samples());
    }
    std::size_t bytes() const {
        return grid * (sizeof(std::uint16_t) + sizeof(Complex)) + weights * sizeof(float) +
               (passTwiddles + warpTwiddles + depths) * sizeof(Complex) +
               (movingScales + depths + samples) * sizeof(float);
    }
};

} // namespace echolux::fused
