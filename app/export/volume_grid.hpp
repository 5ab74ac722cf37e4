// SPDX-License-Identifier: GPL-3.0-or-later
// Images and volumes as NRRD, NIfTI and TIFF hold them: fastest first lateral, depth, elevation,
// then frames.
#pragma once

#include "app/export/pixels.hpp"
#include "app/export/subject.hpp"

#include <cstdint>
#include <string>

namespace echolux {

/// B-scans that make a volume, frame by frame, are its planes where whole volumes, or a part of
/// one, were asked for.
struct VolumeGrid {
    ImageGrid grid;
    std::int64_t volumes = 1;
    DType type;

    explicit VolumeGrid(const ExportSubject& subject);
    bool inMillimetres() const;
};

/// Refuses what is no image, as `ending`'s `what` ("A NIfTI file").
void checkVolume(const ExportSubject& subject, const OutputFiles& files, const std::string& what);
/// Says which axes have no scale.
void remarkOnScale(const ExportSubject& subject, const VolumeGrid& grid);

} // namespace echolux
