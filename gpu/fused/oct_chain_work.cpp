// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of the fused OCT chain, step by step as in oct_chain_block.cuh.
#include "gpu/fused/fusion_work.hpp"
#include "gpu/fused/oct_chain_kernel.hpp"
#include "gpu/fused/oct_chain_parts.hpp"
#include "gpu/oct/oct_params.hpp"

#include <algorithm>
#include <cmath>

namespace echolux::fused {
namespace {

using model::Part;

/// What the counts depend on.
struct Chain {
    OctChainShape shape;
    double rawBytes;    ///< of a sample
    double lineBytes;   ///< of a sample in shared memory: codes, floats, or complex
    double linesAtOnce; ///< lines that share the loads of tables

    explicit Chain(const OctChainParts& parts) {
        shape.samples = static_cast<int>(parts.samples());
        shape.grid = static_cast<int>(parts.grid());
        shape.depths = static_cast<int>(parts.depths());
        shape.fullRange = parts.isFullRange();
        shape.type = parts.raw().dtype;
        shape.tapGroups = tapGroups(parts.mostTaps());
        if (parts.movingAverage != nullptr)
            shape.movingWindow = static_cast<int>(
                parts.movingAverage->params->as<oct::DcRemovalMovingParams>().window);
        const std::vector<Complex> phasors = parts.phasors();
        shape.turned = parts.isGridded() && std::ranges::any_of(phasors, [](Complex phasor) {
                           return phasor.re != 1.0F || phasor.im != 0.0F;
                       });
        const bool floats = shape.type == DType::F32 || shape.movingWindow > 0;
        rawBytes =
            static_cast<double>(parts.raw().bytes()) / static_cast<double>(parts.raw().count());
        const bool single = shape.turned && !hasComplexWeights(shape);
        lineBytes = single ? 8.0 : floats || shape.turned ? 4.0 : 2.0;
        linesAtOnce = single ? 1.0 : 2.0;
    }
};

Part fetchPart(const Chain& chain, double lines) {
    const double samples = lines * chain.shape.samples;
    Part part{.name = "fetch",
              .globalBytes = chain.rawBytes * samples,
              .sharedBytes = chain.lineBytes * samples,
              .offsets = 3.0 * samples,
              .storesPerLoad = 1.0};
    if (chain.shape.movingWindow > 0) {
        // subtractMovingOfCodes: a sum that slides along 32 samples of one or two lines. A code
        // enters it, one leaves it, one is read; before that the sum is filled. Per sample of all
        // lines at once.
        const double turns = samples / chain.linesAtOnce;
        const double filling = chain.shape.movingWindow / 32.0;
        part.sharedBytes += turns * (12.0 + 4.0 * filling + 8.0);
        part.fadd += 4.0 * turns;
        part.ffma += 2.0 * turns;
        part.offsets += turns * (24.0 + 6.0 * filling);
    }
    if (chain.shape.turned && !hasComplexWeights(chain.shape)) { // factor of each sample
        part.sharedBytes += 16.0 * samples;
        part.fmul += 2.0 * samples;
    }
    return part;
}

/// resample(): four taps per group and point. A tap is an FFMA, of turned samples or of complex
/// weights two; codes are converted again for each tap.
Part resamplePart(const Chain& chain, double lines) {
    const double points = lines * chain.shape.grid;
    const double groups = points * chain.shape.tapGroups;
    const double reals = chain.shape.turned ? 2.0 : 1.0;
    const bool codes = chain.lineBytes == 2.0;
    return {.name = "resample",
            .sharedBytes = groups * (4.0 * chain.lineBytes + 16.0 / chain.linesAtOnce) +
                           (weightGroups(chain.shape) - chain.shape.tapGroups) * points * 16.0 /
                               chain.linesAtOnce +
                           points * (2.0 / chain.linesAtOnce + 8.0),
            .ffma = 4.0 * reals * groups,
            .fmul = chain.shape.turned ? 0.0 : 2.0 * points,
            .offsets = groups * (codes ? 6.0 : 2.0),
            .independent = 8.0,
            .straight = true};
}

/// transform(): one exchange within a warp, and one between warps. Per point and stage there are
/// fewer than the usual 5 operations, 2 of them products, because products and sums are joined to
/// FFMA (counted by Nsight Compute, as are the offsets).
Part transformPart(const Chain& chain, double lines) {
    const double points = lines * chain.shape.grid;
    const double stages = std::log2(static_cast<double>(chain.shape.grid));
    const double exchanges = warpsPerPair(chain.shape.grid) > 1 ? 2.0 : 1.0;
    return {.name = "transform",
            .sharedBytes = points * (16.0 * exchanges + 4.0 * exchanges),
            .ffma = 1.15 * points * stages,
            .fmul = 0.45 * points * stages,
            .fadd = 1.75 * points * stages,
            .offsets = points * (exchanges > 1.0 ? 19.0 : 9.0),
            .independent = 8.0,
            .straight = true};
}

/// LineOutput: background, magnitude, logarithm.
Part storePart(const Chain& chain, double lines) {
    const double pixels = lines * chain.shape.depths;
    return {.name = "store",
            .globalBytes = 4.0 * pixels,
            .sharedBytes = 12.0 * pixels,
            .ffma = 2.0 * pixels,
            .fmul = pixels,
            .fadd = 3.0 * pixels,
            .special = pixels,
            .offsets = 3.0 * pixels,
            .straight = true};
}

model::Kernel chainKernel(const Chain& chain, double lines) {
    const double warps = warpsPerPair(chain.shape.grid);
    return {"oct chain",
            {std::ceil(lines / chain.linesAtOnce), warps * kLanes, 128.0,
             static_cast<double>(pairBytes(chain.shape))},
            {fetchPart(chain, lines), resamplePart(chain, lines), transformPart(chain, lines),
             storePart(chain, lines)}};
}

/// enqueueMeanSpectrum(): sums codes over lines, then chunks.
model::Kernel meanKernel(const Chain& chain, double lines) {
    const double samples = lines * chain.shape.samples;
    return {
        "mean spectrum",
        {std::max(1.0, std::ceil(samples / 8192.0)), 256.0, 32.0, 0.0},
        {Part{.name = "sum", .globalBytes = chain.rawBytes * samples, .offsets = 3.0 * samples}}};
}

} // namespace

std::vector<model::Kernel> octChainWork(std::span<const ChainStage> stages) {
    const OctChainParts parts(stages);
    const Chain chain(parts);
    std::vector<model::Kernel> kernels;
    if (parts.meanLines() > 0) {
        kernels.push_back(meanKernel(chain, static_cast<double>(parts.meanLines())));
        kernels.push_back(chainKernel(chain, 1.0)); // of the mean line
    }
    if (parts.patternLines() > 0) {
        const auto lines = static_cast<double>(parts.patternLines());
        kernels.push_back(chainKernel(chain, lines));
        const double values = lines * chain.shape.depths;
        kernels.push_back({"pattern",
                           {std::max(1.0, std::ceil(values / 8192.0)), 256.0, 32.0, 0.0},
                           {Part{.name = "survey",
                                 .globalBytes = 8.0 * values,
                                 .ffma = 2.0 * values,
                                 .fadd = 4.0 * values,
                                 .offsets = 6.0 * values}}});
    }
    kernels.push_back(chainKernel(chain, static_cast<double>(parts.lines())));
    return kernels;
}

} // namespace echolux::fused
