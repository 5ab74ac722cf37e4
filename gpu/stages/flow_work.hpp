// SPDX-License-Identifier: GPL-3.0-or-later
// What `flow` does, for the performance model.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/stage/running_maximum.hpp"
#include "gpu/stages/flow_table.hpp"
#include "gpu/stages/shift_search_parts.hpp"

#include <utility>
#include <vector>

namespace echolux {

/// Counts LagOne, FlowAverage and FlowOutputs, and the search for shifts of up to `mostShift`
/// pixels.
inline std::vector<model::Kernel> flowKernels(const PlannedStage& stage, const char* name,
                                              std::int64_t mostShift) {
    constexpr double kSample = sizeof(Complex);
    const Backend backend = stage.backend;
    const auto& values = stage.params.as<FlowParams>();
    const FrameSpec& input = stage.inputs[0];
    const auto frames = static_cast<double>(input.axes.front().size);
    const std::int64_t pixels = input.count() / input.axes.front().size;
    const bool searches = values.estimator == FlowEstimator::CrossCorrelation;
    const bool twoLags = values.estimator == FlowEstimator::TwoLags;
    const double lags = twoLags ? 2.0 : 1.0;
    const double sums = lags + (values.stagger == FlowStagger::None ? 0.0 : 1.0);
    const double box =
        static_cast<double>((values.depthPixels / 2 * 2 + 1) * (values.lateralPixels / 2 * 2 + 1));
    // Of the second lag both samples are read anew, one of them by its neighbour, too.
    const double reads = frames * (2.0 * lags - 1.0);
    std::vector<model::Kernel> kernels{
        forEachInLinesWork(backend, name, pixels,
                           {.bytesRead = kSample * reads,
                            .bytesWritten = 4.0 + kSample * sums,
                            .distinctRead = kSample * frames,
                            .counts = {.ffma = frames * (1.0 + 3.0 * lags),
                                       .fmul = frames * (1.0 + lags) + 2.0,
                                       .special = 2.0,
                                       .offsets = 6.0 * reads}}),
        forEachInLinesWork(backend, name, pixels,
                           {.bytesRead = box * (4.0 + kSample * sums),
                            .bytesWritten = 4.0 + kSample * sums,
                            .distinctRead = 4.0 + kSample * sums,
                            .counts = {.fmul = 2.0,
                                       .fadd = box * (1.0 + 2.0 * sums),
                                       .special = 3.0,
                                       .offsets = box * 10.0}})};
    if (searches) {
        const SearchedShifts of{backend,
                                name,
                                input.sizeOf(AxisName::Depth),
                                input.sizeOf(AxisName::Lateral),
                                input.sizeOf(AxisName::Elevation),
                                values.windowPixels / 2,
                                values.lateralPixels / 2};
        addShiftSearch(of, input.axes.front().size - 1, mostShift, kernels);
        addTurns(of, input.axes.front().size, kernels);
    }
    for (model::Kernel& kernel : followMaximumWork(backend, name, pixels))
        kernels.push_back(std::move(kernel));
    const double phases = searches ? 2.0 : sums;
    kernels.push_back(forEachWork(backend, name, pixels,
                                  {.bytesRead = 4.0 + kSample * phases,
                                   .bytesWritten = 4.0,
                                   .counts = {.ffma = 14.0 * phases,
                                              .fmul = 6.0 * phases,
                                              .fadd = 8.0,
                                              .special = 1.0 + 2.0 * phases,
                                              .offsets = 24.0}}));
    return kernels;
}

} // namespace echolux
