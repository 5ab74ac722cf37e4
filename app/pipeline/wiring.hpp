// SPDX-License-Identifier: GPL-3.0-or-later
// The graph that a pipeline's stages and links make.
#pragma once

#include "app/pipeline/pipeline_config.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace echolux {

/// Where a frame comes from: the recording, or an output of a stage (its index in the order).
struct Source {
    static constexpr std::size_t kFromRecording = static_cast<std::size_t>(-1);
    std::size_t stage = kFromRecording;
    std::size_t output = 0;     ///< number of the stage's output port
    bool ofFrameBefore = false; ///< its result for the previous frame

    bool isRecording() const { return stage == kFromRecording; }
    bool operator==(const Source&) const = default;
};

struct Wiring {
    /// Indices of the config's stages. Each stage stands after those whose outputs of this frame it
    /// reads. Of several that could be next, the one that the file names first comes first.
    std::vector<std::size_t> order;
    std::vector<std::vector<Source>> inputs; ///< per place in the order, one per port of the type
    std::vector<Source> views;               ///< per view of the config; one where it has none
    /// Per view of the config: number of the view beneath it.
    std::vector<std::optional<std::size_t>> beneath;
};

/// Throws Error with place, port and remedy for: unknown stages and ports, two links into one
/// input, an input without a link, a link of the frame before that leads to a first input or comes
/// from the recording, cycles within a frame (Kahn, "Topological sorting of large networks", 1962).
Wiring wire(const PipelineConfig& config);

} // namespace echolux
