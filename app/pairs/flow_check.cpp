// SPDX-License-Identifier: GPL-3.0-or-later
// Whether colour flow has the vessel's sign and speed.
#include "app/pairs/findings.hpp"
#include "app/pairs/images.hpp"
#include "app/pipeline/view_number.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace echolux::pairs {
namespace {

constexpr double kCmPerM = 100.0;

/// Towards the probe, where the beam is upright.
double towardsProbe(const FlowingTube& vessel, const Point& p) {
    const double across = -std::sin(vessel.angleRad) * (p.x - vessel.x) +
                          std::cos(vessel.angleRad) * (p.z - vessel.z);
    return -std::sin(vessel.angleRad) * vessel.speedAt(across);
}

bool isInMiddle(const FlowingTube& vessel, const Point& p) {
    constexpr double kAsideM = 0.5e-3;
    constexpr double kAlongM = 1e-3;
    constexpr double kElevationM = 0.25e-3;
    return std::abs(p.x - vessel.x) <= kAsideM && std::abs(p.z - vessel.z) <= kAlongM &&
           std::abs(p.y) <= kElevationM;
}

} // namespace

void checkFlow(const Task& task, const std::string& /*name*/, Findings& found) {
    const auto recording = task.open(Scene::Moving);
    const FrameSpec& raw = recording->info().frame;
    const PipelineConfig config = coarsely(fittedPipeline("colour_flow", raw), raw);
    const SnapshotPtr snapshot = imagingSnapshot(raw, config);
    const Image velocity =
        viewsOf(*recording, snapshot, task.backend)[viewNumber(*snapshot, "velocity")];
    const FlowingTube vessel = task.truth(Scene::Moving).vessel;
    double sum = 0.0;
    double expected = 0.0;
    std::size_t pixels = 0;
    std::size_t flowing = 0;
    for (std::size_t i = 0; i < velocity.values.size(); ++i) {
        const Point at = velocity.placeOf(i);
        if (!isInMiddle(vessel, at)) continue;
        ++pixels;
        const double value = velocity.values[i];
        if (std::isnan(value) || value == 0.0) continue;
        ++flowing;
        sum += value / kCmPerM;
        expected += towardsProbe(vessel, at);
    }
    found.expect(2 * flowing > pixels,
                 fmt::format("{} of {} pixels in the vessel show flow", flowing, pixels));
    if (flowing == 0) return;
    const double ratio = sum / expected;
    found.add("speed", ratio, "of the vessel's");
    found.expect(std::abs(ratio - 1.0) <= 0.1,
                 fmt::format("the flow is {:.2f} times that of the vessel", ratio));
}

} // namespace echolux::pairs
