// SPDX-License-Identifier: GPL-3.0-or-later
// What `scan_conversion` does, for the performance model.
#pragma once

#include "gpu/stage/stage_work.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace echolux {

/// Counts the search for the line (log2 of the lines steps of one load and four instructions),
/// angle and distance (atan2f and a root: some 20 FFMA, three special functions), and
/// BeamSamples::between: 4 loads and 3 FFMA, or 16 loads, 20 FFMA and 8 weights of 3 FFMA.
inline std::vector<model::Kernel> scanConversionKernels(const PlannedStage& stage, bool cubic) {
    const FrameSpec& input = stage.inputs[0];
    const auto lines = static_cast<double>(input.sizeOf(AxisName::Lateral));
    const double steps = std::ceil(std::log2(std::max(lines, 2.0)));
    const double loads = cubic ? 16.0 : 4.0;
    const std::int64_t pixels = stage.plan.outputs[0].count();
    const double read = 4.0 * (loads + steps);
    const double each = static_cast<double>(input.bytes()) / static_cast<double>(pixels);
    return {forEachWork(stage.backend, "scan_conversion", pixels,
                        {.bytesRead = read,
                         .bytesWritten = 4.0,
                         .distinctRead = std::min(read, each), // large pixels pass over samples
                         .counts = {.ffma = 20.0 + (cubic ? 44.0 : 3.0),
                                    .fadd = 12.0 + (cubic ? 16.0 : 4.0),
                                    .special = 3.0,
                                    .offsets = 6.0 * loads + 5.0 * steps},
                         .divisions = 2.0,
                         .registers = 40.0})};
}

} // namespace echolux
