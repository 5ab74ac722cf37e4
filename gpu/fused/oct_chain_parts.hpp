// SPDX-License-Identifier: GPL-3.0-or-later
// The chains of stages that the fused OCT kernel accepts, and their stages by name.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/fused/fusion.hpp"
#include "gpu/oct/oct_params.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace echolux::fused {

/// The stages of a chain that fits; null where a stage is missing.
struct OctChainParts {
    const ChainStage* toFloat = nullptr;
    const ChainStage* background = nullptr;
    const ChainStage* movingAverage = nullptr;
    const ChainStage* fourierBins = nullptr; ///< in place of movingAverage; it ends the chain
    const ChainStage* resampling = nullptr;
    const ChainStage* window = nullptr;
    const ChainStage* dispersion = nullptr;
    const ChainStage* inverse = nullptr;
    const ChainStage* pattern = nullptr;
    const ChainStage* magnitude = nullptr;
    std::size_t count = 0;

    explicit OctChainParts(std::span<const ChainStage> stages);

    const FrameSpec& raw() const { return *toFloat->input; }
    std::int64_t samples() const { return raw().axes.back().size; }
    std::int64_t lines() const { return raw().count() / samples(); }
    /// Points of the inverse transform.
    std::int64_t grid() const { return oct::linesOf(*inverse->input).grid; }
    bool isGridded() const { return inverse->input->spectralGrid.points > 0; }
    std::int64_t depths() const { return inverse->plan->outputs[0].axes.back().size; }
    bool isFullRange() const;
    std::int64_t mostTaps() const;
    std::vector<float> windowValues() const; ///< one per sample; 1 without a window
    std::vector<Complex> phasors() const;    ///< exp(+j phi) per sample; 1 without a dispersion
    oct::BackgroundSource backgroundSource() const;
    /// Lines whose mean is the background. 0 = there is no background, or the fixed pattern removes
    /// it as well.
    std::int64_t meanLines() const;
    std::int64_t patternLines() const; ///< lines that the fixed pattern is estimated from; 0 = none
};

/// Groups of raw samples that make one grid point with `taps` taps.
int tapGroups(std::int64_t taps);

/// How many stages, counted from the first, the kernel replaces; 0 where it does not accept the
/// chain.
std::size_t matchOctChain(std::span<const ChainStage> stages);
/// Why it does not accept the chain, see Fusion::refusal.
std::string refusalOfOctChain(std::span<const ChainStage> stages);

} // namespace echolux::fused
