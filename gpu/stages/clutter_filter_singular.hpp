// SPDX-License-Identifier: GPL-3.0-or-later
// How the stage clutter_filter keeps a range of singular values, of the whole ensemble or of each
// block of its images.
#pragma once

#include "gpu/flow/kept_part.hpp"
#include "gpu/flow/leading_subspace.hpp"
#include "gpu/stage/memory_parts.hpp"
#include "gpu/stages/clutter_filter.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace echolux {

/// How the singular parts that are kept are found.
struct SingularPart {
    int first;   ///< from 0
    int end;     ///< one beyond the last
    int leading; ///< so many of the strongest vectors are computed
    bool few;    ///< by leadingSubspace()

    flow::KeptPart kept(int frames) const {
        return end == frames ? flow::KeptPart{0, first, true} : flow::KeptPart{first, end, false};
    }
};
inline SingularPart singularPart(const ClutterFilterParams& values, int frames) {
    if (values.thresholds != flow::ChosenBy::Number) return {0, frames, frames, false};
    const auto [first, end] = singularRule(values, frames, 0.0).range;
    if (first >= end) return {0, 0, 0, true}; // not what rounding would leave, but nothing
    // Few vectors are told from the weaker ones, but not from each other.
    const bool few = end == frames && first <= flow::kMostLeading;
    return {first, end, few ? first : frames, few};
}

/// Compute memory where all singular parts are found.
struct AllParts {
    flow::SingularParts found = {};
    Complex* matrix = nullptr;
    void* scratch = nullptr;
    std::size_t bytes = 0;

    AllParts(void* memory, int frames, std::int64_t pixels) {
        MemoryParts parts(memory);
        const std::int64_t count = frames;
        found = {parts.take<flow::SingularValue>(count), parts.take<Complex>(count * count),
                 parts.take<flow::SingularRange>(1)};
        matrix = parts.take<Complex>(count * count);
        scratch =
            parts.take<std::byte>(static_cast<std::int64_t>(flow::singularBytes(frames, pixels)));
        bytes = parts.bytes();
    }
};

/// Compute memory for the vectors of blocks: `count` of the strongest, or all.
struct PartsOfBlocks {
    flow::SingularRange* ranges = nullptr; ///< where all are found
    Complex* vectors = nullptr;
    void* scratch = nullptr;
    std::size_t bytes = 0;

    PartsOfBlocks(void* memory, int frames, const flow::ImageBlocks& blocks, int count, bool all) {
        MemoryParts parts(memory);
        if (all) ranges = parts.take<flow::SingularRange>(blocks.count());
        const auto each = static_cast<std::int64_t>(flow::leadingSize(frames, count));
        vectors = parts.take<Complex>(blocks.count() * each);
        const std::size_t room =
            all ? flow::singularBytes(frames, blocks) : flow::leadingBytes(frames, blocks, count);
        scratch = parts.take<std::byte>(static_cast<std::int64_t>(room));
        bytes = parts.bytes();
    }
};

/// For any `first` and `last`, which are live.
inline std::size_t singularBytes(const ClutterFilterParams& values, const FrameSpec& input) {
    const auto frames = static_cast<int>(input.axes.front().size);
    const std::int64_t pixels = input.count() / frames;
    const flow::ImageBlocks blocks = blocksOf(values, input);
    const auto few = [&]() -> std::size_t {
        const int leading = std::min(frames, flow::kMostLeading);
        if (blocks.count() > 1) return PartsOfBlocks(nullptr, frames, blocks, leading, false).bytes;
        return aligned(flow::leadingSize(frames, leading) * sizeof(Complex)) +
               flow::leadingBytes(frames, pixels, leading);
    };
    const auto all = [&]() -> std::size_t {
        if (blocks.count() > 1) return PartsOfBlocks(nullptr, frames, blocks, frames, true).bytes;
        return AllParts(nullptr, frames, pixels).bytes;
    };
    return values.thresholds == flow::ChosenBy::Number ? std::max(few(), all()) : all();
}

inline void checkSingular(const ClutterFilterParams& values, const FrameSpec& input) {
    if (values.thresholds == flow::ChosenBy::Similarity && blocksOf(values, input).count() > 1)
        throw Error(fmt::format(
            "clutter_filter: 'thresholds' = 'automatic' compares images of the whole frame, and "
            "'block_depth' = {}, 'block_lateral' = {} cut it into blocks; set both to 0, or "
            "'thresholds' to 'limits' or 'numbers'.",
            values.blockDepth, values.blockLateral));
}

/// Keeps the range of singular values of each block.
inline void keepSingularOfBlocks(const Exec& exec, const char* name,
                                 const ClutterFilterParams& values,
                                 const flow::MixedFrames& ensemble, double frameTimeS,
                                 const flow::ImageBlocks& blocks, void* workspace) {
    const int frames = ensemble.frames;
    const SingularPart part = singularPart(values, frames);
    const PartsOfBlocks memory(workspace, frames, blocks, part.leading, !part.few);
    if (!part.few)
        flow::findPartsOfBlocks(exec, name, ensemble, blocks,
                                singularRule(values, frames, frameTimeS), memory.scratch,
                                memory.vectors, memory.ranges);
    else if (part.leading > 0)
        flow::leadingSubspaces(exec, name, ensemble, blocks, part.leading, memory.scratch,
                               memory.vectors);
    flow::keepParts(exec, name, ensemble, blocks,
                    {memory.vectors, part.leading, part.kept(frames), memory.ranges});
}

/// Keeps the range of singular values of the whole ensemble.
inline void keepSingular(const Exec& exec, const char* name, const ClutterFilterParams& values,
                         const flow::MixedFrames& ensemble, double frameTimeS, void* workspace) {
    const int frames = ensemble.frames;
    const SingularPart part = singularPart(values, frames);
    if (!part.few) {
        const AllParts all(workspace, frames, ensemble.pixels);
        flow::findSingularParts(exec, name, ensemble, singularRule(values, frames, frameTimeS),
                                all.scratch, all.found);
        flow::projectOnRange(exec, name, frames, all.found, all.matrix);
        flow::mixFrames(exec, name, ensemble, all.matrix);
        return;
    }
    auto* found = static_cast<Complex*>(workspace);
    if (part.leading > 0)
        flow::leadingSubspace(
            exec, name, ensemble, part.leading,
            static_cast<std::byte*>(workspace) +
                aligned(flow::leadingSize(frames, part.leading) * sizeof(Complex)),
            found);
    flow::keepPart(exec, name, ensemble, found, part.leading, part.kept(frames));
}

} // namespace echolux
