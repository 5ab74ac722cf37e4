// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of the fused front end, step by step as in front_end_block.hpp. Those of the transforms
// and all offsets were counted by Nsight Compute for compute capability 9.0.
#include "gpu/fused/front_end.hpp"
#include "gpu/fused/fusion_work.hpp"
#include "gpu/fused/oct_chain_kernel.hpp"

#include <cmath>

namespace echolux::fused {
namespace {

using model::Part;

/// loadLines: two codes per load where lines are even; conversion, line place, sum, two stores.
Part loadPart(const FrontShape& shape, double samples) {
    const auto bytes = static_cast<double>(bytesOf(shape.type, 1));
    return {.name = "fetch",
            .globalBytes = bytes * samples,
            .sharedBytes = 4.0 * samples,
            .fadd = 2.0 * samples,
            .offsets = 15.0 * samples,
            .barriers = 1.0,
            .storesPerLoad = 1.0};
}

/// readPiece, two transforms of kFilterPoints complex points per warp with one exchange each,
/// filterPoints, writePiece. A pair of lines is one complex line.
Part filterPart(const FrontShape& shape, double pairs) {
    const double points = pairs * shape.warps() * kFilterPoints;
    const double stages = std::log2(double{kFilterPoints});
    return {.name = "band-pass",
            // Read and written once, spectrum; an exchange and its twiddles, twice.
            .sharedBytes = points * (8.0 + 8.0 + 2.0 * 28.0),
            .ffma = points * 2.3 * stages,
            .fmul = points * (0.4 * stages + 1.0),
            .fadd = points * (3.6 * stages + 2.0),
            .offsets = points * 37.0,
            .barriers = 2.0,
            .independent = 8.0,
            .straight = true};
}

/// transformEight and writeAnalytic: per group of taps and eight outputs, 16 loads and
/// 8 x kHilbertGroup differences and FFMA.
Part analyticPart(const FrontShape& shape, double outputs) {
    const double taps = double{kHilbertGroup} * shape.hilbertGroups;
    return {.name = "analytic",
            .globalBytes = 16.0 * outputs, // phases, and the result
            .distinctBytes = 8.0 * outputs + 8.0 * shape.outputs,
            .sharedBytes = outputs * (16.0 * shape.hilbertGroups + 24.0),
            .ffma = outputs * (taps + 2.0),
            .fmul = outputs * 2.0,
            .fadd = outputs * taps,
            .offsets = outputs * (shape.hilbertGroups + 19.0),
            .independent = 8.0};
}

/// mixFour and writeMixed: each complex tap is two FFMA; a chunk's samples serve four outputs.
Part demodulationPart(const FrontShape& shape, double outputs) {
    const double taps = static_cast<double>(shape.mixChunks()) * shape.decimation;
    return {.name = "demodulate",
            .globalBytes = 16.0 * outputs,
            .distinctBytes = 8.0 * outputs + 8.0 * shape.outputs,
            .sharedBytes = outputs * (12.0 * taps / kMixedPerThread + 16.0),
            .ffma = outputs * (2.0 * taps + 4.0),
            .fmul = outputs * 4.0,
            .offsets = outputs * (2.0 * taps + 20.0)};
}

Part realPart(double outputs) {
    return {.name = "store",
            .globalBytes = 4.0 * outputs,
            .sharedBytes = 4.0 * outputs,
            .offsets = 6.0 * outputs};
}

} // namespace

std::vector<model::Kernel> frontEndWork(std::span<const ChainStage> stages) {
    const FrontEndParts parts(stages);
    const FrontShape shape = parts.shape();
    const auto samples = static_cast<double>(parts.raw().count());
    const auto outputs = static_cast<double>(parts.output().count());
    const double pairs = std::ceil(samples / shape.samples / 2.0);
    model::Kernel kernel{"front end",
                         {pairs, static_cast<double>(shape.warps() * kLanes), 128.0,
                          static_cast<double>(frontSharedBytes(shape))},
                         {loadPart(shape, samples)}};
    if (shape.filters) {
        kernel.parts.push_back(filterPart(shape, pairs));
    } else {
        kernel.parts.push_back({.name = "scale",
                                .sharedBytes = 8.0 * samples,
                                .fmul = samples,
                                .fadd = samples,
                                .offsets = 35.0 * samples,
                                .barriers = 1.0});
    }
    switch (shape.tail) {
    case FrontTail::None: kernel.parts.push_back(realPart(outputs)); break;
    case FrontTail::Analytic: kernel.parts.push_back(analyticPart(shape, outputs)); break;
    case FrontTail::Demodulate: kernel.parts.push_back(demodulationPart(shape, outputs)); break;
    }
    return {kernel};
}

} // namespace echolux::fused
