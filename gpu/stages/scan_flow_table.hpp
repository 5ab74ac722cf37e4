// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages of OCT flow tell of their input and parameters: gpu/flow/repeated_scans.hpp.
#pragma once

#include "gpu/flow/repeated_scans.hpp"
#include "gpu/stage/stage.hpp"

#include <fmt/format.h>

namespace echolux::flow {

inline RepeatedScans repeatedScans(const FrameSpec& spec, const void* samples = nullptr) {
    const std::vector<Axis>& axes = spec.axes;
    const auto bands = static_cast<int>(spec.bands);
    return {static_cast<const Complex*>(samples), static_cast<int>(axes[0].size) / bands, bands,
            axes[1].size, axes[2].size};
}

/// Throws Error where an ensemble has a single frame, in the name of that stage.
inline void checkRepeats(const char* stage, const FrameSpec& input) {
    if (input.axes.front().size >= 2 * input.bands) return;
    throw Error(fmt::format("Stage '{}': an ensemble has one frame, but flow shows only between "
                            "repeated B-scans; set 'ensemble' in the pipeline's table [recording] "
                            "to 2 or more.",
                            stage));
}

/// Adds the rows of ScanFlowParams, a base of P, to a table.
template <class P>
ParamTable::Builder<P>& addScanFlowRows(ParamTable::Builder<P>& table, const char* masked) {
    return table
        .integer(&P::depthPixels, {.key = "depth_pixels",
                                   .label = "Average over depth",
                                   .unit = "pixels",
                                   .min = 1,
                                   .max = 31,
                                   .step = 2,
                                   .help = "Height of the box over which each pixel is averaged. "
                                           "Even numbers count as the next odd one."})
        .integer(&P::lateralPixels, {.key = "lateral_pixels",
                                     .label = "Average across",
                                     .unit = "pixels",
                                     .min = 1,
                                     .max = 31,
                                     .step = 2,
                                     .help = "Width of the box over which each pixel is averaged. "
                                             "Even numbers count as the next odd one."})
        .real(&P::thresholdDb, {.key = "threshold",
                                .label = "Threshold",
                                .unit = "dB",
                                .min = -60,
                                .max = 40,
                                .step = 0.5,
                                .help = masked})
        .template choice<NoiseFrom>(
            &P::noiseFrom, {{"quiet_depths", "Quiet depths"}, {"level", "Given level"}},
            {.key = "noise",
             .label = "Noise",
             .help = "Quiet depths: the level that a fifth of the depths stay below; it is too "
                     "high where tissue fills the whole depth. Given level: `noise_level`."})
        .real(&P::noiseDb, {.key = "noise_level",
                            .label = "Noise level",
                            .unit = "dB",
                            .min = -120,
                            .max = 140,
                            .step = 0.5,
                            .help = "Mean power of the noise, where 0 dB is a fringe of amplitude "
                                    "1 code.",
                            .onlyWith = {"noise", "level"}});
}

} // namespace echolux::flow
