// SPDX-License-Identifier: GPL-3.0-or-later
// Scales the grid's depths with the speed of sound.
#include "app/sweep/same_echoes.hpp"

#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/firing.hpp"

#include <utility>

namespace echolux {
namespace {

bool hasSameDepths(const BeamformParams& a, const BeamformParams& b) {
    return a.grid == b.grid && a.depthMinM == b.depthMinM && a.depthMaxM == b.depthMaxM &&
           a.pixelDepthM == b.pixelDepthM;
}

SnapshotPtr withDepths(const SnapshotPtr& from, const std::string& stage,
                       const BeamformParams& reference, double scale) {
    std::vector<std::pair<const char*, double>> depths{{"depth_max", reference.depthMaxM},
                                                       {"pixel_depth", reference.pixelDepthM},
                                                       {"depth_min", reference.depthMinM}};
    if (scale < 1.0) std::swap(depths.front(), depths.back()); // the top stays above the bottom
    SnapshotPtr made = from;
    for (const auto& [key, depth] : depths)
        made = withValue(*made, stage, key, ParamValue(scale * depth));
    return made;
}

} // namespace

measure::MeasuredImage SameEchoes::inReference(measure::MeasuredImage image) const {
    if (scale == 1.0 && shiftMm == 0.0) return image;
    return image.moved(scale, shiftMm);
}

SameEchoes onSameEchoes(const Snapshot& reference, const SnapshotPtr& swept) {
    constexpr double kMmPerM = 1e3;
    const StageState* before = reference.findWith<BeamformParams>();
    const StageState* after = swept->findWith<BeamformParams>();
    if (before == nullptr || after == nullptr || before->id != after->id) return {swept};
    const auto& from = before->params.as<BeamformParams>();
    const auto& to = after->params.as<BeamformParams>();
    SameEchoes same{swept};
    same.scale = from.soundSpeedMps / to.soundSpeedMps;
    same.shiftMm = kMmPerM * from.soundSpeedMps * (to.t0OffsetS - from.t0OffsetS) /
                   waysOf(*before->input().acquisition);
    // NOTE: the grid of the data has the recording's depths at any speed.
    if (same.scale != 1.0 && hasSameDepths(from, to) && to.grid != PixelGrid::Data)
        same.snapshot = withDepths(swept, after->id, from, 1.0 / same.scale);
    return same;
}

} // namespace echolux
