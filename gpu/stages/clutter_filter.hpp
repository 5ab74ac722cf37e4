// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the stage clutter_filter, and the range of singular values that it keeps.
#pragma once

#include "gpu/flow/image_blocks.hpp"
#include "gpu/flow/singular_parts.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/doppler.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

namespace echolux {

enum class Clutter { Polynomial, Cosines, HighPass, SingularValues };
enum class HighPassDesign { Butterworth, Fir };
enum class BlockOverlap { None, HalfBlock };

struct ClutterFilterParams : flow::DopplerParams {
    Clutter method = Clutter::Polynomial;
    std::int64_t order = 1;
    std::int64_t components = 2;
    HighPassDesign design = HighPassDesign::Butterworth;
    std::int64_t filterOrder = 2;
    double cutoffMps = 0.02;
    bool continues = false;
    flow::ChosenBy thresholds = flow::ChosenBy::Number;
    std::int64_t first = 2;
    std::int64_t last = kMostEnsembleFrames;
    double cutHz = 50.0;
    double floorDb = 60.0;
    std::int64_t blockDepth = 0;   ///< pixels; 0: all
    std::int64_t blockLateral = 0; ///< pixels; 0: all
    BlockOverlap overlap = BlockOverlap::HalfBlock;
};

/// The rule for an ensemble of `frames` frames. `frameTimeS`: from frame to frame, in seconds.
/// Where it is 0, it is unknown, and no vector counts as too slow.
inline flow::SingularRule singularRule(const ClutterFilterParams& values, int frames,
                                       double frameTimeS) {
    const auto end = static_cast<int>(std::min<std::int64_t>(values.last, frames));
    const auto first = static_cast<int>(std::min<std::int64_t>(values.first - 1, end));
    return {.by = values.thresholds,
            .range = {first, end},
            .leastRadians = static_cast<float>(2.0 * std::numbers::pi * values.cutHz * frameTimeS),
            .leastRatio = static_cast<float>(std::pow(10.0, -values.floorDb / 20.0))};
}

/// The same of a stage's values; empty where they are those of another stage.
inline std::optional<flow::SingularRule> singularRule(const Params& params, int frames,
                                                      double frameTimeS) {
    if (!params.table().isOf<ClutterFilterParams>()) return std::nullopt;
    return singularRule(params.as<ClutterFilterParams>(), frames, frameTimeS);
}

/// The blocks that singular values are found in. One block: the whole ensemble.
inline flow::ImageBlocks blocksOf(const ClutterFilterParams& values, const FrameSpec& input) {
    const std::int64_t depths = input.sizeOf(AxisName::Depth);
    const std::int64_t laterals = input.sizeOf(AxisName::Lateral);
    if (values.blockDepth == 0 && values.blockLateral == 0) return {};
    const bool overlap = values.overlap == BlockOverlap::HalfBlock;
    return {input.count() / (input.axes.front().size * depths * laterals),
            flow::BlockAxis::of(depths, values.blockDepth, overlap),
            flow::BlockAxis::of(laterals, values.blockLateral, overlap)};
}

} // namespace echolux
