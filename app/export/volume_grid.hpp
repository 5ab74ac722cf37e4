// SPDX-License-Identifier: GPL-3.0-or-later
// Images and volumes in the order of NRRD, NIfTI and TIFF. The fastest axis is lateral; then come
// depth, elevation and frames.
#pragma once

#include "app/export/pixels.hpp"
#include "app/export/subject.hpp"

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

/// Throws Error where the subject is no image. `what` names the file type: "A NIfTI file".
void checkVolume(const ExportSubject& subject, const OutputFiles& files, const std::string& what);
/// Adds a remark that names the axes without a scale.
void remarkOnScale(const ExportSubject& subject, const VolumeGrid& grid);

} // namespace echolux
