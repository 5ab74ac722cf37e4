// SPDX-License-Identifier: GPL-3.0-or-later
// Splits frames into planes.
#include "app/export/volume_grid.hpp"

#include "gpu/core/posed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace echolux {

VolumeGrid::VolumeGrid(const ExportSubject& subject)
    : grid(subject.frame), volumes(subject.frames), type(plainType(subject.frame)) {
    const VolumeStack stack = stackOfEnsembles(subject.recording.frame.stack, subject.ensemble);
    const std::int64_t each = stack.bscansPerVolume;
    if (subject.frame.axes.size() != 2 || each <= 1 || subject.frames == 1) return;
    if (stack.repeats > 1) return; // neighbours are of one place
    const std::int64_t first = subject.firstFrame / subject.ensemble;
    const bool whole = first % each == 0 && subject.frames % each == 0;
    const bool part = first / each == (first + subject.frames - 1) / each;
    if (!whole && !part) return;
    grid.elevation.size = whole ? each : subject.frames;
    volumes = whole ? subject.frames / each : 1;
    const bool known = stack.spacingM > 0.0;
    grid.elevation.spacing = known ? 1e3 * stack.spacingM : 1.0;
    grid.elevation.unit = known ? "mm" : "";
    grid.elevation.origin = grid.elevation.spacing * static_cast<double>(first % each);
}

bool VolumeGrid::inMillimetres() const {
    return std::ranges::all_of(std::array{&grid.lateral, &grid.depth, &grid.elevation},
                               [](const ImageAxis* axis) { return axis->unit == "mm"; });
}

GridPlace GridPlace::inRas() const {
    GridPlace turned = *this;
    if (space != Pose().space) return turned;
    for (Vector* each : {&turned.steps[0], &turned.steps[1], &turned.steps[2], &turned.first})
        for (const std::size_t i : {0U, 1U}) (*each)[i] = 0.0 - (*each)[i];
    return turned;
}

GridPlace placeOf(const VolumeGrid& volume, const FrameSpec& frame) {
    const ImageGrid& grid = volume.grid;
    const std::array axes{&grid.lateral, &grid.depth, &grid.elevation};
    GridPlace place;
    if (frame.pose == nullptr || !volume.inMillimetres()) {
        for (std::size_t i = 0; i < axes.size(); ++i) {
            place.steps[i][i] = axes[i]->spacing;
            place.first[i] = axes[i]->origin;
        }
        return place;
    }
    constexpr double kMillimetres = 1e3;
    const auto vectorOf = [](const Point& p, double by) {
        return GridPlace::Vector{p.x * by, p.y * by, p.z * by};
    };
    const Pose& pose = *frame.pose;
    const std::array along{&pose.along[0], &pose.along[2], &pose.along[1]};
    for (std::size_t i = 0; i < axes.size(); ++i)
        place.steps[i] = vectorOf(*along[i], axes[i]->spacing);
    const Point first{grid.lateral.origin / kMillimetres, grid.elevation.origin / kMillimetres,
                      grid.depth.origin / kMillimetres};
    place.first = vectorOf(placedBy(pose, first), kMillimetres);
    place.space = pose.space;
    place.isSquare = isSquare(pose);
    return place;
}

void checkVolume(const ExportSubject& subject, const OutputFiles& files, const std::string& what) {
    if (!subject.isImage()) refuseContent(files, subject, what + " holds images and volumes");
}

void remarkOnScale(const ExportSubject& subject, const VolumeGrid& grid) {
    for (const ImageAxis* axis : {&grid.grid.lateral, &grid.grid.depth, &grid.grid.elevation}) {
        if (axis->unit != "" || subject.remarks == nullptr) continue;
        if (axis->name == AxisName::Lateral && subject.frame.sector) {
            subject.remarks->emplace_back(
                "The lines of the lateral axis have positions and angles of their own, so the axis "
                "has no length; switch on Scan conversion for an image true to scale.");
            continue;
        }
        subject.remarks->push_back(
            fmt::format("The distance of the pixels along the {} axis is unknown; the file says 1.",
                        nameOf(axis->name)));
    }
    if (subject.frame.pose && subject.remarks != nullptr && !placeOf(grid, subject.frame).isPosed())
        subject.remarks->emplace_back("Where the image lies in space is left out, because an axis "
                                      "has no length.");
}

} // namespace echolux
