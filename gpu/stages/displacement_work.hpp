// SPDX-License-Identifier: GPL-3.0-or-later
// What `displacement` does, for the performance model.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/stage/function_work.hpp"
#include "gpu/stages/displacement_table.hpp"
#include "gpu/stages/shift_search_parts.hpp"

#include <vector>

namespace echolux {

/// Counts the search for shifts, the turns over depth of both frames, and DisplacementOutputs.
inline std::vector<model::Kernel> displacementKernels(const PlannedStage& stage, const char* name) {
    constexpr double kSample = sizeof(Complex);
    const Backend backend = stage.backend;
    const auto& values = stage.params.as<DisplacementParams>();
    const FrameSpec& input = stage.inputs[0];
    const SearchedShifts of{backend,
                            name,
                            input.sizeOf(AxisName::Depth),
                            input.sizeOf(AxisName::Lateral),
                            1,
                            values.depthPixels / 2,
                            values.lateralPixels / 2};
    std::vector<model::Kernel> kernels;
    addShiftSearch(of, 1, values.method == MotionMethod::Correlation ? values.searchPixels : 0,
                   kernels);
    for (int frame = 0; frame < 2; ++frame) addTurns(of, 1, kernels);
    const bool moved = stage.wants(0);
    const double outputs = (moved ? 4.0 : 0.0) + (stage.wants(1) ? 4.0 : 0.0);
    const model::Part motion =
        addedUp({oneByOne(backend, {.ffma = 5.0, .fmul = 3.0, .fadd = 6.0, .offsets = 14.0}),
                 arcTangentWork(backend), divisionWork(backend)});
    kernels.push_back(forEachWork(
        backend, name, of.pixels(),
        {.bytesRead = (moved ? 8.0 + 2.0 * kSample : 0.0) + (stage.wants(1) ? 4.0 : 0.0),
         .bytesWritten = outputs,
         .counts = moved ? motion : model::Part{.offsets = 2.0}}));
    return kernels;
}

} // namespace echolux
