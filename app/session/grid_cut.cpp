// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/grid_cut.hpp"

#include "app/pipeline/graph_edits.hpp"

#include <algorithm>
#include <string>

namespace echolux {
namespace {

/// One pixel that begins at `at`: the next one would lie beyond the end.
void cut(StageConfig& stage, const std::string& name, double at) {
    constexpr double kThinM = 1e-6;
    constexpr double kLargestPixelM = 0.01;
    setValue(stage, name + "_min", at);
    setValue(stage, name + "_max", at + kThinM);
    setValue(stage, "pixel_" + name, kLargestPixelM);
}

} // namespace

void cutToSlice(StageConfig& stage, const FrameSpec& image, std::int64_t slice) {
    const Axis& slices = *image.find(AxisName::Elevation);
    const auto at = static_cast<double>(std::clamp<std::int64_t>(slice, 0, slices.size - 1));
    cut(stage, "elevation", slices.origin + at * slices.spacing);
}

void cutToPixel(StageConfig& stage, const BeamformParams& params, double lateralM, double depthM) {
    if (params.grid == PixelGrid::Data) setValue(stage, "grid", std::string("image"));
    cut(stage, "depth", depthM);
    if (params.grid != PixelGrid::Beams) cut(stage, "lateral", lateralM);
}

} // namespace echolux
