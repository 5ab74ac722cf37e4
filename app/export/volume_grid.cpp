// SPDX-License-Identifier: GPL-3.0-or-later
// Splits frames into planes.
#include "app/export/volume_grid.hpp"

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
}

} // namespace echolux
