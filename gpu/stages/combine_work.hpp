// SPDX-License-Identifier: GPL-3.0-or-later
// What `combine` does, for the performance model.
#pragma once

#include "gpu/stage/stage_work.hpp"
#include "gpu/stages/combine_minimum_variance.hpp"
#include "gpu/stages/combine_table.hpp"

#include <algorithm>
#include <vector>

namespace echolux {

/// What one channel of a pixel takes: a load, a square and an addition for the sum and power, and
/// what the method does besides. Roots, powers and arcs are special functions.
inline model::Part combinePart(const CombineParams& values, double reals, bool isGrid) {
    model::Part part{.ffma = reals, .fadd = 1.0 + 2.0 * reals, .offsets = 4.0};
    switch (values.method) {
    case Combining::Generalized: {
        if (isGrid) { // a pass for each frequency along a line: a turn, and its phasor goes on
            const double passes = 2.0 * static_cast<double>(values.lowBins) + 1.0;
            part.ffma += passes * 4.0;
            part.fmul += passes * 4.0;
            part.offsets += passes * 4.0;
            break;
        }
        const auto bins = static_cast<double>(values.lowBins); // two turns, two phasors go on
        part.ffma += 6.0 * bins + 4.0;
        part.fmul += 4.0 * bins + 4.0;
        part.fadd += 4.0 * bins;
        break;
    }
    case Combining::Phase: part.ffma += 16.0, part.special += 1.0, part.fadd += 6.0; break;
    case Combining::Circular: part.ffma += 2.0, part.special += 1.0, part.fadd += 4.0; break;
    case Combining::Multiply:
        part.special += 2.0;
        part.ffma += 4.0 * static_cast<double>(values.order == 2 ? 1 : values.order);
        break;
    default: break;
    }
    return part;
}

/// Of a matrix array, half of the lags of a disc.
inline double lagVectors(const channels::CombineShape& shape, const CombineParams& values) {
    const auto lags = static_cast<double>(values.lags);
    return shape.isGrid() ? 0.5 * 3.1416 * lags * lags + lags : lags;
}

/// InverseNorms and ShortLags. On CUDA threads keep channels in registers, so that a pair costs an
/// FMA a row; on the CPU each pair reads both.
inline std::vector<model::Kernel> shortLagKernels(const PlannedStage& stage, const char* name,
                                                  const channels::CombineShape& shape,
                                                  const CombineParams& values) {
    const bool cuda = stage.backend == Backend::Cuda;
    const double bytes = bytesPerSample(stage.inputs[0]);
    const auto channels = static_cast<double>(shape.channels);
    const auto rows = static_cast<double>(values.rows);
    const bool tuned = cuda && !shape.isGrid();
    const double pairs = channels * lagVectors(shape, values);
    const double reads =
        tuned ? channels * (rows * bytes + 4.0) : pairs * (2.0 * rows * bytes + 8.0);
    const double offsets = tuned ? 3.0 * channels * rows : 5.0 * pairs * rows;
    model::Kernel norms = forEachWork(
        stage.backend, name, shape.channels * shape.pixels,
        {.bytesRead = rows * bytes,
         .bytesWritten = 4.0,
         .distinctRead = bytes,
         .counts = oneByOne(stage.backend, {.ffma = rows, .special = 2.0, .offsets = 3.0 * rows}),
         .divisions = cuda ? 0.0 : 2.0});
    model::Kernel lags =
        forEachWork(stage.backend, name, shape.pixels,
                    {.bytesRead = reads,
                     .bytesWritten = 4.0,
                     .distinctRead = channels * (bytes + 4.0),
                     .counts = oneByOne(stage.backend, {.ffma = pairs * (tuned ? rows : rows + 1.0),
                                                        .fmul = tuned ? channels * rows : pairs,
                                                        .fadd = tuned ? 0.0 : pairs,
                                                        .offsets = offsets}),
                     .divisions = cuda ? 0.0 : 2.0 * pairs,
                     .registers = tuned ? 112.0 : 32.0});
    return {norms, lags};
}

/// The sliding sums of each row, Cholesky's factors and two solutions. In the eigenspace, eight
/// sweeps of rotations, each over matrix and vectors. NOTE: counted for a thread per pixel. CUDA
/// has a warp per pixel, or in the eigenspace a block.
inline model::Part varianceCounts(const CombineParams& values,
                                  const channels::CombineShape& shape) {
    const channels::Subarrays parts =
        channels::MinimumVariance{.shape = shape, .subarray = static_cast<float>(values.subarray)}
            .largest();
    const auto channels = static_cast<double>(shape.channels);
    const auto size = static_cast<double>(parts.size());
    const double terms =
        parts.lags() * static_cast<double>(parts.count() * parts.height) + size * size;
    const double averaged = static_cast<double>(values.averagedRows) * terms;
    model::Part counts{.fadd = 2.0 * channels, .offsets = 4.0 * averaged + 4.0 * channels};
    counts.ffma = 4.0 * averaged + 2.0 / 3.0 * size * size * size + 8.0 * size * size;
    counts.special = 2.0 * size;
    if (values.eigenspace > 0.0) {
        constexpr double kSweeps = 8.0;
        counts.ffma += kSweeps * 18.0 * size * size * size;
        counts.offsets += kSweeps * 12.0 * size * size * size;
        counts.special += kSweeps * 2.0 * size * size;
    }
    return counts;
}

inline std::vector<model::Kernel> combineKernels(const PlannedStage& stage, const char* name,
                                                 const channels::CombineShape& shape) {
    const auto& values = stage.params.as<CombineParams>();
    const double bytes = bytesPerSample(stage.inputs[0]);
    const auto channels = static_cast<double>(shape.channels);
    const bool weightless =
        values.method == Combining::Multiply || values.method == Combining::MinimumVariance;
    std::vector<model::Kernel> kernels;
    if (values.method == Combining::ShortLag) kernels = shortLagKernels(stage, name, shape, values);
    if (weightless && stage.wants(1))
        kernels.push_back(forEachWork(stage.backend, name, shape.pixels, {.bytesWritten = 4.0}));
    if (weightless && !stage.wants(0)) return kernels;
    const model::Part counts =
        values.method == Combining::MinimumVariance
            ? varianceCounts(values, shape)
            : combinePart(values, bytes / 4.0, shape.isGrid()).times(channels);
    const double weight = !weightless && stage.wants(1) ? 4.0 : 0.0;
    const double rows = values.method == Combining::MinimumVariance
                            ? static_cast<double>(values.averagedRows)
                            : 1.0;
    kernels.push_back(forEachWork(stage.backend, name, shape.pixels,
                                  {.bytesRead = rows * channels * bytes,
                                   .bytesWritten = (stage.wants(0) ? bytes : 0.0) + weight,
                                   .distinctRead = channels * bytes,
                                   .counts = oneByOne(stage.backend, counts)}));
    return kernels;
}

} // namespace echolux
