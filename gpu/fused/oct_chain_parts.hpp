// SPDX-License-Identifier: GPL-3.0-or-later
// Which chains of stages the fused OCT kernel takes, and their stages by name.
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

/// The stages of a chain that fits; null where one is not there.
struct OctChainParts {
    const ChainStage* toFloat = nullptr;
    const ChainStage* background = nullptr;
    const ChainStage* movingAverage = nullptr;
    const ChainStage* fourierBins = nullptr; ///< in its place: ends the chain
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
    std::int64_t depths() const { return inverse->plan->output.axes.back().size; }
    bool isFullRange() const;
    std::int64_t mostTaps() const;
    std::vector<float> windowValues() const; ///< of each sample; 1 where there is no window
    std::vector<Complex> phasors() const;    ///< exp(+j phi) likewise, 1 without a dispersion
    oct::BackgroundSource backgroundSource() const;
    /// Lines whose mean is the background; 0 = it is none, or goes with the fixed pattern.
    std::int64_t meanLines() const;
    std::int64_t patternLines() const; ///< lines that the fixed pattern is taken from; 0 = none
};

/// Raw samples that make one grid point, in the kernel's groups.
int tapGroups(std::int64_t taps);

/// How many stages, from the first on, the kernel replaces: 0 where it does not take the chain.
std::size_t matchOctChain(std::span<const ChainStage> stages);
/// Why not, see Fusion::refusal.
std::string refusalOfOctChain(std::span<const ChainStage> stages);

} // namespace echolux::fused
