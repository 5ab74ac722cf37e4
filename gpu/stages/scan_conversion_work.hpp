// SPDX-License-Identifier: GPL-3.0-or-later
// What `scan_conversion` does, for the performance model.
#pragma once

#include "gpu/stage/stage_work.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace echolux {

/// Counts PrepareSamples: a power of two for levels, sine and cosine for cyclic values.
inline model::Kernel prepareSamplesWork(const PlannedStage& stage, double columns, double bytes) {
    const FrameSpec& input = stage.inputs[0];
    const bool cyclic = input.valueKind == ValueKind::Cyclic;
    const auto rows = static_cast<double>(input.sizeOf(AxisName::Depth));
    return forEachWork(stage.backend, "scan_conversion", static_cast<std::int64_t>(rows * columns),
                       {.bytesRead = 4.0,
                        .bytesWritten = bytes,
                        .counts = {.ffma = cyclic ? 24.0 : 2.0,
                                   .fmul = 2.0,
                                   .fadd = 3.0,
                                   .special = cyclic ? 1.0 : 2.0,
                                   .offsets = 12.0},
                        .divisions = 1.0});
}

/// Counts the search for the line (log2 of the lines steps of one load and four instructions),
/// angle and distance (atan2f and a root: some 20 FFMA, three special functions), and
/// MixedSamples::between: 4 loads and 3 FFMA, or 16 loads, 20 FFMA and 8 weights of 3 FFMA. For
/// levels a minimum per load and a logarithm, for cyclic values the sums twice and an angle. Levels
/// and other values that are not mixed themselves have PrepareSamples before it, and so have
/// lines round a full circle.
inline std::vector<model::Kernel> scanConversionKernels(const PlannedStage& stage, bool cubic,
                                                        std::int64_t columns) {
    const FrameSpec& input = stage.inputs[0];
    const auto lines = static_cast<double>(columns);
    const double steps = std::ceil(std::log2(std::max(lines, 2.0)));
    const double loads = cubic ? 16.0 : 4.0;
    const std::int64_t pixels = stage.plan.outputs[0].count();
    const bool cyclic = input.valueKind == ValueKind::Cyclic;
    const bool level = input.valueKind == ValueKind::Level;
    const double parts = cyclic ? 2.0 : 1.0;
    const double read = 4.0 * (parts * loads + steps);
    const bool prepares = stage.plan.workspaceBytes > 0;
    const double image = prepares ? static_cast<double>(stage.plan.workspaceBytes)
                                  : static_cast<double>(input.bytes());
    const double each = image / static_cast<double>(pixels);
    std::vector<model::Kernel> kernels;
    if (prepares) kernels.push_back(prepareSamplesWork(stage, lines, 4.0 * parts));
    kernels.push_back(
        forEachWork(stage.backend, "scan_conversion", pixels,
                    {.bytesRead = read,
                     .bytesWritten = 4.0,
                     .distinctRead = std::min(read, each), // large pixels pass over samples
                     .counts = {.ffma = 20.0 + parts * (cubic ? 44.0 : 3.0) + (cyclic ? 12.0 : 0.0),
                                .fadd = 12.0 + parts * (cubic ? 16.0 : 4.0) + (level ? loads : 0.0),
                                .special = level || cyclic ? 5.0 : 3.0,
                                .offsets = 6.0 * loads + 5.0 * steps},
                     .divisions = 2.0,
                     .registers = 40.0}));
    return kernels;
}

} // namespace echolux
