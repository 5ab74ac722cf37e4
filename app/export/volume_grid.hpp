// SPDX-License-Identifier: GPL-3.0-or-later
// Images and volumes in the order of NRRD, NIfTI and TIFF. The fastest axis is lateral; then come
// depth, elevation and frames.
#pragma once

#include "app/export/pixels.hpp"
#include "app/export/subject.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace echolux {

/// Where each frame is a B-scan of a volume, and whole volumes or a part of one are exported, the
/// frames are the volume's planes.
struct VolumeGrid {
    ImageGrid grid;
    std::int64_t volumes = 1;
    DType type;

    explicit VolumeGrid(const ExportSubject& subject);
    bool inMillimetres() const;
};

/// Where the pixels of a grid lie in space, in millimetres.
struct GridPlace {
    using Vector = std::array<double, 3>;
    std::array<Vector, 3> steps{}; ///< from pixel to pixel along lateral, depth, elevation
    Vector first{};                ///< the first pixel
    std::string space;             ///< as Pose::space; empty: the coordinates are those of the axes
    bool isSquare = true;          ///< the directions are perpendicular to each other

    bool isPosed() const { return !space.empty(); }
    /// Coordinates towards right, front and head, where they count towards left, back and head.
    GridPlace inRas() const;
};
GridPlace placeOf(const VolumeGrid& volume, const FrameSpec& frame);

/// Throws Error where the subject is no image. `what` names the file type: "A NIfTI file".
void checkVolume(const ExportSubject& subject, const OutputFiles& files, const std::string& what);
/// Adds a remark that names the axes without a scale.
void remarkOnScale(const ExportSubject& subject, const VolumeGrid& grid);

} // namespace echolux
